"""Conditions, preferences and pages mean the same over tables, objects and collections."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated, Any
from urllib.parse import quote

import demat
import pytest
from demat import Field, lmdb, postgres
from postgres_server import folder as folder_of_server
from postgres_server import programs, schema
from requested import ask


@dataclass
class Person:
    name: str
    age: int | None = None


@dataclass
class Task:
    title: Annotated[str, Field(min_length=1)]
    id: Annotated[int | None, Field(key=True)] = None
    done: bool = False
    by: Person | None = None
    tags: list[str] = field(default_factory=list)


TASKS = [
    Task("write", 1, by=Person("Ada", 36)),
    Task("test", 2, True, Person("Bob"), ["x"]),
    Task("it's 5%", 3, True),
]


@pytest.fixture(scope="module")
def url(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    folder = tmp_path_factory.mktemp("conditions")
    with demat.sqlite.open(folder / "tasks.db") as database, lmdb.open(folder / "env") as environment:
        table = database.table("tasks", Task)
        table.insert(TASKS)
        collection = environment.collection("tasks", Task)
        for task in TASKS:
            collection.put(task)
        routes: dict[str, Any] = {"/table": table, "/objects": (list(TASKS), Task), "/collection": collection}
        if folder_of_server() is not None:
            routes["/postgres"] = postgres.connect(schema()).table("tasks", Task)
            routes["/postgres"].insert(TASKS)
        with demat.serve(routes, port=0, background=True) as server:
            yield server.url


STORES = ["table", "objects", "collection", *(["postgres"] if programs() else [])]


@pytest.mark.parametrize("store", STORES)
@pytest.mark.parametrize(
    ("condition", "ids"),
    [
        ("done", [2, 3]),
        ("not done or id = 3", [1, 3]),
        ("done and (title = 'test' or id > 5)", [2]),
        ("not (title like 't%' or title contains '5%')", [1]),
        ("title = 'it''s 5%'", [3]),
        ("id in (1, 3) and id not between 2 and 3", [1]),
        ("by.name = 'Bob' or by.age >= 36", [1, 2]),
        ("not by.name = 'Bob'", [1]),
        ("by is null", [3]),
        ("by.age is not null", [1]),
    ],
)
def test_all_stores_choose_the_same(url: str, store: str, condition: str, ids: list[int]) -> None:
    query = f"where={quote(condition)}"
    found = ask(url, "GET", f"/{store}?{query}")
    assert found.status == 200, found
    assert [task["id"] for task in found.json()] == ids
    assert ask(url, "GET", f"/{store}?count&{query}").json() == {"count": len(ids)}
    limited = ask(url, "GET", f"/{store}?id.ge=1&order=-id&limit=1&{query}").json()
    assert [task["id"] for task in limited] == ids[-1:]


@pytest.mark.parametrize("store", STORES)
@pytest.mark.parametrize(
    "condition", ["nothing = 1", "by.nothing = 1", "title = 5", "id = 'x'", "tags = 'x'", "done like 'x'", "id ="]
)
def test_all_stores_refuse_the_same(url: str, store: str, condition: str) -> None:
    for method, value in [("GET", None), ("DELETE", None), ("PATCH", {"done": False})]:
        got = ask(url, method, f"/{store}?where={quote(condition)}", value)
        assert got.status == 400, (method, got)
    assert ask(url, "GET", f"/{store}?count").json() == {"count": 3}


@pytest.mark.parametrize("store", ["objects", "collection"])
def test_stores_without_cursors_and_merges_say_so(url: str, store: str) -> None:
    assert ask(url, "GET", f"/{store}?limit=1&after=").status == 400
    assert ask(url, "POST", f"/{store}", {"title": "x"}, prefer="resolution=merge-duplicates").status == 400
    assert ask(url, "GET", f"/{store}?count").json() == {"count": 3}


def test_a_class_checks_what_is_merged(tmp_path: Path) -> None:
    with demat.sqlite.open(tmp_path / "tasks.db") as database:
        table = database.table("tasks", Task)
        table.insert(TASKS)
        with demat.serve({"/tasks": table}, port=0, background=True) as server:
            prefer = "resolution=merge-duplicates, return=representation"
            new = [{"id": 1, "done": True}, {"title": "new"}]
            merged = ask(server.url, "POST", "/tasks", new, prefer=prefer)
            assert (merged.status, merged.headers["demat-count"]) == (201, "2"), merged
            told = [(row["id"], row["title"], row["done"]) for row in merged.json()]
            assert told == [(1, "write", True), (4, "new", False)]
            assert merged.json()[0]["by"] == {"name": "Ada", "age": 36}
            for bad in ([{"id": 2, "done": False}, {"id": 1, "title": ""}], [{"id": 2, "done": False}, {"id": 9}]):
                refused = ask(server.url, "POST", "/tasks", bad, prefer=prefer)
                assert refused.status == 422, refused
                assert refused.json()["error"]["path"].startswith("$[1]"), refused
            assert ask(server.url, "GET", "/tasks/2").json()["done"] is True
