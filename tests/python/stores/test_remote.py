"""Stores of others, over HTTP."""

from __future__ import annotations

import threading
from dataclasses import dataclass
from datetime import date
from typing import TYPE_CHECKING, Annotated, Any

import demat
import pytest
from demat import DecodeError, StoreError, store

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path


@dataclass
class Task:
    title: str
    due: date | None = None
    id: Annotated[int | None, demat.Field(key=True)] = None


@pytest.fixture
def url(tmp_path: Path) -> Iterator[str]:
    with demat.sqlite.open(tmp_path / "tasks.db") as database:
        routes: dict[str, Any] = {"/tasks": database.table("tasks", Task), "/notes": store.memory({"a": [1, 2]})}
        with demat.serve(routes, port=0, background=True) as server:
            yield server.url


def test_a_table_is_as_if_it_were_here(url: str) -> None:
    tasks = store.remote(url + "/tasks")
    assert tasks.post("/", Task("a", date(2026, 1, 2))) == "/1"
    tasks.put("/2", Task("b"))
    tasks.patch("/2", {"title": "c"})
    assert tasks.get("/1", Task) == Task("a", date(2026, 1, 2), 1)
    assert tasks.get("/", list[Task], query="id.gt=1") == [Task("c", None, 2)]
    assert tasks.encode("/", "csv") == b"title,due,id\na,2026-01-02,1\nc,,2\n"
    assert tasks.children() == ["1", "2"]
    tasks.delete("/1")
    with pytest.raises(StoreError, match="`/1`: not found"):
        tasks.get("/1")
    assert str(tasks) == f"remote {url}/tasks\n"


def test_layers_over_it_are_layers(url: str) -> None:
    below = store.timed(store.remote(url))
    place = store.switch({"there": store.cache(store.relative(below, "/notes")), "here": store.memory()})
    assert [place.get("/there/a/0") for _ in range(3)] == [1, 1, 1]
    times = below.times("get")
    assert times is not None
    assert times[0] == 1
    store.remote(url + "/notes/a").put("/0", 7)
    assert place.get("/there/a/0") == 7


def test_a_type_is_what_comes(url: str) -> None:
    store.remote(url).put("/notes/days", ["2026-01-02"])
    assert store.remote(url, dict[str, dict[str, list[date]]]).get("/notes/days") == ["2026-01-02"]
    wrong = store.remote(url + "/notes", dict[str, list[int]])
    assert wrong.get("/a") == [1, 2]
    with pytest.raises(DecodeError, match=r'found `str` "2026-01-02" at `\$\[0\]`'):
        wrong.get("/days")


def test_a_token_is_wanted() -> None:
    with demat.serve({"/notes": store.memory({"a": 1})}, port=0, background=True, token="s3cret") as server:
        assert store.remote(server.url + "/notes", token="s3cret").get("/a") == 1
        with pytest.raises(StoreError, match="a token is needed"):
            store.remote(server.url + "/notes", token="other").get("/a")


def test_a_server_that_is_not_there(url: str) -> None:
    with demat.serve({"/": store.memory({})}, port=0, background=True) as server:
        gone = store.remote(server.url, timeout=5)
        assert gone.get() == {}
    with pytest.raises(StoreError, match="the server can't be reached"):
        gone.get()
    for bad in ("", "tasks", "ftp://here", "http://me:secret@here"):
        with pytest.raises(StoreError, match="a store's URL"):
            store.remote(bad)
    with pytest.raises(ValueError, match="negative"):
        store.remote(url, timeout=-1)


def test_names_are_names(url: str) -> None:
    notes = store.remote(url + "/notes")
    for number, name in enumerate(("%2F", "%2e%2e%2fsecret", "%C3%A9%E2%98%83", "%20", "%25")):
        notes.put("/" + name, number)
        assert notes.get("/" + name) == number
    assert notes.children() == ["a", "/", "../secret", "é☃", " ", "%"]
    with pytest.raises(StoreError):
        notes.get("/../tasks")


def test_other_threads_run_meanwhile() -> None:
    ready, go = threading.Event(), threading.Event()

    def slow() -> str:
        ready.set()
        assert go.wait(20)
        return "done"

    with demat.serve({"/slow": slow}, port=0, background=True) as server:
        place, got = store.remote(server.url), []
        thread = threading.Thread(target=lambda: got.append(place.get("/slow")))
        thread.start()
        assert ready.wait(20)
        go.set()
        thread.join(20)
        assert got == ["done"]
