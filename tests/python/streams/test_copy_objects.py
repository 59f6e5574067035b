"""`copy` of objects and columns to every format that a copy writes."""

import io
import sqlite3
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import demat
import pytest
from demat import _native


@dataclass
class Task:
    id: int
    title: str
    due: str | None = None


TASKS = [Task(1, "a"), Task(2, "ü", "2024-02-29")]
ROWS = [{"id": 1, "title": "a", "due": None}, {"id": 2, "title": "ü", "due": "2024-02-29"}]
# What holds a list of such records.
FORMATS = [
    about["name"] for about in _native.describe_formats() if about["name"] not in ("mca", "toml", "txtpb", "sqlite")
]


def of_generator() -> Iterator[Task]:
    yield from TASKS


def sources() -> dict[str, Any]:
    return {
        "list": lambda: TASKS,
        "tuple": lambda: tuple(TASKS),
        "generator": of_generator,
        "columns": lambda: demat.columns_of(TASKS),
        "values": {1: TASKS[0], 2: TASKS[1]}.values,
    }


@pytest.mark.parametrize("format", FORMATS)
@pytest.mark.parametrize("source", sources())
def test_objects_go_to_every_format(source: str, format: str, tmp_path: Path) -> None:
    place, text = tmp_path / "out", io.BytesIO()
    assert demat.copy(sources()[source](), place, Task if source != "columns" else None, to=format).records == 2
    demat.copy(place, text, list[Task], from_=format, to="ndjson")
    assert [demat.json.decode(line) for line in text.getvalue().splitlines()] == ROWS


@pytest.mark.parametrize("source", [*sources(), "dicts"])
def test_objects_go_to_tables(source: str, tmp_path: Path) -> None:
    given = ROWS if source == "dicts" else sources()[source]()
    assert demat.copy(given, tmp_path / "a.db#tasks").records == 2
    with sqlite3.connect(tmp_path / "a.db") as database:
        assert database.execute("SELECT id, title, due FROM tasks").fetchall() == [tuple(row.values()) for row in ROWS]


def test_options_of_a_copy_hold_for_objects() -> None:
    out = io.BytesIO()
    done = demat.copy(TASKS, out, Task, to="csv", fields=["title"], first=1)
    assert (done.records, out.getvalue()) == (1, b"title\na\n")
    refused: list[bytes] = []
    out = io.BytesIO()
    done = demat.copy(
        [*ROWS, {"id": "x"}], out, Task, to="json", on_error="skip", rejects=lambda _, data: refused.append(data)
    )
    assert (done.records, done.rejected, len(refused)) == (2, 1, 1)
    with pytest.raises(ValueError, match="read= is about a place that is read, and these are objects"):
        demat.copy(TASKS, out, to="json", read={"depth": 3})
    # What has a format consists of bytes.
    with pytest.raises(TypeError, match="expected bytes or str"):
        demat.copy(TASKS, out, from_="json", to="json")
    with pytest.raises(ValueError, match="these are columns in memory, which need no format"):
        demat.copy(demat.columns_of(TASKS), out, from_="json", to="json")
    with pytest.raises(ValueError, match="can't be told by its name"):
        demat.copy(TASKS, out)


def test_pieces_of_bytes_are_a_place() -> None:
    for pieces in ([b"id,title\n", b"1,a\n"], iter(["id,title\n", "1,a\n"]), (b"id,title\n1,a\n" for _ in range(1))):
        out = io.BytesIO()
        demat.copy(pieces, out, from_="csv", to="json")
        assert out.getvalue() == b'[{"id":"1","title":"a"}]\n'


def test_no_objects() -> None:
    out = io.BytesIO()
    assert demat.copy([], out, to="json").records == 0
    assert demat.json.decode(out.getvalue()) == []


def test_an_error_has_its_place(tmp_path: Path) -> None:
    for format in ("json", "parquet", "csv"):
        with pytest.raises(demat.Error) as raised:
            demat.copy([Task(1, "a"), Task("x", "b")], tmp_path / "out", Task, to=format)  # type: ignore[arg-type]
        assert "[1].id" in str(raised.value)
        assert not (tmp_path / "out").exists()
