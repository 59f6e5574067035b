"""Against cbor2: what either writes the other reads, as the same value; the bytes of the one encoding agree."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from datetime import UTC, date, datetime, timedelta, timezone
from decimal import Decimal
from typing import Any
from uuid import UUID

import cbor2
import demat
import pytest
from demat import cbor
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

SLOW = settings(suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large])

INTS = st.integers() | st.integers(-(2**64), 2**64) | st.integers(-(2**600), 2**600)
ZONES = st.integers(-23 * 60, 23 * 60).map(lambda minutes: timezone(timedelta(minutes=minutes)))
# Near its ends a datetime in UTC is of no year that Python has.
TIMES = st.datetimes(datetime(2, 1, 1), datetime(9998, 12, 31), timezones=ZONES | st.just(UTC))
KEYS = st.none() | st.booleans() | INTS | st.floats(allow_nan=False) | st.text() | st.binary()
SCALARS = (
    KEYS
    | st.just(math.nan)
    | st.decimals(allow_nan=False, allow_infinity=False)
    | st.dates()
    | st.uuids(allow_nil=True)
    | TIMES
)


def nested(keys: st.SearchStrategy[Any], scalars: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    return st.recursive(
        scalars, lambda inner: st.lists(inner, max_size=30) | st.dictionaries(keys, inner, max_size=30), max_leaves=60
    )


VALUES = nested(KEYS, SCALARS)


def exactly(value: Any) -> Any:
    """The value as something that is only equal to the same kinds: 1, 1.0 and True differ, and NaN is NaN."""
    match value:
        case dict():
            return "dict", [(exactly(key), exactly(inner)) for key, inner in value.items()]
        case list() | tuple():
            return "list", [exactly(inner) for inner in value]
        case Decimal():
            # The zero of CBOR has no sign.
            return "Decimal", value.as_tuple()._replace(sign=0) if value == 0 else value.as_tuple()
        case datetime():
            return "datetime", value, value.utcoffset()
        case float():
            return "float", "nan" if math.isnan(value) else value.hex()
        case _:
            return type(value).__name__, value


@SLOW
@given(VALUES)
def test_values_are_read_by_both(value: Any) -> None:
    for options in ({}, {"deterministic": True}):
        data = cbor.encode(value, **options)
        assert exactly(cbor.decode(data)) == exactly(cbor2.loads(data))
        if not options:
            assert exactly(cbor.decode(data)) == exactly(value)
    for options in ({}, {"canonical": True}, {"indefinite_containers": True}, {"datetime_as_timestamp": True}):
        data = cbor2.dumps(value, **options)
        expected = cbor2.loads(data)
        if "datetime_as_timestamp" in options:
            # A float has no microseconds so far from 1970; the two may differ in the last one.
            cbor.decode(data)
        else:
            assert exactly(cbor.decode(data)) == exactly(expected)


@SLOW
@given(nested(st.text(), st.none() | st.booleans() | INTS | st.floats() | st.text() | st.binary() | st.uuids()))
def test_one_encoding_is_that_of_cbor2(value: Any) -> None:
    # For keys of text, the older order by length first is that of their bytes.
    assert cbor.encode(value, deterministic=True) == cbor2.dumps(value, canonical=True)


@SLOW
@given(nested(st.text(), st.none() | st.booleans() | INTS | st.floats() | st.text() | st.binary() | st.uuids()))
def test_usual_bytes_are_those_of_cbor2(value: Any) -> None:
    assert exactly(cbor.decode(cbor.encode(value))) == exactly(value)
    # cbor2 writes these as floats of 16 bits.
    if not has_non_finite(value):
        assert cbor.encode(value) == cbor2.dumps(value)


def has_non_finite(value: Any) -> bool:
    match value:
        case dict():
            return any(map(has_non_finite, value.values()))
        case list():
            return any(map(has_non_finite, value))
        case _:
            return isinstance(value, float) and not math.isfinite(value)


@SLOW
@given(VALUES, st.data())
def test_changed_bytes_are_refused_or_read_alike(value: Any, data: st.DataObject) -> None:
    changed = bytearray(cbor2.dumps(value, indefinite_containers=data.draw(st.booleans())))
    for _ in range(data.draw(st.integers(1, 3))):
        at = data.draw(st.integers(0, len(changed) - 1))
        changed[at] = data.draw(st.integers(0, 255))
    try:
        found = cbor.decode(bytes(changed))
    except demat.Error:
        return
    try:
        expected = cbor2.loads(bytes(changed))
    except Exception:  # it refuses more, such as dates in other forms
        return
    if not has_other(expected):
        assert exactly(found) == exactly(expected)


def has_other(value: Any) -> bool:
    """Whether cbor2 has classes for something of it that Demat passes over or reads as another kind."""
    match value:
        case dict():
            return any(has_other(key) or has_other(inner) for key, inner in value.items())
        case list():
            return any(map(has_other, value))
        case datetime():
            return True  # seconds that are a float are rounded otherwise
        case _:
            return not isinstance(value, (type(None), bool, int, float, str, bytes, date, UUID))


@dataclass
class Inner:
    labels: dict[int, str]
    flags: dict[bool, float] = field(default_factory=dict)


@dataclass
class Record:
    id: int
    at: datetime
    day: date
    price: Decimal
    key: UUID
    data: bytes
    inner: list[Inner]
    name: str | None = None


RECORDS = st.builds(
    Record,
    INTS,
    TIMES,
    st.dates(),
    st.decimals(allow_nan=False, allow_infinity=False),
    st.uuids(),
    st.binary(),
    st.lists(
        st.builds(Inner, st.dictionaries(INTS, st.text()), st.dictionaries(st.booleans(), st.floats(allow_nan=False)))
    ),
    st.none() | st.text(),
)


@SLOW
@given(RECORDS)
def test_records_are_maps_to_both(record: Record) -> None:
    data = cbor.encode(record)
    assert cbor.decode(data, Record) == record
    as_dict = cbor2.loads(data)
    assert as_dict["inner"] == [{"labels": one.labels, "flags": one.flags} for one in record.inner]
    for options in ({}, {"canonical": True}, {"indefinite_containers": True}):
        assert cbor.decode(cbor2.dumps(as_dict, **options), Record) == record


def test_references_are_refused() -> None:
    shared = ["a text that is long", "a text that is long"]
    with pytest.raises(demat.ValidationError, match="tag 25, which refers to another value"):
        cbor.decode(cbor2.dumps(shared, string_referencing=True))
    inner: list[int] = [1]
    with pytest.raises(demat.ValidationError, match="tag 29, which refers to another value"):
        cbor.decode(cbor2.dumps([inner, inner], value_sharing=True))


def test_tags_are_kept_without_a_type_and_passed_over_with_one() -> None:
    assert cbor.decode(cbor2.dumps({1, 2})) == {"tag": 258, "value": [1, 2]}
    assert cbor.decode(cbor2.dumps({1, 2}), unknown_tags="ignore") == [1, 2]
    assert cbor.decode(cbor2.dumps({1, 2}), set[int]) == {1, 2}
    assert cbor.decode(cbor2.dumps(cbor2.CBORTag(1234, {"a": 1}))) == {"tag": 1234, "value": {"a": 1}}
    assert cbor.decode(cbor2.dumps(cbor2.CBORTag(55799, [1]))) == [1]
    assert cbor.decode(cbor2.dumps(cbor2.undefined)) is None
    with pytest.raises(demat.Error, match="simple value 99"):
        cbor.decode(cbor2.dumps(cbor2.CBORSimpleValue(99)))
