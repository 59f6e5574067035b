"""Columns of messages: as many threads as you like, and messages that are alike or not, are what each message says."""

import threading
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

import pyarrow as pa
import pytest
from demat import DecodeError, Field, proto

ROWS = 40_000


@dataclass(slots=True)
class Row:
    done: bool = False
    name: str = ""
    address: Annotated[int, Field(wire="fixed32")] = 0
    total: int = 0
    share: float = 0.0


def rows(count: int = ROWS) -> list[Row]:
    return [
        Row(index % 2 == 0, f"name {index % 977 if index % 5000 < 1000 else index:07}", index * 7, index**2, index / 3)
        for index in range(count)
    ]


@pytest.fixture(scope="module")
def path(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("messages") / "rows.pb"
    proto.write(path, rows())
    return path


@pytest.mark.parametrize("threads", [1, 2, 3, None])
@pytest.mark.parametrize("fields", [None, ["name"], ["total", "share"], ["done", "name"]])
def test_columns_are_what_the_records_say(path: Path, threads: int | None, fields: list[str] | None):
    table = pa.table(proto.columns(path, Row, fields=fields, threads=threads))
    found = rows()
    for name in fields or ["done", "name", "address", "total", "share"]:
        assert table.column(name).to_pylist() == [getattr(row, name) for row in found]


@pytest.mark.parametrize("place", [0, 1, 17, ROWS // 2, ROWS - 1])
@pytest.mark.parametrize("bad", [b"\x12\x07\xff seven", b"\x12\x0cname \xff000000", b"\x10\x07", b"\x12\x7fcut"])
def test_the_first_bad_record_is_the_error_on_any_threads(tmp_path: Path, place: int, bad: bytes):
    messages = [proto.encode(row) for row in rows()]
    messages[place] = bad
    data = b"".join(bytes([len(message)]) + message for message in messages)
    path = tmp_path / "rows.pb"
    path.write_bytes(data)
    errors = []
    for threads in (1, 2, 3):
        for source in (path, data):
            with pytest.raises(DecodeError) as raised:
                proto.columns(source, Row, fields=["name"], threads=threads)
            errors.append(raised.value)
    assert {(error.record, error.offset) for error in errors} == {(place + 1, errors[0].offset)}
    assert {error.path for error in errors} == {errors[0].path}
    assert f"[{place}]" in errors[0].path


def test_other_threads_run_meanwhile(path: Path):
    turns = 0
    over = threading.Event()

    def count() -> None:
        nonlocal turns
        while not over.is_set():
            turns += 1
            time.sleep(0)

    other = threading.Thread(target=count)
    other.start()
    for _ in range(20):
        proto.columns(path, Row, threads=2)
    over.set()
    other.join()
    assert turns > 20
