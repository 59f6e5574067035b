"""Batches, progress, the options of decoding, and readers that are used in ways they must not be."""

from __future__ import annotations

import gzip
import io
import subprocess
import sys
import threading
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any

import demat
import pytest
from demat import Hook, ValidationError, csv, json, ndjson
from hostile import run


@dataclass
class Task:
    id: int
    title: str = ""


def test_batches(tmp_path: Path) -> None:
    path = tmp_path / "numbers"
    path.write_bytes(json.encode(list(range(100_000))))
    lists = list(json.read(path, int, batch=300))
    assert [len(numbers) for numbers in lists] == [300] * 333 + [100]
    assert [number for numbers in lists for number in numbers] == list(range(100_000))
    assert list(json.read(b"[1, 2, 3]", int, batch=3)) == [[1, 2, 3]]
    assert list(json.read(b"[]", int, batch=3)) == []
    reader = json.read(path, int, batch=7)
    assert (len(next(reader)), reader.record, len(next(reader)), reader.record) == (7, 7, 7, 14)


def test_a_batch_has_what_has_come() -> None:
    def chunks() -> Iterator[bytes]:
        yield b"[1, 2, 3, "
        yield b"4, 5, 6, 7"
        yield b", 8]"

    assert list(json.read(chunks(), int, batch=100)) == [[1, 2, 3], [4, 5, 6], [7, 8]]
    assert list(json.read(chunks(), int, batch=2)) == [[1, 2], [3], [4, 5], [6], [7, 8]]


def test_what_was_good_is_given_before_what_was_not() -> None:
    reader = json.read(b'[1, 2, "x", 4]', int, batch=10)
    assert next(reader) == [1, 2]
    with pytest.raises(ValidationError) as raised:
        next(reader)
    assert raised.value.record == 3
    assert list(reader) == []


@pytest.mark.parametrize("batch", [0, -1, "3", 2.0, True])
def test_what_is_no_batch(batch: Any) -> None:
    with pytest.raises(TypeError, match="batch must be an int from 1"):
        json.read(b"[]", batch=batch)


def test_progress(tmp_path: Path) -> None:
    data = json.encode(list(range(200_000)))
    path = tmp_path / "numbers"
    for stored in (data, gzip.compress(data)):
        path.write_bytes(stored)
        for place, total in ((path, len(stored)), (stored, len(stored)), (io.BytesIO(stored), None)):
            told: list[tuple[int, int | None]] = []
            reader = json.read(place, int, progress=lambda read, total, told=told: told.append((read, total)))
            assert sum(1 for _ in reader) == 200_000
            assert told == sorted(set(told))
            assert len(told) >= 2
            assert told[-1] == (len(stored), total)
            assert (reader.record, reader.bytes_read) == (200_000, len(stored))
    for silent in (None, False):
        assert list(json.read(b"[1]", int, progress=silent)) == [1]  # type: ignore[call-overload]
    with pytest.raises(TypeError, match="progress must be True, False or a function"):
        json.read(b"", progress=3)  # type: ignore[call-overload]


def test_what_progress_raises_ends_the_reading() -> None:
    reader = json.read(b"[1, 2]", int, progress=lambda read, total: 1 / 0)
    with pytest.raises(ZeroDivisionError):
        list(reader)
    assert list(reader) == []


def test_a_bar_on_standard_error() -> None:
    program = """
    import contextlib, os, sys, time
    from demat import json
    def chunks():
        yield b"[1"
        time.sleep(1.1)
        yield b", 2]"
    read, write = os.pipe()
    error = os.dup(2)
    os.dup2(write, 2)
    assert list(json.read(chunks(), int, progress=True)) == [1, 2]
    os.dup2(error, 2)
    os.close(write)
    print(os.read(read, 1000).decode())
    """
    assert "6 B" in run(program)


