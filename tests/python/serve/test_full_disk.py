"""Writes that the disk refuses while a server runs: 507, logged, and nothing else breaks.

`strace` attaches to the server and makes its system calls fail. When it detaches, the disk has room again.
"""

from __future__ import annotations

import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import demat
import pytest
from requested import Got, ask

pytestmark = pytest.mark.skipif(not shutil.which("strace"), reason="there is no strace; `make strace` installs it")

PROGRAM = """
import ctypes, sys
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated
import demat
from demat import store

@dataclass
class Task:
    title: str
    id: Annotated[int | None, demat.Field(key=True)] = None

# PR_SET_PTRACER, PR_SET_PTRACER_ANY: a debugger that is no parent may attach, where only that is in its way.
ctypes.CDLL(None).prctl(0x59616D61, ctypes.c_ulong(-1), 0, 0, 0)
folder = Path(sys.argv[1])
tasks = demat.sqlite.open(folder / "tasks.db").table("tasks", Task)
routes = {"/tasks": tasks, "/files": store.folder(folder / "files")}
with demat.serve(routes, port=0, background=True, wal=sys.argv[2] == "wal") as server:
    print(server.url, flush=True)
    sys.stdin.read()
"""


class Served:
    """A server in a process of its own."""

    def __init__(self, folder: Path, journal: str) -> None:
        self.folder = folder
        self.log = folder / "log.txt"
        (folder / "files").mkdir()
        command = [sys.executable, "-c", PROGRAM, str(folder), journal]
        with self.log.open("ab") as log:
            self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=log)
        assert self.process.stdout is not None
        self.url = self.process.stdout.readline().decode().strip()
        assert self.url, self.log.read_text()

    def ask(self, method: str, path: str, body: object = None) -> Got:
        return ask(self.url, method, path, body)

    def titles(self) -> list[str]:
        got = self.ask("GET", "/tasks")
        assert got.status == 200
        return [row["title"] for row in got.json()]

    def logged(self) -> list[str]:
        """Returns the lines since the last call."""
        lines = self.log.read_text().splitlines()
        self.log.write_text("")
        return lines

    @contextmanager
    def failing(self, calls: str, error: str, *paths: Path) -> Iterator[None]:
        """Makes the calls on these files fail, on all threads."""
        only = [argument for path in paths for argument in ("-P", str(path))]
        inject = ["-e", f"trace={calls}", "-e", f"inject={calls}:error={error}"]
        command = ["strace", "-f", "-o", str(self.folder / "trace"), *only, *inject, "-p", str(self.process.pid)]
        tracer = subprocess.Popen(command, stderr=subprocess.PIPE, text=True)
        assert tracer.stderr is not None
        try:
            said = tracer.stderr.readline()
            if "attached" not in said:
                pytest.skip(f"processes can't be traced here: {said}")
            # A thread that was there is attached before strace traces any call.
            status = Path(f"/proc/{self.process.pid}/task")
            until = time.monotonic() + 10
            while any("TracerPid:\t0" in (task / "status").read_text() for task in status.iterdir()):
                assert time.monotonic() < until
                time.sleep(0.01)
            yield
        finally:
            tracer.send_signal(signal.SIGINT)
            tracer.communicate(timeout=10)

    def stop(self) -> None:
        self.process.communicate(timeout=20)


@pytest.fixture(params=["wal", "delete"])
def served(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Served]:
    served = Served(tmp_path, request.param)
    try:
        yield served
    finally:
        served.stop()
    assert served.process.returncode == 0
    with demat.sqlite.open(tmp_path / "tasks.db") as database:
        assert database.query("pragma integrity_check").all() == [{"integrity_check": "ok"}]


def files_of(folder: Path) -> list[Path]:
    """Returns all files that SQLite writes to."""
    return [folder / f"tasks.db{suffix}" for suffix in ("", "-wal", "-journal")]


def refused(got: Got, status: int) -> None:
    assert got.status == status, got
    assert got.json()["error"]["message"] == "internal server error"


def test_a_full_disk(served: Served) -> None:
    assert served.ask("POST", "/tasks", {"title": "before"}).status == 201
    assert served.logged() == []
    large = {"title": "x" * 100_000}
    with served.failing("pwrite64,write", "ENOSPC", *files_of(served.folder)):
        for method, path, body in (
            ("POST", "/tasks", large),
            ("POST", "/tasks", [large] * 3),
            ("PUT", "/tasks/7", large),
            ("PATCH", "/tasks/1", large),
            ("PATCH", "/tasks?title=before", {"title": "after"}),
            ("DELETE", "/tasks/1", None),
            ("DELETE", "/tasks?title=before", None),
        ):
            refused(served.ask(method, path, body), 507)
            (line,) = served.logged()
            assert line.startswith(f"demat: {method} {path} 507: "), line
            assert line.count("SQLITE_FULL (13)") == 1, line
            # Reads go on, also with a new connection and of one row.
            assert served.titles() == ["before"]
            assert served.ask("GET", "/tasks/1").json()["title"] == "before"
            assert served.ask("GET", "/tasks?count").json() == {"count": 1}
        assert served.ask("GET", "/health").status == 200
        assert served.logged() == []
    # With room again the same server writes again.
    assert served.ask("POST", "/tasks", {"title": "after"}).status == 201
    assert served.ask("PATCH", "/tasks/1", {"title": "changed"}).status == 200
    assert served.titles() == ["changed", "after"]
    assert served.logged() == []


@pytest.mark.parametrize(
    ("call", "error", "status"),
    [
        ("pwrite64", "EDQUOT", 507),
        ("pwrite64", "EIO", 500),
        ("fdatasync,fsync", "ENOSPC", 507),
        ("fdatasync,fsync", "EIO", 500),
    ],
)
def test_other_failures_of_the_disk(served: Served, call: str, error: str, status: int) -> None:
    assert served.ask("POST", "/tasks", {"title": "before"}).status == 201
    with served.failing(call, error, *files_of(served.folder)):
        refused(served.ask("POST", "/tasks", {"title": "lost"}), status)
        (line,) = served.logged()
        assert line.startswith(f"demat: POST /tasks {status}: "), line
        assert served.titles() == ["before"]
    assert served.ask("POST", "/tasks", {"title": "after"}).status == 201
    assert served.titles() == ["before", "after"]


@pytest.mark.parametrize("call", ["fsync", "rename,renameat,renameat2"])
def test_a_folder_on_a_full_disk(served: Served, call: str) -> None:
    assert served.ask("PUT", "/files/a.json", [1]).status in {200, 201, 204}
    with served.failing(call, "ENOSPC"):
        refused(served.ask("PUT", "/files/a.json", [2]), 507)
        (line,) = served.logged()
        assert line.startswith("demat: PUT /files/a.json 507: "), line
        assert served.ask("GET", "/files/a.json").json() == [1]
    assert [path.name for path in (served.folder / "files").iterdir()] == ["a.json"]
    assert served.ask("PUT", "/files/a.json", [3]).status in {200, 204}
    assert served.ask("GET", "/files/a.json").json() == [3]
