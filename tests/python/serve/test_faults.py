"""Status codes by fault: the client's errors are 4xx. The server's are 5xx, logged, and without details."""

from __future__ import annotations

import json
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any

import demat
import pytest
from requested import Got, ask


@dataclass
class Task:
    title: str
    id: Annotated[int | None, demat.Field(key=True)] = None


def broken(got: Got, status: int = 500) -> None:
    assert got.status == status, got
    assert got.json()["error"]["message"] == "internal server error"


def of_key(name: str) -> object:
    return {"a": 1}[name]


def of_index() -> object:
    return [][7]


def of_file() -> object:
    return Path("/private/secret").open()


def of_decoding() -> object:
    return demat.sqlite.open("/private/secret.db")


def of_value() -> object:
    return object()


def of_store() -> object:
    raise demat.StoreError("private matters")


def of_permission() -> object:
    raise PermissionError(13, "Permission denied", "/private/secret")


def allowed() -> object:
    raise PermissionError("that is secret")


def missing() -> object:
    raise demat.NotFound("no such thing")


def test_what_fails_in_a_function_is_the_servers(capfd: pytest.CaptureFixture[str]) -> None:
    failing = [of_index, of_file, of_decoding, of_value, of_store, of_permission]
    routes: dict[str, Any] = {f"/{one.__name__}": one for one in failing}
    with demat.serve(
        routes | {"/of_key/:name": of_key, "/allowed": allowed, "/missing": missing}, port=0, background=True
    ) as server:
        for path in [*routes, "/of_key/private"]:
            got = ask(server.url, "GET", path)
            broken(got)
            assert b"private" not in got.body, path
            assert "Traceback" in capfd.readouterr().err, path
        assert ask(server.url, "GET", "/of_key/a").json() == 1
        assert ask(server.url, "GET", "/allowed").status == 403
        got = ask(server.url, "GET", "/missing")
        assert (got.status, got.json()["error"]["message"]) == (404, "no such thing")


def test_a_table_that_is_gone(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    with demat.sqlite.open(tmp_path / "tasks.db") as database:
        tasks = database.table("tasks", Task)
        tasks.insert([Task("a")])
        with demat.serve({"/tasks": tasks}, port=0, background=True) as server:
            # A separate process, since SQLite's locks don't work between two copies of it in one process.
            script = "import sqlite3, sys; sqlite3.connect(sys.argv[1]).execute('drop table tasks')"
            subprocess.run([sys.executable, "-c", script, str(tmp_path / "tasks.db")], check=True)
            for method, path, body in (
                ("GET", "/tasks", None),
                ("GET", "/tasks?title=a", None),
                ("GET", "/tasks?count", None),
                ("GET", "/tasks/1", None),
                ("POST", "/tasks", {"title": "b"}),
                ("PATCH", "/tasks/1", {"title": "b"}),
                ("DELETE", "/tasks/1", None),
                ("DELETE", "/tasks?title=a", None),
            ):
                broken(ask(server.url, method, path, body))
                assert f"{method} {path.split('?')[0]}" in capfd.readouterr().err


def test_a_page_that_is_damaged(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "tasks.db"
    with demat.sqlite.open(path) as database:
        database.table("tasks", Task).insert([Task("x" * 500) for _ in range(200)])
    size = 4096
    data = bytearray(path.read_bytes())
    for page in range(2, len(data) // size):
        data[page * size : page * size + 100] = b"\xff" * 100
    path.write_bytes(data)
    with (
        demat.sqlite.open(path) as database,
        demat.serve({"/tasks": database.table("tasks", Task)}, port=0, background=True) as server,
    ):
        broken(ask(server.url, "GET", "/tasks?title=a"))
        broken(ask(server.url, "GET", "/tasks/150"))
        assert "500" in capfd.readouterr().err


def test_a_database_that_another_has_locked(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    with demat.sqlite.open(tmp_path / "tasks.db") as database:
        tasks = database.table("tasks", Task)
        with demat.serve({"/tasks": tasks}, port=0, background=True) as server:
            script = """
import sqlite3, sys
other = sqlite3.connect(sys.argv[1], isolation_level=None)
other.execute("begin immediate")
print("locked", flush=True)
sys.stdin.read()
"""
            command = [sys.executable, "-c", script, str(tmp_path / "tasks.db")]
            with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as other:
                assert other.stdout is not None
                assert other.stdout.readline() == b"locked\n"
                got = ask(server.url, "POST", "/tasks", {"title": "a"})
                broken(got, 503)
                assert int(got.headers["retry-after"]) > 0
                assert capfd.readouterr().err.startswith("demat: POST /tasks 503: database is locked: SQLITE_BUSY (5)")
                assert ask(server.url, "GET", "/tasks").json() == []
                other.communicate()
            assert ask(server.url, "POST", "/tasks", {"title": "a"}).status == 201


def test_a_disk_that_is_full(tmp_path: Path) -> None:
    """A page limit, which SQLite reports as a full disk."""
    with demat.sqlite.open(":memory:") as database:
        tasks = database.table("tasks", Task)
        database.execute("pragma max_page_count = 4")
        with demat.serve({"/tasks": tasks}, port=0, background=True) as server:
            broken(ask(server.url, "POST", "/tasks", {"title": "x" * 100_000}), 507)
            assert ask(server.url, "GET", "/tasks").json() == []


def test_what_is_not_accepted_is_not_sent() -> None:
    rows = [{"n": number} for number in range(1000)]
    with demat.serve({"/rows": rows}, port=0, background=True) as server:
        for headers, status in (
            ({"accept": "application/json;q=0"}, 406),
            ({"accept": "*/*;q=0"}, 406),
            ({"accept": "image/png"}, 406),
            ({"accept": "*/*, application/json;q=0"}, 200),
            ({"accept_encoding": "identity;q=0"}, 406),
            ({"accept_encoding": "gzip;q=0"}, 200),
            ({"accept_encoding": "identity;q=0, gzip"}, 200),
        ):
            got = ask(server.url, "GET", "/rows", **headers)
            assert got.status == status, (headers, got.status)
        assert json.loads(ask(server.url, "GET", "/rows", accept_encoding="gzip;q=0").body) == rows
        small = ask(server.url, "GET", "/rows/0", accept_encoding="identity;q=0, gzip")
        assert small.headers["content-encoding"] == "gzip"
        assert ask(server.url, "GET", "/rows", accept="text/event-stream;q=0, application/json").json() == rows
