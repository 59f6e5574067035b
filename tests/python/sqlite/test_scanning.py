"""Whole tables, read by their pages: the rows and their order are those of the statement."""

import gc
import threading
import weakref
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any

import formats
import pytest
from demat import Field, StoreError, ValidationError, sqlite


@dataclass(slots=True, weakref_slot=True)
class Row:
    id: Annotated[int, Field(key=True)]
    text: str | None
    number: float
    data: bytes


def rows(count: int) -> Iterator[Row]:
    for id in range(count):
        text = None if id % 7 == 0 else "é" * (id % 90)
        yield Row(id * 3, text, id / 4, bytes(id % 50))


@pytest.fixture(params=["delete", "wal"])
def table(tmp_path: Path, request: pytest.FixtureRequest) -> Iterator[sqlite.Table[Row]]:
    with sqlite.open(tmp_path / "a.db") as database:
        database.query(f"PRAGMA journal_mode = {request.param}").all()
        table = database.table("rows", Row)
        assert table.load(rows(20_000)) == 20_000
        yield table


def test_as_by_a_statement(table: sqlite.Table[Row]) -> None:
    assert table.select().all() == table.select("true").all() == list(rows(20_000))
    for fields in (["id"], ["text", "id"], ["data"], ["number", "text"]):
        assert table.select(fields=fields).all() == table.select("true", fields=fields).all()
    for format in formats.names():
        assert table.encode(format) == table.select("true").encode(format)  # type: ignore[arg-type]
        assert table.select(fields=["number", "id"]).encode(format) == (  # type: ignore[arg-type]
            table.select("true", fields=["number", "id"]).encode(format)  # type: ignore[arg-type]
        )


# Only with a log can others write while somebody reads.
@pytest.mark.parametrize("table", ["wal"], indirect=True)
def test_what_others_write_meanwhile_is_not_seen(table: sqlite.Table[Row]) -> None:
    database = table._database
    other = sqlite.open(database.path)
    iterator = iter(table)
    first = next(iterator)
    assert other.execute("DELETE FROM rows WHERE id % 2 = 0") == 10_000
    assert [first, *iterator] == list(rows(20_000))
    assert table.count() == 10_000
    assert len(table.select().all()) == 10_000
    other.close()


@pytest.mark.parametrize("table", ["delete"], indirect=True)
def test_a_writer_waits_for_readers(table: sqlite.Table[Row]) -> None:
    database = table._database
    other = sqlite.open(database.path, timeout=0)
    reading = table.select()
    next(reading)
    with pytest.raises(StoreError, match="locked"):
        other.execute("DELETE FROM rows")
    reading.close()
    assert other.execute("DELETE FROM rows") == 20_000
    other.close()


def test_what_the_connection_changes_is_seen(table: sqlite.Table[Row]) -> None:
    iterator = iter(table.select())
    assert next(iterator) == next(rows(1))
    table.update([Row(59_997, "new", 0.5, b"")])
    assert table.delete("id > 30000 and id < 59997") == 9_998
    seen = list(iterator)
    assert seen[-1] == Row(59_997, "new", 0.5, b"")
    assert 10_001 <= len(seen) < 13_000
    assert [row.id for row in seen] == sorted(row.id for row in seen)


def test_changes_row_by_row(table: sqlite.Table[Row]) -> None:
    for row in table.select():
        if row.id % 5000 == 0:
            assert table.update([Row(row.id, "seen", row.number, row.data)]) == 1
    assert table.count(text="seen") == 4
    with table._database.transaction():
        for row in table.select():
            if row.id % 5000 == 0:
                assert table.update([Row(row.id, "again", row.number, row.data)]) == 1
    assert table.count(text="again") == 4


def test_recycled(table: sqlite.Table[Row]) -> None:
    seen, total = set(), 0
    for row in table.select(recycle=True):
        seen.add(id(row))
        total += row.id
    assert total == sum(row.id for row in rows(20_000))
    assert len(seen) < 200
    assert table.select(recycle=True).all() == list(rows(20_000))
    with pytest.raises(TypeError, match="recycle=True wants a class"):
        table.select(type=int, recycle=True).all()  # a value that is no class of fields


