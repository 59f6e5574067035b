"""Avro over HTTP: container files, asked for and sent by each of their media types, as other formats are."""

from __future__ import annotations

import io
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated

import demat
import pytest
from demat import Field, avro, sqlite
from requested import ask

if TYPE_CHECKING:
    from pathlib import Path

TYPES = ("application/vnd.apache.avro", "application/avro", "avro/binary")


@dataclass
class Task:
    id: Annotated[int, Field(key=True)]
    title: str
    done: bool | None = None


def twice(task: Task) -> Task:
    """Takes a record, and answers with one."""
    return Task(task.id * 2, task.title * 2, task.done)


def total(tasks: list[Task]) -> int:
    """Takes a list."""
    return sum(task.id for task in tasks)


def many(n: int) -> Iterator[Task]:
    """Answers with a list."""
    return (Task(id, f"task {id}") for id in range(n))


@pytest.fixture
def url(tmp_path: Path) -> Iterator[str]:
    with sqlite.open(tmp_path / "a.db") as database:
        tasks = database.table("tasks", Task)
        tasks.insert([Task(1, "a"), Task(2, "b", True)])
        items: dict[str, Task] = {"x": Task(7, "seven")}
        routes = {"/tasks": tasks, "/items": items, "/twice": twice, "/total": total, "/many": many}
        with demat.serve(routes, port=0, background=True) as server:
            yield server.url


@pytest.mark.parametrize("name", TYPES)
def test_tables_are_read_and_written(url: str, name: str) -> None:
    got = ask(url, "GET", "/tasks", accept=name)
    assert (got.status, got.headers["content-type"]) == (200, TYPES[0])
    assert avro.decode(got.body, list[Task]) == [Task(1, "a"), Task(2, "b", True)]
    posted = ask(url, "POST", "/tasks", avro.encode([Task(3, "c"), Task(4, "d", False)]), content_type=name)
    assert posted.status in (200, 201), posted.body
    one = ask(url, "GET", "/tasks/4", accept=name)
    assert avro.decode(one.body, Task) == Task(4, "d", False)
    put = ask(url, "PUT", "/tasks/4", avro.encode(Task(4, "e")), content_type=name)
    assert put.status in (200, 204), put.body
    assert ask(url, "GET", "/tasks/4").json() == {"id": 4, "title": "e", "done": None}
    some = ask(url, "GET", "/tasks?fields=title&order=-id&limit=2&format=avro")
    assert avro.decode(some.body) == [{"title": "e"}, {"title": "c"}]


@pytest.mark.parametrize("name", TYPES)
def test_functions_take_and_give_it(url: str, name: str) -> None:
    got = ask(url, "POST", "/twice", avro.encode(Task(3, "c")), content_type=name, accept=name)
    assert (got.status, got.headers["content-type"]) == (200, TYPES[0])
    assert avro.decode(got.body, Task) == Task(6, "cc")
    assert ask(url, "POST", "/total", avro.encode([Task(3, "c"), Task(4, "d")]), content_type=name).json() == 7
    listed = ask(url, "GET", "/many?n=1000", accept=name)
    assert list(avro.read(io.BytesIO(listed.body), Task)) == list(many(1000))


def test_objects_are_read_and_written(url: str) -> None:
    got = ask(url, "GET", "/items/x", accept=TYPES[1])
    assert avro.decode(got.body, Task) == Task(7, "seven")


def test_a_long_list_comes_in_chunks(url: str) -> None:
    rows = [Task(id, "x" * 100, id % 2 == 0) for id in range(3, 20_000)]
    assert ask(url, "POST", "/tasks", avro.encode(rows), content_type=TYPES[1]).status == 201
    got = ask(url, "GET", "/tasks", accept=TYPES[1])
    assert got.headers.get("transfer-encoding") == "chunked"
    assert avro.decode(got.body, list[Task])[2:] == rows


@pytest.mark.parametrize("body", [b"", b"Obj\x01", b"Obj\x02", b'[{"id": 9, "title": "x"}]'])
def test_damaged_bodies_are_refused(url: str, body: bytes) -> None:
    for path in ("/tasks", "/total"):
        got = ask(url, "POST", path, body, content_type=TYPES[1])
        assert 400 <= got.status < 500, (path, got.body)
    assert len(ask(url, "GET", "/tasks").json()) == 2


def test_json_is_still_what_a_client_gets_that_asks_for_nothing(url: str) -> None:
    assert ask(url, "GET", "/tasks").headers["content-type"] == "application/json"
    assert ask(url, "GET", "/tasks", accept=f"{TYPES[1]};q=0, */*").headers["content-type"] == "application/json"
