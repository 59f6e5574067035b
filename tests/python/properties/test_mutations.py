"""Bytes of no sense, good documents that were spoilt: a value or a demat.Error, the same in every way of reading."""

from typing import Any

import demat
import formats
from demat import csv, json, ndjson
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from trees import TREES, flat_rows, with_values

SLOW = settings(suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large, HealthCheck.filter_too_much])

PIECES = [
    b"",
    b" ",
    b"\n",
    b",",
    b":",
    b"[",
    b"]",
    b"{",
    b"}",
    b'"',
    b"\\",
    b"\\u",
    b"null",
    b"true",
    b"0",
    b"-",
    b"1e9",
    b"1.5",
    b'""',
    b'"x"',
    b"[]",
    b"{}",
    b"\x00",
    b"\x7f",
    b"\x80",
    b"\xff",
    b"\xed\xa0\x80",
    b"\xef\xbb\xbf",
    b"9" * 40,
    b"1e999",
    b'"a":',
    b"[[[[",
]


@st.composite
def spoilt(draw: st.DrawFn, data: bytes) -> bytes:
    """The bytes, with some pieces taken out, put in, moved or exchanged."""
    for _ in range(draw(st.integers(1, 3))):
        start = draw(st.integers(0, len(data)))
        end = draw(st.integers(start, min(len(data), start + 8)))
        piece = draw(st.sampled_from(PIECES) | st.just(data[start:end] * 2) | st.just(data[end : end + 10]))
        data = data[:start] + piece + data[end:]
    return data


def outcome(read: Any, *arguments: Any, **options: Any) -> Any:
    """The value as text, or the error; whatever else is raised is a failure."""
    try:
        return repr(read(*arguments, **options))
    except demat.Error as error:
        assert error.path.startswith("$")
        assert str(error).startswith(error.reason)
        return error


def told(error: demat.Error) -> tuple[Any, ...]:
    names = ("path", "offset", "line", "column", "record", "expected", "found", "reason")
    return (type(error), *(getattr(error, name) for name in names))


def agree(first: Any, every: Any) -> None:
    """What is said of the first error alone is what is said of it where all are asked for."""
    assert isinstance(first, demat.Error) is isinstance(every, demat.Error), (first, every)
    if isinstance(first, demat.Error):
        assert told(first) == told(every.errors[0]), (first, every.errors)
        offsets = [error.offset for error in every.errors if error.offset is not None]
        assert offsets == sorted(offsets) or len(offsets) < 2 or all(offsets)
    else:
        assert first == every


@SLOW
@given(with_values(), st.data())
def test_spoilt_documents(case, data):
    tp, value = case
    text = data.draw(spoilt(json.encode(value, type=tp)))
    first = outcome(json.decode, text, tp)
    agree(first, outcome(json.decode, text, tp, errors="all"))
    agree(first, outcome(json.decode, bytearray(text), tp, errors=2))
    again = outcome(json.Decoder(tp).decode, memoryview(text))
    assert again == first if isinstance(first, str) else told(again) == told(first)
    outcome(json.decode, text, tp, strict=False)
    outcome(json.decode, text, tp, repeated_keys="refuse", depth=3)
    untyped = outcome(json.decode, text)
    # What is no JSON is of no type either.
    if isinstance(untyped, demat.Error) and type(untyped) is demat.DecodeError:
        assert isinstance(first, demat.Error)


@SLOW
@given(with_values(), st.data())
def test_spoilt_lines(case, data):
    tp, value = case
    text = data.draw(spoilt(ndjson.encode([value, value, value], type=list[tp])))
    first = outcome(ndjson.decode, text, list[tp])
    agree(first, outcome(ndjson.decode, text, list[tp], errors="all"))
    outcome(ndjson.decode, text)


@SLOW
@given(flat_rows(), st.data())
def test_spoilt_tables(case, data):
    cls, rows = case
    pieces = csv.encode(rows, type=list[cls])
    text = data.draw(spoilt(pieces))
    first = outcome(csv.decode, text, list[cls])
    agree(first, outcome(csv.decode, text, list[cls], errors="all"))
    for options in ({"header": False}, {"quote": None}, {"ragged": "pad"}, {"strict": False}, {"delimiter": ";"}):
        outcome(csv.decode, text, list[cls], **options)
        outcome(csv.decode, text, **{name: option for name, option in options.items() if name != "strict"})


@SLOW
@given(TREES, st.binary(max_size=60))
def test_bytes_of_no_sense(tree, data):
    # Messages are of classes, and none of these types need be one; they have mutations of their own.
    for module in formats.modules(typed=False):
        listed = list[tree.type] if formats.is_nested(module) else list[dict[str, str]]
        tp = listed if formats.is_list(module) else tree.type
        agree(outcome(module.decode, data, tp), outcome(module.decode, data, tp, errors="all"))
        outcome(module.decode, data)


@given(TREES, TREES, st.data())
@SLOW
def test_values_of_another_type(one, other, data):
    """Well-formed, and hardly ever of the type: nothing but a ValidationError or a value."""
    text = json.encode(data.draw(other.values), type=other.type)
    first = outcome(json.decode, text, one.type)
    assert isinstance(first, str | demat.ValidationError)
    agree(first, outcome(json.decode, text, one.type, errors="all"))
    lax = outcome(json.decode, text, one.type, strict=False)
    if isinstance(first, str):
        assert lax == first or "{" in first


ODD = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats()
    | st.text(st.characters(exclude_categories=()))
    | st.binary()
    | st.just(object())
    | st.complex_numbers()
    | st.just(...)
    | st.just(int)
    | st.just(range(3)),
    lambda inner: st.lists(inner, max_size=3)
    | st.tuples(inner)
    | st.dictionaries(
        st.text() | st.integers() | st.none() | st.floats() | st.booleans() | st.binary(), inner, max_size=3
    ),
    max_leaves=10,
)


@given(ODD)
def test_values_of_any_kind_are_written_or_refused(value):
    for module in formats.modules():
        for given_value in (value, [value], [{"a": value}], {"a": [value]}):
            try:
                data = module.encode(given_value)
            except demat.Error as error:
                assert isinstance(error, demat.EncodeError), error
                continue
            if not formats.is_list(module) and not formats.facts(module).typed:
                module.decode(data)


@SLOW
@given(TREES, ODD)
def test_values_that_are_not_of_the_declared_type_are_written_or_refused(tree, value):
    for given_value in (value, [value], {"a": value}):
        try:
            json.encode(given_value, type=tree.type)
        except demat.Error as error:
            assert isinstance(error, demat.EncodeError), error