def test_the_options_of_decoding() -> None:
    assert list(json.read(b'["1"]', int, strict=False)) == [1]
    assert list(csv.read(b"a;b\n1;2\n", delimiter=";")) == [{"a": "1", "b": "2"}]
    assert list(csv.read(b"1,2\n3,4\n", list[int], header=False)) == [[1, 2], [3, 4]]
    assert list(json.read(b'[{"ID": 1}]', Task, rename=str.upper)) == [Task(1)]
    with pytest.raises(demat.LimitError):
        list(json.read(b"[[[1]]]", depth=2))
    with pytest.raises(ValidationError) as raised:
        list(json.read(b'[{"id": 1}, {"id": "x", "title": 2}]', Task, errors="all"))
    assert [(error.path, error.record) for error in raised.value.errors] == [("$[1].id", 2), ("$[1].title", 2)]
    with pytest.raises(ValidationError, match="stands here again"):
        list(json.read(b'[{"id": 1, "id": 2}]', Task, repeated_keys="refuse"))
    with pytest.raises(TypeError, match="decoding json has no option 'nonsense'|has no option \"nonsense\""):
        json.read(b"", nonsense=1)  # type: ignore[call-overload]
    with pytest.raises(TypeError, match="recycle must be True or False"):
        json.read(b"", Task, recycle=1)  # type: ignore[call-overload]


def test_errors_say_where() -> None:
    with pytest.raises(ValidationError) as raised:
        list(ndjson.read(b'{"id": 1}\n\n{"id": 2}\n{"id": []}\n', Task))
    error = raised.value
    assert (error.record, error.line, error.column, error.offset, error.path) == (3, 4, 8, 28, "$[2].id")
    # In the place, and not in the window.
    data = b"[" + b",\n".join([b'{"id": 123456, "title": "some text"}'] * 50_000) + b',\n{"id": true}]'
    with pytest.raises(ValidationError) as raised:
        list(json.read(data, Task))
    error = raised.value
    assert (error.record, error.line, error.column, error.offset) == (50_001, 50_001, 8, len(data) - 6)
    with pytest.raises(ValidationError) as raised:
        list(csv.read(b"id,title\n1,x\nx,y\n", Task))
    assert (raised.value.record, raised.value.line) == (2, 3)


def test_a_reader_that_is_at_work_says_so() -> None:
    reader: Any = None

    def again(value: int) -> int:
        return int(next(reader)) + value

    reader = json.read(b"[1, 2]", Annotated[int, Hook(wire=int, decode=again)])
    with pytest.raises(RuntimeError, match="this reader is at work"):
        next(reader)
    assert list(reader) == []

    def closing(value: int) -> int:
        reader.close()
        return value

    reader = json.read(b"[1, 2]", Annotated[int, Hook(wire=int, decode=closing)])
    with pytest.raises(RuntimeError, match="this reader is at work"):
        next(reader)


def test_two_threads_at_one_reader() -> None:
    begun, ended = threading.Event(), threading.Event()

    def chunks() -> Iterator[bytes]:
        yield b"[1, "
        begun.set()
        ended.wait(20)
        yield b"2]"

    reader = json.read(chunks(), int)
    assert next(reader) == 1
    other = threading.Thread(target=lambda: seen.append(next(reader)))
    seen: list[int] = []
    other.start()
    begun.wait(20)
    for attempt in (lambda: next(reader), reader.close, lambda: reader.record):
        with pytest.raises(RuntimeError, match="this reader is at work"):
            attempt()
    ended.set()
    other.join()
    assert seen == [2]
    assert list(reader) == []


