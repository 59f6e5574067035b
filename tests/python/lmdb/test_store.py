"""Collections as stores: in Python, and over HTTP, beside those that write to them."""

from __future__ import annotations

import os
import subprocess
import sys
from dataclasses import dataclass
from typing import TYPE_CHECKING

import demat
import pytest
from demat import StoreError, lmdb, store
from requested import ask

if TYPE_CHECKING:
    from pathlib import Path


@dataclass
class Task:
    id: int
    title: str
    done: bool = False

    def __post_init__(self) -> None:
        if self.title == "forbidden":
            raise ValueError("forbidden")


@dataclass
class Less:
    id: int
    title: str


def test_a_collection_is_a_store(tmp_path: Path) -> None:
    with lmdb.open(tmp_path, sync="off") as env:
        tasks = env.collection("tasks", Task, key="id")
        place = store.of(tasks)
        assert place.post("/", {"id": 7, "title": "a"}) == "/7"
        assert tasks[7].title == "a"
        tasks.put(Task(-2, "b", True))
        assert place.get("/", query="done=true&fields=id") == [{"id": -2}]
        assert place.get("/-2", Task) == Task(-2, "b", True)
        place.patch("/7", {"done": True})
        assert tasks[7].done
        place.put("/7/title", "c")
        assert (tasks[7].title, place.children()) == ("c", ["-2", "7"])
        tasks.index("by_title", lambda task: task.title, unique=True)
        for value in ({"id": 8, "title": "c"}, {"id": 7, "title": "d"}):
            with pytest.raises(StoreError, match="same key|is there already"):
                place.post("/", value)
        with pytest.raises(demat.DecodeError, match="forbidden"):
            place.post("/", {"id": 9, "title": "forbidden"})
        with pytest.raises(demat.NotFound):
            place.get("/9")
        place.delete("/7")
        assert tasks.index("by_title").get("c") is None
        assert store.of(env).get("/") == ["tasks"]
        assert store.of(env).get("/tasks/-2/title") == "b"
        assert str(place).startswith("collection ")


def test_a_transaction_of_this_thread_is_not_waited_for(tmp_path: Path) -> None:
    with lmdb.open(tmp_path, sync="off") as env:
        place = store.of(env.collection("tasks", Task, key="id"))
        with env.begin(write=True), pytest.raises(StoreError, match="this thread has a transaction"):
            place.post("/", {"id": 1, "title": "a"})


def test_keys_by_a_function_can_only_be_read(tmp_path: Path) -> None:
    with lmdb.open(tmp_path, sync="off") as env:
        tasks = env.collection("tasks", Task, key=lambda task: task.title.lower())
        tasks.put(Task(1, "A"))
        place = store.of(tasks)
        assert place.get("/", query="id=1") == [{"id": 1, "title": "A", "done": False}]
        with pytest.raises(StoreError, match="can't post"):
            place.post("/", {"id": 2, "title": "B"})


def test_tags_are_those_of_the_last_transaction(tmp_path: Path) -> None:
    with lmdb.open(tmp_path, sync="off") as env:
        tasks = env.collection("tasks", Task, key="id")
        tasks.put_all([Task(1, "a"), Task(2, "b")])
        routes = {"/tasks": tasks}
        with (
            demat.serve(routes, port=0, background=True) as server,
            demat.serve(routes, port=0, background=True) as other,
        ):
            got = ask(server.url, "GET", "/tasks?order=-id&fields=id")
            assert got.json() == [{"id": 2}, {"id": 1}]
            tag = ask(server.url, "GET", "/tasks").headers["etag"]
            assert ask(other.url, "GET", "/tasks").headers["etag"] == tag
            one = ask(server.url, "GET", "/tasks/1").headers["etag"]
            assert ask(other.url, "GET", "/tasks", if_none_match=tag).status == 304
            program = f"""
from dataclasses import dataclass
from demat import lmdb
@dataclass
class Task:
    id: int
    title: str
    done: bool = False
lmdb.open({str(tmp_path)!r}).collection("tasks", Task).put(Task(3, "c"))
"""
            subprocess.run([sys.executable, "-c", program], check=True)
            assert ask(server.url, "GET", "/tasks", if_none_match=tag).status == 200
            assert ask(server.url, "GET", "/tasks/1", if_none_match=one).status == 304
            late = ask(server.url, "PUT", "/tasks/1", {"id": 1, "title": "z"}, if_match=tag)
            assert late.status == 412
            assert ask(server.url, "PUT", "/tasks/1", {"id": 1, "title": "z"}, if_match=one).status in (200, 204)
            assert ask(server.url, "POST", "/tasks", {"id": 1, "title": "y"}).status == 409
            about = ask(server.url, "GET", "/openapi.json").json()
            assert any(path.startswith("/tasks/{") for path in about["paths"]), about["paths"].keys()
            assert ask(server.url, "GET", "/tasks?count").json() == {"count": 3}


def test_a_put_replaces_and_an_update_keeps_what_the_class_lacks(tmp_path: Path) -> None:
    with lmdb.open(tmp_path, sync="off") as env:
        whole = env.collection("tasks", Task, key="id")
        whole.put_all([Task(1, "a", True), Task(2, "b", True), Task(3, "c", True), Task(4, "d", True)])
        less = env.collection("tasks", Less)
        less.update(1, title="z")
        view = less[2]
        view.title = "z"
        less.put(view)
        # A new instance has no fields but its own, so the record has none either.
        less.put(Less(3, "z"))
        store.of(less).patch("/4", {"title": "z"})
        assert [(task.title, task.done) for task in whole] == [("z", True), ("z", True), ("z", False), ("z", True)]


@pytest.mark.skipif(not hasattr(os, "fork"), reason="the table of readers is read on Unix only")
def test_readers_of_other_processes_are_known_and_dead_ones_go(tmp_path: Path) -> None:
    program = f"""
import sys
from demat import lmdb
env = lmdb.open({str(tmp_path)!r})
with env.begin():
    print("reads", flush=True)
    sys.stdin.readline()
"""
    with lmdb.open(tmp_path, sync="off") as env:
        tasks = env.collection("tasks", Task, key="id")
        tasks.put(Task(1, "a"))
        child = subprocess.Popen([sys.executable, "-c", program], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        assert child.stdout is not None
        assert child.stdout.readline().strip() == b"reads"
        tasks.put(Task(2, "b"))
        with env.begin():
            other, own = env.readers
            assert (other.process, other.seconds, other.behind) == (child.pid, None, 1)
            assert (own.process, own.behind) == (os.getpid(), 0)
            assert own.seconds is not None
        child.kill()
        child.wait()
        child.stdout.close()
        assert child.stdin is not None
        child.stdin.close()
        assert env.readers == []
        # Another process still sees this one: reading the table has released no lock.
        with env.begin():
            check = f"from demat import lmdb; print(len(lmdb.open({str(tmp_path)!r}).readers))"
            done = subprocess.run([sys.executable, "-c", check], check=True, capture_output=True, text=True)
            assert done.stdout.strip() == "1"
