"""Classes that other processes import, and what makes a source small parts."""

from __future__ import annotations

import os
import signal
import time
from dataclasses import dataclass
from datetime import date
from pathlib import Path

import pytest


@dataclass
class Row:
    id: int
    title: str
    due: date | None = None


@dataclass
class Deadly:
    """Kills the process that reads a title which is the path of a folder, once for each file in it."""

    id: int
    title: str

    def __post_init__(self) -> None:
        if self.title.startswith("/"):
            for file in Path(self.title).iterdir():
                file.unlink()
                os.kill(os.getpid(), signal.SIGKILL)


@dataclass
class Even:
    id: int

    def __post_init__(self) -> None:
        if self.id % 2:
            raise ValueError("odd")


@pytest.fixture
def small(monkeypatch: pytest.MonkeyPatch) -> None:
    """Divides files into parts of about a hundred bytes."""
    from demat._parallel import parts

    monkeypatch.setattr(parts, "_LEAST", 100)
    monkeypatch.setattr(parts, "_MOST", 100)


def left(folder: Path) -> list[str]:
    """What a copy has left behind in a folder."""
    return sorted(path.name for path in folder.iterdir() if path.name.startswith("."))


def chosen(folder: Path, files: dict[str, bytes]) -> list[Path]:
    """Writes files, and returns their paths."""
    for name, data in files.items():
        (folder / name).write_bytes(data)
    return [folder / name for name in files]


@dataclass
class Waiting:
    """Waits until a file is there, which a title that is a path names. Tells by another that it does."""

    id: int
    title: str = ""

    def __post_init__(self) -> None:
        if self.title.startswith("/"):
            Path(f"{self.title}.{os.getpid()}").touch()
            while not Path(self.title).exists():
                time.sleep(0.01)
