"""`demat.writer` to places that take the whole: stores, columns, tables by their names."""

from __future__ import annotations

import math
import sqlite3
from dataclasses import dataclass
from datetime import UTC, date, datetime
from decimal import Decimal
from pathlib import Path
from typing import Annotated, Any
from uuid import UUID

import demat
import pytest
from demat import Field, store
from own_stores import Plain, Tree


@dataclass
class Item:
    id: int
    name: Annotated[str, Field(max_length=5)] = "a"


ITEMS = [Item(1), Item(2, "é"), Item(3, "c")]
ROWS = [{"id": item.id, "name": item.name} for item in ITEMS]
WHOLE = ("a.parquet", "a.arrow", "a.arrows", "a.db#items")


def test_a_value_of_a_store_is_replaced_when_the_writer_is_closed() -> None:
    own = Tree({"items": "old"})
    demat.scheme("items", own)
    try:
        with demat.writer("items:/items", Item) as writer:
            assert isinstance(writer, demat.StagedWriter)
            writer.write(ITEMS[0])
            with pytest.raises(demat.EncodeError, match=r"\$\[1\]\.id"):
                writer.write(Item("x"))  # type: ignore[arg-type]
            assert writer.write_all(iter(ITEMS[1:])) == 2
            writer.flush()
            assert (writer.count, writer.closed, own.root) == (3, False, {"items": "old"})
        assert (writer.closed, writer.close(), own.root) == (True, 3, {"items": ROWS})
    finally:
        demat.scheme("items", None)
    memory = store.memory()
    with demat.writer(memory, format="csv") as writer:
        writer.write_all(ROWS)
    assert memory.get() == [{"id": str(row["id"]), "name": row["name"]} for row in ROWS]


@pytest.mark.parametrize("name", WHOLE)
def test_columns_and_tables_appear_when_the_writer_is_closed(tmp_path: Path, name: str) -> None:
    place = str(tmp_path / name)
    for kind in (Item, None):
        with demat.writer(place, kind) as writer:
            for item in ITEMS:
                writer.write(item)
            if kind is not None:
                with pytest.raises(demat.EncodeError, match=r"\$\[3\]\.id"):
                    writer.write(Item("x"))  # type: ignore[arg-type]
                assert list(tmp_path.iterdir()) == []
        assert writer.count == 3
        demat.copy(place, tmp_path / "a.json", Item)
        assert demat.json.decode((tmp_path / "a.json").read_bytes(), list[Item]) == ITEMS
        for path in tmp_path.iterdir():
            path.unlink()


@pytest.mark.parametrize("name", WHOLE)
def test_an_error_leaves_the_place_as_it_was(tmp_path: Path, name: str) -> None:
    place = str(tmp_path / name)
    with pytest.raises(KeyError), demat.writer(place, Item) as writer:
        writer.write_all(ITEMS)
        raise KeyError
    assert list(tmp_path.iterdir()) == []
    assert (writer.closed, writer.count) == (True, 3)
    writer.abort()
    for call in (lambda: writer.write(ITEMS[0]), writer.flush, lambda: writer.write_all([])):
        with pytest.raises(RuntimeError, match="closed"):
            call()


def test_options_are_those_of_the_format(tmp_path: Path) -> None:
    @dataclass
    class Moment:
        at: datetime

    place = tmp_path / "a.parquet"
    with demat.writer(place, Moment, naive=True, compression="gzip") as writer:
        writer.write(Moment(datetime(2026, 5, 1, 12)))
    assert place.read_bytes()[:2] == b"\x1f\x8b"
    assert demat.parquet.columns(place).records() == [{"at": datetime(2026, 5, 1, 12)}]
    for options, error, why in (
        ({"indent": 2}, TypeError, 'no option "indent"; it has naive, decimals, narrow, dictionary, compression'),
        ({"compression": "zip"}, ValueError, "compression"),
    ):
        with pytest.raises(error, match=why):
            demat.writer(tmp_path / "b.parquet", **options)  # type: ignore[call-overload]
    with pytest.raises(TypeError, match='sqlite.write has no option "naive"'):
        demat.writer(str(tmp_path / "b.db#t"), naive=True)
    for place, why in (("xx:/a?b=1", "a query says"), ("xx:/a", "not compressed")):
        demat.scheme("xx", Plain())
        try:
            with pytest.raises(ValueError, match=why):
                demat.writer(place, compression="auto" if "?" in place else "gzip")
        finally:
            demat.scheme("xx", None)


