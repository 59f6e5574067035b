"""`ordered=True`: lazy records that stop looking where a bigger number stands."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Annotated, Any

import demat
import pytest
from demat import Field, proto
from hypothesis import given
from hypothesis import strategies as st


@dataclass
class Point:
    x: int = 0
    y: int = 0


@dataclass
class Wide:
    last: Annotated[str, Field(300)] = ""
    id: Annotated[int, Field(1)] = 0
    names: Annotated[list[str], Field(3)] = field(default_factory=list)
    at: Annotated[Point | None, Field(4)] = None
    pick: Annotated[int | None, Field(6, oneof="kind")] = None
    points: Annotated[list[Point], Field(8)] = field(default_factory=list)
    other: Annotated[int | None, Field(20, oneof="kind")] = None


NAMES = ["id", "names", "at", "pick", "points", "other", "last"]
FULL = Wide("end", 5, ["a", "bb", "bb", "c"], Point(1, 2), None, [Point(3), Point(4)], 7)


def ordered(value: Wide) -> bytes:
    """The fields in the order of their numbers; a class's own order is that of its fields."""
    return b"".join(proto.encode(Wide(**{name: getattr(value, name)})) for name in NAMES)


@dataclass
class Rest:
    """Writes unknown fields."""

    rest: Annotated[dict[str, bytes], Field(rest=True)]


UNKNOWN = {2: b"\x10\x09", 5: b"\x2a\x01x", 15: b"\x7d\0\0\0\0", 1000: b"\xc0\x3e\x01"}


def view(data: Any) -> Wide:
    return proto.decode(data, Wide, lazy=True, ordered=True)


values = st.builds(
    Wide,
    st.text(max_size=3),
    st.integers(0, 300),
    st.lists(st.text(max_size=2), max_size=12),
    st.none() | st.builds(Point, st.integers(0, 3)),
    st.none() | st.integers(0, 3),
    st.lists(st.builds(Point, st.integers(0, 3)), max_size=4),
)


@given(values, st.permutations(NAMES), st.lists(st.sampled_from([*UNKNOWN]), unique=True))
def test_it_is_what_is_decoded(value: Wide, asked: list[str], unknown: list[int]):
    data = ordered(value)
    # Unknown fields where they stand in order.
    parts = [(number, proto.encode(Rest({str(number): UNKNOWN[number]}))) for number in unknown]
    known = zip(NAMES, [1, 3, 4, 6, 8, 20, 300], strict=True)
    parts += [(number, proto.encode(Wide(**{name: getattr(value, name)}))) for name, number in known]
    data = b"".join(part for _, part in sorted(parts, key=lambda part: part[0]))
    own = view(data)
    for name in asked:
        assert getattr(own, name) == getattr(value, name), name
    assert own == value
    assert proto.encode(own) == data


def test_it_stops_where_a_bigger_number_stands():
    # The invalid byte is at the end, so a lookup that stops earlier succeeds.
    data = ordered(FULL) + b"\x07"
    own = view(data)
    assert own.id == 5
    assert own.names == ["a", "bb", "bb", "c"]
    assert own.at == Point(1, 2)
    assert own.points == [Point(3), Point(4)]
    with pytest.raises(demat.DecodeError):
        _ = own.last
    # Whether a member of a oneof counts the others say.
    with pytest.raises(demat.DecodeError):
        _ = view(data).pick
    with pytest.raises(demat.DecodeError):
        _ = proto.decode(data, Wide, lazy=True).id


def test_a_field_that_did_not_come():
    own = view(ordered(Wide("end", points=[Point(1)])) + b"\x07")
    assert (own.id, own.names, own.at, own.points) == (0, [], None, [Point(1)])


def test_messages_within_are_in_order_too():
    data = b"\x0a\x05\x08\x01\x10\x02\x07"

    @dataclass
    class Box:
        at: Point | None = None

    own = proto.decode(data, Box, lazy=True, ordered=True)
    assert own.at is not None
    assert own.at.x == 1
    with pytest.raises(demat.DecodeError):
        _ = own.at.y


def test_disorder_that_is_met_is_no_harm():
    data = ordered(FULL) + proto.encode(Wide(id=8))
    own = view(data)
    assert own.last == "end"
    assert own.id == 8
    own = view(data)
    # The promise was not kept, and nobody looked.
    assert own.id == 5


def test_changes_are_merged():
    own = view(ordered(FULL))
    own.id = 6
    own.names.append("d")
    expected = Wide("end", 6, [*FULL.names, "d"], FULL.at, None, FULL.points, 7)
    assert proto.decode(proto.encode(own), Wide) == expected


def test_everywhere():
    data = ordered(FULL)
    assert proto.Decoder(Wide, lazy=True, ordered=True).decode(data) == FULL
    assert proto.Decoder(Wide, lazy=True, ordered=True).decode(bytearray(data)) == FULL
    file = (bytes([len(data)]) + data) * 2
    assert proto.decode(file, list[Wide], lazy=True, ordered=True) == [FULL, FULL]
    for recycle in (False, True):
        own = [(one.id, one.at) for one in proto.read(file, Wide, lazy=True, ordered=True, recycle=recycle)]
        assert own == [(5, Point(1, 2))] * 2
    with pytest.raises(TypeError, match="ordered is for lazy records"):
        proto.decode(data, Wide, ordered=True)
    with pytest.raises(TypeError, match="ordered must be True or False"):
        proto.decode(data, Wide, lazy=True, ordered=1)  # type: ignore[call-overload]


@pytest.mark.parametrize("count", [1, 31, 32, 33, 64, 65, 100])
def test_many_fields(count: int):
    from dataclasses import make_dataclass

    cls: Any = make_dataclass("Many", [(f"f{at}", int, 0) for at in range(count)])
    value = cls(*range(1, count + 1))
    own = proto.decode(proto.encode(value), cls, lazy=True, ordered=True)
    assert getattr(own, f"f{count - 1}") == count
    assert own == value
    for at in range(count):
        setattr(own, f"f{at}", at * 2)
    assert proto.decode(proto.encode(own), cls) == cls(*range(0, 2 * count, 2))
