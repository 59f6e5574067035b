"""Stores as places: by themselves, and by schemes."""

from __future__ import annotations

import io
import subprocess
import sys
import threading
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta
from pathlib import Path as FilePath
from typing import Annotated, Any

import demat
import pytest
from demat import StoreError, store
from own_stores import Tree


@dataclass
class Task:
    title: str
    id: Annotated[int | None, demat.Field(key=True)] = None


ROWS = [{"id": 1, "title": "write"}, {"id": 2, "title": "rest"}, {"id": 3, "title": "play"}]
TASKS = [Task(row["title"], row["id"]) for row in ROWS]  # type: ignore[arg-type]


@pytest.fixture
def todo() -> Iterator[Tree]:
    own = Tree({"tasks": [dict(row) for row in ROWS]})
    demat.scheme("todo", own)
    yield own
    demat.scheme("todo", None)


def copied(src: Any, to: str, **options: Any) -> bytes:
    file = io.BytesIO()
    demat.copy(src, file, to=to, **options)  # type: ignore[arg-type]
    return file.getvalue()


def test_a_scheme_is_a_place_of_copy(todo: Tree, tmp_path: FilePath) -> None:
    assert copied("todo:/tasks", "csv") == b"id,title\n1,write\n2,rest\n3,play\n"
    assert copied("todo:/tasks?id.gt=1&fields=title", "csv") == b"title\nrest\nplay\n"
    assert copied("todo:tasks/0", "json") == b'{"id":1,"title":"write"}\n'
    assert copied("todo:/tasks", "csv", from_="json") == b"id,title\n1,write\n2,rest\n3,play\n"
    (tmp_path / "tasks.csv").write_text("id,title\n1,write\n2,rest\n3,play\n")
    assert demat.copy(tmp_path / "tasks.csv", "todo:/written", Task).records == 3
    assert todo.root["written"] == ROWS
    demat.copy("todo:/tasks", "todo:/again")
    assert todo.root["again"] == ROWS
    demat.copy(TASKS, ["todo:/one", tmp_path / "all.json", "todo:/two"])
    assert todo.root["one"] == todo.root["two"] == demat.json.decode((tmp_path / "all.json").read_bytes())
    demat.copy("todo:/tasks", tmp_path / "tasks.parquet", Task)
    assert demat.parquet.columns(tmp_path / "tasks.parquet").records(Task) == TASKS


def test_what_is_wrong_with_a_place_is_said(todo: Tree) -> None:
    act: Any
    for act, error, why in (
        (lambda: copied("todo:/nothing", "json"), demat.NotFound, "`/nothing`: not found"),
        (lambda: copied("todo:/../x", "json"), StoreError, "not a valid path"),
        (lambda: copied("todo:/tasks?nothing.eq=1", "json"), StoreError, "nothing"),
        (lambda: demat.copy(ROWS, "todo:/x?limit=1"), StoreError, "a query says what is read"),
        (lambda: demat.copy(ROWS, "todo:/x", compression="zstd"), ValueError, "not compressed"),
        (lambda: demat.copy(ROWS, "todo:/no/such/thing"), demat.NotFound, "not found"),
    ):
        with pytest.raises(error, match=why):
            act()


