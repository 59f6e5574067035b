"""Timestamps in all spellings are displayed, compared, sorted and written by the time they denote."""

from __future__ import annotations

import datetime as dt
import http.client
import json
import random
import sqlite3
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import quote

import demat
import pytest
from demat import Error, ValidationError, sqlite

UTC = dt.UTC
NEW_YEAR = dt.datetime(2021, 1, 1, tzinfo=UTC)
# Spellings of the first moment of 2021; UTC without an offset.
SPELLINGS: list[str | int | float] = [
    "2021-01-01 00:00:00",
    "2021-01-01T00:00:00",
    "2021-01-01T00:00:00Z",
    "2021-01-01t00:00:00z",
    "2021-01-01 00:00:00Z",
    "2021-01-01 00:00:00.000",
    "2021-01-01 00:00:00.000000000",
    "2021-01-01T00:00:00.0Z",
    "2021-01-01T01:00:00+01:00",
    "2020-12-31 14:30:00-09:30",
    "2021-01-01 00:00:00+00:00",
    1609459200,
    2459215.5,
]
OTHERS: list[str | int | float] = [
    "2020-12-31 23:59:59.999",
    "2021-01-01T00:00:00.5Z",
    "2021-01-01 00:00:01",
    "2021-01-01T00:30:00+01:00",
    "2021-01-01T23:30:00-01:00",
    1609459199,
    1609459201.5,
    "1999-01-01 00:00:00",
    "9999-12-31T23:59:59Z",
    "0001-01-01T00:00:00+23:00",
]


def moment(value: str | float) -> dt.datetime:
    """Returns the time that SQLite understands by a value."""
    if isinstance(value, str):
        year_one = value.startswith("0001")
        parsed = dt.datetime.fromisoformat(
            value[:26].upper().replace("T", " ").replace("Z", "+00:00").replace(".0+", ".000+").replace(".5+", ".500+")
        )
        if year_one:
            return dt.datetime.min.replace(tzinfo=UTC)
        return (parsed if parsed.tzinfo else parsed.replace(tzinfo=UTC)).astimezone(UTC)
    seconds = (value - 2440587.5) * 86400 if value < 5373484.5 else value
    return dt.datetime.fromtimestamp(seconds, UTC)


