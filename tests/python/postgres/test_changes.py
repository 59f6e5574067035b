"""Changes of a table that its triggers tell."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice
from threading import Thread, Timer
from typing import Annotated, Any
from uuid import UUID

import pytest
from demat import Change, Field, StoreError, postgres
from demat.postgres import Database, Table
from postgres_server import schema


@dataclass
class Task:
    id: Annotated[int, Field(key=True)]
    title: str = ""


@pytest.fixture
def database() -> Iterator[Database]:
    with postgres.connect(schema()) as database:
        yield database


@pytest.fixture
def tasks(database: Database) -> Table[Task]:
    tasks = database.table("tasks", Task)
    tasks.notify()
    return tasks


def next_of(changes: Any, count: int) -> list[Change]:
    """The next changes. If there are too few, the watch ends, and so does the test."""
    timer = Timer(20, changes.close)
    timer.start()
    try:
        return list(islice(changes, count))
    finally:
        timer.cancel()


def test_rows_are_told_by_their_keys(database: Database, tasks: Table[Task]) -> None:
    with tasks.changes() as changes, postgres.connect(database.address) as other:
        tasks.insert([Task(1, "a"), Task(2, "b")])
        assert next_of(changes, 2) == [Change("put", 1, Task(1, "a")), Change("put", 2, Task(2, "b"))]
        other.execute(f"update {tasks._quoted} set title = 'c' where id = 2")
        assert next_of(changes, 1) == [Change("put", 2, Task(2, "c"))]
        # A key that changes is one that goes and one that comes.
        other.execute(f"update {tasks._quoted} set id = 3 where id = 2")
        assert next_of(changes, 2) == [Change("delete", 2), Change("put", 3, Task(3, "c"))]
        tasks.delete(id=3)
        assert next_of(changes, 1) == [Change("delete", 3)]
        # There is no notification for a statement without changed rows, nor for a transaction that is rolled back.
        tasks.delete(id=3)
        with pytest.raises(RuntimeError, match="undo"), database.transaction():
            tasks.insert([Task(9)])
            raise RuntimeError("undo")
        tasks.insert(Task(id) for id in range(100, 300))
        assert next_of(changes, 1) == [Change("reset", None)]
        database.execute(f"truncate {tasks._quoted}")
        assert next_of(changes, 1) == [Change("reset", None)]
    assert list(changes) == []


def test_only_keys(tasks: Table[Task]) -> None:
    with tasks.changes(values=False, limit=2) as changes:
        tasks.insert([Task(1), Task(2)])
        assert list(changes) == [Change("put", 1), Change("put", 2)]


def test_a_table_tells_only_if_it_is_told_to(database: Database, tasks: Table[Task]) -> None:
    tasks.notify()
    tasks.notify(False)
    with pytest.raises(StoreError, match="call `notify`"):
        tasks.changes()
    database.execute("create view seen as select * from tasks")
    with pytest.raises(StoreError, match="view"):
        database.table("seen").notify()
    for option in ({"queue": 0}, {"limit": -1}):
        with pytest.raises(ValueError, match="is an int"):
            tasks.changes(**option)  # type: ignore[arg-type]
    # Triggers that tell another key are made anew.
    tasks.notify()
    database.execute("alter table tasks drop constraint tasks_pkey, add primary key (title)")
    again = database.table("tasks")
    with pytest.raises(StoreError, match="call `notify`"):
        again.changes()
    again.notify()
    with again.changes(values=False) as changes:
        again.insert([{"id": 1, "title": "x"}])
        assert next_of(changes, 1) == [Change("put", "x")]


def test_keys_of_other_types(database: Database) -> None:
    database.execute('create table "a ""b" (u uuid, "the name" text, ok bool, primary key (u, "the name", ok))')
    table = database.table('"a ""b"')
    table.notify()
    key = UUID(int=7)
    with table.changes() as changes:
        table.insert([{"u": key, "the name": "a'b\\", "ok": True}])
        (change,) = next_of(changes, 1)
        assert (change.kind, change.key, change.value.u) == ("put", (str(key), "a'b\\", True), key)
    database.execute("create table dates (d date primary key)")
    dates = database.table("dates")
    dates.notify()
    with dates.changes() as changes:
        database.execute("insert into dates values ('2024-01-01')")
        assert next_of(changes, 1) == [Change("reset", None)]


def test_a_connection_that_ends_is_opened_again(database: Database, tasks: Table[Task]) -> None:
    with tasks.changes() as changes:
        tasks.insert([Task(1)])
        assert next_of(changes, 1) == [Change("put", 1, Task(1))]
        database.execute(
            "select pg_terminate_backend(pid) from pg_stat_activity where pid <> pg_backend_pid() and query <> ''"
        )
        assert next_of(changes, 1) == [Change("reset", None)]
        tasks.insert([Task(2)])
        assert next_of(changes, 1) == [Change("put", 2, Task(2))]


def test_what_anybody_sends_is_no_change_of_a_row(database: Database, tasks: Table[Task]) -> None:
    with tasks.changes() as changes:
        for payload in ("", "x", '{"at": 1}', '{"at": ["other", "tasks"]}'):
            database.execute("select pg_notify('demat_changes', $1)", [payload])
        tasks.insert([Task(1)])
        assert next_of(changes, 4) == [Change("reset", None)] * 3 + [Change("put", 1, Task(1))]


def test_a_reader_in_a_transaction_is_refused(database: Database, tasks: Table[Task]) -> None:
    with tasks.changes() as changes, database.transaction():
        tasks.insert([Task(1)])
        with pytest.raises(RuntimeError, match="outside"):
            next(changes)


def test_tasks_wait_for_changes(tasks: Table[Task]) -> None:
    async def main() -> list[Change]:
        async with tasks.changes(limit=2) as changes:
            await asyncio.to_thread(tasks.insert, [Task(1), Task(2)])
            return [change async for change in changes]

    assert [change.key for change in asyncio.run(main())] == [1, 2]


def test_a_watch_ends_from_another_thread(tasks: Table[Task]) -> None:
    changes = tasks.changes()
    closing = Thread(target=changes.close)
    closing.start()
    assert list(changes) == []
    closing.join()
