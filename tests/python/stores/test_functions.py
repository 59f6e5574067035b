"""Stores of functions, and such between stores."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import demat
import pytest
from demat import StoreError, store


@dataclass
class Task:
    title: str
    done: bool = False


def test_routes_lead_to_functions() -> None:
    tasks = {1: Task("a"), 2: Task("b", True)}

    def all_tasks() -> list[Task]:
        return list(tasks.values())

    def one(id: int) -> Task | None:
        return tasks.get(id)

    def add(task: Task) -> int:
        number = max(tasks) + 1
        tasks[number] = task
        return number

    def put(id: int, task: Task) -> None:
        tasks[id] = task

    def remove(id: int) -> None:
        if id not in tasks:
            raise demat.NotFound("not found")
        del tasks[id]

    async def later(name: str, times: int = 2) -> list[str]:
        return [name] * times

    place = store.template(
        {
            "/tasks": all_tasks,
            "POST /tasks": add,
            "/tasks/:id": one,
            "PUT PATCH /tasks/:id": put,
            "DELETE /tasks/:id": remove,
            "/later/:name": later,
        }
    )
    assert place.get("/tasks", list[Task], query="done=true") == [Task("b", True)]
    assert place.post("/tasks", {"title": "c"}) == "/tasks/3"
    assert place.get("/tasks/3", Task) == Task("c")
    place.put("/tasks/3", Task("d"))
    assert tasks[3] == Task("d")
    place.delete("/tasks/3")
    assert 3 not in tasks
    assert place.get("/later/x") == ["x", "x"]
    assert place.get("/later/x", query="times=3") == ["x", "x", "x"]
    assert place.children() == ["tasks", "later"]
    for at, why in (("/tasks/9", "not found"), ("/other", "not found"), ("/later", "not found|list")):
        if at == "/later":
            assert place.get(at) == []
            continue
        with pytest.raises(StoreError, match=why):
            place.get(at)
    with pytest.raises(StoreError, match="does not support it"):
        place.delete("/tasks")
    with pytest.raises(StoreError, match="not found"):
        place.delete("/tasks/9")
    with pytest.raises(demat.DecodeError):
        place.put("/tasks/1", {"title": 5})
    with pytest.raises(demat.DecodeError):
        place.get("/tasks/x")
    assert str(place).splitlines()[:3] == ["template", "├─ route /tasks get", "├─ route /tasks post"]


def test_what_is_no_route_is_refused() -> None:
    def one(id: str) -> str:
        return id

    for route, why in (("/:x", "no parameter"), ("EAT /:id", "no verb is called"), ("/:id/:id", "twice in the path")):
        with pytest.raises((TypeError, ValueError, StoreError), match=why):
            store.template({route: one})


def test_functions_stand_before_a_store() -> None:
    below = store.memory({"tasks": [{"n": 1}, {"n": 2}]})
    seen: list[tuple[str, Any]] = []

    def doubled(at: str, value: Any) -> Any:
        seen.append((at, value))
        return [{"n": item["n"] * 2} for item in value]

    place = store.mapped(below, read=doubled)
    # The query applies to what is read.
    assert place.get("/tasks", query="n.gt=3") == [{"n": 4}]
    assert seen == [("/tasks", [{"n": 1}, {"n": 2}])]
    led = store.mapped(below, reference=lambda at: "/tasks" + at)
    assert led.get("/0") == {"n": 1}
    assert led.post("/", {"n": 3}) == "/2"
    with pytest.raises(StoreError, match="not a valid path"):
        store.mapped(below, reference=lambda _: "/..").get()
    written = store.mapped(below, written=lambda _, value: [value])
    written.put("/x", 1)
    assert below.get("/x") == [1]
    assert str(store.mapped(below)) == "mapped\n└─ memory\n"
    assert str(place) == "mapped read values\n└─ memory\n"


def test_what_a_function_raises_is_raised() -> None:
    def missing(_: str, __: Any) -> Any:
        raise demat.NotFound("no such thing")

    def wrong(_: str, __: Any) -> Any:
        raise demat.ValidationError("that is too much")

    below = store.memory({"a": 1})
    with pytest.raises(StoreError, match="no such thing"):
        store.mapped(below, read=missing).get("/a")
    with pytest.raises(demat.ValidationError, match="that is too much"):
        store.mapped(below, written=wrong).put("/a", 2)
    with pytest.raises(demat.Error):
        store.mapped(below, read=lambda _, __: object()).get("/a")


def test_all_of_it_is_served() -> None:
    place = store.mapped(store.template({"/a/:b": lambda b: {"b": b}}), read=lambda at, value: {**value, "at": at})
    with demat.serve({"/": place}, port=0, background=True) as server:
        assert store.remote(server.url).get("/a/x") == {"b": "x", "at": "/a/x"}