def test_reading_lets_other_threads_work(tmp_path: Path) -> None:
    # Each has its own; together they come to the same.
    path = tmp_path / "numbers"
    path.write_bytes(json.encode(list(range(50_000))))
    sums: list[int] = []
    threads = [threading.Thread(target=lambda: sums.append(sum(json.read(path, int)))) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sums == [sum(range(50_000))] * 4


def test_a_signal_is_answered_while_a_pipe_is_waited_for() -> None:
    program = """
    import os, signal
    from demat import json
    read, write = os.pipe()
    signal.signal(signal.SIGALRM, lambda *_: os.write(write, b"]") and os.close(write))
    signal.setitimer(signal.ITIMER_REAL, 0.3)
    os.write(write, b"[1")
    print(list(json.read(f"/proc/self/fd/{read}" if os.path.exists("/proc/self/fd") else read, int)))
    def stop(*_):
        raise KeyError("stopped")
    signal.signal(signal.SIGALRM, stop)
    signal.setitimer(signal.ITIMER_REAL, 0.3)
    read, write = os.pipe()
    os.write(write, b"[1")
    try:
        list(json.read(f"/proc/self/fd/{read}", int))
    except KeyError as error:
        print(error)
    """
    assert run(program) == "[1]\n'stopped'\n"


MEMORY = """
import resource, sys
from dataclasses import dataclass
from demat import cbor, csv, json, msgpack, ndjson, proto, raw
@dataclass(slots=True)
class Task:
    id: int
    title: str
form, size, recycle = sys.argv[1], int(sys.argv[2]) << 20, sys.argv[3] == "True"
block = {
    "json": b'{"id": 12345, "title": "some text"},' * 2000,
    "ndjson": b'{"id": 12345, "title": "some text"}\\n' * 2000,
    "csv": b"12345,some text\\n" * 4000,
    "proto": proto.encode([Task(12345, "some text")] * 2000),
    "msgpack": msgpack.encode([Task(12345, "some text")] * 2000, sequence=True),
    "cbor": cbor.encode([Task(12345, "some text")] * 2000, sequence=True),
    "raw": (b"\\xe4" + raw.encode([Task(12345, "some text")] * 100)[9:]) * 20,
}[form]
def chunks():
    begun = {"json": b'{"big": [[', "csv": b"id,title\\n", "cbor": b"\\x9f", "raw": raw.encode([Task(1, "")])[:8]}
    yield begun.get(form, b"")
    if form == "json":
        for _ in range(size // len(block)):
            yield block
        yield b'{}]], "tasks": ['
    for _ in range(size // len(block)):
        yield block
    if form == "json":
        yield b'{"id": 1, "title": ""}], "more": ""}'
    if form == "cbor":
        yield b"\\xff"
    if form == "raw":
        yield b"\\0"
def peak():
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
options = {"at": "$.tasks[*]"} if form == "json" else {}
modules = {"json": json, "ndjson": ndjson, "csv": csv, "proto": proto, "msgpack": msgpack, "cbor": cbor, "raw": raw}
module = modules[form]
empty = {"json": b'{"tasks": []}', "msgpack": b"\\x90", "cbor": b"\\x80", "raw": raw.encode([Task(1, "")])[:8] + b"\\0"}
list(module.read(empty.get(form, b""), Task, **options))
before = peak()
count = sum(1 for _ in module.read(chunks(), Task, recycle=recycle, **options))
print(count >= size // len(block), (peak() - before) // 1024)
"""


@pytest.mark.parametrize("recycle", [False, True])
# Each format has an input of its own that has no end.
@pytest.mark.parametrize("form", ["json", "ndjson", "csv", "proto", "msgpack", "cbor", "raw"])
def test_memory_is_bounded(form: str, recycle: bool) -> None:
    done = subprocess.run(
        [sys.executable, "-c", MEMORY, form, "64", str(recycle)], capture_output=True, text=True, timeout=120
    )
    assert done.stderr == ""
    complete, megabytes = done.stdout.split()
    assert complete == "True"
    assert int(megabytes) <= 16


def test_readers_are_generic_and_named() -> None:
    assert repr(demat.Reader[int]) == "demat.Reader[int]"
    assert type(json.read(b"[]")) is demat.Reader
    reader = json.read(b"[1]")
    assert iter(reader) is reader
    assert reader.__next__() == 1
    with pytest.raises(StopIteration):
        reader.__next__()