def test_schemes_are_checked(tmp_path: FilePath, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("t", "Todo", "to do", "", "1a", "a/b", "http", "lmdb", "file"):
        with pytest.raises(ValueError, match="no name of a scheme|something else"):
            demat.scheme(name, store.memory())
    with pytest.raises(TypeError, match="leads to a store"):
        demat.scheme("todo", [])  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="there is no scheme"):
        demat.scheme("todo", None)
    made: list[int] = []

    def make() -> demat.Store:
        made.append(1)
        return store.memory({"a": 1})

    demat.scheme("todo", make)
    try:
        with pytest.raises(ValueError, match="already"):
            demat.scheme("todo", store.memory())
        assert made == []
        threads = [threading.Thread(target=copied, args=("todo:/a", "json")) for _ in range(8)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert made == [1]
        # A file of this name comes first.
        monkeypatch.chdir(tmp_path)
        (tmp_path / "todo:a").write_text("[7]")
        assert copied("todo:a", "json", from_="json") == b"[7]\n"
    finally:
        demat.scheme("todo", None)
    with pytest.raises(FileNotFoundError):
        copied("todo:/a", "json", from_="json")
    for wrong, why in ((lambda: 5, "leads to a int, which is no store"), (lambda: 1 / 0, "division")):
        demat.scheme("wrong", wrong)  # type: ignore[arg-type]
        with pytest.raises((TypeError, ZeroDivisionError), match=why):
            copied("wrong:/a", "json")
        demat.scheme("wrong", None)
    demat.scheme("classy", Tree)
    assert copied("classy:/", "json") == b"{}\n"
    demat.scheme("classy", None)


PACKAGE = """
import demat
print("loaded", flush=True)

class Notes(demat.Store):
    def get(self, path):
        return [{"id": 1, "path": list(path)}, {"id": 2, "path": []}]
"""


@pytest.fixture
def installed(tmp_path: FilePath) -> dict[str, str]:
    """An environment with a package that registers schemes."""
    import os

    (tmp_path / "noted.py").write_text(PACKAGE)
    about = tmp_path / "noted-1.dist-info"
    about.mkdir()
    (about / "METADATA").write_text("Metadata-Version: 2.1\nName: noted\nVersion: 1\n")
    (about / "entry_points.txt").write_text("[demat.schemes]\nnoted = noted:Notes\nbroken = nowhere:Notes\n")
    return {**os.environ, "PYTHONPATH": str(tmp_path)}


def run(environment: dict[str, str], folder: FilePath, *arguments: str) -> tuple[int, str, str]:
    ended = subprocess.run(
        [sys.executable, *arguments],
        env=environment,
        cwd=folder,
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    return ended.returncode, ended.stdout, ended.stderr


def test_packages_have_schemes(installed: dict[str, str], tmp_path: FilePath) -> None:
    program = "import demat; demat.copy('x.json', 'y.json'); print('copied'); demat.copy('noted:/a', 'z.json')"
    (tmp_path / "x.json").write_text("[1]")
    assert run(installed, tmp_path, "-c", program) == (0, "copied\nloaded\n", "")
    assert demat.json.decode((tmp_path / "z.json").read_bytes()) == [{"id": 1, "path": ["a"]}, {"id": 2, "path": []}]


def test_a_scheme_of_a_broken_package_says_so(installed: dict[str, str], tmp_path: FilePath) -> None:
    code, _, wrong = run(installed, tmp_path, "-c", "import demat; demat.copy('broken:/a', 'z.json')")
    assert code == 1
    assert "No module named 'nowhere'" in wrong
    assert not (tmp_path / "z.json").exists()


IMPORTING = """
import threading, time
import demat

class Notes(demat.Store):
    def get(self, path):
        return [1]

def use():
    demat.copy("knot:/", "other.json")

# Another thread uses the scheme first, and waits for this import.
thread = threading.Thread(target=use)
thread.start()
time.sleep(0.5)
demat.copy("knot:/", "own.json")
"""


def test_an_import_may_use_a_scheme_that_another_thread_loads(tmp_path: FilePath, installed: dict[str, str]) -> None:
    (tmp_path / "knotted.py").write_text(IMPORTING)
    points = tmp_path / "noted-1.dist-info" / "entry_points.txt"
    points.write_text("[demat.schemes]\nknot = knotted:Notes\n")
    assert run(installed, tmp_path, "-c", "import knotted; knotted.thread.join(); print('ended')")[1] == "ended\n"
    for name in ("own", "other"):
        assert demat.json.decode((tmp_path / f"{name}.json").read_bytes()) == [1]


def test_a_copy_by_way_of_a_store_keeps_what_cbor_has() -> None:
    zoned = datetime(2026, 5, 1, 12, 30, tzinfo=UTC)
    values = {"day": date(2026, 5, 1), "zoned": zoned, "bytes": b"x"}
    texts = {"naive": zoned.replace(tzinfo=None), "time": time(12, 30), "span": timedelta(minutes=5)}
    own = Tree()
    demat.copy(Tree({**values, **texts}), own)
    assert {name: own.root[name] for name in values} == values
    assert {type(own.root[name]) for name in texts} == {str}


def test_names_that_are_no_schemes_are_warned_of(tmp_path: FilePath, installed: dict[str, str]) -> None:
    points = tmp_path / "noted-1.dist-info" / "entry_points.txt"
    points.write_text("[demat.schemes]\nhttp = noted:Notes\nUpper = noted:Notes\nnoted = noted:Notes\n")
    program = "import demat; demat.copy('noted:/a', 'z.json')"
    code, out, wrong = run(installed, tmp_path, "-c", program)
    assert (code, out) == (0, "loaded\n")
    assert "'http', which is no name of a scheme" in wrong
    assert "'Upper', which is no name of a scheme" in wrong
