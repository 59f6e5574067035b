"""Rows that are not read to their end."""

from __future__ import annotations

import gc
import threading
from typing import Any

import pytest
from demat import StoreError, postgres
from postgres_server import schema

MANY = 200_000


@pytest.fixture
def database() -> Any:
    with postgres.connect(schema()) as database:
        database.execute("create table t (id int)")
        yield database


@pytest.mark.parametrize("how", ["first", "close", "forget"])
def test_changes_stay(database: postgres.Database, how: str) -> None:
    sql = f"insert into t select generate_series(1, {MANY}) returning id, repeat('x', 100) as x"
    rows: Any = database.query(sql)
    if how == "first":
        assert rows.first()["id"] == 1
    else:
        next(rows)
        if how == "close":
            rows.close()
        del rows
        gc.collect()
    assert len(database.table("t")) == MANY


def test_rows_that_are_forgotten_in_a_transaction(database: postgres.Database) -> None:
    with database.transaction():
        database.execute("insert into t values (1)")
        rows: Any = database.query(f"select generate_series(1, {MANY}) as i")
        next(rows)
        del rows
        gc.collect()
        database.execute("insert into t values (2)")
    assert sorted(row.id for row in database.table("t")) == [1, 2]
    with pytest.raises(StoreError, match="are being read"), database.transaction():
        database.execute("insert into t values (3)")
        rows = database.query(f"select generate_series(1, {MANY}) as i")
        next(rows)
    del rows
    gc.collect()
    database.execute("insert into t values (4)")
    assert sorted(row.id for row in database.table("t")) == [1, 2, 4]


def test_threads_take_turns(database: postgres.Database) -> None:
    failed: list[BaseException] = []

    def work(number: int) -> None:
        try:
            for _ in range(20):
                with database.transaction():
                    database.execute("insert into t values ($1)", [number])
                    assert database.query("select count(*) as n from t where id = $1", [number]).first()
        except BaseException as error:
            failed.append(error)

    threads = [threading.Thread(target=work, args=(number,)) for number in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not failed
    assert len(database.table("t")) == 80


def test_a_copy_within_a_statement_is_refused(database: postgres.Database) -> None:
    for sql in ("copy t from stdin", "-- a\nCOPY t TO stdout"):
        with pytest.raises(StoreError, match="COPY from STDIN"):
            database.execute(sql)
        with pytest.raises(StoreError, match="COPY from STDIN"):
            database.query(sql).all()
    assert len(database.table("t")) == 0
