"""Scalars that are written one behind the other: what is between them, and what ends them, changes nothing."""

import datetime as dt
import enum
import json
import math
from dataclasses import dataclass, field, make_dataclass
from decimal import Decimal
from typing import Any

import demat
import demat.json
import demat.msgpack
import pytest

UTC = dt.UTC


class Colour(enum.Enum):
    RED = "red"
    DEEP = 2


@dataclass(slots=True)
class Point:
    x: int
    y: float


SCALARS: list[Any] = [
    None,
    True,
    False,
    0,
    -1,
    2**29,
    2**40,
    -(2**59),
    0.5,
    -0.0,
    1e300,
    "",
    "a",
    'q"\n',
    "é",
    "日本",
    "x" * 40,
]
# Each of these ends a run, or is written by it in another way.
OTHERS: list[Any] = [
    2**63,
    -(2**63),
    "y" * 5000,
    [],
    [1, 2],
    ["a", [1.5, None]],
    {},
    {"k": 1},
    {"k": {"l": [1]}},
    (1, "t"),
]


def same(value: Any) -> None:
    """Compares both formats with the standard library and with a round trip."""
    assert demat.json.encode(value) == json.dumps(value, separators=(",", ":"), ensure_ascii=False).encode()
    assert demat.msgpack.decode(demat.msgpack.encode(value)) == json.loads(json.dumps(value))


@pytest.mark.parametrize("other", OTHERS, ids=repr)
def test_what_is_no_scalar_at_each_place(other: Any) -> None:
    for at in range(len(SCALARS) + 1):
        items = [*SCALARS[:at], other, *SCALARS[at:]]
        same(items)
        same({f"key {index}": item for index, item in enumerate(items)})
        same([other] * 3 + items + [other] * 2)
        same([items, {"a": items, "b": 1}, items])


@pytest.mark.parametrize("count", [1, 14, 15, 16, 17, 1023, 1024, 1025, 2049, 70_000])
def test_many_children(count: int) -> None:
    for value in (1, 0.25, "text", None, 2**63):
        same([value] * count)
        same([value] * count + [[value]])
        same({str(index): value for index in range(count)})
        same({"inner": [value] * count, "after": 1})


def test_fields_of_each_class() -> None:
    values = [*SCALARS, dt.date(2026, 2, 28), dt.time(1, 2, 3), dt.datetime(2026, 1, 1, 5, 6), Colour.RED, Colour.DEEP]
    values += [dt.datetime(1, 1, 1, tzinfo=UTC), Decimal("1.50"), [1, 2.5, None], [Point(1, 2.0)], Point(3, 4.0)]
    for slots in (True, False):
        names = [f"field_{index}" for index in range(len(values))]
        for typed in (True, False):
            kinds = [type(value) if typed and value is not None else Any for value in values]
            cls = make_dataclass("Row", zip(names, kinds, strict=True), slots=slots)
            row = cls(*values)
            found = demat.json.decode(demat.json.encode(row))
            # An indented document is written by another sink.
            assert found == json.loads(demat.json.encode(row, indent=2))
            assert list(found) == names
            assert demat.json.encode([row, row]) == b"[" + demat.json.encode(row) + b"," + demat.json.encode(row) + b"]"
            packed = demat.msgpack.decode(demat.msgpack.encode(row))
            assert list(packed) == names
            assert (packed["field_3"], packed["field_16"]) == (0, "x" * 40)


def test_refused_values_have_their_path() -> None:
    for bad, found in ((math.nan, "NaN"), ("\ud800", "surrogate"), (object(), "object")):
        for before in (0, 1, 20, 1500):
            with pytest.raises(demat.EncodeError, match=found) as caught:
                demat.json.encode([1] * before + [bad])
            assert caught.value.path == f"$[{before}]"
            with pytest.raises(demat.EncodeError, match=found) as caught:
                demat.json.encode({f"k{index}": 1 for index in range(before)} | {"bad": bad})
            assert caught.value.path == "$.bad"

    @dataclass(slots=True)
    class Numbers:
        first: int
        values: list[float]
        last: float

    with pytest.raises(demat.EncodeError) as caught:
        demat.json.encode(Numbers(1, [0.5, math.inf], 0.5))
    assert caught.value.path == "$.values[1]"
    with pytest.raises(demat.EncodeError) as caught:
        demat.json.encode(Numbers(1, [0.5], math.nan))
    assert caught.value.path == "$.last"


def test_depth_is_counted_inside_of_runs() -> None:
    @dataclass(slots=True)
    class Inner:
        values: list[int]

    @dataclass(slots=True)
    class Outer:
        one: int
        inner: list[Inner]

    value = Outer(1, [Inner([1, 2])])
    for module in (demat.json, demat.msgpack):
        assert module.decode(module.encode(value, depth=4), Outer) == value
        for depth in (1, 2, 3):
            with pytest.raises(demat.LimitError):
                module.encode(value, depth=depth)


def test_hooks_may_change_what_is_encoded() -> None:
    @dataclass
    class Clears:
        target: Any = field(repr=False)

        def __demat_encode__(self) -> str:
            self.target.clear()
            return "cleared"

    for module in (demat.json, demat.msgpack):
        items: list[Any] = [1, "a"] * 20
        items.insert(10, Clears(items))
        with pytest.raises(demat.EncodeError, match="changed"):
            module.encode(items)
        pairs: dict[str, Any] = {str(index): index for index in range(20)}
        pairs["10"] = Clears(pairs)
        with pytest.raises(demat.EncodeError, match="changed"):
            module.encode(pairs)
