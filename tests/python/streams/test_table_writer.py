"""`demat.writer` of a table: rows in one transaction."""

import asyncio
import gc
import sqlite3
import threading
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Annotated

import demat
import pytest
from demat import Field, sqlite


@dataclass
class Row:
    id: Annotated[int, Field(key=True)]
    name: str = "a"


def seen(path: Path, table: str = "rows") -> list[int]:
    """The keys that another connection sees."""
    with sqlite3.connect(path) as other:
        return [id for (id,) in other.execute(f"select id from {table} order by id")]


def test_rows_of_a_table(tmp_path: Path) -> None:
    with sqlite.open(tmp_path / "a.db") as database:
        table = database.table("rows", Row)
        rows = [Row(1), Row(2, "é"), Row(3, "c")]
        with demat.writer(table) as writer:
            writer.write(rows[0])
            with pytest.raises(demat.Error):
                writer.write(Row(1, "twice"))
            assert writer.write_all(rows[1:]) == 2
            writer.flush()
            assert (writer.count, writer.closed) == (3, False)
        assert writer.close() == 3
        assert list(table) == rows
        with pytest.raises(KeyError), demat.writer(table) as writer:
            writer.write(Row(7))
            raise KeyError
        assert (writer.closed, len(table)) == (True, 3)
        for call in (partial(writer.write, 1), writer.flush):
            with pytest.raises(RuntimeError, match="closed"):
                call()
        with pytest.raises(TypeError, match="a table says itself"):
            demat.writer(table, Row)  # type: ignore[call-overload]


def test_a_database_has_one_writer_at_a_time(tmp_path: Path) -> None:
    path = tmp_path / "a.db"
    with sqlite.open(path) as database:
        tables = [database.table(name, Row) for name in ("rows", "b")]
        with demat.writer(tables[0]) as first:
            first.write(Row(1))
            for table in tables:
                with pytest.raises(RuntimeError, match="another writer of the database is open"):
                    demat.writer(table)
            first.write(Row(2))
        assert seen(path) == [1, 2]
        with demat.writer(tables[1]) as second:
            second.write(Row(3))
        assert seen(path, "b") == [3]


def test_tasks_of_one_thread_lose_no_rows(tmp_path: Path) -> None:
    path = tmp_path / "a.db"
    with sqlite.open(path) as database:
        table = database.table("rows", Row)

        async def work(at: int) -> int:
            with demat.writer(table) as writer:
                writer.write(Row(at))
                await asyncio.sleep(0.01 * (at + 1))
                writer.write(Row(at + 100))
            return at

        async def main() -> list[int | BaseException]:
            return await asyncio.gather(*(work(at) for at in range(3)), return_exceptions=True)

        done = asyncio.run(main())
        # Those who got a writer have their rows, and the others an error.
        assert done[0] == 0
        assert [type(result) for result in done[1:]] == [RuntimeError, RuntimeError]
        assert seen(path) == [0, 100]
        table.insert([Row(500)])
        assert seen(path) == [0, 100, 500]


def test_other_threads_wait_and_may_not_use_it(tmp_path: Path) -> None:
    path = tmp_path / "a.db"
    with sqlite.open(path) as database:
        table = database.table("rows", Row)
        writer = demat.writer(table)
        said: list[str] = []

        def use() -> None:
            for call in (partial(writer.write, Row(3)), writer.close, writer.abort):
                try:
                    call()
                except RuntimeError as error:
                    said.append(str(error))

        def write() -> None:
            with demat.writer(table) as own:
                own.write(Row(7))

        threads = [threading.Thread(target=use), threading.Thread(target=write)]
        threads[0].start()
        threads[0].join()
        assert len(said) == 3
        threads[1].start()
        threads[1].join(0.2)
        assert threads[1].is_alive()
        writer.write(Row(1))
        assert writer.close() == 1
        threads[1].join()
        assert seen(path) == [1, 7]


def test_rows_that_are_refused_at_the_end_were_not_written(tmp_path: Path) -> None:
    path = tmp_path / "a.db"
    with sqlite.open(path) as database:
        database.execute(
            "create table rows (id integer primary key, other int references rows(id) deferrable initially deferred)"
        )
        table = database.table("rows")
        writer = demat.writer(table)
        writer.write({"id": 1, "other": 77})
        with pytest.raises(demat.StoreError, match="FOREIGN KEY"):
            writer.close()
        assert writer.closed
        for call in (writer.close, writer.flush):
            with pytest.raises(RuntimeError, match="given up"):
                call()
        assert seen(path) == []
        writer.abort()
        with demat.writer(table) as writer:
            writer.write({"id": 2})
        assert seen(path) == [2]


def test_a_writer_that_is_forgotten_gives_its_rows_up(tmp_path: Path) -> None:
    path = tmp_path / "a.db"
    with sqlite.open(path) as database:
        table = database.table("rows", Row)
        demat.writer(table).write(Row(1))
        gc.collect()
        with demat.writer(table) as writer:
            writer.write(Row(2))
        assert seen(path) == [2]


def test_a_database_that_is_closed_gives_the_rows_up(tmp_path: Path) -> None:
    path = tmp_path / "a.db"
    database = sqlite.open(path)
    writer = demat.writer(database.table("rows", Row))
    writer.write(Row(1))
    database.close()
    assert (writer.closed, seen(path)) == (True, [])
    for call in (writer.close, writer.flush):
        with pytest.raises(RuntimeError, match="the database was closed before the writer"):
            call()
    writer.abort()
    assert writer.close() == 1
