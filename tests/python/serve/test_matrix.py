"""The server refuses what it can't honour: each kind of route, each method, each hostile request.

Add a kind of route to `World` and its paths to `ROUTES`, and a hostile request to `HOSTILE`.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import demat
import pytest
from demat import store
from postgres_server import programs
from requested import ask
from world import Task, World

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

METHODS = ("GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE", "BREW")
CHANGES = {"POST", "PUT", "PATCH", "DELETE", "BREW"}
JSON = {"content_type": "application/json"}
FORM = {"content_type": "application/x-www-form-urlencoded"}
BOTH = {"if_match": "*", "if_none_match": "*"}


# One path for each kind of target.
ROUTES = [
    "/table",
    "/table/1",
    "/table/1/title",
    "/database",
    "/database/tasks",
    "/database/tasks/2",
    "/collection",
    "/collection/1",
    "/collection/1/title",
    "/collections",
    "/collections/tasks",
    "/collections/tasks/2",
    *(["/postgres", "/postgres/1", "/postgres/1/title", "/server", "/server/tasks/2"] if programs() else []),
    "/list",
    "/list/0",
    "/dict",
    "/dict/a",
    "/dict/b/0",
    "/instance",
    "/function",
    "/taking",
    "/files",
    "/files/index.html",
    "/folder",
    "/folder/a.json",
    "/memory",
    "/memory/list",
    "/memory/list/0",
    "/cache",
    "/cache/1",
    "/timed",
    "/log",
    "/relative",
    "/relative/1",
    "/mapped",
    "/readonly",
    "/readonly/1",
    "/switch",
    "/switch/tasks",
    "/switch/tasks/1",
    "/sequence",
    "/merge",
    "/template",
    "/template/x",
    "/environment",
    "/seen",
    "/seen/1",
    "/seen-list",
    "/health",
    "/metrics",
    "/openapi.json",
    "/-/",
    "/remote",
    "/remote/1",
    "/nothing",
]

# The hostile part of an otherwise valid request: which methods must refuse it, what is sent, and the allowed statuses.
HOSTILE: dict[str, tuple[Callable[[str], bool], str, dict[str, str], object, set[int]]] = {
    "unknown name": (lambda m: m not in {"OPTIONS"}, "?nonsense=1", {}, {"title": "z"}, {400}),
    "name of a word": (lambda m: m in CHANGES, "?limit=1", {}, {"title": "z"}, {400}),
    "twice": (lambda m: m in {"GET", "HEAD"}, "?limit=1&limit=1", {}, None, {400}),
    "no number": (lambda m: m in {"GET", "HEAD"}, "?limit=-1", {}, None, {400}),
    "no text": (lambda m: m not in {"OPTIONS"}, "?a=%ff", {}, {"title": "z"}, {400}),
    "other host": (lambda _: True, "", {"host": "evil.example"}, {"title": "z"}, {421}),
    "other origin": (lambda m: m in CHANGES, "", {"origin": "http://evil.example"}, {"title": "z"}, {403}),
    "no origin": (lambda m: m in CHANGES, "", {"origin": "null"}, {"title": "z"}, {403}),
    "other site": (lambda m: m in CHANGES, "", {"sec_fetch_site": "cross-site"}, {"title": "z"}, {403}),
    "form": (lambda m: m in {"POST", "PUT", "PATCH"}, "", FORM, b"a=1", {415}),
    "plain text": (lambda m: m in {"POST", "PUT", "PATCH"}, "", {"content_type": "text/plain"}, b"{}", {415}),
    "no type": (lambda m: m in {"POST", "PUT", "PATCH"}, "", {}, b"{}", {415}),
    "no value": (lambda m: m in {"POST", "PUT", "PATCH"}, "", JSON, b"{", {400}),
    "stale": (lambda m: m in CHANGES, "", {"if_match": '"fedcba9876543210-00000000"'}, {"title": "z"}, {412}),
    "both conditions": (lambda m: m in CHANGES, "", BOTH, {"title": "z"}, {400, 412}),
    "slash at the end": (lambda m: m in {"PUT", "PATCH", "DELETE"}, "/", {}, {"title": "z"}, {400}),
}  # fmt: skip
# Statuses that may take precedence: not found, not allowed, needs `bulk`, wrong body.
BEFORE = {404, 405, 409, 422}
# What files answer whatever their query is, and faults that are only in a query.
FOUND = {200, 308}
IGNORED = {"unknown name", "twice", "no number", "no text"}


@pytest.fixture(scope="module")
def world(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[World, str]]:
    world = World(tmp_path_factory.mktemp("world"))
    with demat.serve(world.routes, port=0, background=True) as inner:
        routes = {"/remote": store.remote(inner.url + "/table")}
        with demat.serve({**world.routes, **routes}, port=0, background=True) as server:
            yield world, server.url


@pytest.mark.parametrize("name", HOSTILE)
@pytest.mark.parametrize("path", ROUTES)
def test_what_is_hostile_is_refused_and_changes_nothing(world: tuple[World, str], path: str, name: str) -> None:
    own, url = world
    concerns, behind, headers, body, wanted = HOSTILE[name]
    before = own.state()
    for method in METHODS:
        if not concerns(method):
            continue
        sent = body if method in {"POST", "PUT", "PATCH"} else None
        own.calls.clear()
        at = path.removesuffix("/") if behind == "/" else path
        got = ask(url, method, at + behind, sent, **headers)
        # Queries of files are for the browser's cache.
        is_ignored = path.startswith("/files") and name in IGNORED and method in {"GET", "HEAD"}
        assert got.status in (FOUND if is_ignored else wanted | BEFORE), (method, path, name, got)
        if is_ignored:
            continue
        if got.status == 405:
            assert method not in got.headers["allow"].split(", "), (method, path, got)
        if method != "HEAD" and got.status not in {404} and got.body:
            assert got.json()["error"]["status"] == got.status
        assert own.calls == [], (method, path, name)
        assert own.state() == before, (method, path, name)


@pytest.mark.parametrize("path", ROUTES)
def test_a_whole_is_neither_deleted_nor_replaced(world: tuple[World, str], path: str) -> None:
    own, url = world
    if path.count("/") > 1 and path not in {"/database/tasks", "/collections/tasks", "/switch/tasks"}:
        return
    before = own.state()
    for method, body in (("DELETE", None), ("PUT", []), ("PUT", {}), ("PATCH", {"title": "z"})):
        if method == "PATCH" and path in {"/memory", "/merge"}:
            continue  # a map accepts any fields, so this changes one of them
        got = ask(url, method, path, body)
        assert got.status in {404, 405, 409, 422}, (method, path, got)
        assert own.state() == before, (method, path)


@pytest.mark.parametrize("path", ROUTES)
def test_methods_that_are_not_served_say_which_are(world: tuple[World, str], path: str) -> None:
    own, url = world
    before = own.state()
    allowed = ask(url, "OPTIONS", path)
    if allowed.status == 404:
        return
    assert allowed.status == 204
    for method in {"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "BREW"} - set(allowed.headers["allow"].split(", ")):
        got = ask(url, method, path, {"title": "z"} if method in {"POST", "PUT", "PATCH"} else None)
        assert (got.status, got.headers["allow"]) == (405, allowed.headers["allow"]), (method, path)
        if method != "HEAD":
            assert got.json()["error"]["status"] == 405
    assert own.state() == before


@pytest.mark.parametrize(
    "path",
    [
        "/table",
        "/database/tasks",
        "/collection",
        "/collections/tasks",
        "/list",
        "/cache",
        "/timed",
        "/log",
        "/relative",
        "/switch/tasks",
        "/remote",
    ],
)
def test_conditions_choose_what_is_changed(tmp_path: Path, path: str) -> None:
    own = World(tmp_path)
    with demat.serve(own.routes, port=0, background=True) as inner:
        routes = {**own.routes, "/remote": store.remote(inner.url + "/table")}
        with demat.serve(routes, port=0, background=True) as server:
            patched = ask(server.url, "PATCH", path + "?title.in=a,b", {"title": "z"})
            assert (patched.status, patched.headers["demat-count"]) == (204, "2"), patched
            assert [row["title"] for row in ask(server.url, "GET", path).json()] == ["z", "z", "c"]
            gone = ask(server.url, "DELETE", path + "?done=true")
            assert (gone.status, gone.headers["demat-count"]) == (204, "1"), gone
            assert [row["id"] for row in ask(server.url, "GET", path).json()] == [1, 3]
            assert ask(server.url, "DELETE", path + "?done=true").headers["demat-count"] == "0"
            assert ask(server.url, "DELETE", path + "?done=perhaps").status == 400


def test_bulk_is_what_a_route_says(tmp_path: Path) -> None:
    own = World(tmp_path)
    routes = {"/tasks": demat.route(own.tasks, bulk=True), "/list": demat.route((own.items, Task), bulk=True)}
    with demat.serve(routes, port=0, background=True) as server:
        for path in routes:
            assert ask(server.url, "PUT", path, [{"title": "only"}]).status in {200, 204}
            assert [row["title"] for row in ask(server.url, "GET", path).json()] == ["only"]
            assert ask(server.url, "DELETE", path).status == 204
            assert ask(server.url, "GET", path).json() == []
    for what in (lambda: 1, tmp_path):
        with pytest.raises(TypeError, match="bulk"):
            demat.serve({"/x": demat.route(what, bulk=True)}, port=0, background=True)
    with pytest.raises(TypeError, match="already"):
        demat.route(demat.route([]))


def test_a_path_may_have_a_route_for_each_method() -> None:
    def post(body: dict[str, int]) -> int:
        return len(body)

    with demat.serve({"GET /p": [1, 2], "POST /p": post}, port=0, background=True) as server:
        assert ask(server.url, "GET", "/p/1").json() == 2
        assert ask(server.url, "POST", "/p", {"a": 1}).json() == 1
        got = ask(server.url, "DELETE", "/p")
        assert got.status == 405
        assert set(got.headers["allow"].split(", ")) == {"GET", "HEAD", "POST", "OPTIONS"}
    for routes in (
        {"GET /p": [1], "GET POST /p": [2]},
        {"BREW /p": [1]},
        {"POST /p": __import__("pathlib").Path("/tmp")},
    ):
        with pytest.raises((ValueError, TypeError)):
            demat.serve(routes, port=0, background=True)


def test_a_post_heeds_conditions(world: tuple[World, str]) -> None:
    _, url = world
    for path in (
        "/table",
        "/list",
        "/memory",
        "/cache",
        "/database/tasks",
        "/collection",
        "/collections/tasks",
        "/switch/tasks",
        "/remote",
        "/timed",
    ):
        before = json.dumps(ask(url, "GET", path).json())
        for condition in ({"if_none_match": "*"}, {"if_match": '"fedcba9876543210-0"'}):
            got = ask(url, "POST", path, {"title": "z"}, **condition)
            assert got.status == 412, (path, condition, got)
        assert json.dumps(ask(url, "GET", path).json()) == before
