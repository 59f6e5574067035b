"""Stores that a program writes, and that are up to no good."""

from __future__ import annotations

import copy
import gc
import pickle
import sys
import threading
import time
import weakref
from collections.abc import Iterator
from contextlib import suppress
from typing import Any

import demat
import pytest
from demat import store
from own_stores import Path, Plain, Tree, Watched
from requested import ask


def test_one_that_raises_at_the_nth_call_goes_on_afterwards() -> None:
    class Third(Plain):
        calls = 0

        def get(self, path: Path) -> Any:
            Third.calls += 1
            if Third.calls % 3 == 0:
                raise RuntimeError("the third")
            return super().get(path)

    with demat.serve({"/": Third(a=1)}, port=0, background=True) as server:
        found = [ask(server.url, "GET", "/a").status for _ in range(9)]
    assert found == [200, 200, 500] * 3


def test_one_that_calls_itself_and_others() -> None:
    class Loop(demat.Store):
        def __init__(self) -> None:
            self.values: dict[str, Any] = {"end": 1}

        def get(self, path: Path) -> Any:
            if len(path) > 1:
                return store.cache(self).get("/" + "/".join(path[1:]))
            return self.values[path[0]]

        def put(self, path: Path, value: Any) -> None:
            if len(path) > 1:
                store.of(self).put("/" + "/".join(path[1:]), value)
            else:
                self.values[path[0]] = value

    own = Loop()
    place = store.timed(own)
    assert place.get("/a/b/c/end") == 1
    place.put("/a/b/c/x", 2)
    assert own.values["x"] == 2
    with pytest.raises(demat.NotFound):
        place.get("/a/b/c/nothing")
    with demat.serve({"/": own}, port=0, background=True) as server:
        assert ask(server.url, "GET", "/a/b/end").json() == 1
        assert ask(server.url, "PUT", "/a/b/y", 3, if_none_match="*").status == 201
        assert own.values["y"] == 3


def test_one_that_calls_itself_without_end_is_stopped(capfd: pytest.CaptureFixture[str]) -> None:
    class Endless(demat.Store):
        def get(self, path: Path) -> Any:
            return store.switch({"x": store.cache(self)}).get("/x")

    place = store.of(Endless())
    with pytest.raises(RecursionError):
        place.get()
    failed: list[BaseException] = []

    def other() -> None:
        try:
            place.get()
        except RecursionError as error:
            failed.append(error)

    threading.stack_size(512 * 1024)
    try:
        thread = threading.Thread(target=other)
        thread.start()
        thread.join()
    finally:
        threading.stack_size(0)
    assert len(failed) == 1
    with demat.serve({"/": Endless()}, port=0, background=True) as server:
        assert ask(server.url, "GET", "/").status == 500
        assert ask(server.url, "GET", "/health").status == 200
    assert "RecursionError" in capfd.readouterr().err


def test_an_async_method_that_waits_for_another_one_is_refused() -> None:
    class Inner(demat.Store):
        async def get(self, path: Path) -> Any:
            return 1

    class Outer(demat.Store):
        async def get(self, path: Path) -> Any:
            return store.of(Inner()).get()

    with pytest.raises(RuntimeError, match="without `await`"):
        store.of(Outer()).get()
    assert store.of(Inner()).get() == 1


def test_one_that_blocks_does_not_hold_up_others() -> None:
    class Slow(Plain):
        go = threading.Event()
        inside = threading.Event()

        def get(self, path: Path) -> Any:
            if path == ("slow",):
                self.inside.set()
                assert self.go.wait(20)
            return super().get(path)

        def put(self, path: Path, value: Any) -> None:
            if path == ("slow",):
                self.inside.set()
                assert self.go.wait(20)
            super().put(path, value)

    for verb in ("GET", "PUT"):
        own = Slow(slow=1, quick=2)
        own.go.clear()
        own.inside.clear()
        with demat.serve({"/": store.cache(own)}, port=0, background=True) as server:
            found: list[int] = []
            url, body = server.url, 1 if verb == "PUT" else None

            def slow(url: str, verb: str, body: Any, found: list[int]) -> None:
                found.append(ask(url, verb, "/slow", body).status)

            thread = threading.Thread(target=slow, args=(url, verb, body, found))
            thread.start()
            assert own.inside.wait(20)
            assert ask(server.url, "GET", "/quick").json() == 2
            assert ask(server.url, "PUT", "/quick", 3).status in (200, 204)
            own.go.set()
            thread.join()
            assert found[0] in (200, 204)


