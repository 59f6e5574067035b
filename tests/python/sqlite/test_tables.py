"""Tables of classes, classes of tables, and what differs between the two."""

from __future__ import annotations

import datetime as dt
import enum
import sqlite3
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

import demat
import pytest
from demat import Field, StoreError, ValidationError, sqlite


class State(enum.Enum):
    OPEN = "open"
    CLOSED = "closed"


@dataclass
class Person:
    id: Annotated[int | None, Field(key=True)]
    name: Annotated[str, Field(unique=True, sql="VARCHAR(80)")]


@dataclass
class Task:
    id: Annotated[int, Field(key=True)]
    title: Annotated[str, Field(min_length=1, max_length=220)]
    owner: Annotated[int | None, Field(references="people(id) on delete cascade")] = None
    due: Annotated[dt.date | None, Field(index=True, ge=dt.date(2020, 1, 1))] = None
    state: State = State.OPEN
    points: Annotated[float, Field(ge=0, lt=100)] = 1.5
    done: bool = False


SQL = """\
CREATE TABLE "Task" (
  "id" INTEGER PRIMARY KEY,
  "title" TEXT NOT NULL CHECK (length("title") >= 1) CHECK (length("title") <= 220),
  "owner" INTEGER REFERENCES "people" ("id") ON DELETE CASCADE,
  "due" DATE CHECK ("due" >= '2020-01-01'),
  "state" TEXT NOT NULL DEFAULT 'open' CHECK ("state" IN ('open', 'closed')),
  "points" REAL NOT NULL DEFAULT 1.5 CHECK ("points" >= 0) CHECK ("points" < 100),
  "done" BOOLEAN NOT NULL DEFAULT 0 CHECK ("done" IN (0, 1))
);
CREATE INDEX "Task_due" ON "Task" ("due");
"""


def test_schema() -> None:
    assert demat.schema(Task, to="sql") == SQL
    stock = sqlite3.connect(":memory:")
    stock.executescript(SQL)
    stock.close()
    text = demat.schema(Person, to="shape")
    assert text == 'Person{id!:int? #sql:key, name:text #sql:unique #sql:"type VARCHAR(80)"}'
    assert "key=True" in demat.source(demat.define(text))
    with pytest.raises(TypeError, match="a table is of a class with fields, and this is a int"):
        demat.schema(int, to="sql")


def test_rules_hold() -> None:
    with sqlite.open(":memory:") as database:
        people, tasks = database.table("people", Person), database.table("tasks", Task)
        people.insert([Person(None, "Ada"), Person(None, "Bob")])
        assert [person.id for person in people] == [1, 2]
        tasks.insert([Task(1, "a", owner=1), Task(2, "b")])
        for task, said in [
            (Task(3, ""), None),
            (Task(3, "c", points=100.0), None),
            (Task(3, "c", due=dt.date(2019, 1, 1)), None),
            (Task(3, "c", owner=7), "SQLITE_CONSTRAINT_FOREIGNKEY"),
            (Task(1, "c"), "SQLITE_CONSTRAINT_PRIMARYKEY"),
        ]:
            with pytest.raises(StoreError if said else ValidationError) as caught:
                tasks.insert([Task(9, "fine"), task])
            assert getattr(caught.value, "sqlite_name", None) == said
            if said != "SQLITE_CONSTRAINT_FOREIGNKEY":
                assert caught.value.record == 2
        assert len(tasks) == 2
        assert people.delete(name="Ada") == 1
        assert [task.id for task in tasks] == [2]


def test_a_drift_is_listed(tmp_path: Path) -> None:
    path = tmp_path / "a.db"
    stock = sqlite3.connect(path)
    stock.execute("create table people (id integer primary key, name integer, age text not null)")
    stock.close()
    with sqlite.open(path) as database, pytest.raises(StoreError) as caught:
        database.table("people", Person)
    assert caught.value.reason is not None
    for part in (
        "by 4 differences",
        "the column `name` is declared `INTEGER`, which does not keep text",
        "the column `name` may be NULL",
        "the column `age` is not in the type",
        "it has no unique index of name",
    ):
        assert part in caught.value.reason


def test_options() -> None:
    @dataclass
    class Pair:
        a: Annotated[str, Field(key=True)]
        b: Annotated[int, Field(key=True)]
        c: float

    with sqlite.open(":memory:") as database:
        pairs = database.table("pairs", Pair, strict=True, without_rowid=True, indexes=["c", ("b", "c")], unique=["c"])
        pairs.insert([Pair("b", 1, 1.0), Pair("a", 2, 2.0)])
        assert [pair.a for pair in pairs.select(order="a")] == ["a", "b"]
        sql = database.query("select sql from sqlite_schema where sql is not null").all()
        assert any("STRICT, WITHOUT ROWID" in row["sql"] for row in sql)
        assert len(sql) == 4
        with pytest.raises(StoreError, match="no column `d` to be indexed by"):
            database.table("others", Pair, indexes=["d"])
        with pytest.raises(StoreError, match="it is not STRICT"):
            database.table("plain", Pair)
            database.table("plain", Pair, strict=True)


def test_classes_of_tables(tmp_path: Path) -> None:
    path = tmp_path / "a.db"
    with sqlite.open(path) as database:
        database.table("people", Person).insert([Person(1, "Ada")])
        assert database.tables == ["people"]
        people = database.table("people")
        assert people.type.__name__ == "People"
        assert people.select().all() == [people.type(id=1, name="Ada")]
        assert people.insert([people.type(id=2, name="Bob")]) == 1
        # It makes a table like the one that it was made of.
        database.table("people", people.type)
    made = demat.define(f"{path}#people")
    assert demat.source(made) == demat.source(people.type)
    assert demat.source(made).endswith(
        "class People:\n"
        "    id: Annotated[int, Field(key=True)]\n"
        "    name: Annotated[str, Field(unique=True, sql='VARCHAR(80)')]\n"
    )
    counted = demat.define(f"{path}?select name, count(*) as n from people group by name", name="Counted")
    assert list(counted.__dataclass_fields__) == ["name", "n"]
    with sqlite.open(path) as database, pytest.raises(StoreError, match="there is no table `none`; there are people"):
        database.table("none")
