"""What each option of reading does, in each verb that takes it."""

import copy
import inspect
import pickle
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import date
from typing import Annotated, Any

import demat
import formats
import pytest
from demat import Field, Hook, csv, json


@dataclass
class Row:
    first_name: str
    age: int = 0


@dataclass
class Keeper(Row):
    more: Annotated[dict[str, Any], Field(rest=True)] = field(default_factory=dict)


Read = Callable[..., Any]


def verbs(module: Any) -> list[Read]:
    """Each way to read with options."""
    return [
        module.decode,
        module.loads,
        lambda data, tp=Any, **options: module.Decoder(tp, **options).decode(data),
        lambda data, tp=Any, **options: module.Decoder(type=tp, **options).decode(data),
    ]


def every(*modules: Any) -> Any:
    cases = [
        pytest.param(module, read, id=f"{module.__name__}-{name}")
        for module in modules
        for name, read in zip(("decode", "loads", "Decoder", "Decoder(type=)"), verbs(module), strict=True)
    ]
    return pytest.mark.parametrize(("module", "read"), cases)


def rows(module: Any, *values: dict[str, Any]) -> bytes:
    """These records in the format."""
    return module.encode(list(values))


@every(*formats.modules(typed=False, reads="strict"))
def test_strict(module, read):
    data = rows(module, {"first_name": "a", "age": "3.0"})
    assert read(data, list[Row], strict=False) == [Row("a", 3)]
    for options in ({}, {"strict": True}):
        with pytest.raises(demat.ValidationError):
            read(data, list[Row], **options)


@every(*formats.modules(typed=False))
def test_unknown(module, read):
    data = rows(module, {"first_name": "a", "x": "y"})
    for unknown in (None, "ignore"):
        assert read(data, list[Row], unknown=unknown) == [Row("a")]
    for unknown in (None, "keep"):
        assert read(data, list[Keeper], unknown=unknown) == [Keeper("a", more={"x": "y"})]
    with pytest.raises(demat.ValidationError, match="unknown field `x`"):
        read(data, list[Row], unknown="forbid")


@every(*formats.modules(typed=False))
def test_rename(module, read):
    data = rows(module, {"firstName": "a", "age": 5})
    for rename in ("camel", {"first_name": "firstName"}, lambda name: "firstName" if "_" in name else name):
        assert read(data, list[Row], rename=rename) == [Row("a", 5)]
    for rename in (None, "kebab"):
        with pytest.raises(demat.ValidationError, match="first"):
            read(data, list[Row], rename=rename)


@every(*formats.modules(typed=False))
def test_hooks(module, read):
    data = rows(module, {"first_name": "a", "age": 5})
    hooks = {int: Hook(wire=int, decode=lambda age: age * 10)}
    assert read(data, list[Row], hooks=hooks) == [Row("a", 50)]
    assert read(data, list[Row], hooks={}) == read(data, list[Row], hooks=None) == [Row("a", 5)]


@every(*formats.modules(typed=False))
def test_errors(module, read):
    data = rows(module, *({"first_name": "a", "age": f"x{n}"} for n in range(5)))
    for errors, count in ((1, 1), ("first", 1), (2, 2), ("all", 5), (100, 5)):
        with pytest.raises(demat.ValidationError) as raised:
            read(data, list[Row], errors=errors)
        assert len(raised.value.errors) == count


@every(*formats.modules(typed=False))
def test_gc(module, read):
    import gc

    data = rows(module, {"first_name": "a"})
    assert gc.is_tracked(read(data, list[Row])[0])
    assert gc.is_tracked(read(data, list[Row], gc=True)[0])
    assert not gc.is_tracked(read(data, list[Row], gc=False)[0])


@every(*formats.modules(reads="depth", typed=False, texts=False))
def test_depth(module, read):
    for depth in (1, 2, 3, 50):
        value: list[Any] = []
        for _ in range(depth - 1):
            value = [value]
        assert read(module.encode(formats.wrapped(module, value)), depth=depth) == formats.wrapped(module, value)
        with pytest.raises(demat.LimitError, match="the depth of nesting exceeds the limit of"):
            read(module.encode(formats.wrapped(module, [value])), depth=depth)
    one = formats.wrapped(module, 1)
    assert read(module.encode(one), depth=0) == one


@every(*formats.modules(reads="repeated_keys"))
def test_repeated_keys(module, read):
    data = module.encode({"a": 1, "b": 2, "c": 3}).replace(b"c", b"a")
    record = read(data, repeated_keys="last")
    assert record in ({"a": 3, "b": 2}, [{"a": 3, "b": 2}])
    for tp in (Any, dict[str, int], list[dict[str, int]], list[Any]):
        if formats.is_list(module) is (tp not in (Any, dict[str, int])):
            with pytest.raises(demat.ValidationError, match="the key `a` stands here again"):
                read(data, tp, repeated_keys="refuse")


