"""Tables and databases over HTTP."""

from __future__ import annotations

import threading
from dataclasses import dataclass
from datetime import date
from typing import TYPE_CHECKING, Annotated

import demat
import pytest
from requested import ask

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path


@dataclass
class Task:
    title: Annotated[str, demat.Field(min_length=1)]
    id: Annotated[int | None, demat.Field(key=True)] = None
    done: bool = False
    due: date | None = None


@pytest.fixture(params=["file", "memory"])
def database(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[demat.sqlite.Database]:
    with demat.sqlite.open(tmp_path / "tasks.db" if request.param == "file" else ":memory:") as database:
        yield database


def test_a_table_is_read_and_written(database: demat.sqlite.Database) -> None:
    tasks = database.table("tasks", Task)
    with demat.serve({"/tasks": tasks}, port=0, background=True) as server:
        made = ask(server.url, "POST", "/tasks", {"title": "a", "due": "2026-01-02"})
        assert (made.status, made.json()) == (201, {"title": "a", "id": 1, "done": False, "due": "2026-01-02"})
        assert tasks.select().all() == [Task("a", 1, False, date(2026, 1, 2))]
        tasks.insert([Task("b", done=True)])
        assert [task["title"] for task in ask(server.url, "GET", "/tasks?done=true").json()] == ["b"]
        assert ask(server.url, "PATCH", "/tasks/2", {"title": "c"}).json()["title"] == "c"
        assert ask(server.url, "DELETE", "/tasks/1").status == 204
        assert tasks.select().all() == [Task("c", 2, True)]


def test_what_a_class_forbids_is_refused(database: demat.sqlite.Database) -> None:
    tasks = database.table("tasks", Task)
    with demat.serve({"/tasks": tasks}, port=0, background=True) as server:
        for body in ({"title": ""}, {"title": 5}, {}, {"title": "a", "due": "soon"}, [{"title": "a"}, {"title": ""}]):
            got = ask(server.url, "POST", "/tasks", body)
            assert got.status == 422, (body, got)
            assert got.json()["error"]["message"]
        assert tasks.select().all() == []


def test_a_database_is_all_its_tables(database: demat.sqlite.Database) -> None:
    database.table("tasks", Task).insert([Task("a")])
    database.execute("create table tags (name text primary key)")
    with demat.serve({"/api": database}, port=0, background=True) as server:
        assert ask(server.url, "GET", "/api").json() == ["tags", "tasks"]
        assert ask(server.url, "GET", "/api/tasks/1/title").json() == "a"
        paths = ask(server.url, "GET", "/openapi.json").json()["paths"]
        assert {"/api/tags", "/api/tags/{key}", "/api/tasks", "/api/tasks/{key}"} <= set(paths)


def test_many_write_at_once(tmp_path: Path) -> None:
    with demat.sqlite.open(tmp_path / "tasks.db") as database:
        tasks = database.table("tasks", Task)
        with demat.serve({"/tasks": tasks}, port=0, background=True) as server:

            def write(name: int) -> None:
                for number in range(20):
                    assert ask(server.url, "POST", "/tasks", {"title": f"{name}.{number}"}).status == 201

            threads = [threading.Thread(target=write, args=(name,)) for name in range(8)]
            for thread in threads:
                thread.start()
            for thread in threads:
                thread.join()
        titles = {task.title for task in tasks.select()}
        assert titles == {f"{name}.{number}" for name in range(8) for number in range(20)}


def test_races_on_one_row_are_one_after_the_other(tmp_path: Path) -> None:
    """Of concurrent conditional updates, one succeeds each time, and no acknowledged update is lost."""
    with demat.sqlite.open(tmp_path / "tasks.db") as database:
        tasks = database.table("tasks", Task)
        tasks.insert([Task("0")])
        with demat.serve({"/tasks": tasks}, port=0, background=True) as server:
            counted: list[int] = []

            def add() -> None:
                for _ in range(10):
                    while True:
                        seen = ask(server.url, "GET", "/tasks/1")
                        title = str(int(seen.json()["title"]) + 1)
                        got = ask(server.url, "PATCH", "/tasks/1", {"title": title}, if_match=seen.headers["etag"])
                        assert got.status in (200, 412)
                        if got.status == 200:
                            counted.append(1)
                            break

            threads = [threading.Thread(target=add) for _ in range(4)]
            for thread in threads:
                thread.start()
            for thread in threads:
                thread.join()
        assert len(counted) == 40
        assert tasks.select().all()[0].title == "40"
