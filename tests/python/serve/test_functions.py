"""Functions as routes."""

from __future__ import annotations

import asyncio
import subprocess
import sys
from dataclasses import dataclass
from datetime import date
from uuid import UUID

import demat
import pytest
from requested import ask


@dataclass
class Point:
    x: float
    y: float = 0.0


def add(a: int, b: int = 10) -> int:
    """Adds numbers.

    And nothing else.
    """
    return a + b


def kinds(day: date, key: UUID, on: bool, name: str, maybe: int | None = None) -> list[object]:
    return [day.isoformat(), str(key), on, name, maybe]


def swap(point: Point) -> Point:
    return Point(point.y, point.x)


async def later(name: str) -> dict[str, str]:
    await asyncio.sleep(0.01)
    return {"hello": name}


def named(name: str) -> None:
    if name == "nobody":
        raise demat.NotFound("nobody is there")
    if name == "secret":
        raise PermissionError("that is secret")
    if name == "broken":
        raise RuntimeError("private matters")


def test_arguments_come_from_path_query_and_body(capfd: pytest.CaptureFixture[str]) -> None:
    routes = {"/add": add, "/kinds": kinds, "/swap": swap, "/later/:name": later, "DELETE /named/:name": named}
    with demat.serve(routes, port=0, background=True) as server:
        assert ask(server.url, "GET", "/add?a=2&b=3").json() == 5
        assert ask(server.url, "GET", "/add?a=2").json() == 12
        missing = ask(server.url, "GET", "/add")
        assert (missing.status, missing.json()["error"]["message"]) == (
            422,
            "expected the parameter `a`, found nothing",
        )
        assert ask(server.url, "GET", "/add?a=x").status == 422
        key = "00000000-0000-0000-0000-000000000007"
        got = ask(server.url, "GET", f"/kinds?day=2026-01-02&key={key}&on=true&name=a+b%20c")
        assert got.json() == ["2026-01-02", key, True, "a b c", None]
        assert ask(server.url, "POST", "/swap", {"x": 1.5}).json() == {"x": 0.0, "y": 1.5}
        wrong = ask(server.url, "POST", "/swap", {"x": "a"})
        assert (wrong.status, wrong.json()["error"]["path"]) == (422, "$.x")
        assert ask(server.url, "POST", "/swap", b"{", content_type="application/json").status == 400
        assert ask(server.url, "POST", "/swap").status == 422
        assert ask(server.url, "GET", "/swap").status == 405
        assert ask(server.url, "GET", "/swap").headers["allow"] == "POST, OPTIONS"
        assert ask(server.url, "GET", "/later/you").json() == {"hello": "you"}
        assert ask(server.url, "GET", "/add?a=2", accept="application/x-ndjson").body.strip() == b"12"
        assert ask(server.url, "DELETE", "/named/somebody").status == 204
        assert ask(server.url, "DELETE", "/named/nobody").json()["error"]["message"] == "nobody is there"
        assert ask(server.url, "DELETE", "/named/secret").status == 403
        broken = ask(server.url, "DELETE", "/named/broken")
        assert broken.status == 500
        assert b"private" not in broken.body
        described = ask(server.url, "GET", "/openapi.json").json()
        assert described["paths"]["/add"]["get"]["summary"] == "Adds numbers."
        asked = {one["name"]: one["required"] for one in described["paths"]["/add"]["get"]["parameters"]}
        assert asked == {"a": True, "b": False}
        assert described["paths"]["/later/{name}"]["get"]["parameters"][0]["name"] == "name"
    assert "private matters" in capfd.readouterr().err


def test_what_is_no_route_is_refused_at_once() -> None:
    def several(a: Point, b: Point) -> None: ...

    def any_of(*rest: int) -> None: ...

    for path, what in (
        ("/x", several),
        ("/x", any_of),
        ("/:name", lambda: None),
        ("x", add),
        ("/x", Point),
    ):
        with pytest.raises((TypeError, ValueError)):
            demat.serve({path: what}, port=0, background=True)
    with pytest.raises(OSError, match="in use"), demat.serve({}, port=0, background=True) as one:
        demat.serve({}, port=one.port, background=True)


def test_a_program_that_ends_takes_its_server_with_it() -> None:
    """Also one that nobody has stopped, while functions are being called."""
    script = """
import threading, time, urllib.request
import demat

def slow() -> str:
    time.sleep(0.2)
    return "done"

server = demat.serve({"/slow": slow, "/list": [1, 2]}, port=0, background=True)

def ask() -> None:
    while True:
        try:
            urllib.request.urlopen(server.url + "/slow").read()
            urllib.request.urlopen(server.url + "/list").read()
        except Exception:
            return

for _ in range(4):
    threading.Thread(target=ask, daemon=True).start()
time.sleep(0.3)
"""
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, timeout=30, check=False)
    assert (done.returncode, done.stderr) == (0, b"")