KINDS = {
    "bytes": b"\x00\xff",
    "decimal": Decimal("1.50"),
    "uuid": UUID(int=5),
    "nan": math.inf,
    "day": date(2026, 5, 1),
    "at": datetime(2026, 5, 1, tzinfo=UTC),
    "int": 2**40,
}


@pytest.mark.parametrize("name", ["a.parquet", "a.arrow"])
def test_without_a_type_values_are_as_they_were(tmp_path: Path, name: str) -> None:
    @dataclass
    class Moment:
        at: datetime
        data: bytes

    module: Any = demat.parquet if name.endswith("parquet") else demat.arrow
    with demat.writer(tmp_path / name) as writer:
        writer.write(KINDS)
        assert writer.write_all([KINDS]) == 1
    assert module.columns(tmp_path / name).records() == [KINDS, KINDS]
    # The class of all says more than the values do: a datetime without a zone.
    with demat.writer(tmp_path / name, naive=True) as writer:
        writer.write(Moment(datetime(2026, 5, 1), b"\xff"))
        writer.write_all(iter([Moment(datetime(2026, 5, 2), b"")]))
    assert module.columns(tmp_path / name).records(Moment) == [
        Moment(datetime(2026, 5, 1), b"\xff"),
        Moment(datetime(2026, 5, 2), b""),
    ]


def test_errors_of_the_whole_name_the_place(tmp_path: Path) -> None:
    place = str(tmp_path / "a.db#t")
    writer = demat.writer(place)
    writer.write({"n": math.nan})
    with pytest.raises(demat.EncodeError, match=r"a\.db#t, record 1"):
        writer.close()


def test_a_place_that_refuses_the_whole_says_so_once() -> None:
    class Refusing(Plain):
        def put(self, path: Any, value: Any) -> None:
            raise PermissionError("not now")

    writer = demat.writer(Refusing(), Item)
    writer.write(ITEMS[0])
    with pytest.raises(demat.StoreError, match="not now"):
        writer.close()
    assert writer.closed
    with pytest.raises(RuntimeError, match="given up"):
        writer.close()
    writer.abort()
    assert writer.close() == 1


@pytest.mark.parametrize("format", ["parquet", "arrow"])
def test_columns_are_a_form_of_a_value(format: Any) -> None:
    place = store.memory()
    with demat.writer(place, format=format) as writer:
        writer.write_all(ITEMS)
        assert place.get() == {}
    assert place.get() == ROWS
    with pytest.raises(ValueError, match="not compressed"):
        demat.writer(place, format=format, compression="gzip")


