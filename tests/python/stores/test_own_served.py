"""Stores that a program writes, over HTTP."""

from __future__ import annotations

import http.client
import json
import threading
from collections.abc import Callable
from typing import Any
from urllib.parse import urlsplit

import demat
import pytest
from demat import store
from own_stores import Path, Plain, Tree, Watched
from requested import ask


def test_each_method_of_http_and_each_format() -> None:
    own = Tree({"tasks": [{"n": 1, "t": "a"}, {"n": 2, "t": "b"}]})
    with demat.serve({"/": own}, port=0, background=True) as server:
        got = ask(server.url, "GET", "/tasks")
        assert (got.status, got.json()) == (200, own.root["tasks"])
        tag = got.headers["etag"]
        assert ask(server.url, "GET", "/tasks", if_none_match=tag).status == 304
        assert ask(server.url, "GET", "/tasks?n.gt=1&fields=t").json() == [{"t": "b"}]
        assert ask(server.url, "GET", "/tasks?count").json() == {"count": 2}
        assert ask(server.url, "GET", "/?children").json() == {"children": ["tasks"]}
        assert ask(server.url, "GET", "/tasks", accept="text/csv").body == b"n,t\n1,a\n2,b\n"
        got = ask(server.url, "GET", "/tasks", accept="application/cbor")
        assert demat.cbor.decode(got.body) == own.root["tasks"]
        # Columns need a shape, which no untyped store has.
        assert ask(server.url, "GET", "/tasks?format=parquet").status == 406
        assert ask(server.url, "HEAD", "/tasks").status == 200
        got = ask(server.url, "POST", "/tasks", {"n": 3, "t": "c"})
        assert (got.status, got.headers["location"], got.json()) == (201, server.url + "/tasks/2", {"n": 3, "t": "c"})
        assert ask(server.url, "PUT", "/new", [1]).status == 201
        assert ask(server.url, "PUT", "/new", [2]).status == 200
        assert ask(server.url, "PATCH", "/tasks/0", {"t": "z"}).json() == {"n": 1, "t": "z"}
        assert ask(server.url, "DELETE", "/tasks/0").status == 204
        assert own.root == {"tasks": [{"n": 2, "t": "b"}, {"n": 3, "t": "c"}], "new": [2]}
        assert ask(server.url, "GET", "/nothing").status == 404
        assert ask(server.url, "DELETE", "/nothing").status == 404
        assert ask(server.url, "POST", "/", {}).status == 409  # of the store's own HTTPError
        assert ask(server.url, "PUT", "/", {}).status == 409  # the whole, without `bulk`
        described = ask(server.url, "GET", "/openapi.json").json()
        assert "/" in described["paths"]


def test_what_the_class_does_not_define_is_405() -> None:
    with demat.serve(
        {"/": Plain(a=1), "/memory": store.read_only(store.memory({}))}, port=0, background=True
    ) as server:
        for method in ("POST", "PATCH"):
            got = ask(server.url, method, "/a", {})
            assert got.status == 405, got
            assert sorted(got.headers["allow"].replace(" ", "").split(",")) == [
                "DELETE",
                "GET",
                "HEAD",
                "OPTIONS",
                "PUT",
            ]
        assert ask(server.url, "PUT", "/memory/a", 1).status == 405

    class Sink(demat.Store):
        def post(self, path: Path, value: Any) -> None:
            got_.append(value)

    got_: list[Any] = []
    with demat.serve({"/in": Sink()}, port=0, background=True) as server:
        assert ask(server.url, "GET", "/in").status == 405
        assert ask(server.url, "POST", "/in", 5).status in (200, 201, 204)
        assert got_ == [5]


