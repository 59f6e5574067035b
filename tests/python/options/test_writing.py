"""What each option of writing does, in each verb that takes it."""

import json as standard
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Annotated, Any

import demat
import formats
import pytest
from demat import Hook, csv, json, ndjson

Write = Callable[..., bytes]


@dataclass
class Row:
    b: int
    a: str = "x"
    c: list[int] = field(default_factory=list)


class Own:
    pass


@dataclass
class Pair:
    key: int
    value: str


def into(module: Any) -> Write:
    def write(value: Any, **options: Any) -> bytes:
        buffer = bytearray(b"what was there")
        assert module.encode_into(value, buffer, **options) is None
        return bytes(buffer)

    return write


def by_encoder(module: Any) -> Write:
    def write(value: Any, **options: Any) -> bytes:
        encoder, buffer = module.Encoder(**options), bytearray(b"head")
        encoder.encode_into(value, buffer, 4)
        written = encoder.encode(value)
        assert buffer == b"head" + written
        encoder.encode_into(value, buffer)
        assert buffer == written
        return written

    return write


def verbs(module: Any) -> dict[str, Write]:
    """Each way to write with options."""
    return {"encode": module.encode, "dumps": module.dumps, "into": into(module), "Encoder": by_encoder(module)}


def every(*modules: Any) -> Any:
    cases = [
        pytest.param(module, write, id=f"{module.__name__}-{name}")
        for module in modules
        for name, write in verbs(module).items()
    ]
    return pytest.mark.parametrize(("module", "write"), cases)


# How formats of text spell a list of one record with one field.
SPELT = {json: '[{"n":%s}]', ndjson: '{"n":%s}\n', csv: "n\n%s\n"}


def has_written(module: Any, written: bytes, value: Any) -> bool:
    """Whether it is a list of one record, whose field `n` is this."""
    if module in SPELT:
        text = standard.dumps(value) if module is not csv else str(value)
        assert written.decode() == SPELT[module] % text
    return module.decode(written, list[dict[str, type(value)]]) == [{"n": value}]


@every(*formats.modules(typed=False))
def test_type(module, write):
    hexed = Annotated[int, Hook(wire=str, decode=int, encode=hex)]
    written = write([{"n": 255}], type=list[dict[str, hexed]])
    assert has_written(module, written, "0xff")
    for options in ({}, {"type": None}):
        assert has_written(module, write([{"n": 255}], **options), 255)


@every(*formats.modules(typed=False))
def test_hooks(module, write):
    hooks = {Own: Hook(encode=lambda own: 5)}
    assert has_written(module, write([{"n": Own()}], hooks=hooks), 5)
    for options in ({}, {"hooks": None}, {"hooks": {}}):
        with pytest.raises(demat.EncodeError, match="Own"):
            write([{"n": Own()}], **options)


@every(*formats.modules(typed=False))
def test_rename(module, write):
    pairs = [Pair(1, "x"), Pair(2, "y")]
    for rename in ("upper", {"key": "KEY", "value": "VALUE"}, str.upper):
        for options in ({}, {"type": list[Pair]}):
            written = write(pairs, rename=rename, **options)
            assert module.decode(written, list[Pair], rename=rename) == pairs
            assert b"KEY" in written
            assert b"value" not in written
    assert write(pairs, rename=None) == write(pairs)
    assert write([Own(), *pairs], rename="upper", default=lambda own: Pair(0, "o")) == write(
        [Pair(0, "o"), *pairs], rename="upper"
    )


def test_rename_is_not_for_classes_that_say_something_nor_for_dicts():
    @demat.configure(rename="kebab")
    @dataclass
    class Said:
        a_b: int
        inner: dict[str, Pair]

    written = json.encode(Said(1, {"some_key": Pair(1, "x")}), rename="upper")
    assert written == b'{"a-b":1,"inner":{"some_key":{"KEY":1,"VALUE":"x"}}}'


@every(*formats.modules(typed=False))
def test_hooks_with_a_type_that_nothing_else_describes(module, write):
    hooks = {Own: Hook(wire=int, encode=lambda own: 5)}
    for tp in (list[dict[str, Own]], list[dict[str, Own | None]]):
        assert has_written(module, write([{"n": Own()}], type=tp, hooks=hooks), 5)


@every(*formats.modules(typed=False))
def test_default(module, write):
    assert has_written(module, write([{"n": Own()}], default=lambda own: 5), 5)
    with pytest.raises(demat.EncodeError, match="Own"):
        write([{"n": Own()}], default=None)


@every(json)
def test_indent(module, write):
    value = {"b": [1, {"c": []}, {}], "a": {"x": None}, "e": [[]]}
    for indent in (0, 1, 2, 4, 9):
        assert write(value, indent=indent).decode() == standard.dumps(value, indent=indent).replace("\n\n", "\n")
    assert write(value, indent=None) == write(value)
    assert b" " not in write(value)
    assert standard.loads(write(Row(1, "y", [2]), indent=3)) == {"b": 1, "a": "y", "c": [2]}