@every(csv)
def test_delimiter(module, read):
    for delimiter in ",;\t| :":
        data = f"first_name{delimiter}age\na{delimiter}5\n"
        assert read(data, list[Row], delimiter=delimiter) == [Row("a", 5)]
        assert read(data, delimiter=delimiter) == [{"first_name": "a", "age": "5"}]


@every(csv)
def test_quote(module, read):
    assert read("a\n'x,y'\n", quote="'") == [{"a": "x,y"}]
    assert read("a\n'x''y'\n", quote="'") == [{"a": "x'y"}]
    assert read('a\n"x"y"\n', quote=None) == [{"a": '"x"y"'}]
    assert read('a\n"x""y"\n') == [{"a": 'x"y'}]


@every(csv)
def test_header(module, read):
    assert read("age,first_name\n5,a\n", list[Row]) == [Row("a", 5)]
    assert read("a,5\n", list[Row], header=False) == [Row("a", 5)]
    assert read("a,5\n", header=False) == [["a", "5"]]
    assert read("a,5\n", list[tuple[str, int]], header=False) == [("a", 5)]
    assert read("a,5\n", list[list[str]], header=False) == [["a", "5"]]


@every(csv)
def test_ragged(module, read):
    data = "first_name,age\na\nb,5\n"
    assert read(data, list[Row], ragged="pad") == [Row("a"), Row("b", 5)]
    for options in ({}, {"ragged": "refuse"}):
        with pytest.raises(demat.DecodeError, match="expected .*2.*found .*1"):
            read(data, list[Row], **options)
    with pytest.raises(demat.DecodeError):
        read("a\n1,2\n", ragged="pad")


ALL = formats.modules()
LAX = formats.modules(reads="strict")
DEEP, FLAT = formats.modules(reads="depth"), formats.modules(reads_no="depth")
KEYED = formats.modules(reads="repeated_keys")
TABLES, NO_TABLES = formats.modules(reads="delimiter"), formats.modules(reads_no="delimiter")
# What is no such option, or no such value of it.
WRONG = [
    (LAX, {"strict": 1}, TypeError, "strict must be True or False, not 1"),
    (LAX, {"strict": None}, TypeError, "strict must be True or False, not None"),
    (ALL, {"gc": "no"}, TypeError, "gc must be True or False, not 'no'"),
    (
        ALL,
        {"unknown": "refuse"},
        ValueError,
        'unknown must be "ignore" or "forbid" or "keep", not "refuse"',
    ),
    (ALL, {"unknown": 5}, TypeError, 'unknown must be "ignore" or "forbid" or "keep", not 5'),
    (ALL, {"rename": "nope"}, ValueError, "rename='nope' is none of 'camel'"),
    (ALL, {"rename": 5}, TypeError, "rename must be a str, a function or a mapping, not int"),
    (ALL, {"hooks": 5}, TypeError, "hooks must be a mapping of classes to demat.Hook, not int"),
    (ALL, {"hooks": {"a": Hook(decode=int)}}, TypeError, "hooks must be a mapping of classes"),
    (ALL, {"hooks": {int: int}}, TypeError, "hooks must be a mapping of classes to demat.Hook"),
    (ALL, {"errors": "some"}, ValueError, 'errors must be "first" or "all", not "some"'),
    (ALL, {"errors": 0}, TypeError, 'errors must be "first", "all" or an int from 1, not 0'),
    (ALL, {"errors": -5}, TypeError, 'errors must be "first", "all" or an int from 1, not -5'),
    (ALL, {"errors": 1.5}, TypeError, 'errors must be "first", "all" or an int from 1, not 1.5'),
    (ALL, {"errors": True}, TypeError, 'errors must be "first", "all" or an int from 1, not True'),
    (ALL, {"errors": None}, TypeError, 'errors must be "first", "all" or an int from 1, not None'),
    (DEEP, {"depth": -1}, ValueError, "depth must be an int from 0 to 4294967295, not -1"),
    (DEEP, {"depth": 2**32}, ValueError, "depth must be an int from 0 to 4294967295, not 4294967296"),
    (DEEP, {"depth": "5"}, TypeError, "depth must be an int from 0 to 4294967295, not '5'"),
    (DEEP, {"depth": None}, TypeError, "depth must be an int from 0 to 4294967295, not None"),
    (KEYED, {"repeated_keys": "first"}, ValueError, 'repeated_keys must be "last" or "refuse", not "first"'),
    (KEYED, {"repeated_keys": True}, TypeError, 'repeated_keys must be "last" or "refuse", not True'),
    (TABLES, {"delimiter": ""}, ValueError, 'delimiter must be one ASCII character, not ""'),
    (TABLES, {"delimiter": ",,"}, ValueError, 'delimiter must be one ASCII character, not ",,"'),
    (TABLES, {"delimiter": "é"}, ValueError, 'delimiter must be one ASCII character, not "é"'),
    (TABLES, {"delimiter": b","}, TypeError, "delimiter must be a str of one ASCII character, not b','"),
    (TABLES, {"delimiter": '"'}, ValueError, "delimiter|quote"),
    (TABLES, {"delimiter": "\n"}, ValueError, "delimiter"),
    (TABLES, {"quote": "\r"}, ValueError, "quote"),
    (TABLES, {"quote": "''"}, ValueError, "quote must be one ASCII character, not \"''\""),
    (TABLES, {"header": "yes"}, TypeError, "header must be True or False, not 'yes'"),
    (TABLES, {"ragged": "trim"}, ValueError, 'ragged must be "refuse" or "pad", not "trim"'),
    (ALL, {"nonsense": 1}, TypeError, "has no option .?nonsense"),
    (ALL, {"indent": 2}, TypeError, "has no option .?indent"),
    (NO_TABLES, {"delimiter": ","}, TypeError, "has no option .?delimiter"),
    (FLAT, {"depth": 5}, TypeError, "has no option .?depth"),
    (ALL, {"line_ending": "lf"}, TypeError, "has no option .?line_ending"),
]


