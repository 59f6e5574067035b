"""Stores that a program writes: what their methods refuse, and what are faults of the program."""

from __future__ import annotations

import copy
import threading
from collections.abc import AsyncIterator
from dataclasses import dataclass
from typing import Any

import demat
import pytest
from demat import HTTPError, store
from own_stores import Path, Plain
from requested import ask


@dataclass
class Task:
    title: str


def inner_decode() -> None:
    demat.json.decode(b'{"title":5}', Task)


def inner_syntax() -> None:
    demat.json.decode(b"[secret")


def inner_encode() -> None:
    demat.json.encode(object())


def own_refusal() -> None:
    raise demat.ValidationError("no titles on Sundays")


class Raising(demat.Store):
    act: Any = None

    def put(self, path: Path, value: Task) -> None:
        self.act()

    def delete(self, path: Path) -> None:
        self.act()


def test_only_the_value_that_was_sent_is_refused(capfd: pytest.CaptureFixture[str]) -> None:
    own = Raising()
    with demat.serve({"/": own}, port=0, background=True) as server:
        for act in (inner_decode, inner_syntax, inner_encode):
            own.act = act
            got = ask(server.url, "PUT", "/a", {"title": "x"})
            assert (got.status, got.json()["error"]["message"]) == (500, "internal server error"), act
        own.act = own_refusal
        got = ask(server.url, "PUT", "/a", {"title": "x"})
        assert (got.status, got.json()["error"]["message"]) == (422, "no titles on Sundays")
        got = ask(server.url, "PUT", "/a", {"title": 5})
        assert got.status == 422
        assert "at `$.title`" in got.json()["error"]["message"]
        # There is no value to refuse.
        assert ask(server.url, "DELETE", "/a").status == 500
    assert "secret" not in got.body.decode()
    assert "DecodeError" in capfd.readouterr().err


def test_http_errors_keep_their_message() -> None:
    class Refusing(Plain):
        def get(self, path: Path) -> Any:
            if path == ("bad",):
                raise HTTPError(400, "use another name")
            raise HTTPError(405, "it is write-only")

    with demat.serve({"/": Refusing()}, port=0, background=True) as server:
        got = ask(server.url, "GET", "/bad")
        assert got.status == 400
        assert "query" not in got.json()["error"]["message"]
        assert got.json()["error"]["message"].startswith("use another name")
        got = ask(server.url, "GET", "/x")
        assert got.status == 405
        assert got.json()["error"]["message"].startswith("it is write-only")
        allowed = got.headers["allow"].replace(" ", "").split(",")
        assert "GET" not in allowed
        assert "PUT" in allowed


def test_the_location_is_the_path_that_the_method_returns() -> None:
    class Elsewhere(demat.Store):
        def get(self, path: Path) -> Any:
            return list(path)

        def post(self, path: Path, value: Any) -> Any:
            return ("made",)

    with demat.serve({"/s": Elsewhere()}, port=0, background=True) as server:
        got = ask(server.url, "POST", "/s/a/b/c", 1)
        assert got.status == 201
        assert got.headers["location"].endswith("/s/made")
        assert got.json() == ["made"]
    assert store.of(Elsewhere()).post("/a/b/c", 1) == "/made"


def test_names_may_come_asynchronously() -> None:
    class Async(Plain):
        async def children(self, path: Path) -> AsyncIterator[int]:
            if path:
                raise KeyError(path)
            for number in range(600):
                yield number

    place = store.of(Async())
    assert place.children("/") == [str(number) for number in range(600)]
    with pytest.raises(demat.NotFound):
        place.children("/a")


def test_a_shallow_copy_has_watchers_of_its_own() -> None:
    own = Plain(a=1)
    seen = store.cache(own)
    assert seen.get("/a") == 1
    other = copy.copy(own)
    other.values = {"a": 2}
    place = store.of(other)
    gets = own.gets
    place.put("/a", 3)
    assert seen.get("/a") == 1
    # The change of the copy has not reached the cache over the original.
    assert own.gets == gets


