"""What `demat.raw` writes, read by a reader that follows `docs/raw.md`."""

from __future__ import annotations

import sys
from dataclasses import dataclass, field
from datetime import UTC, date, datetime, time, timedelta, timezone
from decimal import Decimal
from pathlib import Path
from typing import Any, Literal
from uuid import UUID

import pytest
from demat import DecodeError, ValidationError, json, raw

sys.path.insert(0, str(Path(__file__).parent))
from reader import Reader, description, fingerprint

PAGE = Path(__file__).parents[3] / "docs" / "raw.md"
INT = ("int", None)


@dataclass
class Point:
    x: int
    y: float


@dataclass
class All:
    flag: bool
    number: int
    huge: int
    real: float
    text: str
    data: bytes
    price: Decimal
    day: date
    clock: time
    local: datetime
    span: timedelta
    id: UUID
    points: list[Point]
    pair: tuple[int, str]
    names: dict[str, int]
    kind: Literal["a", "b"]
    only: Literal["x"]
    some: Any
    nothing: int | None
    either: int | str
    later: str = "z"
    note: str | None = None


POINT = ("record", [("x", 1, "!", INT), ("y", 2, "!", ("float", 8))])
KINDS: list[tuple[str, Any]] = [
    ("flag", ("bool",)), ("number", INT), ("huge", INT), ("real", ("float", 8)), ("text", ("text",)),
    ("data", ("bytes",)), ("price", ("decimal",)), ("day", ("date",)), ("clock", ("time",)),
    ("local", ("instant",)), ("span", ("duration",)), ("id", ("uuid",)), ("points", ("list", POINT)),
    ("pair", ("tuple", [INT, ("text",)])), ("names", ("map", ("text",), INT)), ("kind", ("enum", ["a", "b"])),
    ("only", ("enum", ["x"])), ("some", ("any",)), ("nothing", INT),
    ("either", ("union", [("int", INT), ("str", ("text",))])),
]  # fmt: skip
SIGNS = {"nothing": "?"}
SHAPE = (
    "record",
    [
        *((name, number, SIGNS.get(name, "!"), kind) for number, (name, kind) in enumerate(KINDS, 1)),
        ("later", 21, "-", ("text",)),
        ("note", 22, "~", ("text",)),
    ],
)

VALUE = All(
    flag=True,
    number=-12345,
    huge=3**200,
    real=0.1,
    text="kä😀",
    data=b"\x00\xff",
    price=Decimal("1.50"),
    day=date(2024, 2, 29),
    clock=time(23, 59, 59, 123456),
    local=datetime(2024, 2, 29, 12, tzinfo=timezone(timedelta(hours=-5, minutes=-30))),
    span=timedelta(days=-1, seconds=5, microseconds=7),
    id=UUID("f81d4fae-7dec-11d0-a765-00a0c91e6bf6"),
    points=[Point(n, n / 3) for n in range(300)],
    pair=(1, "b"),
    names={"a": 1, "b": 2**40},
    kind="b",
    only="x",
    some={"k": [None, True, 1.5, "t"]},
    nothing=None,
    either="s",
)


def test_another_reader_reads_all_kinds() -> None:
    found = Reader(raw.encode(VALUE)).document(SHAPE)
    expected = dict(vars(VALUE)) | {"points": [vars(point) for point in VALUE.points], "either": ("str", "s")}
    assert found == expected
    assert raw.decode(raw.encode(VALUE), All) == VALUE


def test_lists_in_blocks_are_read_as_well(tmp_path: Path) -> None:
    place = tmp_path / "points.demat"
    points = [Point(n, 0.5) for n in range(1000)]
    assert raw.write(place, iter(points)) == 1000
    data = place.read_bytes()
    assert data[8] == 255
    assert Reader(data).document(("list", POINT)) == [vars(point) for point in points]
    assert list(raw.read(place, Point)) == points
    assert raw.decode(data, list[Point]) == points


def vectors() -> list[tuple[str, ...]]:
    rows = PAGE.read_text("utf-8").split("## Test vectors")[1].split("## Sizes")[0].splitlines()
    cells = [[cell.strip().strip("`") for cell in row.strip("|").split(" | ")] for row in rows if row.startswith("| `")]
    return [tuple(row) for row in cells]


@pytest.mark.parametrize("vector", vectors(), ids=lambda vector: vector[0])
def test_the_vectors_of_the_page(vector: tuple[str, ...], tmp_path: Path) -> None:
    import demat

    shape, text, print_, value, data = vector
    assert fingerprint(text).hex() == print_
    source, written, back = tmp_path / "a.json", tmp_path / "a.demat", tmp_path / "b.json"
    source.write_text(value)
    demat.copy(source, written, type=shape)
    assert written.read_bytes().hex() == print_ + data.replace(" ", "")
    demat.copy(written, back, type=shape)
    without_null = value.replace(', "due": null', "")
    assert json.decode(back.read_bytes()) in (json.decode(value), json.decode(without_null))


def test_descriptions_are_as_the_page_says() -> None:
    shape = ("list", ("record", [("id", 1, "!", INT), ("title", 2, "!", ("text",)), ("due", 3, "~", ("date",))]))
    assert description(shape) == "raw1l{2:id=1!i;5:title=2!s3:due=3~d}"


@dataclass
class Old:
    id: int
    title: str
    gone: bool


@dataclass
class New:
    title: str
    id: float
    tags: list[str] = field(default_factory=list)


def test_types_may_change() -> None:
    data = raw.encode([Old(1, "a", True), Old(2, "b", False)])
    new = [New("a", 1.0), New("b", 2.0)]
    assert raw.decode(data, list[New], written_as=list[Old]) == new
    assert raw.Decoder(list[New], written_as=Old).decode(data) == new
    assert list(raw.read(data, New, written_as=Old)) == new
    assert raw.decode(raw.encode(new), list[New], written_as=list[Old]) == new
    with pytest.raises(ValidationError, match="fingerprint"):
        raw.decode(data, list[New])
    with pytest.raises(ValidationError, match="found `list`"):
        raw.decode(data, Old)


def test_what_needs_a_type_says_so() -> None:
    for value in ([], 1, {"a": 1}, [1]):
        with pytest.raises(Exception, match="give type="):
            raw.encode(value)
    assert raw.decode(raw.encode([], type=list[Old]), list[Old]) == []
    assert raw.decode(raw.encode({"a": 1}, type=dict[str, int]), dict[str, int]) == {"a": 1}
    with pytest.raises(ValidationError):
        raw.decode(raw.encode(Old(1, "a", True)))


@dataclass
class Circle:
    radius: float


@dataclass
class Square:
    side: float


@dataclass
class Drawing:
    shapes: list[Circle | Square]
    at: datetime = datetime(2024, 1, 1, tzinfo=UTC)


def test_unions_of_classes_are_told_apart() -> None:
    drawing = Drawing([Square(1), Circle(2.5), Square(0.5)])
    assert raw.decode(raw.encode(drawing), Drawing) == drawing


def test_cut_data_is_refused() -> None:
    data = raw.encode(Old(1, "abc", True))
    for end in range(len(data)):
        with pytest.raises(DecodeError):
            raw.decode(data[:end], Old)
