"""Against json, orjson and msgspec: random values of everything that they agree on, in both directions."""

import json as standard
import math
import struct
from dataclasses import dataclass, field
from datetime import UTC, date, datetime, timedelta
from decimal import Decimal
from typing import Any
from uuid import UUID

import demat
import msgspec
import orjson
from demat import json
from hypothesis import given
from hypothesis import strategies as st
from same import same

TEXT = st.text()
FLOATS = st.floats(allow_nan=False, allow_infinity=False)
INTS = st.integers(-(2**63), 2**64 - 1)
SCALARS = st.none() | st.booleans() | INTS | FLOATS | TEXT


def values(most: int) -> st.SearchStrategy[Any]:
    """Values of at most so many leaves."""
    return st.recursive(SCALARS, lambda inner: st.lists(inner) | st.dictionaries(TEXT, inner), max_leaves=most)


VALUES = values(40)


@given(VALUES)
def test_what_others_write_is_read_alike(value):
    for write in (standard.dumps, orjson.dumps, msgspec.json.encode, lambda value: standard.dumps(value, indent=3)):
        data = write(value)
        assert same(json.decode(data), value)
        assert same(json.decode(data, Any), standard.loads(data))


@given(VALUES)
def test_what_is_written_is_read_alike_by_others(value):
    for data in (json.encode(value), json.encode(value, ascii=True), json.encode(value, indent=1)):
        for read in (standard.loads, orjson.loads, msgspec.json.decode):
            assert same(read(data), value)


# Six values of 40 leaves would take longer than all other tests here; keys within each other count, too.
@given(st.dictionaries(TEXT, values(8), max_size=6))
def test_sorted_as_orjson_does(value):
    data = json.encode(value, sort_keys=True)
    assert same(standard.loads(data), standard.loads(orjson.dumps(value, option=orjson.OPT_SORT_KEYS)))


@given(st.binary(min_size=8, max_size=8))
def test_floats_to_the_bit(raw):
    (number,) = struct.unpack("<d", raw)
    if not math.isfinite(number):
        return
    assert struct.pack("<d", json.decode(json.encode(number), float)) == raw
    assert struct.pack("<d", json.decode(repr(number), float)) == raw
    assert struct.pack("<d", float(json.encode(number))) == raw
    assert struct.pack("<d", json.decode(f"{number:.30e}", float)) == raw


@given(st.integers())
def test_ints_of_any_size(number):
    big = number**5
    assert json.encode(big) == str(big).encode()
    assert json.decode(str(big), int) == json.decode(str(big)) == big


@given(st.from_regex(r"-?(0|[1-9][0-9]{0,30})(\.[0-9]{1,30})?([eE][+-]?[0-9]{1,3})?", fullmatch=True))
def test_texts_of_numbers(text):
    try:
        found = json.decode(text)
    except demat.ValidationError:
        assert math.isinf(float(text))
        return
    assert same(found, standard.loads(text))
    assert same(json.decode(text, float), float(text))
    assert json.decode(text, Decimal) == Decimal(text)


@given(st.text(alphabet=st.characters(codec="utf-8")))
def test_texts(text):
    assert json.decode(json.encode(text), str) == text
    assert json.decode(standard.dumps(text), str) == text
    assert json.encode(text) == orjson.dumps(text)
    assert json.decode(json.encode({text: [text]}), dict[str, list[str]]) == {text: [text]}


def infinite(value: Any) -> bool:
    """Whether the standard library made a number infinite, which is refused here."""
    if isinstance(value, list | dict):
        return any(map(infinite, value if isinstance(value, list) else value.values()))
    return isinstance(value, float) and math.isinf(value)


def agree(data: bytes) -> None:
    """Whether bytes are JSON is seen alike, and so is what they say."""
    try:
        # Without what the standard library takes beyond JSON: bytes of other encodings, `NaN`.
        expected = standard.loads(data.decode(), parse_constant=float)
    except (ValueError, RecursionError):
        expected = demat.DecodeError
    try:
        found = json.decode(data)
    except demat.Error as error:
        assert expected is demat.DecodeError or infinite(expected), (data, error)
        return
    assert same(found, expected)


@given(st.binary())
def test_bytes_of_any_kind(data):
    if not data.startswith(b"\xef\xbb\xbf"):
        agree(data)


@given(st.text(alphabet='[]{}:,"\\ 0123456789.eE+-truefalsn\n\té\x00'))
def test_texts_that_are_almost_json(text):
    agree(text.encode())


@given(
    st.lists(st.sampled_from(["[", "]", "{", "}", ",", ":", '"a"', "1", "-", "0", ".5", "e3", "null", "tru", "e", " "]))
)
def test_tokens_in_any_order(tokens):
    agree("".join(tokens).encode())


@dataclass
class Item:
    id: int
    name: str
    price: float | None = None
    tags: list[str] = field(default_factory=list)
    more: dict[str, int] = field(default_factory=dict)


ITEMS = st.builds(
    Item,
    INTS,
    TEXT,
    st.none() | FLOATS,
    st.lists(TEXT, max_size=3),
    st.dictionaries(TEXT, st.integers(0, 99), max_size=3),
)


@given(st.lists(ITEMS, max_size=5))
def test_dataclasses(items):
    data = json.encode(items)
    assert same(orjson.loads(data), orjson.loads(orjson.dumps(items)))
    assert msgspec.json.decode(data, type=list[Item]) == json.decode(data, list[Item]) == items
    assert json.decode(msgspec.json.encode(items), list[Item]) == items
    assert json.decode(orjson.dumps(items), list[Item]) == items


SPECIAL = (
    st.datetimes(timezones=st.none() | st.just(UTC)) | st.dates() | st.times() | st.uuids() | st.binary().map(bytes)
)


@given(SPECIAL)
def test_scalars_of_the_standard_library(value):
    tp = type(value)
    data = json.encode(value)
    assert json.decode(data, tp) == value == msgspec.json.decode(data, type=tp)
    assert json.decode(msgspec.json.encode(value), tp) == value
    # orjson writes a hundredth of a second of a time of day as a tenth.
    if tp in (datetime, date, UUID):
        assert json.decode(orjson.dumps(value), tp) == value


@given(st.timedeltas())
def test_spans_of_time(value):
    data = json.encode(value)
    assert json.decode(data, timedelta) == value
    assert msgspec.json.decode(data, type=timedelta) == value
    if timedelta(-(10**8)) < value < timedelta(10**8):
        assert json.decode(msgspec.json.encode(value), timedelta) == value


@given(st.decimals(allow_nan=False, allow_infinity=False))
def test_decimals(value):
    again = json.decode(json.encode(value), Decimal)
    assert again.as_tuple() == value.as_tuple()
    assert json.decode(msgspec.json.encode(value), Decimal) == value
