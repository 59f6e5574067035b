"""Rows come out: as objects of classes, as dicts, as bytes."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterator
from dataclasses import dataclass
from decimal import Decimal
from typing import Annotated, Any

import pytest
from demat import Field, StoreError, ValidationError, json, sqlite


@dataclass
class Task:
    id: Annotated[int, Field(key=True)]
    title: str
    due: dt.date | None = None
    order: int = 0


ROWS = [Task(1, "a", dt.date(2026, 1, 1)), Task(2, "b", None, 5), Task(3, "c", dt.date(2026, 3, 3), 5)]


@pytest.fixture
def tasks() -> Iterator[sqlite.Table[Task]]:
    with sqlite.open(":memory:") as database:
        table = database.table("tasks", Task)
        table.insert(ROWS)
        yield table


def ids(rows: Any) -> list[int]:
    return [row.id for row in rows]


def test_which_rows(tasks: sqlite.Table[Task]) -> None:
    assert ids(tasks) == [1, 2, 3]
    assert ids(tasks.select("id > ?", 1)) == [2, 3]
    assert ids(tasks.select("id > :low and id < :high", {"low": 1, "high": 3})) == [2]
    assert ids(tasks.select("id > :low", {"low": 1}, title=["c", "d"])) == [3]
    assert ids(tasks.select("id > ? -- all of them", 1, due=None)) == [2]
    assert ids(tasks.select(due=dt.date(2026, 3, 3))) == [3]
    assert ids(tasks.select({"order": 5})) == [2, 3]
    assert ids(tasks.select({"order": 5}, title="b")) == [2]
    assert ids(tasks.select(order=["-order", "id"])) == [2, 3, 1]
    assert ids(tasks.select(order="-id", limit=1, offset=1)) == [2]
    assert ids(tasks.select(offset=2)) == [3]
    assert ids(tasks.select("title = ?", "'; drop table tasks; --")) == []
    assert tasks.count("id > 1", title="b") == 1
    assert tasks.select(fields=["title", "id"], limit=1).all() == [{"title": "a", "id": 1}]
    assert tasks.select(fields="title", limit=1).first() == {"title": "a"}


def test_what_is_said_wrong(tasks: sqlite.Table[Task]) -> None:
    with pytest.raises(TypeError, match="there is no column 'name'; there are id, title, due, order"):
        tasks.select(name="a")
    with pytest.raises(StoreError, match="the table `tasks` has no column `name`"):
        tasks.select(order="name")
    with pytest.raises(StoreError, match="the statement has 1 parameters, and 0 values were given"):
        tasks.select("id = ?").all()
    with pytest.raises(StoreError, match="no such column: nope"):
        tasks.select("nope").all()
    with pytest.raises(ValueError, match="no value for the parameter :a"):
        tasks.select("id = :a", {"b": 1}).all()
    with pytest.raises(TypeError, match="values are for the `\\?`"):
        tasks.select(None, 5)


@pytest.mark.parametrize("count", [0, 1, 10_000])
def test_many(tasks: sqlite.Table[Task], count: int) -> None:
    tasks.delete("true")
    rows = [Task(id, str(id) * 5) for id in range(count)]
    tasks.insert(rows)
    assert tasks.select().all() == list(tasks) == rows
    some = tasks.select()
    head = [next(some, None)]
    assert [*head, *some.all()] == (rows or [None])
    assert json.decode(tasks.encode(), list[Task]) == rows


def test_queries(tasks: sqlite.Table[Task]) -> None:
    database = tasks._database

    @dataclass
    class Total:
        n: int
        title: str | None

    sql = 'select count(*) as n, title from tasks where "order" < ? group by title order by title'
    assert database.query(sql, [9], Total).all() == [Total(1, "a"), Total(1, "b"), Total(1, "c")]
    assert database.query(sql, (9,)).first() == {"n": 1, "title": "a"}
    assert database.query("select 1.5 as x, x'00' as y, null as z").all() == [{"x": 1.5, "y": b"\0", "z": None}]
    values = (
        None,
        True,
        5,
        2**63 - 1,
        1.5,
        "x",
        b"\0",
        bytearray(b"a"),
        dt.date(2026, 1, 2),
        Decimal("1.50"),
        [1, "a"],
    )
    sql = "select " + ", ".join(f"? as c{index}" for index in range(len(values)))
    row = database.query(sql, values).first()
    assert row is not None
    assert list(row.values()) == [
        None, 1, 5, 2**63 - 1, 1.5, "x", b"\0", b"a", "2026-01-02", "1.50", '[1,"a"]',
    ]  # fmt: skip
    with pytest.raises(StoreError, match="two columns are called `a`"):
        database.query("select 1 as a, 2 as a").encode()
    with pytest.raises(ValidationError, match=r"expected field `n`, found nothing"):
        database.query("select 1 as a", None, Total).all()
    with pytest.raises(StoreError, match="there is more than one statement"):
        database.query("select 1; select 2").all()


def test_values_of_another_kind_say_where(tasks: sqlite.Table[Task]) -> None:
    database = tasks._database
    database.execute("update tasks set due = 'soon' where id = 3")
    with pytest.raises(ValidationError) as caught:
        tasks.select().all()
    assert (caught.value.record, caught.value.path) == (3, "$[2].due")
    assert caught.value.found == "soon"
    database.execute("update tasks set due = 5 where id = 3")
    with pytest.raises(ValidationError, match="found `int`"):
        tasks.encode()


def test_bytes(tasks: sqlite.Table[Task]) -> None:
    assert json.decode(tasks.encode("json"), list[Task]) == ROWS
    assert tasks.encode("json") == json.encode(ROWS)
    assert tasks.encode("csv", id=2) == b"id,title,due,order\n2,b,,5\n"
    assert tasks.encode("ndjson", "id < ?", 2).count(b"\n") == 1
    assert tasks.encode("json", id=7) == b"[]"
    assert tasks.encode("json", id=1, options={"indent": 1}).startswith(b"[\n {")
    with pytest.raises(ValueError, match='no format is called "html"'):
        tasks.encode("html")  # type: ignore[arg-type]


def test_rows_end(tasks: sqlite.Table[Task]) -> None:
    with tasks.select() as rows:
        assert next(rows).id == 1
    assert list(rows) == []
    rows = tasks.select()
    rows.close()
    assert rows.all() == []
    database = tasks._database
    database.close()
    database.close()
    assert database.closed
    with pytest.raises(ValueError, match="the database is closed"):
        tasks.select().all()
