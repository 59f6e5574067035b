"""The exception family: what each error knows of where it is and why it is there, in every format."""

import traceback
from dataclasses import dataclass
from typing import Annotated, Any

import pytest
from demat import (
    DecodeError,
    EncodeError,
    Error,
    Field,
    Hook,
    LimitError,
    StoreError,
    ValidationError,
    csv,
    json,
    ndjson,
)


@dataclass
class Row:
    id: int
    name: str = ""
    tags: Any = None


def worse(text):
    if text == "2":
        raise ValueError("two")
    return int(text)


def test_the_family():
    assert ValidationError.__mro__[1] is DecodeError
    for kind in (DecodeError, EncodeError, LimitError, StoreError):
        assert kind.__bases__ == (Error,)
    assert Error.__bases__ == (ValueError,)


# What is called, and the attributes of what it raises, in this order:
# class, path, offset, line, column, record, expected, found.
CASES = {
    "json syntax": (lambda: json.decode('{"a":\n [1,x]}'), (DecodeError, "$.a[1]", 10, 2, 5, None, "a value", "x")),
    "json type": (
        lambda: json.decode('[\n{"id":"é"}]', list[Row]),
        (ValidationError, "$[0].id", 8, 2, 7, None, "int", "str"),
    ),
    "json wide": (
        lambda: json.decode('["é",\n"😀", 1]', list[str]),
        (ValidationError, "$[2]", 15, 2, 6, None, "str", "int"),
    ),
    "json missing": (
        lambda: json.decode('[{"name":"x"}]', list[Row]),
        (ValidationError, "$[0]", 12, 1, 13, None, "field `id`", "nothing"),
    ),
    "json unknown": (
        lambda: json.decode('[{"id":1,"x":2}]', list[Row], unknown="forbid"),
        (ValidationError, "$[0]", 9, 1, 10, None, None, None),
    ),
    "json check": (
        lambda: json.decode("[1,5]", list[Annotated[int, Field(le=3)]]),
        (ValidationError, "$[1]", 3, 1, 4, None, "a value <= 3", "5"),
    ),
    "json depth": (lambda: json.decode("[[[1]]]", depth=2), (LimitError, "$[0][0]", 2, 1, 3, None, None, None)),
    "json repeated": (
        lambda: json.decode('{"a":1,"a":2}', repeated_keys="refuse"),
        (ValidationError, "$.a", 7, 1, 8, None, None, None),
    ),
    "json hook": (
        lambda: json.decode(' {"a":5}', dict[str, Annotated[int, Hook(decode=bad)]]),
        (ValidationError, "$.a", 6, 1, 7, None, None, None),
    ),
    "json surrogate": (
        lambda: json.decode('"\ud800"'),
        (DecodeError, "$", None, None, None, None, "UTF-8", "a lone surrogate in the str"),
    ),
    "ndjson syntax": (
        lambda: ndjson.decode('{"id":1}\n{"id":x}\n', list[Row]),
        (DecodeError, "$[1].id", 15, 2, 7, 2, "a value", "x"),
    ),
    "ndjson type": (
        lambda: ndjson.decode('{"id":1}\n\n {"id":"x"}\n', list[Row]),
        (ValidationError, "$[1].id", 17, 3, 8, 2, "int", "str"),
    ),
    "ndjson missing": (
        lambda: ndjson.decode('{"id":1}\n{}\n', list[Row]),
        (ValidationError, "$[1]", 10, 2, 2, 2, "field `id`", "nothing"),
    ),
    "csv type": (
        lambda: csv.decode("id,name\n1,a\nx,é\n", list[Row]),
        (ValidationError, "$[1].id", 12, 3, 1, 2, "int", "x"),
    ),
    "csv later column": (
        lambda: csv.decode("name,id\né,x\n", list[Row]),
        (ValidationError, "$[0].id", 11, 2, 3, 1, "int", "x"),
    ),
    "csv check": (
        lambda: csv.decode('a,b,n\n1,é,5\n2,"é\né",0\n', list[tuple[int, str, Annotated[int, Field(ge=1)]]]),
        (ValidationError, "$[1][2]", 23, 4, 4, 2, "a value >= 1", "0"),
    ),
    "csv hook": (
        lambda: csv.decode("a,b\n1,2\n", list[dict[str, Annotated[int, Hook(wire=str, decode=worse)]]]),
        (ValidationError, "$[0].b", 6, 2, 3, 1, None, None),
    ),
    "csv quote": (
        lambda: csv.decode('id\n"1\n', list[Row]),
        (DecodeError, "$", 3, 2, 1, 1, "a closing quote", "end of input"),
    ),
    "csv after quote": (
        lambda: csv.decode('id\n"1"x\n'),
        (DecodeError, "$[0]", 6, 2, 4, 1, "a delimiter or a line break after the closing quote", "other text"),
    ),
    "csv missing column": (
        lambda: csv.decode("name\nx\n", list[Row]),
        (ValidationError, "$[0]", 0, 1, 1, None, "column `id`", "columns `name`"),
    ),
    "csv utf-8": (
        lambda: csv.decode(b"id\n\xff\n"),
        (DecodeError, "$[0].id", 3, 2, 1, 1, "UTF-8", "other bytes"),
    ),
    "encode class": (
        lambda: json.encode({"a": [object()]}),
        (EncodeError, "$.a[0]", None, None, None, None, None, None),
    ),
    "encode float": (
        lambda: json.encode([Row(float("nan"))]),
        (EncodeError, "$[0].id", None, None, None, None, "a finite number, since JSON has no other", "NaN"),
    ),
    "encode depth": (
        lambda: json.encode([[[1]]], depth=2),
        (LimitError, "$[0][0]", None, None, None, None, None, None),
    ),
    "encode surrogate": (
        lambda: json.encode({"k": "a\ud800"}),
        (EncodeError, "$.k", None, None, None, None, "text that is Unicode", "a lone surrogate at index 1"),
    ),
}