def test_a_relative_path_is_one_of_the_folder_where_it_was_opened(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("one", "two"):
        (tmp_path / name).mkdir()
    monkeypatch.chdir(tmp_path / "one")
    places = ["a.csv", "a.parquet", "a.db#items", Path("b.json"), "lmdb:c#items"]
    writers = [demat.writer(place, Keyed) for place in places]

    def going() -> Any:
        yield Keyed(1)
        monkeypatch.chdir(tmp_path / "two")

    assert demat.write("d.csv", going(), Keyed) == 1
    for writer in writers:
        writer.write(Keyed(1))
        assert writer.close() == 1
    assert list((tmp_path / "two").iterdir()) == []
    assert sorted(path.name for path in (tmp_path / "one").iterdir()) == [
        *("a.csv", "a.db", "a.parquet", "b.json", "c", "d.csv"),
    ]


@dataclass
class Keyed:
    id: Annotated[int, Field(key=True)]
    name: str = "a"


def test_collections_take_the_whole(tmp_path: Path) -> None:
    place = f"lmdb:{tmp_path}#items"
    with demat.writer(place, Keyed) as writer:
        assert isinstance(writer, demat.StagedWriter)
        writer.write_all([Keyed(2), Keyed(1)])
    with demat.writer(place) as writer:
        writer.write(Keyed(3, "c"))
    assert list(demat.read(place, Keyed)) == [Keyed(1), Keyed(2), Keyed(3, "c")]


def test_what_is_wrong_with_the_place_is_said_when_it_is_opened(tmp_path: Path) -> None:
    (tmp_path / "folder.parquet").mkdir()
    (tmp_path / "text.db").write_bytes(b"no database, though as long as a header of one is" * 30)
    before = sorted(tmp_path.iterdir())
    cases: list[tuple[str, Any, type[Exception], str]] = [
        ("no/a.parquet", {}, FileNotFoundError, "can't be written"),
        ("no/a.db#t", {}, FileNotFoundError, "can't be written"),
        ("folder.parquet", {}, IsADirectoryError, "can't be written"),
        ("text.db#t", {}, demat.StoreError, "not a database"),
        ("a.db", {}, ValueError, r"a whole database: name a part of it, such as .*a\.db#tasks"),
        ("a.db?select 1", {}, demat.StoreError, "not into what a statement gives"),
        ("a", {"format": "sqlite"}, ValueError, "a table is named by the path of its database"),
        ("a.db#t", {"compression": "gzip"}, ValueError, "not compressed"),
        ("a.parquet", {"naive": "utc"}, TypeError, "naive"),
        ("a.parquet", {"decimals": "x"}, TypeError, "decimals"),
        ("a.parquet", {"type": int}, demat.EncodeError, r"columns hold records.*a\.parquet"),
    ]
    for name, options, error, why in cases:
        with pytest.raises(error, match=why):
            demat.writer(str(tmp_path / name), **{"type": Item, **options})
    assert sorted(tmp_path.iterdir()) == before


@pytest.mark.parametrize("name", [*WHOLE, "a.csv"])
def test_no_field_of_a_subclass_is_lost(tmp_path: Path, name: str) -> None:
    @dataclass
    class More(Keyed):
        more: int = 0

    @dataclass
    class Holding:
        id: int
        own: Keyed

    place = str(tmp_path / name)
    ways = [lambda value, kind: demat.write(place, iter([value]), kind)]
    if not name.endswith("csv"):
        ways.append(lambda value, kind: write(place, value, kind))
    for way in ways:
        with pytest.raises(demat.Error, match="more"):
            way(More(1, more=5), Keyed)
        if not name.endswith("csv"):
            with pytest.raises(demat.Error, match="more"):
                way(Holding(1, More(1, more=5)), Holding)
    assert list(tmp_path.iterdir()) == []


def write(place: str, value: object, kind: Any) -> None:
    with demat.writer(place, kind) as writer:
        writer.write(value)


@pytest.mark.parametrize("way", ["list", "generator", "untyped", "first", "targets", "writer", "any writer", "copy"])
def test_a_table_is_that_of_the_class_whichever_way_it_is_made(tmp_path: Path, way: str) -> None:
    @dataclass
    class Person:
        id: Annotated[int | None, Field(key=True)]
        email: Annotated[str, Field(unique=True)] = "a"
        n: Annotated[int, Field(ge=0, index=True)] = 0
        kind: Annotated[str | None, Field(sql="VARCHAR(20)")] = None

    with demat.sqlite.open(tmp_path / "a.db") as database:
        database.table("t", Person)
    place, people = str(tmp_path / "b.db#t"), [Person(1, "x", 2)]
    if way == "list":
        demat.write(place, people)
    elif way == "generator":
        demat.write(place, iter(people), Person)
    elif way == "untyped":
        demat.write(place, iter(people))
    elif way == "first":
        demat.copy(people, place, Person, first=1)
    elif way == "targets":
        demat.copy(people, [place, str(tmp_path / "b.csv")])
    elif way == "copy":
        demat.write(tmp_path / "b.json", people)
        demat.copy(tmp_path / "b.json", place, Person)
    else:
        with demat.writer(place, Person if way == "writer" else None) as writer:
            writer.write_all(people)
    shown = "select sql from sqlite_schema where sql is not null order by sql"
    made = [sqlite3.connect(tmp_path / name).execute(shown).fetchall() for name in ("a.db", "b.db")]
    assert made[1] == made[0]
    assert list(demat.read(place, Person)) == people