@every(json, ndjson)
def test_sort_keys(module, write):
    value = [{"b": 1, "é": 2, "a": {"z": 1, "y": [{"d": 1, "c": 2}]}, "B": 3, "": 4, "😀": 5, "\uffff": 6}]
    written = write(value, sort_keys=True)
    expected = standard.dumps(
        value if module is json else value[0], ensure_ascii=False, separators=(",", ":"), sort_keys=True
    )
    # In the order of the bytes, which is that of the characters.
    assert written.decode().rstrip() == expected
    assert write([Row(1)], sort_keys=True) in (b'[{"a":"x","b":1,"c":[]}]', b'{"a":"x","b":1,"c":[]}\n')
    assert write(value, sort_keys=False) == write(value)


@every(json, ndjson)
def test_ascii(module, write):
    value = [{"é": "€ 😀 \x7f \x1f \ud7ff"}]
    written = write(value, ascii=True)
    assert written.isascii()
    assert module.decode(written) == value
    assert b"\\u00e9" in written
    assert b"\\ud83d\\ude00" in written
    assert not write(value, ascii=False).isascii()
    assert module.decode(write(value)) == value


@every(*formats.modules(nested=True, typed=False))
def test_depth(module, write):
    for depth in (1, 2, 3, 50):
        value: Any = []
        for _ in range(depth - 1):
            value = [value]
        assert write(value, depth=depth) is not None
        with pytest.raises(demat.LimitError, match="the depth of nesting exceeds the limit of"):
            write([value], depth=depth)


@every(csv)
def test_delimiter_and_quote(module, write):
    rows = [{"a": "x;y", "b": 'q"r', "c": "s't", "d": "u\nv"}]
    assert write(rows) == b'a,b,c,d\nx;y,"q""r",s\'t,"u\nv"\n'
    assert write(rows, delimiter=";") == b'a;b;c;d\n"x;y";"q""r";s\'t;"u\nv"\n'
    assert write(rows, quote="'") == b"a,b,c,d\nx;y,q\"r,'s''t','u\nv'\n"
    for delimiter in ",;\t| ":
        for quote in "\"'":
            written = write(rows, delimiter=delimiter, quote=quote)
            assert csv.decode(written, delimiter=delimiter, quote=quote) == rows
    assert write([{"a": 'x"y'}], quote=None) == b'a\nx"y\n'
    with pytest.raises(demat.EncodeError, match="text that needs no quotes"):
        write([{"a": "x,y"}], quote=None)


@every(csv)
def test_header(module, write):
    assert write([{"a": 1}], header=True) == b"a\n1\n"
    assert write([{"a": 1}], header=False) == b"1\n"
    assert write([[1, 2], [3, 4]], header=False) == b"1,2\n3,4\n"


@every(csv)
def test_line_ending(module, write):
    assert write([{"a": 1}], line_ending="\n") == b"a\n1\n"
    assert write([{"a": 1}], line_ending="\r\n") == b"a\r\n1\r\n"


@every(csv)
def test_the_first_row_says_which_columns_there_are(module, write):
    assert write([{"a": 1, "b": 2}, {"a": 3}, {"b": 5, "a": 4}]) == b"a,b\n1,2\n3,\n4,5\n"
    with pytest.raises(demat.EncodeError, match=r"expected one of the columns `a`, found `b` at `\$\[1\]"):
        write([{"a": 1}, {"a": 3, "b": 4}])
    with pytest.raises(demat.EncodeError, match=r"expected 2 cells, found 1 cell at `\$\[1\]`"):
        write([[1, 2], [3]], header=False)


@every(csv)
def test_escape_formulas(module, write):
    rows = [{"a": text} for text in ("=1+1", "+1", "-1", "@x", "\tx", "x=1", "", "'x")]
    assert csv.decode(write(rows)) == rows
    escaped = [row["a"] for row in csv.decode(write(rows, escape_formulas=True))]
    assert escaped == ["'=1+1", "'+1", "'-1", "'@x", "'\tx", "x=1", "", "'x"]
    # A number is no text.
    assert write([{"a": -1}], escape_formulas=True) == b"a\n-1\n"


