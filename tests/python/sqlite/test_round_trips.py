"""Every type of Python goes into a column and comes back as it was, by every way in."""

from __future__ import annotations

import datetime as dt
import enum
import sqlite3
import uuid
from dataclasses import dataclass, field, make_dataclass
from decimal import Decimal
from pathlib import Path
from typing import Annotated, Any, Literal, NamedTuple, TypedDict

import pytest
from demat import EncodeError, Field, sqlite
from hypothesis import given
from hypothesis import strategies as st


class Color(enum.Enum):
    RED = "red"
    BLUE = "blue"


class Size(enum.IntEnum):
    SMALL = 1
    LARGE = 2


@dataclass
class Inner:
    x: int
    tags: list[str] = field(default_factory=list)


UTC = dt.UTC
CASES: list[tuple[Any, list[Any]]] = [
    (bool, [True, False]),
    (int, [0, 1, -1, 2**63 - 1, -(2**63)]),
    (Annotated[int, Field(sql="TEXT")], [2**64, -(10**40), 5]),
    (float, [0.0, -1.5, 1e300, float("inf"), 5e-324, 3.0]),
    (str, ["", "a", "é\0😀", "123", "x" * 100_000]),
    (bytes, [b"", b"\0\xff", b"text"]),
    (Decimal, [Decimal("1.50"), Decimal("12345678901234567890.123"), Decimal(-7)]),
    (dt.date, [dt.date(2026, 2, 3)]),
    (dt.time, [dt.time(10, 11, 12, 500_000), dt.time(0)]),
    (dt.datetime, [dt.datetime(2026, 2, 3, 4, 5, 6, tzinfo=UTC), dt.datetime(2026, 2, 3, 4, 5, 6, 123)]),
    (dt.timedelta, [dt.timedelta(days=1, seconds=2, microseconds=3), dt.timedelta(seconds=-1)]),
    (uuid.UUID, [uuid.UUID(int=5)]),
    (Color, [Color.RED, Color.BLUE]),
    (Size, [Size.SMALL, Size.LARGE]),
    (Literal["a", "b"], ["a", "b"]),
    (list[int], [[], [1, 2]]),
    (tuple[int, str], [(1, "a")]),
    (set[int], [set(), {1}]),
    (dict[str, float | None], [{}, {"a": 1.5, "b": None}]),
    (Inner, [Inner(1), Inner(2, ["a", '"'])]),
    (list[Inner], [[Inner(1)]]),
    (int | str, [1, "1", "a"]),
    (int | list[str], [1, ["1"]]),
]


@pytest.mark.parametrize("load", [False, True], ids=["insert", "load"])
@pytest.mark.parametrize("optional", [False, True], ids=["", "optional"])
@pytest.mark.parametrize("strict", [False, True], ids=["", "strict"])
@pytest.mark.parametrize(("type", "values"), CASES, ids=lambda case: str(case)[:30])
def test_types(type: Any, values: list[Any], strict: bool, optional: bool, load: bool) -> None:
    if optional and hasattr(type, "__metadata__"):
        # What is said of a column stands at its field.
        type, optional = Annotated[type.__origin__ | None, *type.__metadata__], False
        values = [*values, None]
    cls = make_dataclass("Row", [("v", type | None if optional else type)])
    rows = [cls(value) for value in (*values, *([None] if optional else []))]
    with sqlite.open(":memory:") as database:
        table = database.table("rows", cls, strict=strict)
        assert (table.load if load else table.insert)(rows) == len(rows)
        assert table.select().all() == rows
        assert list(table) == rows
        # The same table again is the same.
        assert len(database.table("rows", cls, strict=strict)) == len(rows)


class Point(NamedTuple):
    x: int
    y: float


class Movie(TypedDict, total=False):
    title: str
    year: int


def test_other_classes() -> None:
    with sqlite.open(":memory:") as database:
        points = database.table("points", Point)
        points.insert([Point(1, 2.5)])
        assert points.select().all() == [Point(1, 2.5)]
        movies = database.table("movies", Movie)
        movies.insert([{"title": "a"}, {"year": 1999}, {}])
        assert movies.select().all() == [{"title": "a"}, {"year": 1999}, {}]


def test_names_outside() -> None:
    @dataclass
    class Task:
        due_date: Annotated[dt.date, Field(name="dueDate")]

    with sqlite.open(":memory:") as database:
        table = database.table("tasks", Task)
        table.insert([Task(dt.date(2026, 1, 1))])
        assert table.columns == ("dueDate",)
        assert table.select(dueDate=dt.date(2026, 1, 1)).all() == [Task(dt.date(2026, 1, 1))]
        assert table.count(dueDate=dt.date(2026, 1, 2)) == 0


@pytest.mark.parametrize(
    ("type", "value"),
    [(float, float("nan")), (int, 2**63), (Any, [1]), (Any, float("nan"))],
)
def test_what_has_no_place(type: Any, value: Any) -> None:
    cls = make_dataclass("Row", [("v", type)])
    with sqlite.open(":memory:") as database:
        table = database.table("rows", cls)
        with pytest.raises(EncodeError) as caught:
            table.insert([cls(1), cls(value)])
        assert (caught.value.path, caught.value.record) == ("$[1].v", 2)
        assert len(table) == 0


@dataclass
class Mixed:
    id: Annotated[int, Field(key=True)]
    number: float | None
    text: str
    data: bytes | None


@given(
    st.lists(
        st.builds(
            Mixed,
            id=st.integers(-(2**63), 2**63 - 1),
            number=st.none() | st.floats(allow_nan=False),
            text=st.text(),
            data=st.none() | st.binary(),
        ),
        unique_by=lambda mixed: mixed.id,
    )
)
def test_any_rows(rows: list[Mixed]) -> None:
    with sqlite.open(":memory:") as database:
        inserted, loaded = database.table("inserted", Mixed), database.table("loaded", Mixed)
        assert inserted.insert(rows) == loaded.load(iter(rows)) == len(rows)
        expected = sorted(rows, key=lambda mixed: mixed.id)
        assert inserted.select(order="id").all() == loaded.select().all() == expected


def test_the_stock_library_reads_them(tmp_path: Path) -> None:
    path = tmp_path / "a.db"
    with sqlite.open(path) as database:
        database.table("mixed", Mixed).insert([Mixed(1, 2.5, "x", b"\0"), Mixed(2, None, "", None)])
    with sqlite3.connect(path) as stock:
        assert stock.execute("select * from mixed").fetchall() == [(1, 2.5, "x", b"\0"), (2, None, "", None)]
        assert stock.execute("pragma integrity_check").fetchall() == [("ok",)]
    stock.close()
