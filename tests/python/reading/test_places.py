"""Places: paths, buffers, files, sockets, iterables; whole and in pieces, plain and packed."""

from __future__ import annotations

import bz2
import gc
import gzip
import io
import os
import socket
import subprocess
import sys
import threading
import traceback
import weakref
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType
from typing import Any

import formats
import pytest
from demat import DecodeError, LimitError, csv, json, ndjson


@dataclass
class Task:
    id: int
    title: str
    tags: list[str] | None = None


TASKS = [Task(1, "Clean räum"), Task(2, 'Re"st\n', ["a", "b"]), Task(-3, ""), Task(4, "\U0001f600" * 5)]
# Cells hold no tags.
NESTED = formats.each("form", nested=True)
# What is no text has no characters.
TEXT = formats.each("form", nested=True, binary=False)


class Slow:
    """A file that returns `size` bytes at a time."""

    def __init__(self, data: bytes, size: int = 1) -> None:
        self.data, self.size, self.closed = io.BytesIO(data), size, False

    def read(self, size: int) -> bytes:
        return self.data.read(min(size, self.size))

    def close(self) -> None:
        self.closed = True


class Receiver:
    def __init__(self, data: bytes) -> None:
        self.data = io.BytesIO(data)

    def recv(self, size: int) -> bytes:
        return self.data.read(min(size, 3))


def places(data: bytes, tmp_path: Path) -> Iterator[Any]:
    """The same bytes from everywhere."""
    path = tmp_path / "place"
    path.write_bytes(data)
    yield str(path)
    yield path
    yield data
    yield bytearray(data)
    yield memoryview(data)
    yield io.BytesIO(data)
    with path.open("rb") as file:
        yield file
    with path.open("rb", buffering=0) as raw:
        yield raw
    yield Slow(data)
    yield Slow(data, 7)
    yield Receiver(data)
    yield [data]
    yield (data[at : at + 1] for at in range(len(data)))
    yield iter([b"", data[:5], b"", memoryview(data)[5:9], bytearray(data[9:]), b""])


@NESTED
def test_every_place_gives_the_same(form: ModuleType, tmp_path: Path) -> None:
    for place in places(form.encode(TASKS), tmp_path):
        assert list(form.read(place, Task)) == TASKS, type(place)


@NESTED
def test_packed_places_give_the_same(form: ModuleType, tmp_path: Path) -> None:
    data = form.encode(TASKS)
    zstd = b"\x28\xb5\x2f\xfd\xa0" + len(data).to_bytes(4, "little") + (len(data) << 3 | 1).to_bytes(3, "little") + data
    for packed in (gzip.compress(data), gzip.compress(data[:20]) + gzip.compress(data[20:]), zstd):
        for place in places(packed, tmp_path):
            assert list(form.read(place, Task)) == TASKS, type(place)


def test_rows_come_from_everywhere(tmp_path: Path) -> None:
    rows = [Task(1, "a,b"), Task(2, 'x "y"\r\nz')]
    for place in places(csv.encode([{"id": task.id, "title": task.title} for task in rows]), tmp_path):
        assert list(csv.read(place, Task)) == rows, type(place)


@TEXT
def test_text_is_read_as_its_utf8(form: ModuleType, tmp_path: Path) -> None:
    text = form.encode(TASKS).decode()
    (tmp_path / "place").write_text(text, "utf-8", newline="")
    with (tmp_path / "place").open(encoding="utf-8", newline="") as file:
        assert list(form.read(file, Task)) == TASKS
    assert list(form.read(io.StringIO(text, newline=""), Task)) == TASKS
    assert list(form.read(iter(text), Task)) == TASKS
    with pytest.raises(UnicodeEncodeError):
        list(form.read(['["', "\ud800"], str))


def test_chunks_of_other_kinds_are_refused() -> None:
    with pytest.raises(TypeError, match="expected bytes or str of an item, not int"):
        list(json.read([1, 2]))
    with pytest.raises(TypeError, match="expected bytes or str of read, not list"):
        list(json.read(type("File", (), {"read": lambda self, size: [1]})()))
    with pytest.raises(BlockingIOError):
        list(json.read(type("File", (), {"read": lambda self, size: None})()))