ALL = formats.modules()
DEEP = formats.modules(writes="depth")
INDENTED, NOT_INDENTED = formats.modules(writes="indent"), formats.modules(writes_no="indent")
SORTED, NOT_SORTED = formats.modules(writes="sort_keys"), formats.modules(writes_no="sort_keys")
TABLES, NO_TABLES = formats.modules(writes="header"), formats.modules(writes_no="header")
WRONG = [
    (ALL, {"type": 5}, TypeError, "5"),
    (ALL, {"rename": "nope"}, ValueError, "rename='nope' is none of 'camel'"),
    (ALL, {"rename": 5}, TypeError, "rename must be a str, a function or a mapping, not int"),
    (ALL, {"hooks": 5}, TypeError, "hooks must be a mapping of classes to demat.Hook, not int"),
    (ALL, {"hooks": {Own: 5}}, TypeError, "hooks must be a mapping of classes to demat.Hook"),
    (ALL, {"default": 5}, TypeError, "default must be callable with one argument, or None, not int"),
    (INDENTED, {"indent": -1}, ValueError, "indent"),
    # YAML has at most 16.
    (INDENTED, {"indent": 256}, ValueError, "indent must be below 256|indent must be from 1 to 16"),
    (INDENTED, {"indent": "\t"}, TypeError, "indent must be an int from 0 to 4294967295, not"),
    (INDENTED, {"indent": True}, TypeError, "indent must be an int from 0 to 4294967295, not True"),
    (SORTED, {"sort_keys": 1}, TypeError, "sort_keys must be True or False, not 1"),
    (formats.modules(writes="ascii"), {"ascii": None}, TypeError, "ascii must be True or False, not None"),
    (DEEP, {"depth": -1}, ValueError, "depth must be an int from 0 to 4294967295, not -1"),
    (DEEP, {"depth": "5"}, TypeError, "depth must be an int from 0 to 4294967295, not"),
    (TABLES, {"delimiter": "ab"}, ValueError, 'delimiter must be one ASCII character, not "ab"'),
    (TABLES, {"delimiter": "é"}, ValueError, 'delimiter must be one ASCII character, not "é"'),
    (TABLES, {"delimiter": 5}, TypeError, "delimiter must be a str of one ASCII character, not 5"),
    (TABLES, {"delimiter": '"'}, ValueError, "delimiter|quote"),
    (TABLES, {"quote": "\n"}, ValueError, "quote"),
    (TABLES, {"header": 1}, TypeError, "header must be True or False, not 1"),
    (TABLES, {"line_ending": "\r"}, ValueError, "line_ending"),
    (TABLES, {"line_ending": 5}, TypeError, "line_ending"),
    (ALL, {"ragged": "pad"}, TypeError, 'has no option "ragged"'),
    (TABLES, {"escape_formulas": "yes"}, TypeError, "escape_formulas must be True or False, not"),
    (ALL, {"nonsense": 1}, TypeError, 'has no option "nonsense"; it has type, rename, hooks, default'),
    (ALL, {"strict": True}, TypeError, 'has no option "strict"'),
    (NOT_INDENTED, {"indent": 2}, TypeError, 'has no option "indent"'),
    (NOT_SORTED, {"sort_keys": True}, TypeError, 'has no option "sort_keys"'),
    (NO_TABLES, {"header": True}, TypeError, 'has no option "header"'),
]


@pytest.mark.parametrize(("modules", "options", "error", "message"), WRONG)
def test_wrong(modules, options, error, message):
    for module in modules:
        for write in verbs(module).values():
            with pytest.raises(error, match=message) as raised:
                write([{"a": 1}], **options)
            assert type(raised.value) is error


@every(*formats.modules(typed=False))
def test_a_buffer_that_fails_is_empty(module, write):
    buffer = bytearray(b"what was there")
    with pytest.raises(demat.EncodeError):
        module.encode_into([{"a": 1}, {"a": Own()}], buffer)
    assert buffer == b""
    buffer = bytearray(b"head, and tail")
    with pytest.raises(demat.EncodeError):
        module.Encoder().encode_into([{"a": 1}, {"a": Own()}], buffer, 4)
    assert buffer == b"head"


def test_where_in_a_buffer():
    encoder = json.Encoder()
    for offset, expected in ((0, b"[1]"), (2, b"ab[1]"), (6, b"abcdef[1]"), (-1, b"abcdef[1]")):
        buffer = bytearray(b"abcdef")
        encoder.encode_into([1], buffer, offset)
        assert buffer == expected
    for offset in (7, -2, -100, 2**40):
        buffer = bytearray(b"abcdef")
        with pytest.raises(ValueError, match="offset must be from 0 to the bytearray's length, 6, or -1 for that"):
            encoder.encode_into([1], buffer, offset)
        assert buffer == b"abcdef"
    for wrong in (b"bytes", memoryview(bytearray(5)), None, [], "x"):
        with pytest.raises(TypeError, match="encode_into needs a bytearray"):
            encoder.encode_into([1], wrong)
        with pytest.raises(TypeError, match="encode_into needs a bytearray"):
            json.encode_into([1], wrong)


def test_large_and_small_by_turns_into_one_buffer():
    buffer = bytearray()
    for size in (10, 1_000_000, 10, 100_000, 0, 3_000_000):
        json.encode_into(["x" * size], buffer)
        assert len(buffer) == size + 4
        assert json.decode(buffer) == ["x" * size]


def test_options_of_an_encoder_are_what_it_shows():
    assert repr(json.Encoder(indent=2, sort_keys=True)) == "demat.json.Encoder(indent=2, sort_keys=True)"
    assert repr(csv.Encoder()) == "demat.csv.Encoder()"


def test_encoders_take_no_option_with_the_value():
    with pytest.raises(TypeError):
        json.Encoder().encode([1], indent=2)
