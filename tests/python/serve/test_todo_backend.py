"""The behaviours that the Todo-Backend specification asks of a backend, of `examples/tasks.py` itself."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
import time
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from requested import Got, ask

if TYPE_CHECKING:
    from collections.abc import Iterator

EXAMPLE = Path(__file__).parents[3] / "examples" / "tasks.py"


def _heed() -> None:
    """Whoever runs the tests may have Ctrl-C ignored, which what they start would inherit."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)


@contextmanager
def running(database: Path, page: Path) -> Iterator[tuple[str, subprocess.Popen[bytes]]]:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    # The page may not have been built here, which is no matter of the backend's.
    script = EXAMPLE.read_text().replace('demat.page("todomvc")', f"__import__('pathlib').Path({str(page)!r})")
    environment = {**os.environ, "PORT": str(port), "TASKS_DB": str(database)}
    process = subprocess.Popen([sys.executable, "-c", script], env=environment, preexec_fn=_heed)
    url = f"http://127.0.0.1:{port}"
    try:
        for _ in range(200):
            try:
                ask(url, "GET", "/health")
                break
            except OSError:
                assert process.poll() is None
                time.sleep(0.05)
        yield url, process
    finally:
        process.kill()
        process.wait()


@pytest.fixture
def root(tmp_path: Path) -> Iterator[str]:
    with running(tmp_path / "tasks.db", tmp_path) as (url, _):
        yield url


def path_of(url: str) -> str:
    return "/" + url.split("/", 3)[3]


def made(root: str, **task: Any) -> dict[str, Any]:
    got = ask(root, "POST", "/tasks", {"title": "a todo", **task})
    assert got.status == 201
    todo: dict[str, Any] = got.json()
    return todo


def found(root: str, todo: dict[str, Any]) -> Got:
    assert todo["url"].startswith(root)
    return ask(root, "GET", path_of(todo["url"]))


def test_the_pre_requisites(root: str) -> None:
    got = ask(root, "GET", "/tasks", origin="http://elsewhere")
    assert (got.status, got.headers["access-control-allow-origin"]) == (200, "*")
    preflight = ask(
        root, "OPTIONS", "/tasks", origin="http://elsewhere", access_control_request_method="POST",
        access_control_request_headers="content-type",
    )  # fmt: skip
    assert preflight.status == 204
    assert "POST" in preflight.headers["access-control-allow-methods"]
    assert "content-type" in preflight.headers["access-control-allow-headers"]
    assert made(root)["title"] == "a todo"
    assert ask(root, "DELETE", "/tasks").status in (200, 204)
    assert ask(root, "GET", "/tasks").json() == []


def test_storing_new_todos(root: str) -> None:
    todo = made(root, title="walk the dog")
    assert [one["title"] for one in ask(root, "GET", "/tasks").json()] == ["walk the dog"]
    assert todo["completed"] is False
    assert ask(root, "GET", "/tasks").json()[0]["completed"] is False
    assert found(root, todo).json() == todo
    assert ask(root, "GET", "/tasks").json()[0]["url"] == todo["url"]


def test_working_with_an_existing_todo(root: str) -> None:
    one, other = made(root, title="one"), made(root, title="other")
    assert found(root, other).json()["title"] == "other"
    assert ask(root, "PATCH", path_of(one["url"]), {"title": "bathe the cat"}).json()["title"] == "bathe the cat"
    assert ask(root, "PATCH", path_of(one["url"]), {"completed": True}).json()["completed"] is True
    assert found(root, one).json() == {**one, "title": "bathe the cat", "completed": True}
    assert ask(root, "GET", "/tasks").json()[0] == {**one, "title": "bathe the cat", "completed": True}
    assert ask(root, "DELETE", path_of(one["url"])).status in (200, 204)
    assert found(root, one).status == 404
    assert len(ask(root, "GET", "/tasks").json()) == 1


def test_tracking_the_order(root: str) -> None:
    todo = made(root, order=523)
    assert todo["order"] == 523
    assert ask(root, "PATCH", path_of(todo["url"]), {"order": 95}).json()["order"] == 95
    assert found(root, todo).json()["order"] == 95


def test_it_stops_cleanly_and_begins_again(tmp_path: Path) -> None:
    for number, end in enumerate((signal.SIGINT, signal.SIGTERM)):
        with running(tmp_path / "tasks.db", tmp_path) as (url, process):
            made(url, title=str(number))
            process.send_signal(end)
            assert process.wait(10) == 0
    with running(tmp_path / "tasks.db", tmp_path) as (url, _):
        assert [todo["title"] for todo in ask(url, "GET", "/tasks").json()] == ["0", "1"]


def test_what_was_acknowledged_is_there_after_a_kill(tmp_path: Path) -> None:
    import threading

    acknowledged: list[str] = []
    for turn in range(5):
        with running(tmp_path / "tasks.db", tmp_path) as (url, process):

            def write(name: str, url: str = url) -> None:
                number = 0
                while True:
                    try:
                        if ask(url, "POST", "/tasks", {"title": f"{name}.{number}"}).status != 201:
                            return
                    except Exception:
                        return
                    acknowledged.append(f"{name}.{number}")
                    number += 1

            threads = [threading.Thread(target=write, args=(f"{turn}.{thread}",)) for thread in range(6)]
            for thread in threads:
                thread.start()
            time.sleep(0.15 + 0.1 * turn)
            process.kill()
            for thread in threads:
                thread.join()
    assert len(acknowledged) > 50
    with running(tmp_path / "tasks.db", tmp_path) as (url, _):
        there = {todo["title"] for todo in ask(url, "GET", "/tasks?fields=title").json()}
        assert set(acknowledged) <= there