@pytest.mark.parametrize("place", [3, None, object(), 1.5])
def test_what_is_no_place_is_refused(place: Any) -> None:
    with pytest.raises(TypeError, match=r"expected a place to read: a path, .*; not "):
        json.read(place)


def test_files_that_are_not_there(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError) as raised:
        json.read(tmp_path / "nothing")
    assert raised.value.filename == str(tmp_path / "nothing")
    with pytest.raises(IsADirectoryError):
        json.read(tmp_path)


def test_standard_input(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(b"[1, 2]")))
    assert list(json.read("-", int)) == [1, 2]
    program = "import sys; from demat import ndjson; print(list(ndjson.read('-', int)))"
    done = subprocess.run([sys.executable, "-c", program], input=b"1\n2\n", capture_output=True)
    assert done.stdout == b"[1, 2]\n", done.stderr


DOCUMENT = json.encode(
    {"a": {"x": [[0, {"y": "]}"}]]}, "b": [{"n": 12, "s": 'é\\"', "l": [1.5, None, True]}] * 3, "c": "z"}
)


def test_borders_of_chunks_at_every_byte() -> None:
    for data in (DOCUMENT, json.encode(json.decode(DOCUMENT), indent=2), b"\xef\xbb\xbf" + DOCUMENT):
        expected = json.decode(data)["b"]
        for at in range(len(data) + 1):
            assert list(json.read([data[:at], data[at:]], at="$.b[*]")) == expected, at
    lines = b'\xef\xbb\xbf{"a": 1}\r\n\n[2, "x"]\n"\xc3\xa9"\n12'
    for at in range(len(lines) + 1):
        assert list(ndjson.read([lines[:at], lines[at:]])) == ndjson.decode(lines), at
    rows = b'\xef\xbb\xbfa,b\r\n1,"x ""y""\n"\n\n"\xc3\xa9",\r\n'
    for at in range(len(rows) + 1):
        assert list(csv.read([rows[:at], rows[at:]])) == csv.decode(rows), at


def test_truncated_documents_are_errors_at_every_byte() -> None:
    for at in range(len(DOCUMENT)):
        for chunks in ([DOCUMENT[:at]], [DOCUMENT[i : i + 1] for i in range(at)]):
            with pytest.raises(DecodeError) as raised:
                list(json.read(chunks, at="$.b[*]"))
            assert raised.value.offset is not None
            assert raised.value.offset <= at
    packed = gzip.compress(DOCUMENT)
    for at in range(3, len(packed)):
        with pytest.raises(DecodeError, match="gzip data is damaged or cut off"):
            list(json.read(packed[:at], at="$.b[*]"))


def test_compression_can_be_said() -> None:
    data = gzip.compress(b"[1]")
    assert list(json.read(data, int, compression="gzip")) == [1]
    with pytest.raises(DecodeError):
        list(json.read(data, compression=None))
    for other in ("gzip", "zstd"):
        with pytest.raises(DecodeError, match="damaged or cut off"):
            list(json.read(b"[1]", compression=other))
    with pytest.raises(DecodeError):
        list(json.read(bz2.compress(b"[1]")))
    with pytest.raises(ValueError, match='compression must be "auto" or "gzip" or "zstd", not "bz2"'):
        json.read(b"", compression="bz2")


class Failure(Exception):
    pass


def test_exceptions_of_the_place_come_through() -> None:
    def chunks(first: bytes = b"[1, 2, ") -> Iterator[bytes]:
        yield first
        raise Failure("gone")

    for first in (b"[1, 2, ", gzip.compress(b"[1, 2, 3]")[:15], b"[", b"\x1f"):
        reader = json.read(chunks(first), int)
        with pytest.raises(Failure, match="gone") as raised:
            list(reader)
        assert [frame.name for frame in traceback.extract_tb(raised.tb)][-1] == "chunks"
        assert list(reader) == []

    seen = []
    reader = json.read(chunks(), int)
    with pytest.raises(Failure):
        while True:
            seen.append(next(reader))
    assert seen == [1, 2]


