"""Rows that are changed by their keys, and keys of new rows."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Any

import pytest
from demat import EncodeError, Field, StoreError, ValidationError, postgres
from postgres_server import schema


@dataclass
class Task:
    id: Annotated[int, Field(key=True)]
    title: Annotated[str, Field(min_length=1)]
    done: bool = False
    tags: list[str] | None = None


@dataclass
class Judged:
    id: Annotated[int, Field(key=True)]
    low: int
    high: int

    def __post_init__(self) -> None:
        if self.low > self.high:
            raise ValueError("low is above high")


@pytest.fixture
def database() -> Any:
    with postgres.connect(schema()) as database:
        yield database


def test_rows_are_changed_by_their_keys(database: postgres.Database) -> None:
    tasks = database.table("tasks", Task)
    tasks.insert(Task(id, f"task {id}", tags=["a"]) for id in range(6))
    changes: list[Any] = [
        {"id": 0, "done": True},
        {"done": True, "id": 1},
        {"id": 2, "title": "new", "tags": None},
        Task(3, "whole"),
        {"id": 4},
        {"id": 99, "title": "nowhere"},
        {"id": 0, "title": "again"},
        {"id": 0, "title": "last"},
    ]
    assert tasks.update(changes) == 6
    assert tasks.select(order="id").all() == [
        Task(0, "last", True, ["a"]),
        Task(1, "task 1", True, ["a"]),
        Task(2, "new", False, None),
        Task(3, "whole"),
        Task(4, "task 4", tags=["a"]),
        Task(5, "task 5", tags=["a"]),
    ]
    assert tasks.update([]) == 0
    assert tasks.update({"id": id, "title": "x" * 200} for id in range(5_000)) == 6


def test_an_update_that_fails_changes_nothing(database: postgres.Database) -> None:
    tasks = database.table("tasks", Task)
    tasks.insert(Task(id, f"task {id}") for id in range(3))
    before = tasks.select(order="id").all()
    with pytest.raises(StoreError, match="lacks its key `id`"):
        tasks.update([{"id": 0, "title": "a"}, {"title": "b"}])
    with pytest.raises(ValidationError):
        tasks.update([{"id": 0, "title": "a"}, {"id": 1, "title": ""}])
    with pytest.raises((StoreError, EncodeError, ValidationError)):
        tasks.update([{"id": 0, "title": "a"}, {"id": 1, "title": None}])
    with pytest.raises(StoreError, match="no column `other`"):
        tasks.update([{"id": 0, "title": "a"}, {"id": 1, "other": 1}])
    assert tasks.select(order="id").all() == before
    database.execute("create table keyless (a int)")
    with pytest.raises(StoreError, match="has no key"):
        database.table("keyless").update([{"a": 1}])


def test_an_update_runs_the_rules_of_the_class(database: postgres.Database) -> None:
    table = database.table("judged", Judged)
    table.insert([Judged(1, 2, 3), Judged(2, 2, 3)])
    assert table.update([{"id": 1, "high": 9}, {"id": 3, "high": 1}, {"id": 2, "low": 0}]) == 2
    assert table.select(order="id").all() == [Judged(1, 2, 9), Judged(2, 0, 3)]
    with pytest.raises(ValidationError, match="low is above high"):
        table.update([{"id": 1, "high": 5}, {"id": 2, "high": -1}])
    with pytest.raises(StoreError, match="lacks its key"):
        table.update([{"high": 5}])
    assert table.select(order="id").all() == [Judged(1, 2, 9), Judged(2, 0, 3)]


def test_keys_of_new_rows(database: postgres.Database) -> None:
    tasks = database.table("tasks", Task)
    rows: list[Any] = [{"title": "a"}, {"title": "b", "id": 7000}, {"id": None, "title": "c"}, Task(5000, "d")]
    assert tasks.insert(rows, ids=True) == [1, 7000, 2, 5000]
    assert [(task.id, task.title) for task in tasks.select(order="id")] == [(1, "a"), (2, "c"), (5000, "d"), (7000, "b")]
    assert tasks.insert([], ids=True) == []
    many = tasks.insert(({"title": f"{number}"} for number in range(100, 3_100)), ids=True)
    assert len(many) == 3_000
    assert {task.id: task.title for task in tasks.select("id = any($1)", many)} == {
        id: f"{number}" for id, number in zip(many, range(100, 3_100), strict=True)
    }
    with pytest.raises(StoreError) as raised:
        tasks.insert([{"title": "x"}, {"id": 7000, "title": "y"}], ids=True)
    assert raised.value.sqlstate == "23505"
    assert tasks.count(title="x") == 0
    database.execute("create table small (id smallserial primary key, a int default 7)")
    assert database.table("small").insert([{"a": 1}, {"id": 9}], ids=True) == [1, 9]
    database.execute("create table named (name text primary key)")
    with pytest.raises(StoreError, match="its key is not one int"):
        database.table("named").insert([{"name": "a"}], ids=True)
