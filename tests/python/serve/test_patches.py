"""Which media types a patch may have."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

import demat
from requested import ask


@dataclass
class Task:
    title: str
    id: Annotated[int | None, demat.Field(key=True)] = None


def test_other_patches_than_merge_patches_are_refused() -> None:
    with demat.sqlite.open(":memory:") as database:
        tasks = database.table("tasks", Task)
        tasks.insert([Task("one")])
        objects = [Task("one", 1)]
        with demat.serve({"/tasks": tasks, "/objects": objects}, port=0, background=True) as server:
            for path in ("/tasks/1", "/objects/0"):
                patch = [{"op": "replace", "path": "/title", "value": "two"}]
                for kind in ("application/json-patch+json", "application/vnd.own+json", "application/problem+json"):
                    got = ask(server.url, "PATCH", path, patch, content_type=kind)
                    assert got.status == 415, kind
                    assert got.headers["accept-patch"].startswith("application/merge-patch+json, application/json")
                assert "merge patch" in got.json()["error"]["message"]
                for kind in ("application/merge-patch+json", "application/json; charset=utf-8"):
                    got = ask(server.url, "PATCH", path, {"title": kind}, content_type=kind)
                    assert (got.status, got.json()["title"]) == (200, kind)
                options = ask(server.url, "OPTIONS", path)
                assert options.headers["accept-patch"].startswith("application/merge-patch+json")
            # Elsewhere a suffix says what the bytes are.
            task = {"title": "three", "id": 1}
            assert ask(server.url, "PUT", "/tasks/1", task, content_type="application/vnd.own+json").status == 200
            for kind in ("application/json-patch+json", "application/merge-patch+json"):
                assert ask(server.url, "PUT", "/tasks/1", task, content_type=kind).status == 415


def test_a_function_reads_what_its_type_says() -> None:
    def patched(body: list[dict[str, str]]) -> int:
        return len(body)

    with demat.serve({"PATCH /own": patched}, port=0, background=True) as server:
        got = ask(server.url, "PATCH", "/own", [{"op": "remove"}], content_type="application/json-patch+json")
        assert (got.status, got.json()) == (200, 1)


@dataclass
class Note:
    id: Annotated[int, demat.Field(key=True)]
    text: str | None = None
    more: dict[str, object] | None = None


def test_a_merge_patch_that_would_lose_data_is_refused() -> None:
    kind = "application/merge-patch+json"
    with demat.sqlite.open(":memory:") as database:
        notes = database.table("notes", Note)
        notes.insert([Note(1, "a", {"x": 1, "y": 2})])
        routes = {"/notes": notes, "/memory": demat.store.memory({"a": {"x": 1, "y": {"z": 1}}})}
        with demat.serve(routes, port=0, background=True) as server:

            def patch(path: str, body: object, content_type: str = kind) -> int:
                return ask(server.url, "PATCH", path, body, content_type=content_type).status

            # RFC 7396 would keep `y`, and take `x` away.
            for path, body in (
                ("/notes/1", {"more": {"x": None}}),
                ("/notes/1", {"text": "b", "more": {}}),
                ("/notes?id=1", {"more": {"x": 2}}),
                ("/notes/1/more", {"x": 2}),
                ("/memory/a", {"x": None}),
                ("/memory/a", {"y": {"w": 1}}),
            ):
                assert patch(path, body) == 422, path
            assert ask(server.url, "GET", "/notes/1").json() == {"id": 1, "text": "a", "more": {"x": 1, "y": 2}}
            assert ask(server.url, "GET", "/memory/a").json() == {"x": 1, "y": {"z": 1}}
            got = ask(server.url, "PATCH", "/notes/1", {"more": {"x": 2}}, content_type=kind)
            assert got.json()["error"]["path"] == "$.more"
            # What is the same in both is done.
            for path, body in (
                ("/notes/1", {"text": None}),
                ("/notes/1", {"more": None}),
                ("/notes/1/text", "c"),
                ("/memory/a", {"x": [1, None], "w": 2}),
            ):
                assert patch(path, body) == 200, path
            assert ask(server.url, "GET", "/notes/1").json() == {"id": 1, "text": "c", "more": None}
            assert ask(server.url, "GET", "/memory/a").json() == {"x": [1, None], "y": {"z": 1}, "w": 2}
            assert patch("/notes/1", {"more": {"x": 3}}, "application/json") == 200
            assert ask(server.url, "GET", "/notes/1").json()["more"] == {"x": 3}
