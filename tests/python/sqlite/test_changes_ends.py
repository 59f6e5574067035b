"""Changes of tables of SQLite, and transactions, locks and ends beside them."""

from __future__ import annotations

import asyncio
import threading
import warnings
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

import demat
import pytest
from demat import Change, sqlite


@dataclass
class Task:
    title: str
    id: Annotated[int | None, demat.Field(key=True)] = None


@dataclass
class Renewed:
    title: int
    id: Annotated[int | None, demat.Field(key=True)] = None


@pytest.fixture
def database() -> Iterator[sqlite.Database]:
    with sqlite.open(":memory:") as opened:
        yield opened


def ended(database: sqlite.Database) -> None:
    """Waits until no watch has anything in the database."""
    for thread in threading.enumerate():
        if thread.name == "demat-changes":
            thread.join()
    assert database._watches == []
    assert database.query("select name from sqlite_temp_schema").all() == []


def test_the_last_changes_are_there_when_the_database_is_closed(tmp_path: Path) -> None:
    for _ in range(5):
        database = sqlite.open(":memory:")
        tasks = database.table("tasks", Task)
        changes = tasks.changes()
        tasks.insert([Task("a")])
        database.execute("begin")
        tasks.insert([Task("lost")])
        database.close()
        assert list(changes) == [Change("put", 1, Task("a", 1))]


@pytest.mark.parametrize(
    ("begin", "back", "end"),
    [
        ("begin", "rollback", "commit"),
        ("begin immediate", "rollback", "end"),
        ("savepoint a", "rollback to a", "release a"),
    ],
)
def test_transactions_by_statements_are_waited_for(database: sqlite.Database, begin: str, back: str, end: str) -> None:
    tasks = database.table("tasks", Task)
    with tasks.changes() as changes:
        database.execute(begin)
        tasks.insert([Task("lost")])
        changes._watch.look()  # type: ignore[attr-defined]
        with pytest.raises(RuntimeError, match="when the transaction has ended"):
            next(changes)
        database.execute(back)
        if back == "rollback":
            database.execute(begin)
        tasks.insert([Task("kept")])
        database.execute(end)
        assert next(changes) == Change("put", 1, Task("kept", 1))


def test_who_waits_within_the_transaction_is_told(database: sqlite.Database) -> None:
    tasks = database.table("tasks", Task)
    with tasks.changes() as changes:
        with database.transaction(), database.transaction():
            tasks.insert([Task("a", 1)])
            with pytest.raises(RuntimeError, match="when the transaction has ended"):
                next(changes)
        assert next(changes) == Change("put", 1, Task("a", 1))
        # Another thread may wait meanwhile.
        got: list[Change] = []
        thread = threading.Thread(target=lambda: got.append(next(changes)))
        with database.transaction():
            thread.start()
            tasks.insert([Task("b", 2)])
        thread.join()
        assert got == [Change("put", 2, Task("b", 2))]


def test_after_the_end_nothing_is_in_the_way(database: sqlite.Database) -> None:
    tasks = database.table("tasks", Task)
    with tasks.changes():
        pass
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        tasks.load([Task("1")])
    ended(database)
    # One that has ended while a transaction was open is removed by the first to whom it matters.
    with database.transaction():
        tasks.delete("true")
        with tasks.changes():
            pass
        assert len(database._watches) == 1
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        tasks.load([Task("1")])
    database.table("tasks", Renewed, migrate=True, allow=["narrow", "drop"])
    ended(database)


def test_a_lock_of_another_connection_ends_nothing(tmp_path: Path) -> None:
    path = tmp_path / "a.db"
    with sqlite.open(path, timeout=0.01) as database, sqlite.open(path) as other:
        tasks = database.table("tasks", Task)
        with tasks.changes() as changes:
            with database._lock:
                tasks.insert([Task("a")])
                other.execute("begin exclusive")
                for _ in range(3):
                    changes._watch.look()  # type: ignore[attr-defined]
                other.execute("rollback")
            assert next(changes) == Change("put", 1, Task("a", 1))


def test_a_task_waits_while_another_is_in_a_transaction(database: sqlite.Database) -> None:
    tasks = database.table("tasks", Task)

    async def main() -> Change:
        async with tasks.changes() as changes:
            with database.transaction():
                reader = asyncio.create_task(anext(changes))  # type: ignore[arg-type]
                await asyncio.sleep(0.01)
                tasks.insert([Task("a")])
            return await reader

    assert asyncio.run(main()) == Change("put", 1, Task("a", 1))


def test_a_task_that_is_cancelled_loses_no_change(database: sqlite.Database) -> None:
    tasks = database.table("tasks", Task)

    async def main() -> list[Change]:
        got: list[Change] = []

        async def read() -> None:
            got.append(await anext(changes))

        changes = tasks.changes(limit=1)
        tasks.insert([Task("a")])
        while changes._queue.wake(lambda: None):
            await asyncio.sleep(0)
        reader = asyncio.create_task(read())
        await asyncio.sleep(0)
        # It has the change, or has it still to get.
        reader.cancel()
        await asyncio.gather(reader, return_exceptions=True)
        if not got:
            await read()
        await changes.aclose()
        return got

    assert asyncio.run(main()) == [Change("put", 1, Task("a", 1))]
    ended(database)
