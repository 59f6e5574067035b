"""Changes of stores, as iterators, as asynchronous iterators and as sources of copies."""

from __future__ import annotations

import asyncio
import gc
import io
import os
import subprocess
import sys
import threading
import urllib.request
from dataclasses import dataclass
from pathlib import Path as FilePath
from typing import Annotated, Any

import demat
import pytest
from demat import Change, StoreError, store
from demat._changes.queue import Queue
from own_stores import Plain, Tree, Watched


@dataclass
class Task:
    title: str
    id: Annotated[int | None, demat.Field(key=True)] = None


@dataclass
class Kept:
    id: Annotated[int, demat.Field(key=True)]


def some(changes: demat.Changes, count: int) -> list[tuple[str, str, Any]]:
    return [(change.kind, change.key, change.value) for change in (next(changes) for _ in range(count))]


def threads() -> set[str]:
    return {thread.name for thread in threading.enumerate() if thread.name == "demat-watch"}


def test_each_verb_is_reported_with_the_value() -> None:
    for place in (store.memory({"list": [1]}), store.of(Tree({"list": [1]})), store.of({"list": [1]})):
        with place.watch() as changes:
            place.put("/a", {"b": 1})
            assert some(changes, 1) == [("put", "/a", {"b": 1})]
            place.patch("/a", {"c": 2})
            assert some(changes, 1) == [("put", "/a", {"b": 1, "c": 2})]
            place.post("/list", "x")
            assert some(changes, 1) == [("put", "/list/1", "x")]
            place.delete("/a")
            assert some(changes, 1) == [("delete", "/a", None)]
            place.put("/a%20b%2Fc", 1)
            assert some(changes, 1) == [("put", "/a%20b%2Fc", 1)]
        assert list(changes) == []
        assert changes.closed


def test_revisions_differ_where_the_store_has_versions() -> None:
    place = store.memory({})
    with place.watch() as changes:
        place.put("/a", 1)
        first = next(changes).revision
        place.put("/a", 2)
        second = next(changes).revision
        place.delete("/a")
        assert next(changes).revision is None
    assert first is not None
    assert second is not None
    assert first != second
    plain = store.of(Plain())
    with plain.watch() as changes:
        plain.put("/a", 1)
        assert next(changes) == Change("put", "/a", 1)


def test_only_what_is_below_the_reference_is_reported() -> None:
    place = store.memory({"a": {"b": {}}, "c": {}})
    with place.watch("/a/b") as changes:
        place.put("/c/x", 1)
        place.put("/a/y", 1)
        place.put("/a/b/z", 1)
        assert some(changes, 1) == [("put", "/a/b/z", 1)]
        # What it is in is put anew, and so is it.
        place.put("/a", {"b": 3})
        assert some(changes, 1) == [("reset", "/a/b", None)]
        place.put("/a/b", {})
        assert some(changes, 1) == [("reset", "/a/b", None)]
        place.delete("/a/b")
        assert some(changes, 1) == [("delete", "/a/b", None)]
        # It goes with what it is in.
        place.put("/a/b", 1)
        place.delete("/a")
        assert some(changes, 2) == [("reset", "/a/b", None), ("delete", "/a/b", None)]


def test_changes_through_layers_and_servers_are_reported(tmp_path: FilePath) -> None:
    table = demat.sqlite.open(str(tmp_path / "a.db")).table("tasks", Task)
    for below, name in (
        (store.memory({}), "/one"),
        (store.of(table), "/1"),
        (store.folder(tmp_path, suffix=".json"), "/one.json"),
    ):
        value = {"title": "x", "id": 1}
        with below.watch() as changes:
            store.cache(below).put(name, value)
            assert next(changes).value == value
            with (
                demat.serve({"/": below}, port=0, background=True) as server,
                store.remote(server.url).watch() as there,
            ):
                store.remote(server.url).delete(name)
                assert (next(changes).kind, next(there).kind) == ("delete", "delete")