def test_the_first_byte_may_fail() -> None:
    def chunks() -> Iterator[bytes]:
        raise Failure("early")
        yield b""

    with pytest.raises(Failure, match="early"):
        next(json.read(chunks()))


def test_a_record_is_given_when_its_bytes_have_come() -> None:
    for size in (1, 3000, 5000, 70_000, 300_000):
        here, there = socket.socketpair()
        with here, there:
            reader = json.read(here, dict[str, str])
            record = json.encode({"a": "x" * size})
            for begin in (b"[", b",", b"\n , "):
                sent = threading.Thread(target=there.sendall, args=(begin + record,))
                sent.start()
                here.settimeout(20)
                assert next(reader) == {"a": "x" * size}
                sent.join()
            there.sendall(b"]")
            there.shutdown(socket.SHUT_WR)
            assert list(reader) == []


def test_pipes_and_socket_files_do_not_wait_for_more() -> None:
    read, write = os.pipe()
    with os.fdopen(read, "rb") as file, os.fdopen(write, "wb", buffering=0) as other:
        reader = ndjson.read(file, int)
        for number in (1, 2, 3):
            other.write(b"%d\n" % number)
            assert next(reader) == number
        other.close()
        assert list(reader) == []


def test_what_was_open_stays_open_and_what_was_opened_is_closed(tmp_path: Path) -> None:
    path = tmp_path / "numbers"
    path.write_bytes(json.encode(list(range(100_000))))

    def descriptors() -> int:
        return sum(os.path.realpath(f"/proc/self/fd/{fd}") == str(path) for fd in map(str, range(256)))

    ends: list[Callable[[Any], object]] = [
        lambda reader: reader.close(),
        list,
        lambda reader: reader.__exit__(None, None, None),
    ]
    if sys.platform == "linux":
        for end in ends:
            reader = json.read(path, int)
            assert next(reader) == 0
            assert (descriptors(), reader.closed) == (1, False)
            end(reader)
            assert (descriptors(), reader.closed) == (0, True)
            assert list(reader) == []
            reader.close()
        for number in json.read(path, int):
            if number == 5:
                break
        gc.collect()
        assert descriptors() == 0
        with pytest.raises(ZeroDivisionError), json.read(path, int) as reader:
            next(reader)
            _ = 1 / 0
        assert descriptors() == 0
    with path.open("rb") as file:
        with json.read(file, int) as reader:
            next(reader)
        assert not file.closed
    slow = Slow(b"[1]")
    json.read(slow, int).close()
    assert not slow.closed


def test_a_reader_in_a_cycle_is_freed() -> None:
    class Chunks:
        reader: Any = None

        def __iter__(self) -> Iterator[bytes]:
            yield b"[1, 2"
            yield b", 3]"

    chunks = Chunks()
    iterator = iter(chunks)
    chunks.reader = json.read(iterator, int, progress=lambda read, total, held=chunks: held)
    next(chunks.reader)
    gone = weakref.ref(chunks)
    del chunks, iterator
    gc.collect()
    assert gone() is None


def test_a_bytearray_that_is_read_can_be_resized_after_that() -> None:
    data = bytearray(b"[1, 2, 3]")
    with json.read(data, int) as reader:
        assert next(reader) == 1
        with pytest.raises(BufferError):
            data.append(1)
    data.append(32)
    assert list(json.read(data, int)) == [1, 2, 3]


def test_the_longest_record_is_limited() -> None:
    data = [b'["short", "', *[b"x" * 1000] * 100, b'"]']
    assert [len(text) for text in json.read(data, str)] == [5, 100_000]
    reader = json.read(data, str, limit=20_000)
    assert next(reader) == "short"
    with pytest.raises(LimitError, match="20000 bytes"):
        next(reader)
    for limit in (0, -1, "1", True):
        with pytest.raises(TypeError, match="limit must be an int from 1"):
            json.read(b"", limit=limit)  # type: ignore[call-overload]
