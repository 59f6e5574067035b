"""Members of enums, literals and encodings of fields in collections, which outlive the program that made them."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import date
from enum import Enum, IntEnum
from ipaddress import IPv4Address
from pathlib import Path
from typing import Annotated, Any, Literal

import demat
import pytest
from demat import Field, lmdb

ENCODINGS = ["protobuf", "msgpack", "json"]


class Color(Enum):
    RED = "red"
    BLUE = "blue"


class Level(IntEnum):
    LOW = 1
    HIGH = 2


@dataclass
class Paint:
    id: int
    color: Color = Color.RED
    level: Level = Level.HIGH
    last: Color | None = None
    colors: list[Color] = field(default_factory=list)


@dataclass
class Spot:
    color: Color
    number: int = 0


@pytest.fixture
def env(tmp_path: Path) -> Iterator[lmdb.Environment]:
    with lmdb.open(tmp_path / "env", sync="off") as env:
        yield env


PAINTS = [
    Paint(1),
    Paint(2, Color.BLUE, Level.LOW, Color.RED, [Color.BLUE]),
    Paint(3, Color.RED, Level.HIGH, Color.BLUE, [Color.RED, Color.BLUE]),
]


@pytest.mark.parametrize("encoding", ENCODINGS)
def test_members_that_are_defaults_are_found(env: lmdb.Environment, encoding: Any) -> None:
    paints = env.collection("paints", Paint, key="id", encoding=encoding)
    paints.put_all(PAINTS)
    name, level = ("RED", "HIGH") if encoding == "protobuf" else ("red", "2")
    for attribute in ("color", "level", "last", "colors"):
        index = paints.index(attribute, attribute)
        for member in (Color.RED, Color.BLUE, Level.LOW, Level.HIGH, None):
            of = [getattr(paint, attribute) for paint in PAINTS]
            expected = [paint.id for paint, own in zip(PAINTS, of, strict=True) if own is member or _holds(own, member)]
            assert [paint.id for paint in index.scan(prefix=(member,))] == expected, (attribute, member)
            found = None if attribute == "colors" else paints.find(**{attribute: member})
            assert attribute == "colors" or (found and found.id) == (expected[0] if expected else None)
    assert paints.count(where=f"color={name}") == 2
    assert paints.count(where=f"level={level}") == 2
    assert paints.check() == []


def _holds(own: object, member: object) -> bool:
    return isinstance(own, list) and member in own


@pytest.mark.parametrize("encoding", ENCODINGS)
def test_members_are_keys_that_records_are_found_by(env: lmdb.Environment, encoding: Any) -> None:
    spots = env.collection("spots", Spot, key="color", encoding=encoding)
    spots.put_all([Spot(Color.RED, 1), Spot(Color.BLUE, 2)])
    assert spots[Color.RED] == Spot(Color.RED, 1)
    assert Color.BLUE in spots
    assert spots.update(Color.RED, number=3)
    assert list(spots.scan(objects=True)) == [Spot(Color.BLUE, 2), Spot(Color.RED, 3)]
    assert spots.delete(Color.RED)
    both = env.collection("both", Spot, key=("color", "number"), encoding=encoding)
    both.put_all([Spot(Color.RED, 1), Spot(Color.RED, 2), Spot(Color.BLUE, 1)])
    assert both.update((Color.RED, 1), number=5)
    assert [spot.number for spot in both.scan(lo=(Color.RED, 2), hi=(Color.RED,), include="both")] == [2, 5]


@pytest.mark.parametrize("encoding", ENCODINGS)
def test_a_record_whose_key_changes_to_an_equal_one_moves(env: lmdb.Environment, encoding: Any) -> None:
    @dataclass
    class Point:
        x: float

    points = env.collection("points", Point, key="x", encoding=encoding)
    points.put(Point(-0.0))
    points.update(-0.0, x=0.0)
    assert [str(point.x) for point in points] == ["0.0"]


@dataclass
class Wired:
    id: int
    kind: Literal["p", "q"] = "q"
    always: Literal["one"] = "one"
    zigzag: Annotated[int, Field(wire="sint64")] = 0
    fixed: Annotated[int, Field(wire="fixed32")] = 0
    many: Annotated[list[int], Field(wire="sint32")] = field(default_factory=list)
    apart: Annotated[list[int], Field(wire="expanded")] = field(default_factory=list)
    sides: Annotated[dict[int, int], Field(wire="sint32, key sint32")] = field(default_factory=dict)
    narrow: Annotated[float, Field(wire="float")] = 0.0
    address: Annotated[IPv4Address | None, Field(wire="ipv4")] = None


def test_encodings_of_fields_are_stored(tmp_path: Path) -> None:
    place = f"lmdb:{tmp_path / 'env'}#wired"
    rows = [
        Wired(1),
        Wired(2, "p", "one", -5, 7, [-1, 2], [3, 4], {-1: -2}, 1.5, IPv4Address("1.2.3.4")),
    ]
    with lmdb.open(tmp_path / "env", sync="off") as env:
        env.collection("wired", Wired, key="id").put_all(rows)
    with lmdb.open(tmp_path / "env", sync="off") as env:
        again = env.collection("wired", Wired)
        assert list(again.scan(objects=True)) == rows
        again.put(rows[0])
    assert list(demat.read(place, Wired)) == rows
    demat.copy(place, tmp_path / "typed.json", Wired)
    demat.copy(place, tmp_path / "plain.json")
    assert list(demat.read(tmp_path / "typed.json", Wired)) == rows
    assert list(demat.read(tmp_path / "plain.json", Wired)) == rows


@dataclass
class Narrow:
    id: int
    kind: Literal["p", "q"] = "q"
    zigzag: Annotated[int, Field(wire="sint64")] = 0
    color: Color = Color.BLUE
    level: Level = Level.HIGH
    colors: list[Color] = field(default_factory=list)


@pytest.mark.parametrize("encoding", ENCODINGS)
def test_a_collection_opens_without_its_class(env: lmdb.Environment, encoding: Any) -> None:
    env.collection("narrow", Narrow, key="id", encoding=encoding).put_all(
        [Narrow(1), Narrow(2, "p", -7, Color.RED, Level.LOW, [Color.RED])]
    )
    narrow = env.collection("narrow")
    first, second = narrow.scan(objects=True)
    assert (first.kind, second.kind, second.zigzag) == ("q", "p", -7)
    if encoding == "protobuf":
        assert (first.color.name, first.level.name, second.color.name) == ("BLUE", "HIGH", "RED")
        assert [color.name for color in second.colors] == ["RED"]
    else:
        assert (first.color, first.level, second.color, second.colors) == ("blue", 2, "red", ["red"])


@dataclass
class Inner:
    x: int | None
    y: str


@dataclass
class Nullable:
    a: int | None
    id: int
    b: str | None
    c: Color | None
    d: date | None
    e: Inner | None
    f: list[Inner]
    g: bool | None


@pytest.mark.parametrize("encoding", ENCODINGS)
def test_fields_without_a_default_that_may_be_none(tmp_path: Path, encoding: Any) -> None:
    rows = [
        Nullable(None, 1, None, None, None, None, [], None),
        Nullable(0, 2, "", Color.RED, date(2024, 1, 1), Inner(None, "y"), [Inner(None, ""), Inner(0, "")], False),
    ]
    with lmdb.open(tmp_path / "env", sync="off") as env:
        rows_of = env.collection("rows", Nullable, key=("a", "id"), encoding=encoding)
        assert rows_of.put(rows[0]) == (None, 1)
        rows_of.put_all(rows)
        assert demat.json.decode(rows_of.encode("json"), list[Nullable]) == rows
        assert list(rows_of.columns().records(Nullable)) == rows
        assert rows_of.count(where="b.null=true") == 1
        assert [row.id for row in rows_of.index("c", "c").scan(prefix=(None,))] == [1]
    for target in ("rows.json", "rows.avro", "rows.binpb", "rows.parquet"):
        demat.copy(f"lmdb:{tmp_path / 'env'}#rows", tmp_path / target, Nullable)
        assert list(demat.read(tmp_path / target, Nullable)) == rows


@pytest.mark.parametrize("encoding", ENCODINGS)
def test_a_copy_knows_how_a_collection_is_encoded(tmp_path: Path, encoding: Any) -> None:
    with lmdb.open(tmp_path / "env", sync="off") as env:
        env.collection("paints", Paint, key="id", encoding=encoding).put_all(PAINTS)
    for target in ("paints.binpb", "paints.json", "paints.msgpack"):
        demat.copy(f"lmdb:{tmp_path / 'env'}#paints", tmp_path / target, Paint)
        assert list(demat.read(tmp_path / target, Paint)) == PAINTS


def test_given_numbers_are_not_given_again(env: lmdb.Environment) -> None:
    spots = env.collection("spots", Spot, key=lmdb.auto)
    spots.put(Spot(Color.RED, 100), key=2)
    spots.put(Spot(Color.RED, 101), key=3)
    assert [spots.put(Spot(Color.BLUE, number)) for number in range(3)] == [1, 4, 5]
    assert spots[2].number == 100
    spots.put(Spot(Color.RED, 102), key=7)
    assert spots.put_all(Spot(Color.BLUE, number) for number in range(3)) == 3
    assert [spot.number for spot in spots] == [0, 100, 101, 1, 2, 0, 102, 1, 2]
