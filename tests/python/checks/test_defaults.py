"""Defaults of missing columns: the class supplies them once, when the row is written."""

from __future__ import annotations

import itertools
import uuid
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated, Any

import demat
import pytest
from demat import Field, sqlite
from requested import ask

COUNT = itertools.count(100)


@dataclass
class Note:
    title: str
    id: Annotated[int | None, Field(key=True)] = None
    token: uuid.UUID = field(default_factory=uuid.uuid4)
    number: int = field(default_factory=lambda: next(COUNT))
    colour: str = "red"
    tags: list[str] = field(default_factory=list)
    about: dict[str, int] = field(default_factory=lambda: {"a": 1})


@dataclass
class Plain:
    """A class that needs no Python code for validation."""

    title: str
    id: Annotated[int | None, Field(key=True)] = None
    colour: str = "red"
    tags: list[str] = field(default_factory=list)
    about: dict[str, int] = field(default_factory=dict)


def inserted(rows: sqlite.Table[Any], folder: Path) -> None:
    rows.insert([{"title": "a"}])  # type: ignore[list-item]


def upserted(rows: sqlite.Table[Any], folder: Path) -> None:
    rows.upsert([{"title": "a", "id": 1}])  # type: ignore[list-item]


def loaded(rows: sqlite.Table[Any], folder: Path) -> None:
    rows.load([{"title": "a"}])  # type: ignore[list-item]


def posted(rows: sqlite.Table[Any], folder: Path) -> None:
    with demat.serve({"/t": rows}, port=0, background=True) as server:
        assert ask(server.url, "POST", "/t", {"title": "a"}).status == 201


def posted_as_csv(rows: sqlite.Table[Any], folder: Path) -> None:
    with demat.serve({"/t": rows}, port=0, background=True) as server:
        assert ask(server.url, "POST", "/t", b"title\na\n", content_type="text/csv").status == 201


def put(rows: sqlite.Table[Any], folder: Path) -> None:
    with demat.serve({"/t": rows}, port=0, background=True) as server:
        assert ask(server.url, "PUT", "/t/1", {"title": "a"}).status == 201


WAYS: list[Callable[[sqlite.Table[Any], Path], None]] = [inserted, upserted, loaded, posted, posted_as_csv, put]


@pytest.mark.parametrize("way", WAYS)
def test_a_factory_is_asked_once(way: Callable[[sqlite.Table[Any], Path], None], tmp_path: Path) -> None:
    with sqlite.open(tmp_path / "notes.db") as database:
        rows = database.table("notes", Note)
        way(rows, tmp_path)
        first, again = rows.select().all(), rows.select().all()
        assert first == again
        raw = database.query("select * from notes").first()
        assert raw is not None
        assert None not in raw.values()
        assert (first[0].colour, first[0].tags, first[0].about) == ("red", [], {"a": 1})


@pytest.mark.parametrize("way", WAYS)
def test_defaults_that_are_values(way: Callable[[sqlite.Table[Any], Path], None], tmp_path: Path) -> None:
    with sqlite.open(tmp_path / "plain.db") as database:
        rows = database.table("plain", Plain)
        way(rows, tmp_path)
        raw = database.query("select colour, tags, about from plain").first()
        assert raw == {"colour": "red", "tags": [], "about": {}}


@pytest.mark.parametrize("to", ["json", "csv"])
def test_a_copy_has_what_factories_give(to: str, tmp_path: Path) -> None:
    place = tmp_path / f"notes.{to}"
    place.write_bytes(b'[{"title":"a"},{"title":"b"}]' if to == "json" else b"title\na\nb\n")
    demat.copy(place, tmp_path / "out.ndjson", Note)
    rows = list(demat.ndjson.read(tmp_path / "out.ndjson", Note))
    assert [row.title for row in rows] == ["a", "b"]
    assert rows == list(demat.ndjson.read(tmp_path / "out.ndjson", Note))
    assert len({row.token for row in rows}) == 2