def bad(_: object) -> None:
    raise ValueError("no good")


@pytest.mark.parametrize(("call", "expected"), CASES.values(), ids=CASES)
def test_attributes(call, expected):
    kind, *attributes = expected
    with pytest.raises(kind) as raised:
        call()
    error = raised.value
    names = ("path", "offset", "line", "column", "record", "expected", "found")
    found = {name: getattr(error, name) for name in names}
    assert found == dict(zip(names, attributes, strict=True))
    assert type(error) is kind
    assert error.args == (str(error),)
    assert error.errors == (error,)
    assert isinstance(error.reason, str)
    assert str(error).startswith(error.reason)
    if error.path != "$":
        assert f"at `{error.path}`" in str(error)
    if error.line is not None:
        assert f"line {error.line}, column {error.column}" in str(error)
    if error.record is not None:
        assert f"record {error.record}, " in str(error)
    # Tools that print exceptions can.
    assert str(error) in "".join(traceback.format_exception(error))


PATHS = [
    ('{"a b":{"c":"x"}}', dict[str, dict[str, int]], '$["a b"].c'),
    ('{"":{"é":"x"}}', dict[str, dict[str, int]], '$[""].é'),
    ('{"1":"x"}', dict[str, int], '$["1"]'),
    ('{"a\\"b":"x"}', dict[str, int], '$["a\\"b"]'),
    ('{"a.b":[["x"]]}', dict[str, list[list[int]]], '$["a.b"][0][0]'),
    ('{"_a1":"x"}', dict[str, int], "$._a1"),
    ('[[1],[2,"x"]]', list[list[int]], "$[1][1]"),
    ('[{"tags":1,"id":2,"name":3}]', list[Row], "$[0].name"),
]


@pytest.mark.parametrize(("text", "tp", "path"), PATHS)
def test_paths(text, tp, path):
    for errors in ("first", "all"):
        with pytest.raises(ValidationError) as raised:
            json.decode(text, tp, errors=errors)
        assert raised.value.path == path


def test_the_offset_is_in_bytes_and_the_column_in_characters():
    for text in ('["é", "€", "😀", 5]', '\n\n["ééé",\r\n "x", 5]'):
        data = text.encode()
        with pytest.raises(ValidationError) as raised:
            json.decode(text, list[str])
        error = raised.value
        assert data[error.offset :].startswith(b"5")
        lines = text.split("\n")
        assert lines[error.line - 1][error.column - 1] == "5"


MARK = b"\xef\xbb\xbf"


@pytest.mark.parametrize(
    ("module", "data", "place"),
    [
        (json, b'[1,"x"]', (6, 1, 4)),
        (json, b'[1,\n"x"]', (7, 2, 1)),
        (json, b"?", (3, 1, 1)),
        (ndjson, b'"x"\n', (3, 1, 1)),
        (ndjson, b'1\n"x"\n', (5, 2, 1)),
        (csv, b"x\n", (3, 1, 1)),
        (csv, b"1,x\n", (5, 1, 3)),
    ],
)
def test_a_byte_order_mark_counts_as_bytes_and_not_as_a_column(module, data, place):
    tp, options = (list[list[int]], {"header": False}) if module is csv else (list[int], {})
    for data_, before in ((data, 0), (MARK + data, 3)):
        with pytest.raises(DecodeError) as raised:
            module.decode(data_, tp, **options)
        error = raised.value
        assert (error.offset, error.line, error.column) == (place[0] - 3 + before, *place[1:])


def test_a_byte_order_mark_elsewhere_is_a_character():
    with pytest.raises(ValidationError) as raised:
        json.decode('["\ufeff",1]', list[str])
    assert (raised.value.offset, raised.value.line, raised.value.column) == (7, 1, 6)
    with pytest.raises(ValidationError) as raised:
        json.decode('\ufeff["\ufeff",\n1,"\ufeff",2]', list[str], errors="all")
    assert [(one.line, one.column) for one in raised.value.errors] == [(2, 1), (2, 7)]


def test_errors_can_be_made_by_hand():
    error = ValidationError(
        "no", path="$.a", offset=5, line=1, column=6, record=2, expected="x", found="y", reason="no"
    )
    assert (error.path, error.offset, error.record, error.errors) == ("$.a", 5, 2, (error,))
    assert (DecodeError("just so").path, DecodeError("just so").reason) == (None, "just so")
    with pytest.raises(TypeError):
        Error()


def test_nothing_is_cached_in_an_error():
    data = bytearray(b'["secret", 5]')
    with pytest.raises(ValidationError) as raised:
        json.decode(data, list[str])
    data.extend(b"x" * 1000)
    assert raised.value.__traceback__ is not None