@pytest.mark.parametrize(("modules", "options", "error", "message"), WRONG)
def test_wrong(modules, options, error, message):
    for module in modules:
        for read in verbs(module):
            for tp in (Any, list[Row]):
                with pytest.raises(error, match=message) as raised:
                    read(b"", tp, **options)
                assert type(raised.value) is error


def test_an_option_that_is_wrong_is_told_before_the_data_is_looked_at():
    with pytest.raises(TypeError, match="nonsense"):
        json.decode(b"\xff", nonsense=1)


def test_options_of_a_decoder_are_what_it_shows():
    decoder = json.Decoder(list[Row], strict=False, errors=5, depth=3)
    assert repr(decoder) == f"demat.json.Decoder(list[{Row.__module__}.Row], strict=False, errors=5, depth=3)"
    assert repr(csv.Decoder()) == "demat.csv.Decoder(typing.Any)"
    assert decoder.type == list[Row]
    with pytest.raises(AttributeError):
        decoder.type = int


def test_decoders_of_no_format():
    from demat import _native

    with pytest.raises(TypeError, match="use the Decoder and Encoder of a format"):
        _native.Decoder(int)
    with pytest.raises(TypeError, match="use the Decoder and Encoder of a format"):
        _native.Encoder()


def test_subclasses_of_decoders():
    class Own(json.Decoder):
        def decode(self, data: Any) -> Any:
            return ("own", super().decode(data))

    assert Own(list[int]).decode("[1]") == ("own", [1])


def test_what_no_type_can_be_is_told_when_the_decoder_is_made():
    for wrong in (5, "no type", object(), lambda: 0, dict[list[int]], date(2020, 1, 1)):
        with pytest.raises(TypeError, match="can't be"):
            json.Decoder(wrong)
        with pytest.raises(TypeError):
            json.decode("1", wrong)


@every(*formats.modules(nested=True, typed=False, texts=False))
def test_none_is_a_type_and_another_thing_than_none_given(module, read):
    none, one = formats.wrapped(module, None), formats.wrapped(module, 1)
    tp = list[None] if formats.is_list(module) else None
    assert read(module.encode(none), tp) == none
    with pytest.raises(demat.ValidationError, match="expected `None`, found `int`"):
        read(module.encode(one), tp)
    assert read(module.encode(one), Any) == read(module.encode(one)) == one


def test_none_is_what_decoders_and_raw_take_it_for():
    decoder = json.Decoder(None)
    assert decoder.type is None
    assert (json.Decoder().type, json.Decoder(type=None).type) == (Any, None)
    for same in (decoder, pickle.loads(pickle.dumps(decoder)), copy.copy(decoder)):
        assert same.decode("null") is None
        with pytest.raises(demat.ValidationError, match="expected `None`, found `list`"):
            same.decode("[]")
    assert pickle.loads(pickle.dumps(json.Decoder())).decode("[1]") == [1]
    assert demat.Raw("5").decode() == 5
    assert demat.Raw("null").decode(None) is None
    with pytest.raises(demat.ValidationError, match="expected `None`, found `int`"):
        demat.Raw("5").decode(None)
    assert json.decode("[1]", strict=False) == [1]
    with pytest.raises(TypeError, match="rename= is for values of a type"):
        json.decode("[1]", rename="camel")
    with pytest.raises(demat.ValidationError, match="expected `None`, found `list`"):
        json.decode("[1]", None, gc=False)
    for function in (json.decode, csv.loads, demat.Raw("1").decode):
        assert inspect.signature(function).parameters["type"].default is ...
