"""Rows go in: all or none, from whatever gives them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any

import pytest
from demat import EncodeError, Error, Field, StoreError, ValidationError, sqlite


@dataclass(slots=True)
class Task:
    id: Annotated[int, Field(key=True)]
    title: str
    done: bool = False


def tasks(count: int) -> Iterator[Task]:
    return (Task(id, f"task {id}") for id in range(count))


@pytest.fixture
def database() -> Iterator[sqlite.Database]:
    with sqlite.open(":memory:") as database:
        yield database


@pytest.mark.parametrize("count", [0, 1, 1000, 50_000])
@pytest.mark.parametrize("make", [list, tuple, iter, lambda rows: (row for row in rows)])
def test_any_iterable(database: sqlite.Database, count: int, make: Any) -> None:
    table = database.table("tasks", Task)
    assert table.insert(make(tuple(tasks(count)))) == count
    assert len(table) == count
    assert table.select(order="-id", limit=1).first() == (Task(count - 1, f"task {count - 1}") if count else None)


@pytest.mark.parametrize("bad", [0, 1, 700, 49_999])
@pytest.mark.parametrize("verb", ["insert", "load"])
def test_an_error_says_which_record(database: sqlite.Database, bad: int, verb: str) -> None:
    table = database.table("tasks", Task)
    rows = list(tasks(50_000))
    rows[bad] = Task(bad, None)  # type: ignore[arg-type]
    with pytest.raises((StoreError, EncodeError, ValueError)) as caught:
        getattr(table, verb)(rows)
    assert caught.value.record == bad + 1  # type: ignore[union-attr]
    assert len(table) == 0
    # The connection is as it was.
    assert table.insert(tasks(10)) == 10


def test_what_a_generator_raises_comes_out(database: sqlite.Database) -> None:
    def rows() -> Iterator[Task]:
        yield from tasks(30_000)
        raise KeyError("end")

    table = database.table("tasks", Task)
    for verb in (table.insert, table.load):
        with pytest.raises(KeyError):
            verb(rows())
        assert len(table) == 0


def test_batches_stay(database: sqlite.Database) -> None:
    table = database.table("tasks", Task)
    with pytest.raises(StoreError) as caught:
        table.insert([*tasks(2500), Task(7, "again")], batch=1000)
    assert caught.value.record == 2501
    assert len(table) == 2000
    with pytest.raises(ValueError, match="batch must be 1 or more rows"):
        table.insert([], batch=0)


def test_upsert_update_and_delete(database: sqlite.Database) -> None:
    table = database.table("tasks", Task)
    assert table.insert(tasks(3)) == 3
    assert table.upsert([Task(2, "new"), Task(3, "more")]) == 2
    assert table.update([Task(0, "zero", done=True), Task(9, "none")]) == 1
    assert [task.title for task in table] == ["zero", "task 1", "new", "more"]
    assert table.delete(done=True) == 1
    assert table.delete("id > :low", {"low": 2}) == 1
    assert table.delete("true") == 2
    with pytest.raises(TypeError, match="which rows to delete is not said"):
        table.delete()


def test_tables_without_a_key(database: sqlite.Database) -> None:
    database.execute("create table notes (text)")
    notes = database.table("notes")
    assert notes.insert([{"text": "a"}, {"text": 1}, {}]) == 3
    assert notes.select().all() == [notes.type("a"), notes.type(1), notes.type(None)]
    with pytest.raises(StoreError, match="the table `notes` has no key to upsert rows by"):
        notes.upsert([{"text": "a"}])
    with pytest.raises(StoreError, match="the table `notes` has no column `other`"):
        notes.insert([{"other": 1}])


def test_rows_may_come_from_the_same_database(database: sqlite.Database) -> None:
    table = database.table("tasks", Task)
    table.insert(tasks(20_000))
    copy = database.table("copies", Task)
    assert copy.insert(table.select(done=False)) == 20_000
    assert copy.select().all() == table.select().all()


def test_what_is_no_iterable(database: sqlite.Database) -> None:
    table = database.table("tasks", Task)
    for values in (Task(1, "a"), {"id": 1}, "text", 5):
        with pytest.raises(TypeError, match="is an iterable of records"):
            table.insert(values)  # type: ignore[arg-type]
    with pytest.raises(EncodeError, match="the rows of the table `tasks` are a list of records"):
        table.insert([5])  # type: ignore[list-item]


def test_transactions(database: sqlite.Database) -> None:
    table = database.table("tasks", Task)
    with pytest.raises(KeyError), database.transaction():
        table.insert(tasks(10))
        raise KeyError
    assert len(table) == 0
    with database.transaction():
        table.insert(tasks(10))
        with pytest.raises(KeyError), database.transaction():
            table.delete("true")
            raise KeyError
        with pytest.warns(RuntimeWarning, match="one by one"):
            table.load([Task(11, "a")])
    assert len(table) == 11


def test_load_falls_back_and_says_so(database: sqlite.Database) -> None:
    table = database.table("tasks", Task)
    assert table.load(tasks(5)) == 5
    with pytest.warns(RuntimeWarning, match="the rows are inserted one by one"):
        assert table.load([Task(5, "a")]) == 1
    assert len(table) == 6


def test_load_sorts_and_indexes(database: sqlite.Database) -> None:
    @dataclass
    class Word:
        id: Annotated[int, Field(key=True)]
        text: Annotated[str, Field(index=True)]

    words = database.table("words", Word)
    count = 30_000
    assert words.load(Word(count - id, f"{id * 7919 % count:06}") for id in range(count)) == count
    assert [word.id for word in words.select(limit=3)] == [1, 2, 3]
    assert words.select(text="000005").first() is not None
    assert database.query("pragma integrity_check").all() == [{"integrity_check": "ok"}]
    again = [Word(1, "a"), Word(1, "b")]
    others = database.table("others", Word)
    with pytest.raises(ValueError, match="1"):
        others.load(again)
    assert len(others) == 0


@dataclass(slots=True)
class Plain:
    key: Annotated[int | None, Field(key=True)]
    text: str | None
    number: float
    flag: bool
    other: str = "x"


class Name(str):
    """Text of a class of its own."""


class Count(int):
    """A number of a class of its own."""


def test_plain_rows_and_odd_ones_are_built_as_they_are_inserted(tmp_path: Path) -> None:
    odd = [
        Plain(None, None, 1.5, True),
        Plain(Count(50), Name("näme"), 2, False),
        Plain(51, "x" * 5000, -0.0, True, "y" * 9000),
        Plain(2**62, "", float("inf"), False, "\0"),
        Plain(-(2**63), "🦀", 1e300, True),
    ]
    values = [Plain(id * 2, f"text {id}", id / 8, id % 3 == 0) for id in range(60, 3000)]
    for at, value in enumerate(odd):
        values.insert(at * 700 + 1, value)
    with sqlite.open(tmp_path / "a.db") as database:
        inserted, loaded = database.table("inserted", Plain), database.table("loaded", Plain)
        assert inserted.insert(values) == loaded.load(values) == len(values)
        for given in (iter(values), tuple(values), (value for value in values)):
            database.execute("delete from loaded")
            assert loaded.load(given) == len(values)
            assert inserted.select("true").all() == loaded.select("true").all() == loaded.select().all()
        assert database.query("pragma integrity_check").all() == [{"integrity_check": "ok"}]


@pytest.mark.parametrize("verb", ["insert", "load"])
@pytest.mark.parametrize(
    ("bad", "error", "said"),
    [
        (Plain(None, "\ud800", 0.0, True), EncodeError, r"surrogate"),
        (Plain(None, "a", float("nan"), True), EncodeError, r"NaN has no place in SQLite"),
        (Plain(None, "a", "b", True), EncodeError, r"expected `float`, found `str`"),  # type: ignore[arg-type]
        (Plain(None, "a", 0.0, 1), EncodeError, r"expected `bool`, found `int`"),  # type: ignore[arg-type]
        (Plain(2**63, "a", 0.0, True), EncodeError, r"64 bits"),
        (Plain(None, "a", None, True), StoreError, r"NOT NULL"),  # type: ignore[arg-type]
    ],
)
def test_an_odd_row_among_plain_ones(bad: Plain, error: type[Error], said: str, verb: str) -> None:
    values = [Plain(None, "a", 0.5, True) for _ in range(100)]
    values[40] = bad
    with sqlite.open(":memory:") as database:
        table = database.table("t", Plain)
        with pytest.raises((error, ValidationError), match=said) as raised:
            getattr(table, verb)(values)
        assert raised.value.record == 41
        assert table.count() == 0


def test_a_slot_that_is_not_set() -> None:
    value = Plain(None, "a", 0.5, True)
    del value.number
    with sqlite.open(":memory:") as database:
        table = database.table("t", Plain)
        for verb in (table.insert, table.load):
            with pytest.raises(EncodeError, match="the attribute `number` of a `Plain` is not set") as raised:
                verb([Plain(None, "a", 0.5, True), value])
            assert raised.value.record == 2
