"""Cells between tabs, at every place and by every verb."""

import asyncio
import io
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import demat
import pytest
from demat import store


@dataclass
class Task:
    id: int
    title: str = "a"


TASKS = [Task(1, "x, y"), Task(2)]
TEXT = b"id\ttitle\n1\tx, y\n2\ta\n"


def write(place: Any, **options: Any) -> None:
    with demat.writer(place, Task, **options) as writer:
        writer.write_all(TASKS)


@pytest.mark.parametrize(("name", "options"), [("a.tsv", {}), ("a.txt", {"format": "tsv"}), ("a.x", {"format": "TSV"})])
def test_a_writer_writes_tabs(tmp_path: Path, name: str, options: Any) -> None:
    write(tmp_path / name, **options)
    assert (tmp_path / name).read_bytes() == TEXT
    with (tmp_path / "open.tsv").open("wb") as file:
        write(file)
    assert (tmp_path / "open.tsv").read_bytes() == TEXT


def test_objects_in_memory_and_places_that_are_awaited() -> None:
    text = io.StringIO()
    write(text, format="tsv")
    assert text.getvalue().encode() == TEXT
    got = bytearray()

    async def main() -> None:
        async def send(data: bytes) -> None:
            got.extend(data)

        async with demat.writer(send, Task, format="tsv") as writer:
            await writer.write_all(TASKS)

    asyncio.run(main())
    assert got == TEXT


@pytest.mark.parametrize("way", ["writer", "write", "copy"])
def test_values_of_stores(way: str) -> None:
    place = store.memory({})
    demat.scheme("tabs", place)
    try:
        if way == "writer":
            write("tabs:/a", format="tsv")
        elif way == "write":
            assert demat.write("tabs:/a", TASKS, format="tsv") == 2
        else:
            demat.copy(TASKS, "tabs:/a", to="tsv")
        assert list(demat.read("tabs:/a", Task, format="tsv")) == TASKS
        assert demat.columns("tabs:/a", Task, format="tsv").numpy("id").tolist() == [1, 2]
        for call in (demat.read, demat.columns, lambda place, **options: demat.write(place, TASKS, **options)):
            with pytest.raises(ValueError, match="leave out delimiter="):
                call("tabs:/a", format="tsv", delimiter=";")
    finally:
        demat.scheme("tabs", None)


def test_another_delimiter_may_be_said(tmp_path: Path) -> None:
    place = tmp_path / "a.tsv"
    demat.write(place, TASKS, delimiter=";")
    assert place.read_bytes() == b"id;title\n1;x, y\n2;a\n"
    assert list(demat.read(place, Task, delimiter=";")) == TASKS
    write(place, delimiter="|")
    assert place.read_bytes() == b"id|title\n1|x, y\n2|a\n"
    demat.copy(TASKS, place, write={"delimiter": ";"})
    assert place.read_bytes() == b"id;title\n1;x, y\n2;a\n"
