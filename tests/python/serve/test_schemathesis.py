"""What the description of a server says is so: asked by schemathesis, by requests good and bad."""

from __future__ import annotations

import enum
import importlib.util
import os
import subprocess
import sys
from dataclasses import dataclass, field
from datetime import date, datetime
from pathlib import Path
from typing import Annotated, Any
from uuid import UUID

import demat
import pytest
from demat import Field

HERE = Path(__file__).parent


class State(enum.Enum):
    OPEN = "open"
    DONE = "done"


@dataclass
class Task:
    title: Annotated[str, Field(min_length=1, max_length=20)]
    id: Annotated[int | None, Field(key=True)] = None
    state: State = State.OPEN
    order: Annotated[int | None, Field(ge=0, le=1000)] = None
    share: Annotated[float, Field(ge=0, lt=1)] = 0.0
    day: date | None = None
    at: datetime | None = None
    by: UUID | None = None


@dataclass
class Note:
    text: Annotated[str, Field(max_length=10)]
    seen: int = 0
    tags: list[str] = field(default_factory=list)


def add(a: int, b: int = 10) -> int:
    """Adds numbers."""
    return a + b


@dataclass
class Comment:
    text: Annotated[str, Field(min_length=1, max_length=20)]
    answers: list[Comment] = field(default_factory=list)


def comment(
    id: Annotated[int, Field(ge=1)],
    new: Comment,
    trace: Annotated[int, demat.Header("x-trace")],
    tags: Annotated[list[State], demat.Query("tag"), Field(max_length=3)] = [],  # noqa: B006
    session: Annotated[str | None, demat.Cookie()] = None,
) -> Comment | None:
    """Answers a comment."""
    return new if id > 1 else None


def upload(file: demat.Upload, title: Annotated[str, demat.Form(), Field(min_length=2)] = "no") -> list[int]:
    """Counts the bytes of a file."""
    return [file.size, len(title)]


def test_what_is_described_is_so(tmp_path: Path) -> None:
    """No answer of 500 or more, none that is not as described, and nothing refused that is described."""
    if importlib.util.find_spec("schemathesis") is None:
        pytest.skip("SKIPPED: schemathesis is not there")
    program = Path(sys.executable).parent / "schemathesis"
    with demat.sqlite.open(tmp_path / "tasks.db") as database:
        tasks = database.table("tasks", Task)
        tasks.insert([Task("a"), Task("b", order=5, day=date(2026, 1, 2))])
        routes: dict[str, Any] = {"/tasks": tasks, "/notes": ([Note("a"), Note("b", 1, ["x"])], Note), "/add": add}
        routes |= {"/comments/:id": comment, "/upload": demat.route(upload, status=201)}
        with demat.serve(routes, port=0, background=True, urls="url") as server:
            command = [
                str(program), "run", f"{server.url}/openapi.json", "--generation-deterministic", "--max-examples", "40",
                "--no-color", "--request-timeout", "20",
            ]  # fmt: skip
            # Where what goes by the way of a proxy is to go, this does not; and no plug-in of pytest's is looked for.
            environment = {**os.environ, "SCHEMATHESIS_HOOKS": "exact_ints", "PYTHONPATH": str(HERE.parent / "support")}
            done = subprocess.run(
                command, capture_output=True, text=True, cwd=tmp_path, env=environment, timeout=300, check=False
            )
    assert done.returncode == 0, done.stdout + done.stderr
    assert "Tested:" in done.stdout
