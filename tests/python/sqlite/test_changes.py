"""Changes of tables of SQLite, as iterators and as sources of copies."""

from __future__ import annotations

import asyncio
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any

import demat
import pytest
from demat import Change, sqlite, store


@dataclass
class Task:
    title: str
    id: Annotated[int | None, demat.Field(key=True)] = None


@pytest.fixture
def database() -> Iterator[sqlite.Database]:
    with sqlite.open(":memory:") as opened:
        yield opened


def some(changes: demat.Changes, count: int) -> list[tuple[str, Any, Any]]:
    return [(change.kind, change.key, change.value) for change in (next(changes) for _ in range(count))]


def ended(database: sqlite.Database) -> None:
    """Waits until no watch has anything in the database."""
    for thread in threading.enumerate():
        if thread.name == "demat-changes":
            thread.join()
    assert database._watches == []
    assert database.query("select name from sqlite_temp_schema").all() == []


def test_each_verb_is_reported_with_the_row(database: sqlite.Database) -> None:
    tasks = database.table("tasks", Task)
    with tasks.changes() as changes:
        tasks.insert([Task("a"), Task("b")])
        assert some(changes, 2) == [("put", 1, Task("a", 1)), ("put", 2, Task("b", 2))]
        tasks.upsert([Task("c", 2), Task("d", 3)])
        assert some(changes, 2) == [("put", 2, Task("c", 2)), ("put", 3, Task("d", 3))]
        tasks.update([{"id": 1, "title": "e"}])
        assert some(changes, 1) == [("put", 1, Task("e", 1))]
        tasks.delete(id=[1, 2])
        assert some(changes, 2) == [("delete", 1, None), ("delete", 2, None)]
        database.execute("update tasks set id = 9, title = 'f'")
        assert some(changes, 2) == [("delete", 3, None), ("put", 9, Task("f", 9))]
        with demat.writer(tasks) as writer:
            writer.write(Task("g"))
        assert some(changes, 1) == [("put", 10, Task("g", 10))]
        with pytest.warns(RuntimeWarning, match="inserted one by one"):
            tasks.load([Task("h")])
        assert some(changes, 1) == [("put", 11, Task("h", 11))]
        store.of(tasks).patch("/11", {"title": "i"})
        assert some(changes, 1) == [("put", 11, Task("i", 11))]
        tasks.delete("true")
        assert {key for _, key, _ in some(changes, 3)} == {9, 10, 11}
    assert list(changes) == []
    ended(database)
    tasks.load([Task("j")])


def test_what_is_rolled_back_is_not_reported_and_the_last_change_of_a_row_counts(database: sqlite.Database) -> None:
    tasks = database.table("tasks", Task)
    with tasks.changes(limit=3) as changes:
        with pytest.raises(KeyError), database.transaction():
            tasks.insert([Task("lost")])
            raise KeyError
        with database.transaction():
            tasks.insert([Task("a", 1), Task("b", 2), Task("c", 3)])
            with pytest.raises(KeyError), database.transaction():
                tasks.delete(id=2)
                raise KeyError
            tasks.update([Task("d", 1)])
            tasks.delete(id=3)
        assert list(changes) == [Change("put", 2, Task("b", 2)), Change("put", 1, Task("d", 1)), Change("delete", 3)]


KEYS = [
    ("create table t (a text primary key, b int)", {"a": "x", "b": 1}, "x"),
    ("create table t (a text, b int, primary key (b, a)) without rowid", {"a": "x", "b": 1}, (1, "x")),
    ('create table "a ""t" (a text, b int)', {"a": "x", "b": 1}, 1),
    ("create table t (rowid text, b int)", {"rowid": "x", "b": 1}, 1),
    ('create table t ("a ""b" blob primary key)', {'a "b': b"\x00x"}, b"\x00x"),
]


@pytest.mark.parametrize(("sql", "row", "key"), KEYS, ids=[sql for sql, *_ in KEYS])
def test_keys_are_those_of_the_table(database: sqlite.Database, sql: str, row: dict[str, Any], key: Any) -> None:
    database.execute(sql)
    table = database.table(database.tables[0])
    with table.changes() as changes:
        table.insert([row])
        change = next(changes)
        assert (change.kind, change.key) == ("put", key)
        assert demat.to_builtins(change.value) == row
        table.delete("true")
        assert next(changes) == Change("delete", key)


def test_foreign_keys_and_triggers_are_reported(database: sqlite.Database) -> None:
    database.execute("create table people (id integer primary key)")
    database.execute("create table tasks (id integer primary key, by int references people(id) on delete cascade)")
    people, tasks = database.table("people"), database.table("tasks")
    people.insert([{"id": 1}])
    tasks.insert([{"id": 5, "by": 1}])
    with tasks.changes() as changes:
        people.delete(id=1)
        assert next(changes) == Change("delete", 5)


def test_changes_by_others_are_one_reset(tmp_path: Path) -> None:
    path = tmp_path / "a.db"
    with sqlite.open(path) as database:
        tasks = database.table("tasks", Task)
        with tasks.changes() as changes:
            demat.copy([{"title": "a", "id": 1}], f"{path}#tasks")
            assert next(changes) == Change("reset", None)
            program = f"from demat import sqlite; sqlite.open({str(path)!r}).execute('delete from tasks')"
            subprocess.run([sys.executable, "-c", program], check=True)
            assert next(changes) == Change("reset", None)
            tasks.insert([Task("b", 2)])
            assert next(changes) == Change("put", 2, Task("b", 2))


def test_a_slow_reader_is_told_to_read_again(database: sqlite.Database) -> None:
    tasks = database.table("tasks", Task)
    with tasks.changes(queue=5) as changes:
        with database.transaction():
            tasks.insert(Task("x") for _ in range(6))
        assert next(changes) == Change("reset", None)
        with database.transaction():
            tasks.insert(Task("x") for _ in range(5))
        assert [change.key for change in (next(changes) for _ in range(5))] == [7, 8, 9, 10, 11]