def test_changes_past_the_store_are_one_reset(tmp_path: FilePath) -> None:
    table = demat.sqlite.open(str(tmp_path / "a.db")).table("tasks", Task)
    collection = demat.lmdb.open(tmp_path / "a.lmdb").collection("tasks", Kept)
    with store.of(table).watch() as changes:
        table.insert([Task("a")])
        assert some(changes, 1) == [("reset", "/", None)]
    watched = store.of(collection)
    with watched.watch() as changes:
        watched.put("/2", {"id": 2})
        assert some(changes, 1) == [("put", "/2", {"id": 2})]
        collection.put(Kept(3))
        assert some(changes, 1) == [("reset", "/", None)]


def test_changes_before_the_watch_are_none_of_it(tmp_path: FilePath) -> None:
    table = demat.sqlite.open(str(tmp_path / "a.db")).table("tasks", Task)
    collection = demat.lmdb.open(tmp_path / "a.lmdb").collection("tasks", Kept)
    for place, change in (
        (store.of(table), lambda: table.insert([Task("a")])),
        (store.of(collection), lambda: collection.put(Kept(1))),
    ):
        change()
        with place.watch() as changes:
            place.put("/2", {"id": 2, "title": "b"})
            assert next(changes).key == "/2"
            place.delete("/2")
            assert next(changes).kind == "delete"


def test_other_stores_of_the_same_file_report_each_change_once(tmp_path: FilePath) -> None:
    database = demat.sqlite.open(str(tmp_path / "a.db"))
    table = database.table("tasks", Task)
    environment = demat.lmdb.open(tmp_path / "a.lmdb")
    collection = environment.collection("tasks", Kept)
    for one, other, whole in (
        (table, demat.sqlite.open(str(tmp_path / "a.db")).table("tasks"), database),
        (collection, environment.collection("tasks", Kept), environment),
    ):
        with store.of(one).watch() as changes, store.of(whole).watch("/tasks") as all_changes:
            places = [store.of(other), store.relative(store.of(whole), "/tasks"), store.cache(store.of(one))]
            for number, place in enumerate(places, 1):
                place.put(f"/{number}", {"id": number, "title": "x"})
            with demat.serve({"/": one}, port=0, background=True) as server:
                store.remote(server.url).delete("/1")
            # Time for what would be doubled.
            threading.Event().wait(0.3)
            places[0].delete("/2")
            expected = [("put", 1), ("put", 2), ("put", 3), ("delete", 1), ("delete", 2)]
            assert [(change.kind, change.key) for change in (next(changes) for _ in range(5))] == [
                (kind, f"/{number}") for kind, number in expected
            ]
            assert [(change.kind, change.key) for change in (next(all_changes) for _ in range(5))] == [
                (kind, f"/tasks/{number}") for kind, number in expected
            ]


def test_a_database_in_memory_is_changed_through_its_one_connection() -> None:
    database = demat.sqlite.open(":memory:")
    table = database.table("tasks", Task)
    place = store.of(table)
    with place.watch() as changes:
        store.of(table).put("/1", {"id": 1, "title": "a"})
        assert some(changes, 1) == [("put", "/1", {"id": 1, "title": "a"})]
        table.insert([Task("b")])
        assert some(changes, 1) == [("reset", "/", None)]
        # Seen only when it is final.
        with database.transaction():
            table.insert([Task("c")])
            threading.Event().wait(0.3)
            assert changes._queue.poll() is None
        assert some(changes, 1) == [("reset", "/", None)]
        # The program changes something just before the store does.
        table.insert([Task("d")])
        place.put("/9", {"id": 9, "title": "e"})
        assert {kind for kind, *_ in some(changes, 2)} == {"put", "reset"}


OTHER = """
import sys, demat
from dataclasses import dataclass
from typing import Annotated

@dataclass
class Kept:
    id: Annotated[int, demat.Field(key=True)]

kind, path, count = sys.argv[1:]
if kind == "lmdb":
    collection = demat.lmdb.open(path).collection("rows", Kept)
    for number in range(int(count)):
        collection.put(Kept(1000 + number))
else:
    database = demat.sqlite.open(path)
    for number in range(int(count)):
        database.execute("insert into rows values (?)", [1000 + number])
"""


