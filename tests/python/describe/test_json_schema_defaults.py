"""Defaults in schemas: as they would stand in JSON, or not at all."""

import collections
import datetime
import decimal
import enum
import math
import uuid
from dataclasses import dataclass, field, make_dataclass
from typing import Annotated, Any, Literal, TypedDict

import demat
import pytest
from demat import Field, Hook, schema


class Color(enum.Enum):
    RED = "red"


class Rights(enum.Flag):
    READ = 1
    WRITE = 2


@dataclass(frozen=True)
class Point:
    x: int
    y: Annotated[int, Field(name="Y")] = 0


@dataclass(frozen=True)
class Circle:
    r: float


class Options(TypedDict, total=False):
    a: int


UTC = datetime.UTC
DAY = datetime.datetime(2020, 1, 2, 3, 4, 5, tzinfo=UTC)


@pytest.mark.parametrize(
    ("tp", "default", "expected"),
    [
        (Any, None, None),
        (Any, (1, [2.5, {"a": Color.RED}]), [1, [2.5, {"a": "red"}]]),
        (int, 5, 5),
        (float, 1, 1),
        (bool, True, True),
        (str | None, "a", "a"),
        (bytes, b"\x00\x01", "AAE="),
        (decimal.Decimal, decimal.Decimal("1.50"), "1.50"),
        (datetime.datetime, DAY, "2020-01-02T03:04:05+00:00"),
        (datetime.date, DAY.date(), "2020-01-02"),
        (datetime.time, DAY.time(), "03:04:05"),
        (datetime.timedelta, datetime.timedelta(days=1, seconds=30, microseconds=500000), "P1DT30.5S"),
        (datetime.timedelta, datetime.timedelta(seconds=-100), "-PT100S"),
        (datetime.timedelta, datetime.timedelta(0), "PT0S"),
        (datetime.timedelta, datetime.timedelta(2), "P2D"),
        (uuid.UUID, uuid.UUID(int=1), "00000000-0000-0000-0000-000000000001"),
        (Color, Color.RED, "red"),
        (Rights, Rights.READ | Rights.WRITE, 3),
        (Literal["a", 1], 1, 1),
        (tuple[int, str], (1, "a"), [1, "a"]),
        (frozenset[int], frozenset([1]), [1]),
        (Annotated[int, Field(ge=0)], 1, 1),
        (Point, Point(1, 2), {"x": 1, "Y": 2}),
        (Point | Circle, Circle(1.0), {"r": 1.0}),
        (Annotated[Point | Circle, Field(tag="kind")], Circle(1.0), {"kind": "Circle", "r": 1.0}),
        (Annotated[complex, Hook(wire=tuple[float, float], encode=lambda z: (z.real, z.imag))], 2j, [0.0, 2.0]),
        (Annotated[int, Hook(decode=int)], 2, 2),
    ],
)
def test_a_default_is_told_as_json(tp, default, expected):
    cls = make_dataclass("Holder", [("a", tp, field(default=default))])
    assert schema(cls)["$defs"]["Holder"]["properties"]["a"]["default"] == expected


@pytest.mark.parametrize(
    ("tp", "default"),
    [
        (float, math.inf),
        (int, "no int"),
        (int, True),
        (Literal[1], True),
        (Any, object()),
        (Any, (1, object())),
        (list[int] | None, ("a",)),
        (Point, 3),
        (Point, Point("no int")),  # type: ignore[arg-type]
        (tuple[int, int], (1,)),
        (Annotated[complex, Hook(decode=complex, encode=lambda z: 1 / 0)], 2j),
        (int | str, 1.5),
    ],
)
def test_a_default_that_is_no_json_is_left_out(tp, default):
    cls = make_dataclass("Holder", [("a", tp, field(default=default))])
    assert "default" not in schema(cls)["$defs"]["Holder"]["properties"]["a"]


@pytest.mark.parametrize(
    ("factory", "expected"),
    [(list, []), (dict, {}), (set, []), (collections.deque, []), (collections.OrderedDict, {})],
)
def test_a_factory_that_gives_the_same_each_time_is_told(factory, expected):
    cls = make_dataclass("Holder", [("a", Any, field(default_factory=factory))])
    assert schema(cls)["$defs"]["Holder"]["properties"]["a"]["default"] == expected


def test_another_factory_is_not_called():
    def fail() -> int:
        raise AssertionError("nobody asked for a value")

    cls = make_dataclass("Holder", [("a", int, field(default_factory=fail))])
    assert "default" not in schema(cls)["$defs"]["Holder"]["properties"]["a"]


def test_dicts_as_defaults_and_examples():
    found = schema(Annotated[Options, Field(examples=[{"a": 1}, {}, {"a": "x"}])])
    assert found["examples"] == [{"a": 1}, {}]
    keys = schema(Annotated[dict[int | bool, int], Field(examples=[{1: 2}, {True: 3}])])
    assert keys["examples"] == [{"1": 2}, {"true": 3}]


def test_a_default_of_a_tagged_class_has_its_tag():
    tagged = demat.configure(tag="t")(dataclass(frozen=True)(type("Tagged", (), {"__annotations__": {"x": int}})))
    cls = make_dataclass("Holder", [("a", tagged, field(default=tagged(1)))])
    assert schema(cls)["$defs"]["Holder"]["properties"]["a"]["default"] == {"t": "Tagged", "x": 1}