def test_a_table_that_is_made_again_is_watched_again(database: sqlite.Database) -> None:
    tasks = database.table("tasks", Task)
    with tasks.changes() as changes:
        with pytest.raises(demat.StoreError, match="temporary trigger"):
            database.table("tasks", Renewed, migrate=True, allow=["narrow", "drop"])
        with database.transaction():
            database.execute("drop table tasks")
            database.table("tasks", Task)
            tasks.insert([Task("a", 1)])
        assert next(changes) == Change("reset", None)
        tasks.insert([Task("b", 2)])
        assert next(changes) == Change("put", 2, Task("b", 2))
        database.execute("drop table tasks")
        with pytest.raises(demat.StoreError, match="no such table"):
            next(changes)
    ended(database)


@dataclass
class Renewed:
    title: int
    id: Annotated[int | None, demat.Field(key=True)] = None


def test_two_watches_and_their_ends(database: sqlite.Database) -> None:
    tasks = database.table("tasks", Task)
    first, second = tasks.changes(), tasks.changes(values=False)
    tasks.insert([Task("a")])
    assert (next(first), next(second)) == (Change("put", 1, Task("a", 1)), Change("put", 1))
    first.close()
    tasks.insert([Task("b")])
    assert next(second) == Change("put", 2)
    got: list[Any] = []
    thread = threading.Thread(target=lambda: got.extend(second))
    thread.start()
    second.close()
    thread.join()
    assert got == []
    ended(database)
    last = tasks.changes()
    database.close()
    assert list(last) == []


def test_what_is_refused(database: sqlite.Database) -> None:
    database.execute("create table t (rowid, oid, _rowid_)")
    database.execute("create view v as select 1 as a")
    for name, why in (("t", "hide the numbers"), ("v", "no table")):
        with pytest.raises(ValueError, match=why):
            database.table(name).changes()
    for options in ({"queue": 0}, {"queue": True}, {"limit": -1}, {"limit": 1.5}):
        with pytest.raises(ValueError, match="is an int from"):
            database.table("t").changes(**options)  # type: ignore[arg-type]
    ended(database)


def test_who_waits_within_the_transaction_is_told(database: sqlite.Database) -> None:
    tasks = database.table("tasks", Task)
    with tasks.changes() as changes:
        with database.transaction(), database.transaction():
            tasks.insert([Task("a", 1)])
            with pytest.raises(RuntimeError, match="when the transaction has ended"):
                next(changes)
            with pytest.raises(RuntimeError, match="when the transaction has ended"):
                asyncio.run(anext(changes))  # type: ignore[arg-type]
        assert next(changes) == Change("put", 1, Task("a", 1))
        # Another thread may wait meanwhile.
        got: list[Change] = []
        thread = threading.Thread(target=lambda: got.append(next(changes)))
        with database.transaction():
            thread.start()
            tasks.insert([Task("b", 2)])
        thread.join()
        assert got == [Change("put", 2, Task("b", 2))]


def test_a_row_that_does_not_fit_ends_it_with_the_error(database: sqlite.Database) -> None:
    tasks = database.table("tasks", Task)
    with tasks.changes() as changes:
        database.execute("insert into tasks (title) values (x'00')")
        with pytest.raises(demat.ValidationError, match="title"):
            next(changes)
        assert list(changes) == []
        ended(database)


def test_an_async_for_gets_them(database: sqlite.Database) -> None:
    tasks = database.table("tasks", Task)

    async def main() -> list[Any]:
        async def write() -> None:
            for title in "abc":
                tasks.insert([Task(title)])
                await asyncio.sleep(0)

        async with tasks.changes(limit=3) as changes:
            task = asyncio.create_task(write())
            got = [change.value.title async for change in changes]
            await task
        return got

    assert asyncio.run(main()) == ["a", "b", "c"]


def test_changes_are_copied(database: sqlite.Database, tmp_path: Path) -> None:
    tasks, log = database.table("tasks", Task), store.memory()
    for place, options in ((tmp_path / "log.ndjson", {}), (log, {}), (tmp_path / "log.csv", {"flatten": True})):
        changes = tasks.changes(limit=2)
        tasks.insert([Task("a", 1)])
        copied: list[demat.Copied] = []
        thread = threading.Thread(target=lambda: copied.append(demat.copy(changes, place, **options)))  # noqa: B023
        thread.start()
        # The change of a row that is not read yet is the last one.
        while changes._left == 2:
            time.sleep(0.001)
        tasks.delete(id=1)
        thread.join()
        assert copied[0].records == 2
    assert (
        tmp_path / "log.csv"
    ).read_text() == 'kind,key,value,revision\nput,1,"{""title"":""a"",""id"":1}",\ndelete,1,,\n'
    lines = (tmp_path / "log.ndjson").read_bytes()
    assert demat.ndjson.decode(lines) == log.get()
    assert [line["kind"] for line in demat.ndjson.decode(lines)] == ["put", "delete"]


def test_threads_that_write_lose_nothing(tmp_path: Path) -> None:
    with sqlite.open(tmp_path / "a.db") as database:
        tasks = database.table("tasks", Task)
        changes = tasks.changes(limit=80, queue=100)

        def write(first: int) -> None:
            for number in range(first, first + 20):
                with database.transaction():
                    tasks.insert([Task("x", number)])

        writing = [threading.Thread(target=write, args=(first,)) for first in (0, 20, 40, 60)]
        for thread in writing:
            thread.start()
        assert sorted(change.key for change in changes) == list(range(80))
        for thread in writing:
            thread.join()
