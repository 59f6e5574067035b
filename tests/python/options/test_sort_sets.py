"""The order of sets in what is written: sorted, if `sort_sets` or CBOR's `deterministic` says so."""

import subprocess
import sys
from dataclasses import dataclass
from datetime import UTC, date, datetime
from decimal import Decimal
from enum import Enum, IntEnum, StrEnum
from typing import Any
from uuid import UUID

import demat
import formats
import pytest
from demat import Hook, cbor, json, ndjson
from hypothesis import given
from hypothesis import strategies as st


class Color(Enum):
    RED = "red"
    BLUE = "blue"


class Level(IntEnum):
    LOW = 9
    HIGH = 10


class Mood(StrEnum):
    GOOD = "good"
    BAD = "bad"


@dataclass(frozen=True)
class Point:
    y: int
    x: int = 0


@dataclass
class Row:
    tags: set[str]
    levels: frozenset[Level] = frozenset()


class Own:
    def __init__(self, value):
        self.value = value


ORDERED = [
    ({10, 9, 1}, b"[1,9,10]"),
    ({10, 9.5, Decimal("9.75"), True}, b"[true,9.5,9.75,10]"),
    ({"b", "a", "ä", "B"}, '["B","a","b","ä"]'.encode()),
    (frozenset({date(2024, 10, 1), date(2024, 9, 1)}), b'["2024-09-01","2024-10-01"]'),
    ({datetime(2024, 1, 1), datetime(2023, 1, 1)}, b'["2023-01-01T00:00:00","2024-01-01T00:00:00"]'),
    ({(10, "a"), (9, "b"), (9, "a")}, b'[[9,"a"],[9,"b"],[10,"a"]]'),
    ({Level.HIGH, Level.LOW}, b"[9,10]"),
    ({Mood.GOOD, Mood.BAD}, b'["bad","good"]'),
    # These have no order of their own.
    ({Color.RED, Color.BLUE}, b'["blue","red"]'),
    ({None, "a", 1}, b'["a",1,null]'),
    ({Point(2, 1), Point(1, 3)}, b'[{"y":2,"x":1},{"y":1,"x":3}]'),
    ({frozenset({2, 1}), frozenset({0}), frozenset()}, b"[[0],[1,2],[]]"),
    ({datetime(2024, 1, 1, tzinfo=UTC), datetime(2023, 1, 1)}, b'["2023-01-01T00:00:00","2024-01-01T00:00:00Z"]'),
    ({float("nan"), 1.5, float("inf")}, b'["Infinity","NaN",1.5]'),
    ({UUID(int=2), UUID(int=1)}, None),
    (set(), b"[]"),
]


@pytest.mark.parametrize(("items", "expected"), ORDERED)
def test_order(items, expected):
    written = json.encode(items, sort_sets=True, nonfinite="text")
    assert expected in (None, written)
    assert (
        json.encode(list(items)[::-1] and type(items)(list(items)[::-1]), sort_sets=True, nonfinite="text") == written
    )
    assert len(json.decode(written)) == len(items)
    assert json.encode({"a": [items]}, sort_sets=True, nonfinite="text") == b'{"a":[' + written + b"]}"


@pytest.mark.parametrize("module", formats.modules(writes="sort_sets", special=None, typed=False), ids=formats.name)
def test_every_format_has_it(module):
    with pytest.raises(TypeError, match="sort_sets must be True or False"):
        module.encode([{"a": 1}], sort_sets="yes")


@pytest.mark.parametrize("module", formats.modules(writes="sort_sets", nested=True, typed=False), ids=formats.name)
def test_formats(module):
    items = {f"tag {number}" for number in range(40)}
    row = Row(items, frozenset({Level.HIGH, Level.LOW}))
    for options in ({}, {"type": list[Row]}):
        found = module.decode(module.encode([row], sort_sets=True, **options))
        assert found == [{"tags": sorted(items), "levels": [9, 10]}]
        assert module.decode(module.encode([row], sort_sets=True, **options), list[Row]) == [row]
    assert module.Encoder(sort_sets=True).encode([row]) == module.encode([row], sort_sets=True)


def test_hooks_and_defaults_count():
    own = {Own(3), Own(1), Own(2)}
    assert json.encode(own, sort_sets=True, default=lambda own: own.value) == b"[1,2,3]"
    assert json.encode(own, sort_sets=True, hooks={Own: Hook(encode=lambda own: -own.value)}) == b"[-1,-2,-3]"
    with pytest.raises(demat.EncodeError, match="Own"):
        json.encode(own, sort_sets=True)

    def broken(own: Own) -> Any:
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        json.encode(own, sort_sets=True, default=broken)


def test_dicts_and_views_of_them_keep_their_order():
    assert json.encode({"b": 1, "a": 2}, sort_sets=True) == b'{"b":1,"a":2}'
    assert json.encode({"b": 1, "a": 2}.keys(), sort_sets=True) == b'["b","a"]'


def test_conversions_lazy_records_and_places(tmp_path):
    items = set(range(100, 0, -7))
    assert demat.to_builtins({"a": items}, sort_sets=True) == {"a": sorted(items)}
    lazy = json.decode(b'{"tags":["b","a"],"levels":[]}', Row, lazy=True)
    assert json.encode(lazy, sort_sets=True) == b'{"tags":["a","b"],"levels":[]}'
    assert ndjson.write(tmp_path / "a.ndjson", {"b", "a"}, sort_sets=True) == 2
    assert (tmp_path / "a.ndjson").read_bytes() == b'"a"\n"b"\n'


def test_nothing_depends_on_the_hashes_of_a_run():
    program = (
        "from demat import cbor, json\n"
        "items = {'a', 'b', 'c', None, frozenset({'x', 'y'})}\n"
        "print(json.encode(items, sort_sets=True), cbor.encode(items, deterministic=True))"
    )
    runs = {
        subprocess.run(
            [sys.executable, "-c", program], env={"PYTHONHASHSEED": seed}, capture_output=True, check=True
        ).stdout
        for seed in ("0", "1", "2")
    }
    assert len(runs) == 1


@given(st.sets(st.integers() | st.text() | st.none() | st.frozensets(st.integers(), max_size=3)))
def test_equal_sets_have_equal_bytes(items):
    others = {*sorted(items, key=repr)}
    assert json.encode(items, sort_sets=True) == json.encode(others, sort_sets=True)
    assert cbor.encode(items, deterministic=True) == cbor.encode(others, deterministic=True)
    assert cbor.decode(cbor.encode(items, deterministic=True), list) == json.decode(json.encode(items, sort_sets=True))


def test_sets_within_sets_are_sorted_in_linear_time() -> None:
    nested: frozenset[Any] = frozenset()
    for _ in range(60):
        nested = frozenset({nested})
    depth = b"[" * 61 + b"]" * 61
    assert json.encode(nested, sort_sets=True) == depth


def test_items_of_equal_json_have_an_order() -> None:
    items = {"2024-01-01", date(2024, 1, 1)}
    other: set[Any] = set()
    for item in reversed(list(items)):
        other.add(item)
    assert cbor.encode(items, deterministic=True) == cbor.encode(other, deterministic=True)


def test_sets_within_tuples_are_sorted_once() -> None:
    nested: Any = "x"
    for _ in range(40):
        nested = frozenset({(nested, 0), "a"})
    assert json.encode(nested, sort_sets=True) == json.encode(nested, sort_sets=True)
    assert len(cbor.encode(nested, deterministic=True)) > 40