def test_a_row_that_is_not_of_the_type(table: sqlite.Table[Row]) -> None:
    @dataclass
    class Narrow:
        id: int
        text: str

    with pytest.raises(ValidationError, match=r"expected `str`, found `None` at `\$\[0\].text` \(record 1\)"):
        table.select(type=Narrow).all()
    with pytest.raises(ValidationError, match=r"expected `str`, found `None` at `\$\[0\].text` \(record 1\)"):
        table.select(type=Narrow).encode()
    iterator = iter(table.select(type=Narrow))
    with pytest.raises(ValidationError):
        next(iterator)
    assert list(iterator) == []


def test_closed_and_dropped(table: sqlite.Table[Row]) -> None:
    reading = table.select()
    last = next(reading)
    reading.close()
    assert list(reading) == []
    gone = weakref.ref(last)
    del last
    gc.collect()
    assert gone() is None
    iterator = iter(table)
    next(iterator)
    del iterator
    table.insert([Row(-1, None, 0.0, b"")])
    assert next(iter(table)).id == -1


def test_a_closed_database_says_so(tmp_path: Path) -> None:
    database = sqlite.open(tmp_path / "a.db")
    table = database.table("rows", Row)
    table.load(rows(20_000))
    iterator = iter(table)
    next(iterator)
    database.close()
    # As long as somebody reads, the connection is there.
    assert len(list(iterator)) == 19_999
    with pytest.raises(ValueError, match="the database is closed"):
        table.select().all()


def test_threads(table: sqlite.Table[Row]) -> None:
    found: list[Any] = []

    def read() -> None:
        found.append(sum(row.id for row in table.select(recycle=True)))

    threads = [threading.Thread(target=read) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert found == [sum(row.id for row in rows(20_000))] * 4


def test_damaged_pages_are_an_error_or_rows(tmp_path: Path) -> None:
    path = tmp_path / "a.db"
    with sqlite.open(path) as database:
        database.table("rows", Row).load(rows(2000))
    whole = path.read_bytes()
    for seed in range(200):
        damaged = bytearray(whole)
        for at in range(8192 + seed * 41 % len(whole), len(whole), 9973):
            damaged[at] ^= 1 + (at * 31 + seed) % 255
        path.write_bytes(damaged)
        with sqlite.open(path, readonly=True) as database:
            try:
                table = database.table("rows", Row)
                assert len(table.encode()) > 0
                assert len(table.select(type=Any).all()) >= 0
            except (ValueError, OSError):
                continue


@pytest.mark.parametrize("threads", [None, 1, 2, 5])
def test_columns_are_the_rows(tmp_path: Path, threads: int | None) -> None:
    """Filled from pages, with rows among them that are asked for one by one."""

    @dataclass
    class Row:
        id: Annotated[int, Field(key=True)]
        text: str | None
        number: float | None
        flag: bool

    rows = [
        Row(at * 3, None if at % 7 == 0 else "ü" * (at % 40), None if at % 5 == 0 else at / 4, at % 2 == 1)
        for at in range(30_000)
    ]
    for long in ([], [20_000], [0], [29_999]):
        for at in long:
            rows[at].text = "long" * 5_000
        path = tmp_path / f"{len(long)}{sum(long)}.db"
        sqlite.build(path, {"t": (Row, rows)})
        with sqlite.open(path) as database:
            columns = database.table("t", Row).select().columns(threads=threads)
            assert columns.records(Row) == rows
            assert columns.numpy("id").sum() == sum(row.id for row in rows)


def test_columns_say_which_row_is_odd() -> None:
    """As rows do, wherever it stands."""
    with sqlite.open(":memory:") as database:
        database.execute("create table t (id integer primary key, n integer not null)")
        count = "with recursive c(i) as (select 1 union all select i + 1 from c limit 5000) "
        database.execute(f"insert into t {count} select i, i from c")
        database.execute("update t set n = 'odd' where id = 4321")

        @dataclass
        class Row:
            id: Annotated[int, Field(key=True)]
            n: int

        for threads in (1, 2):
            with pytest.raises(ValidationError, match=r"\$\[4320\]\.n.*record 4321"):
                database.table("t", Row).select().columns(threads=threads)
        with pytest.raises(ValueError, match="threads is an int from 1, or None, not 0"):
            database.table("t", Row).select().columns(threads=0)