@pytest.mark.parametrize("kind", ["sqlite", "wal", "lmdb"])
def test_a_replica_follows_other_processes_and_threads(kind: str, tmp_path: FilePath) -> None:
    """Of what two processes write at the same time nothing is lost, and nothing of this one is doubled."""
    path = tmp_path / "a"
    opened: Any
    if kind == "lmdb":
        opened = demat.lmdb.open(path).collection("rows", Kept)
    else:
        opened = demat.sqlite.open(str(path)).table("rows", Kept)
        if kind == "wal":
            opened._database.execute("pragma journal_mode = wal")
    place = store.of(opened)
    replica: dict[int, Any] = {}
    with place.watch(queue=10_000) as changes:
        other = subprocess.Popen([sys.executable, "-c", OTHER, kind, str(path), "40"])
        threads = [
            threading.Thread(
                target=lambda first=first: [place.put(f"/{n}", {"id": n}) for n in range(first, first + 30)]  # type: ignore[misc]
            )
            for first in (0, 100)
        ]
        for thread in threads:
            thread.start()
        puts: list[str] = []
        while True:
            change = next(changes)
            if change.kind == "reset":
                replica = {row["id"]: row for row in place.get()}
            else:
                puts.append(change.key)
                replica[change.value["id"]] = change.value
            if len(puts) == 60 and change.kind == "put":
                # Those of this process are all there. What follows the other process's last change is reported, too.
                assert other.wait() == 0
                place.put("/999", {"id": 999})
            if change.key == "/999":
                break
        threading.Event().wait(0.4)
        while (late := changes._queue.poll()) is not None:
            assert late.kind in ("reset", "put")
            if late.kind == "reset":
                replica = {row["id"]: row for row in place.get()}
            else:
                puts.append(late.key)
                replica[late.value["id"]] = late.value
    assert replica == {row["id"]: row for row in place.get()}
    assert len(replica) >= 100
    assert len(puts) == len(set(puts))


@pytest.mark.skipif(not hasattr(os, "fork"), reason="there is no fork")
def test_a_forked_process_begins_its_own_watch() -> None:
    place = store.memory({})
    with place.watch() as changes:
        child = os.fork()
        if child == 0:
            try:
                try:
                    next(changes)
                    os._exit(1)
                except RuntimeError as error:
                    if "forked" not in str(error):
                        os._exit(2)
                changes.close()
                with place.watch() as own:
                    place.put("/child", 1)
                    os._exit(0 if next(own).key == "/child" else 3)
            except BaseException:
                os._exit(4)
        assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
        place.put("/parent", 1)
        assert some(changes, 1) == [("put", "/parent", 1)]


def test_no_socket_is_opened() -> None:
    def sockets() -> int:
        fds = FilePath("/proc/self/fd")
        return sum(1 for fd in fds.iterdir() if fd.is_symlink() and str(fd.readlink()).startswith("socket:"))

    if not FilePath("/proc/self/fd").exists():
        pytest.skip("there is no /proc")
    place = store.memory({})
    before = sockets()
    with place.watch() as changes:
        place.put("/a", 1)
        assert next(changes).key == "/a"
        assert sockets() == before