def test_a_change_that_fails_is_reported() -> None:
    class Half(Plain):
        def put(self, path: Path, value: Any) -> None:
            super().put(path, value)
            raise RuntimeError("after the change")

        def delete(self, path: Path) -> None:
            super().delete(path)
            raise RuntimeError("after the change")

    own = Half(a=1)
    one, other = store.cache(own), store.cache(own)
    assert other.get("/a") == 1
    with pytest.raises(RuntimeError):
        one.put("/a", 2)
    assert other.get("/a") == 2
    with pytest.raises(RuntimeError):
        one.delete("/a")
    with pytest.raises(demat.NotFound):
        other.get("/a")


def test_layers_know_what_exists_without_versions() -> None:
    below = store.memory({"b": 2})
    place = store.sequence(Plain(a=1), below)
    with demat.serve({"/": place}, port=0, background=True) as server:
        assert ask(server.url, "PUT", "/c", 3, if_match="*").status == 412
        assert ask(server.url, "PUT", "/c", 3, if_none_match="*").status == 201
        assert ask(server.url, "PUT", "/c", 4, if_none_match="*").status == 412
    back = store.cache(Plain(a=1), write_back=True)
    with pytest.raises(demat.NotFound):
        back.delete("/nothing")
    back.delete("/a")
    back.flush()


def test_changes_under_a_condition_are_not_starved() -> None:
    class Slow(Plain):
        def put(self, path: Path, value: Any) -> None:
            if path == ("load",):
                threading.Event().wait(0.05)
            super().put(path, value)

    own = Slow(a=1)
    place = store.of(own)
    done = threading.Event()

    def load() -> None:
        while not done.is_set():
            place.put("/load", 1)

    # One begins before the other ends, so there is always a change in progress.
    threads = [threading.Thread(target=load) for _ in range(8)]
    with demat.serve({"/": own}, port=0, background=True) as server:
        for thread in threads:
            thread.start()
        try:
            assert ask(server.url, "PUT", "/a", 2, if_match="*").status in (200, 204)
        finally:
            done.set()
            for thread in threads:
                thread.join()
    assert own.values["a"] == 2


class Held(Plain):
    """A store whose put of "hold" waits."""

    def __init__(self, **values: Any) -> None:
        super().__init__(**values)
        self.go, self.inside = threading.Event(), threading.Event()

    def put(self, path: Path, value: Any) -> None:
        if value == "hold":
            self.inside.set()
            self.go.wait(60)
        super().put(path, value)


def test_a_busy_store_below_is_503_and_keeps_what_is_written_back() -> None:
    held = Held(a=1, b=1)

    class Outer(demat.Store):
        def get(self, path: Path) -> Any:
            return 1

        def put(self, path: Path, value: Any) -> None:
            store.of(held).put("/b", value)

    back = store.cache(held, write_back=True)
    with demat.serve({"/held": held, "/outer": Outer()}, port=0, background=True) as server:
        thread = threading.Thread(target=ask, args=(server.url, "PUT", "/held/a", "hold"), kwargs={"if_match": "*"})
        thread.start()
        assert held.inside.wait(20)
        try:
            back.put("/b", 2)
            flushed: list[BaseException] = []

            def flush() -> None:
                try:
                    back.flush()
                except demat.StoreError as error:
                    flushed.append(error)

            # Both wait for the whole time at once.
            flusher = threading.Thread(target=flush)
            flusher.start()
            assert ask(server.url, "PUT", "/outer/x", 3).status == 503
            flusher.join()
            assert len(flushed) == 1
            assert held.values["b"] == 1
        finally:
            held.go.set()
            thread.join()
        back.flush()
        assert held.values["b"] == 2


def test_a_cache_that_is_dropped_waits_without_the_interpreter_lock() -> None:
    held = Held(a=1, b=1)
    with demat.serve({"/": held}, port=0, background=True) as server:
        thread = threading.Thread(target=ask, args=(server.url, "PUT", "/a", "hold"), kwargs={"if_match": "*"})
        thread.start()
        assert held.inside.wait(20)
        back = store.cache(held, write_back=True)
        back.put("/b", 2)
        # This thread lets the other one end only if the drop does not stop it.
        threading.Timer(0.5, held.go.set).start()
        del back
        thread.join()
    assert held.values == {"a": "hold", "b": 2}