def test_conditions_hold_at_the_change() -> None:
    own = Tree({"a": 1})
    with demat.serve({"/": own}, port=0, background=True) as server:
        tag = ask(server.url, "GET", "/a").headers["etag"]
        assert ask(server.url, "PUT", "/a", 2, if_match=tag).status == 200
        assert ask(server.url, "PUT", "/a", 3, if_match=tag).status == 412
        assert ask(server.url, "PUT", "/a", 3, if_none_match="*").status == 412
        assert ask(server.url, "PUT", "/b", 3, if_none_match="*").status == 201
        assert ask(server.url, "DELETE", "/c", if_match="*").status == 412
        assert own.root == {"a": 2, "b": 3}
    # Without versions, only whether there is a value.
    plain = Plain(a=1)
    with demat.serve({"/": plain}, port=0, background=True) as server:
        assert "etag" not in ask(server.url, "GET", "/a").headers
        assert ask(server.url, "PUT", "/a", 2, if_match="*").status in (200, 204)
        assert ask(server.url, "PUT", "/b", 2, if_match="*").status == 412
        assert ask(server.url, "PUT", "/b", 2, if_none_match="*").status == 201


def test_one_of_many_conditional_changes_wins() -> None:
    own = Tree({"a": 0})
    with demat.serve({"/": own}, port=0, background=True) as server:
        tag = ask(server.url, "GET", "/a").headers["etag"]
        found: list[int] = []

        def change(number: int) -> None:
            found.append(ask(server.url, "PUT", "/a", number, if_match=tag).status)

        threads = [threading.Thread(target=change, args=(number,)) for number in range(1, 17)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert sorted(found) == [200] + [412] * 15
        assert [verb for verb, _ in own.calls].count("put") == 1


class Broken(demat.Store):
    """Raises what its caller sets."""

    def __init__(self, error: BaseException) -> None:
        self.error = error

    def get(self, path: Path) -> Any:
        raise self.error

    def put(self, path: Path, value: Any) -> None:
        raise self.error

    def children(self, path: Path) -> Any:
        yield "a"
        raise self.error


@pytest.mark.parametrize(
    "error",
    [
        ValueError("private"),
        demat.StoreError("private"),
        demat.DecodeError("private"),
        IndexError("private"),
        PermissionError(13, "private", "/private"),
        RecursionError("private"),
        SystemExit("private"),
        demat.HTTPError(503, "private"),
    ],
    ids=lambda error: type(error).__name__,
)
def test_an_exception_is_a_500_without_details(error: BaseException, capfd: pytest.CaptureFixture[str]) -> None:
    with demat.serve({"/": Broken(error), "/cached": store.cache(Broken(error))}, port=0, background=True) as server:
        for path in ("/a", "/cached/a", "/a?children"):
            got = ask(server.url, "GET", path)
            assert got.status == 500, got
            assert got.json() == {"error": {"status": 500, "kind": "io", "message": "internal server error"}}
            assert b"private" not in got.body
            spoken = capfd.readouterr().err
            assert "Traceback" in spoken, path
            assert "raise self.error" in spoken
            assert "private" in spoken
        if not isinstance(error, demat.DecodeError):
            assert ask(server.url, "PUT", "/a", 1).status == 500
        # It goes on.
        assert ask(server.url, "GET", "/health").status == 200
    # In Python, the exception itself is raised.
    if not isinstance(error, SystemExit):
        with pytest.raises(type(error), match="private"):
            store.cache(Broken(error)).get("/a")


def test_a_refusal_is_what_it_says(capfd: pytest.CaptureFixture[str]) -> None:
    cases: list[tuple[BaseException, int]] = [
        (KeyError("a"), 404),
        (demat.NotFound("no such thing"), 404),
        (PermissionError("that is secret"), 403),
        *((demat.HTTPError(status, "so it is"), status) for status in (400, 403, 404, 405, 409, 412)),
    ]
    for error, status in cases:
        with demat.serve({"/": Broken(error)}, port=0, background=True) as server:
            got = ask(server.url, "GET", "/a")
            assert got.status == status, (error, got)
            if not isinstance(error, KeyError) and status != 405:
                assert got.json()["error"]["message"].startswith(str(error))
            assert ask(server.url, "PUT", "/a", 1).status == status
    with demat.serve({"/": Broken(demat.ValidationError("that is too much"))}, port=0, background=True) as server:
        assert capfd.readouterr().err == ""
        got = ask(server.url, "PUT", "/a", 1)
        assert (got.status, got.json()["error"]["message"]) == (422, "that is too much")
        assert capfd.readouterr().err == ""
        assert ask(server.url, "GET", "/a").status == 500


def test_a_value_that_nothing_can_encode_is_the_programs_fault(capfd: pytest.CaptureFixture[str]) -> None:
    with demat.serve({"/": Plain(a=object(), b=float("inf"), c={"x": [1]})}, port=0, background=True) as server:
        got = ask(server.url, "GET", "/a")
        assert (got.status, b"object" in got.body) == (500, False)
        assert "can't encode an object of the class `object`" in capfd.readouterr().err
        assert ask(server.url, "GET", "/b").body == b"null"
        assert "EncodeError" not in capfd.readouterr().err
        got = ask(server.url, "GET", "/c", accept="text/csv")
        assert got.status in (200, 406), got
        assert "EncodeError" not in capfd.readouterr().err
    with pytest.raises(demat.EncodeError):
        store.of(Plain(a=object())).get("/a")


def test_a_client_store_and_layers_work_over_it() -> None:
    own = Tree({"a": [1, 2]})
    with demat.serve({"/": store.timed(own)}, port=0, background=True) as server:
        there = store.cache(store.remote(server.url))
        assert there.get("/a") == [1, 2]
        assert there.get("/a") == [1, 2]
        assert [verb for verb, _ in own.calls].count("get") == 1
        assert there.post("/a", 3) == "/a/2"
        assert there.get("/a") == [1, 2, 3]
        assert there.children("/") == ["a"]
        with pytest.raises(demat.NotFound):
            there.get("/b")


@pytest.mark.parametrize("is_told", [False, True], ids=["through the store", "by the program"])
def test_changes_are_events(is_told: bool) -> None:
    own = Watched(a=1) if is_told else Plain(a=1)
    with demat.serve({"/x": own}, port=0, background=True) as server:
        where = urlsplit(server.url)
        connection = http.client.HTTPConnection(where.hostname or "", where.port, timeout=20)
        connection.request("GET", "/x", headers={"accept": "text/event-stream"})
        answer = connection.getresponse()
        assert answer.status == 200

        def event() -> Any:
            """The data of the next event."""
            while True:
                line = answer.readline()
                if line.startswith(b"data:"):
                    return json.loads(line[5:])

        assert event() == {}
        if isinstance(own, Watched):
            own.change("a", 2)
        else:
            ask(server.url, "PUT", "/x/a", 2)
        told = event()
        assert "put" in told.values()
        assert "/x/a" in told.values()
        connection.close()


def test_a_watch_that_is_slow_or_asks_the_server_holds_up_nobody() -> None:
    class Asking(Watched):
        url = ""

        def __init__(self) -> None:
            super().__init__(a=1)
            self.statuses: list[int] = []
            self.has_ended = threading.Event()

        def watch(self, path: Path, tell: Callable[..., None]) -> Callable[[], None]:
            self.statuses.append(ask(self.url, "GET", "/a").status)
            end = super().watch(path, tell)

            def ask_again() -> None:
                end()
                self.statuses.append(ask(self.url, "GET", "/a").status)
                self.has_ended.set()

            return ask_again

    own = Asking()
    with demat.serve({"/": own}, port=0, background=True) as server:
        own.url = server.url
        where = urlsplit(server.url)
        connection = http.client.HTTPConnection(where.hostname or "", where.port, timeout=20)
        connection.request("GET", "/", headers={"accept": "text/event-stream"})
        answer = connection.getresponse()
        assert answer.status == 200
        answer.close()
        connection.close()
        # That the client has gone is seen at the latest when something is to be sent.
        while not own.has_ended.wait(0.1):
            assert ask(server.url, "PUT", "/a", 2).status in (200, 204)
    assert own.statuses == [200, 200]


def test_a_store_that_changes_nothing_reports_nothing() -> None:
    class Fixed(demat.Store):
        def get(self, path: Path) -> Any:
            return 1

    with demat.serve({"/": Fixed(), "/memory": store.environment("NONE_")}, port=0, background=True) as server:
        fixed, native = (ask(server.url, "GET", path, accept="text/event-stream").status for path in ("/", "/memory"))
        assert fixed == native