def test_many_threads_at_once() -> None:
    own = Tree({"n": {}})
    place = store.timed(store.cache(own))
    failed: list[BaseException] = []

    def work(number: int) -> None:
        try:
            for index in range(50):
                place.put(f"/n/{number}", index)
                assert place.get(f"/n/{number}") == index
        except BaseException as error:
            failed.append(error)

    threads = [threading.Thread(target=work, args=(number,)) for number in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert failed == []
    assert own.root == {"n": {str(number): 49 for number in range(8)}}


def test_one_that_vanishes_during_a_call() -> None:
    held: dict[str, Any] = {}

    class Fleeting(demat.Store):
        def get(self, path: Path) -> Any:
            held.clear()
            gc.collect()
            return [1, 2]

        def children(self, path: Path) -> Iterator[str]:
            yield "a"
            held.clear()
            gc.collect()
            yield "b"

    act: Any
    for act, found in ((lambda: held["place"].get("/x"), [1, 2]), (lambda: held["place"].children(), ["a", "b"])):
        own = Fleeting()
        gone = weakref.ref(own)
        held["place"] = store.cache(own)
        del own
        assert act() == found
        gc.collect()
        assert gone() is None


def test_one_that_changes_while_its_names_are_read() -> None:
    class Changing(Plain):
        def __init__(self) -> None:
            self.names = {str(number): 1 for number in range(1000)}

        def children(self, path: Path) -> Iterator[str]:
            for name in self.names:
                if name == "500":
                    self.names["new"] = 1
                yield name

    with pytest.raises(RuntimeError, match="changed size during iteration"):
        store.of(Changing()).children()
    with demat.serve({"/": Changing()}, port=0, background=True) as server:
        assert ask(server.url, "GET", "/?children").status == 500


def test_names_without_end_have_a_limit() -> None:
    class Endless(Plain):
        def children(self, path: Path) -> Iterator[int]:
            number = 0
            while True:
                yield number
                number += 1

    with demat.serve({"/": Endless()}, port=0, background=True) as server:
        assert ask(server.url, "GET", "/?children").status in (400, 500)


@pytest.mark.parametrize("answer", [object(), lambda: 1, {1: {2: object()}}, [float], ...])
def test_one_that_returns_what_is_no_value(answer: Any) -> None:
    class Wrong(demat.Store):
        def get(self, path: Path) -> Any:
            return answer

        def put(self, path: Path, value: Any) -> Any:
            return answer

    for place in (store.of(Wrong()), store.cache(Wrong()), store.merge(Wrong())):
        with pytest.raises((demat.EncodeError, TypeError)):
            place.get()
        place.put("/a", 1)  # only True means anything


def test_a_watch_that_goes_wrong(capfd: pytest.CaptureFixture[str]) -> None:
    class Wrong(Plain):
        answer: Any = None

        def watch(self, path: Path, tell: Any) -> Any:
            self.tell = tell
            if isinstance(self.answer, Exception):
                raise self.answer
            return self.answer

    for answer in (ValueError("no watch"), 5):
        own = Wrong(a=1)
        own.answer = answer
        place = store.cache(own)
        assert place.get("/a") == 1
        assert "Error" in capfd.readouterr().err

    def failing() -> None:
        raise ZeroDivisionError("at the end")

    own = Wrong(a=1)
    own.answer = failing
    place = store.cache(own)
    for path, verb in ((("a",), "get"), (("a",), "eat"), ("a", "put"), (5, "put")):
        with pytest.raises((TypeError, ValueError)):
            own.tell(path, verb)
    own.tell(("a",), "delete")
    del place
    gc.collect()
    assert "at the end" in capfd.readouterr().err
    own.tell(("a",))  # nobody listens any more


def test_changes_wait_no_longer_than_they_must() -> None:
    """A change that holds its turn and waits for another one that needs it alone."""

    class Knotted(demat.Store):
        url = ""

        def get(self, path: Path) -> Any:
            return 1

        def put(self, path: Path, value: Any) -> None:
            if path == ("outer",):
                self.status = ask(self.url, "PUT", "/inner", 1, if_match="*").status

    own = Knotted()
    with demat.serve({"/": own}, port=0, background=True) as server:
        own.url = server.url
        assert ask(server.url, "PUT", "/outer", 1).status in (200, 204)
        assert own.status == 503


def test_copies_and_pickles_have_a_state_of_their_own() -> None:
    own = Plain(a=1)
    store.of(own)
    for other in (copy.copy(own), copy.deepcopy(own), pickle.loads(pickle.dumps(own))):
        assert store.of(other).get("/a") == 1


def each_verb(place: store.Store, own: Watched, count: int) -> None:
    for _ in range(count):
        place.get("/a")
        place.put("/d", {"c": [1.5, "y"]})
        place.delete("/d")
        with suppress(demat.NotFound):
            place.get("/nothing")
        store.read_only(own).get("/a")


def test_nothing_is_left_behind() -> None:
    own = Watched(a=[1, 2, {"b": "x"}])
    place = store.cache(store.timed(own), limit=0)
    each_verb(place, own, 200)
    gc.collect()
    before = sys.getrefcount(own), len(gc.get_objects()), sys.getallocatedblocks()
    each_verb(place, own, 10_000)
    gc.collect()
    after = sys.getrefcount(own), len(gc.get_objects()), sys.getallocatedblocks()
    assert after[0] == before[0]
    assert abs(after[1] - before[1]) < 100
    assert abs(after[2] - before[2]) < 2000
    gone = weakref.ref(own)
    del place, own
    gc.collect()
    assert gone() is None


def test_a_server_lets_go_of_a_store() -> None:
    own = Plain(a=1)
    gone = weakref.ref(own)
    with demat.serve({"/": own}, port=0, background=True) as server:
        for _ in range(20):
            ask(server.url, "GET", "/a")
    del own, server
    for _ in range(100):
        gc.collect()
        if gone() is None:
            break
        time.sleep(0.05)
    assert gone() is None