def test_a_process_ends_with_a_watch_that_is_open() -> None:
    code = (
        "from demat import store\nplace = store.memory({})\nchanges = place.watch()\n"
        "place.put('/a', 1)\nassert next(changes).key == '/a'\nother = place.watch()\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60, check=False)
    assert (done.returncode, done.stderr) == (0, "")


def test_a_list_that_changes_as_a_whole_is_a_reset_of_it(tmp_path: FilePath) -> None:
    table = demat.sqlite.open(str(tmp_path / "a.db")).table("tasks", Task)
    place = store.switch({"tasks": store.of(table)})
    with place.watch() as changes:
        place.put("/tasks", [{"id": 1, "title": "x"}])
        assert some(changes, 1) == [("reset", "/tasks", None)]
        table.insert([Task("a")])
        assert some(changes, 1) == [("reset", "/tasks", None)]


def test_the_revision_is_the_tag_of_the_value_over_http() -> None:
    place = store.memory({})
    with place.watch() as changes, demat.serve({"/": place}, port=0, background=True, browser=False) as server:
        place.put("/a", 1)
        revision = next(changes).revision
        with urllib.request.urlopen(f"{server.url}/a") as response:
            assert response.headers["ETag"].strip('"') == revision


def test_a_store_that_tells_itself() -> None:
    own = Watched(a=1)
    with store.of(own).watch() as changes:
        own.change("a", 2)
        assert some(changes, 1) == [("put", "/a", 2)]
        assert len(own.watchers) == 1
    ended = threading.Event()
    while own.ended == 0 and not ended.wait(0.01):
        pass
    assert own.watchers == []


def test_a_store_that_does_not_report_says_so() -> None:
    def get(id: int) -> int:
        return id

    with pytest.raises(StoreError, match="does not report changes"):
        store.template({"/:id": get}).watch()
    for options, why in (({"queue": 0}, "queue is an int from 1"), ({"limit": -1}, "limit is an int from 0")):
        with pytest.raises(ValueError, match=why):
            store.memory().watch(**options)  # type: ignore[arg-type]


def test_it_ends_by_its_limit_by_close_and_with_the_object() -> None:
    place = store.memory({})
    before = threads()
    changes = place.watch(limit=2, values=False)
    place.put("/a", 1)
    place.put("/b", 1)
    place.put("/c", 1)
    assert [(change.kind, change.key, change.value) for change in changes] == [("put", "/a", None), ("put", "/b", None)]
    assert changes.closed
    assert list(place.watch(limit=0)) == []
    changes = place.watch()
    waiting = threading.Event()
    got: list[Any] = []

    def read() -> None:
        waiting.set()
        got.extend(changes)

    thread = threading.Thread(target=read)
    thread.start()
    waiting.wait()
    changes.close()
    thread.join()
    assert got == []
    changes.close()
    forgotten = place.watch()
    queue = forgotten._queue
    del forgotten
    gc.collect()
    assert queue.ended
    for thread in threading.enumerate():
        if thread.name == "demat-watch":
            thread.join()
    assert threads() == before


def test_a_slow_reader_is_told_to_read_again() -> None:
    place = store.memory({})
    with place.watch(queue=3, values=False) as changes:
        for number in range(5):
            place.put(f"/{number}", number)
        # It is behind all others, so they were given to the queue before it.
        place.put("/last", 1)
        while (change := next(changes)).key != "/last":
            assert change.kind in ("put", "reset")
    queue = Queue(3, "/")
    for number in range(5):
        queue.give(Change("put", str(number)))
    assert [queue.poll(), queue.poll(), queue.poll()] == [Change("reset", "/"), Change("put", "4"), None]


def test_an_async_for_gets_them_while_other_tasks_run() -> None:
    place = store.memory({})

    async def main() -> list[str]:
        got: list[str] = []

        async def write() -> None:
            for name in "abc":
                place.put(f"/{name}", 1)
                await asyncio.sleep(0)

        async with place.watch(limit=3) as changes:
            task = asyncio.create_task(write())
            got += [change.key async for change in changes]
            await task
        async with place.watch() as changes:
            # A wait that is cancelled loses nothing, and leaves nothing behind.
            for _ in range(3):
                with pytest.raises(TimeoutError):
                    await asyncio.wait_for(anext(changes), 0.01)
            assert changes._queue._wake == []
            place.put("/d", 1)
            got.append((await anext(changes)).key)
            closing = asyncio.create_task(changes.aclose())
            with pytest.raises(StopAsyncIteration):
                await anext(changes)
            await closing
        return got

    assert asyncio.run(main()) == ["/a", "/b", "/c", "/d"]


def test_changes_are_copied_as_they_come() -> None:
    place = store.memory({})
    got: list[bytes] = []
    arrived = threading.Semaphore(0)

    def take(data: bytes) -> None:
        got.append(data)
        arrived.release(data.count(b"\n"))

    changes = place.watch(values=False)
    copied: list[demat.Copied] = []
    thread = threading.Thread(
        target=lambda: copied.append(demat.copy(changes, take, to="ndjson", fields=["kind", "key"]))
    )
    thread.start()
    for name in "ab":
        place.put(f"/{name}", 1)
        # Each arrives before the next one is made.
        assert arrived.acquire(timeout=60)
    changes.close()
    thread.join()
    assert b"".join(got) == b'{"kind":"put","key":"/a"}\n{"kind":"put","key":"/b"}\n'
    assert copied[0].records == 2


def test_a_copy_ends_by_first_and_goes_anywhere(tmp_path: FilePath) -> None:
    place = store.memory({})
    log = store.memory()
    for options, count in (({"first": 2}, 2), ({"first": 1, "where": "key = '/b'"}, 1)):
        for target, to in ((tmp_path / "a.parquet", None), (log, None), (io.BytesIO(), "csv"), (io.BytesIO(), "json")):
            with place.watch(values=False) as changes:
                for name in "abc":
                    place.put(f"/{name}", 1)
                fields = ["kind", "key"]
                done = demat.copy(changes, target, to=to, fields=fields, **options)  # type: ignore[arg-type]
                assert done.records == count
    assert log.get() == [{"kind": "put", "key": "/b"}]


def test_a_store_that_fails_ends_it_with_the_error() -> None:
    class Broken(Watched):
        def get(self, path: tuple[str, ...]) -> Any:
            raise RuntimeError("broken")

    own = Broken(a=1)
    with store.of(own).watch() as changes:
        own.change("a", 2)
        with pytest.raises(StoreError, match="/a") as ended:
            next(changes)
        assert isinstance(ended.value.__cause__, RuntimeError)
        assert list(changes) == []


@pytest.mark.parametrize("module", [demat.json, demat.ndjson, demat.cbor])
def test_changes_are_written_by_a_format(tmp_path: FilePath, module: Any) -> None:
    place, kept = store.memory({}), store.memory()
    for target in (tmp_path / "changes", str(tmp_path / "changes"), kept):
        with place.watch(limit=2, values=False) as changes:
            place.put("/a", 1)
            place.put("/b", 1)
            assert module.write(target, changes) == 2
    assert [change["key"] for change in kept.get()] == ["/a", "/b"]
    assert [change["key"] for change in module.read(tmp_path / "changes")] == ["/a", "/b"]


def test_a_value_that_json_can_not_say_is_a_reset_of_its_key() -> None:
    own = Watched(a=1)
    with store.of(own).watch() as changes:
        own.change("a", float("nan"))
        assert next(changes) == Change("reset", "/a")
        own.change("a", 2)
        assert some(changes, 1) == [("put", "/a", 2)]


def test_references_are_those_of_the_other_verbs() -> None:
    place = store.memory({"a b": {}})
    for at in ("a b", "/a b", "/a%20b"):
        with place.watch(at, queue=1) as changes:
            assert changes._queue._root == "/a%20b"
            place.put("/a b/x", 1)
            assert some(changes, 1) == [("put", "/a%20b/x", 1)]
            place.put(at, {})
            assert some(changes, 1) == [("reset", "/a%20b", None)]
    for wrong in ("//", "/.."):
        with pytest.raises(StoreError, match="not a valid path"):
            place.watch(wrong)
    with pytest.raises(TypeError, match="str"):
        place.watch(1)  # type: ignore[arg-type]


def test_messages_are_those_of_the_store() -> None:
    class Broken(Watched):
        def get(self, path: tuple[str, ...]) -> Any:
            raise PermissionError("no entry")

    own = Broken(a=1)
    with store.of(own).watch() as changes:
        own.change("a", 2)
        with pytest.raises(StoreError) as refused:
            next(changes)
    assert "/store" not in str(refused.value)
    assert "no entry" in str(refused.value)
    assert "{" not in str(refused.value)
    assert isinstance(refused.value.__cause__, StoreError)