@pytest.fixture(params=["datetime", "timestamp", "DATETIME NOT NULL"])
def path(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    with sqlite3.connect(tmp_path / "a.db") as own:
        own.execute(f"create table t (id integer primary key, at {request.param}, note text)")
        values = [*SPELLINGS, *OTHERS]
        random.Random(1).shuffle(values)
        own.executemany("insert into t (at, note) values (?, 'x')", [(value,) for value in values])
    return tmp_path / "a.db"


@pytest.fixture(params=[False, True], ids=["plain", "indexed"])
def database(path: Path, request: pytest.FixtureRequest) -> Iterator[sqlite.Database]:
    with sqlite.open(path) as database:
        if request.param:
            database.execute("create index t_at on t (at)")
        yield database


def raw(database: sqlite.Database) -> list[tuple[Any, ...]]:
    with sqlite3.connect(database.path) as own:
        return own.execute("select id, typeof(at), at, hex(cast(at as blob)), note from t order by id").fetchall()


def test_they_are_read(database: sqlite.Database) -> None:
    was = {id: at for id, _, at, *_ in raw(database)}
    for row in database.table("t").select("at not like '0001%'"):
        shown = row.at if row.at.tzinfo else row.at.replace(tzinfo=UTC)
        assert abs(shown - moment(was[row.id])) < dt.timedelta(milliseconds=1), was[row.id]


@pytest.mark.parametrize(
    "given", [NEW_YEAR, "2021-01-01 00:00:00", "2021-01-01T01:00:00+01:00", dt.datetime(2021, 1, 1)]
)
def test_all_spellings_are_found(database: sqlite.Database, given: Any) -> None:
    table = database.table("t")
    found = {id for id, _, at, *_ in raw(database) if at in SPELLINGS}
    assert {row["id"] for row in table.select(at=given, fields=["id"])} == found
    assert {row["id"] for row in table.select(at=[given, NEW_YEAR], fields=["id"])} == found
    assert {row["id"] for row in table.select("note = :n", {"n": "x"}, at=given, fields=["id"])} == found
    assert table.count(at=given) == len(found) == len(SPELLINGS)


def test_they_are_sorted_by_time(database: sqlite.Database) -> None:
    was = {id: at for id, _, at, *_ in raw(database)}
    for order, reverse in (("at", False), ("-at", True)):
        ids = [row["id"] for row in database.table("t").select(order=order, fields=["id"])]
        times = [moment(was[id]) for id in ids]
        assert times == sorted(times, reverse=reverse)


def test_what_is_no_instant_is_no_filter(database: sqlite.Database) -> None:
    for given in ("yesterday", "", "2021-01-01", b"x", 10**15):
        with pytest.raises(Error):
            database.table("t").select(at=given).all()


@pytest.mark.parametrize("value", ["yesterday", "2021-01-01", "", 1609459200000, -1.0, b"2021-01-01 00:00:00"])
def test_what_is_none_is_an_error_with_its_place(tmp_path: Path, value: Any) -> None:
    with sqlite.open(tmp_path / "a.db") as database:
        database.execute("create table t (id integer primary key, at datetime)")
        database.execute("insert into t values (1, '2021-01-01 00:00:00'), (2, ?)", [value])
        if value == -1.0:
            assert database.table("t").select(id=2).all()[0].at == dt.datetime(1969, 12, 31, 23, 59, 59, tzinfo=UTC)
            return
        with pytest.raises(ValidationError) as caught:
            database.table("t").select().all()
        assert caught.value.record == 2


def test_an_index_is_used(path: Path) -> None:
    with sqlite.open(path) as database:
        database.execute("create index t_at on t (at)")
        table = database.table("t")
        rows = table.select(at=NEW_YEAR)
        plan = database.query(f"explain query plan {rows._sql}", rows._params).all()
        assert "USING INDEX t_at" in str(plan), plan


def test_writing_back_changes_no_byte(database: sqlite.Database) -> None:
    table, before = database.table("t"), raw(database)
    rows = table.select("at not like '0001%'").all()
    assert table.update(rows) == len(rows)
    assert raw(database) == before
    assert table.upsert(rows) == len(rows)
    assert raw(database) == before
    for row in rows:
        row.note = "y"
    table.update(rows)
    changed = {row.id for row in rows}
    assert raw(database) == [(*row[:-1], "y" if row[0] in changed else row[-1]) for row in before]
    # A different time is written.
    rows[0].at = NEW_YEAR + dt.timedelta(seconds=1)
    table.update(rows[:1])
    assert {id: at for id, _, at, *_ in raw(database)}[rows[0].id] == "2021-01-01T00:00:01Z"


def test_over_http(database: sqlite.Database) -> None:
    before = raw(database)
    was = {id: at for id, _, at, *_ in before}
    with demat.serve({"/": database}, port=0, background=True) as server:
        host = server.url.removeprefix("http://").rstrip("/")

        def ask(method: str, target: str, body: Any = None) -> tuple[int, Any]:
            connection = http.client.HTTPConnection(host, timeout=20)
            sent = None if body is None else json.dumps(body)
            connection.request(method, target, sent, {"content-type": "application/json"} if sent else {})
            answer = connection.getresponse()
            text = answer.read()
            connection.close()
            return answer.status, json.loads(text) if text else None

        for id in was:
            status, row = ask("GET", f"/t/{id}")
            assert status == 200, (was[id], row)
            assert ask("PUT", f"/t/{id}", row)[0] == 200
            assert ask("PATCH", f"/t/{id}", {"at": row["at"]})[0] == 200
            assert ask("PUT", f"/t/{id}/at", row["at"])[0] in (200, 204)
        assert raw(database) == before
        found = {id for id, at in was.items() if at in SPELLINGS}
        for given in ("2021-01-01T00:00:00Z", "2021-01-01 00:00:00", "2020-12-31T23:00:00-01:00"):
            status, rows = ask("GET", f"/t?at={quote(given)}&fields=id")
            assert (status, {row["id"] for row in rows}) == (200, found), given
            for test, holds in (
                ("lt", lambda at: at < NEW_YEAR),
                ("le", lambda at: at <= NEW_YEAR),
                ("gt", lambda at: at > NEW_YEAR),
                ("ge", lambda at: at >= NEW_YEAR),
                ("ne", lambda at: at != NEW_YEAR),
            ):
                status, rows = ask("GET", f"/t?at.{test}={quote(given)}&fields=id")
                assert status == 200
                assert {row["id"] for row in rows} == {id for id, at in was.items() if holds(moment(at))}, (given, test)
        status, rows = ask("GET", "/t?order=at&fields=id")
        times = [moment(was[row["id"]]) for row in rows]
        assert times == sorted(times)
        assert ask("GET", "/t?at=yesterday")[0] == 400


@pytest.mark.parametrize(
    ("declared", "kept"),
    [
        ("uuid", "C0FFEE00-0000-4000-8000-00000000000A"),
        ("json", '{ "a" : [1, 2.50],"b":null }'),
        ("duration", "PT60S"),
        ("decimal text", "1.50"),
        ("decimal text", "+01.50"),
    ],
)
def test_other_spellings_stay(tmp_path: Path, declared: str, kept: str) -> None:
    with sqlite.open(tmp_path / "a.db") as database:
        database.execute(f"create table t (id integer primary key, v {declared}, note text)")
        database.execute("insert into t values (1, ?, 'x')", [kept])
        table = database.table("t")
        try:
            row = table.select().all()[0]
        except ValidationError:
            return  # not a valid timestamp
        row.note = "y"
        table.update([row])
        table.upsert([row])
        assert database.query("select cast(v as text) as kept, note from t", type=dict[str, str]).all() == [
            {"kept": kept, "note": "y"}
        ]
