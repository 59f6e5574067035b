"""Writing records to places: all of a file or none of it, in bounded memory, from whatever gives them."""

import asyncio
import errno
import gzip
import io
import itertools
import os
import pickle
import signal
import subprocess
import sys
import threading
from dataclasses import dataclass
from pathlib import Path

import demat
import formats
import pytest
from demat import csv, json, ndjson
from formats import name, one_by_one, whole


@dataclass(slots=True)
class Task:
    id: int
    title: str


TASKS = [Task(id, f"task {id}") for id in range(1000)]


# The blocks of a list have the count of all items, if that is known, and else as many as come together.
BLOCKS = ["raw"]


@formats.each(but=BLOCKS)
@pytest.mark.parametrize("make", [list, tuple, iter, lambda tasks: (task for task in tasks)])
def test_what_is_written_is_what_encode_makes(module, make, tmp_path):
    path = tmp_path / "tasks"
    assert module.write(path, make(TASKS)) == 1000
    expected = whole if make in (list, tuple) else one_by_one
    assert path.read_bytes() == expected(module, TASKS)


@formats.each(nested=True, typed=False)
def test_scalars_are_written_as_encode_writes_them(module, tmp_path):
    path = tmp_path / "ids"
    assert module.write(path, map(id, TASKS)) == 1000
    assert path.read_bytes() == one_by_one(module, [id(task) for task in TASKS])


@formats.each(but=BLOCKS)
def test_much_is_written_in_pieces(module, tmp_path):
    many = [Task(id, "x" * (id % 500)) for id in range(20_000)]
    # Where a list begins with its length, records are written as they come only if no list is.
    options = {"sequence": True} if module in formats.modules(writes="sequence") else {}
    pieces = []

    class File:
        def write(self, data):
            pieces.append(bytes(data))

    assert module.write(File(), iter(many), **options) == 20_000
    assert b"".join(pieces) == whole(module, many, **options)
    assert len(pieces) > 10
    assert max(map(len, pieces)) < 1024 * 1024


@formats.each()
def test_options_are_those_of_encode(module, tmp_path):
    # Formats without an option of their own have one that all of them have.
    options = {
        json: {"indent": 2, "sort_keys": True},
        ndjson: {"ascii": True},
        csv: {"delimiter": ";", "header": False},
    }.get(module, {"rename": "upper"})
    values = [{"title": "käse", "id": 1}] if not formats.facts(module).typed else TASKS[:1]
    path = tmp_path / "tasks"
    module.write(str(path), values, **options)
    assert path.read_bytes() == whole(module, values, **options)


@formats.each(but=BLOCKS)
def test_nothing_is_a_list_too(module, tmp_path):
    path = tmp_path / "tasks"
    assert module.write(path, []) == 0
    assert path.read_bytes() == whole(module, [])


def test_a_type_names_the_columns_of_no_rows(tmp_path):
    assert csv.write(tmp_path / "tasks.csv", [], Task) == 0
    assert (tmp_path / "tasks.csv").read_bytes() == b"id,title\n"


@formats.each(but=BLOCKS)
def test_suffixes_say_how_it_is_packed(module, tmp_path):
    path = tmp_path / "tasks.gz"
    module.write(path, TASKS)
    assert gzip.decompress(path.read_bytes()) == whole(module, TASKS)
    module.write(path, TASKS, compression=None)
    assert path.read_bytes() == whole(module, TASKS)
    module.write(tmp_path / "tasks.zst", TASKS)
    assert (tmp_path / "tasks.zst").read_bytes()[:4] == b"\x28\xb5\x2f\xfd"


def test_open_files_can_be_packed_too():
    file = io.BytesIO()
    json.write(file, [1, 2], compression="gzip")
    assert gzip.decompress(file.getvalue()) == b"[1,2]\n"
    assert not file.closed


def test_an_unknown_compression_is_refused(tmp_path):
    with pytest.raises(ValueError, match="compression must be .* not 'lzma'"):
        json.write(tmp_path / "x", [], compression="lzma")
    assert not (tmp_path / "x").exists()


def test_a_file_stays_what_it_was_where_a_value_is_bad(tmp_path):
    path = tmp_path / "tasks.json"
    path.write_bytes(b"before")
    with pytest.raises(demat.EncodeError) as caught:
        json.write(path, [Task(1, "a"), Task(2, object())])
    assert caught.value.path == "$[1].title"
    assert path.read_bytes() == b"before"
    assert list(tmp_path.iterdir()) == [path]


def test_what_the_values_raise_comes_through(tmp_path):
    def values():
        yield Task(1, "a")
        raise KeyError("mine")

    with pytest.raises(KeyError, match="mine"):
        json.write(tmp_path / "tasks.json", values())
    assert not any(tmp_path.iterdir())


def test_what_a_file_raises_comes_through():
    class Full:
        def write(self, data):
            raise OSError(errno.ENOSPC, "no space")

    with pytest.raises(OSError, match="no space") as caught:
        json.write(Full(), TASKS)
    assert caught.value.errno == errno.ENOSPC
    assert not isinstance(caught.value, demat.Error)


@pytest.mark.parametrize("lie", [-1, 10**6, "much"])
def test_a_file_that_lies_about_what_it_wrote_is_refused(lie):
    class Liar:
        def write(self, data):
            return lie

    with pytest.raises(OSError, match="says that it has written"):
        json.write(Liar(), TASKS[:3])


def test_raw_files_may_take_less_than_they_are_given():
    class Slow:
        taken = b""

        def write(self, data):
            self.taken += bytes(data[:7])
            return min(len(data), 7)

    slow = Slow()
    ndjson.write(slow, TASKS)
    assert slow.taken == ndjson.encode(TASKS)


def test_a_place_is_a_path_or_a_file(tmp_path):
    for place in (3, b"bytes", None, []):
        with pytest.raises(TypeError, match="a place to write to is a path or an open file"):
            json.write(place, [])
    with pytest.raises(TypeError, match='"wb"'):
        json.write(io.TextIOWrapper(io.BytesIO()), [])


@pytest.mark.parametrize("one", [{"a": 1}, "text", b"bytes", bytearray(), memoryview(b""), 3, None, Task(1, "a")])
def test_one_value_is_no_iterable_of_records(one, tmp_path):
    with pytest.raises(TypeError, match="an iterable of records"):
        json.write(tmp_path / "x.json", one)
    assert not any(tmp_path.iterdir())


def test_what_the_system_refuses_is_its_error_and_ours(tmp_path):
    with pytest.raises(FileNotFoundError) as caught:
        json.write(tmp_path / "no" / "x.json", [])
    error = caught.value
    assert isinstance(error, demat.StoreError)
    assert (error.errno, error.filename) == (errno.ENOENT, str(tmp_path / "no" / "x.json"))
    assert str(error).startswith("can't be written")
    again = pickle.loads(pickle.dumps(error))
    assert (type(again), again.errno, again.filename, str(again)) == (type(error), 2, error.filename, str(error))
    with pytest.raises(IsADirectoryError):
        json.write(tmp_path, [])


def test_others_have_the_interpreter_while_the_place_is_slow():
    # A pipe holds less than is written, so that without the reader's thread this would never end.
    reading, writing = os.pipe()
    got = []

    def read():
        with os.fdopen(reading, "rb") as file:
            got.append(file.read())

    thread = threading.Thread(target=read)
    thread.start()
    with os.fdopen(writing, "wb", buffering=0) as file:
        ndjson.write(file, TASKS * 100)
    thread.join(30)
    assert got == [ndjson.encode(TASKS * 100)]


def test_values_without_an_end_can_be_interrupted():
    def stop(*_):
        raise InterruptedError("enough")

    before = signal.signal(signal.SIGALRM, stop)
    try:
        signal.setitimer(signal.ITIMER_REAL, 0.05)
        with pytest.raises(InterruptedError, match="enough"):
            json.write(os.devnull, itertools.repeat(TASKS[0]))
    finally:
        signal.signal(signal.SIGALRM, before)


def test_memory_is_bounded():
    program = """
import demat, itertools, os, resource
def peak():
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
demat.ndjson.write(os.devnull, [{}])
before = peak()
row = {"title": "x" * 1000, "ids": list(range(50))}
assert demat.ndjson.write(os.devnull, itertools.repeat(row, 200_000)) == 200_000
print(peak() - before)
"""
    ran = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert int(ran.stdout) < 16 * 1024


@pytest.mark.parametrize("name", ["cbor", "msgpack"])
@pytest.mark.parametrize("count", [10, 100_000])
def test_memory_is_bounded_where_a_list_has_a_count(name, count, tmp_path):
    """In a file the count is put in at the end, or stands for nothing."""
    program = f"""
import demat, itertools, resource
from demat import {name}
def peak():
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
{name}.write("tasks", [{{}}])
before = peak()
row = {{"title": "x" * 1000, "ids": list(range(50))}}
assert {name}.write("tasks", itertools.repeat(row, {count})) == {count}
print(peak() - before)
read = 0
for record in {name}.read("tasks"):
    assert record == row
    read += 1
print(read)
"""
    ran = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True, cwd=tmp_path)
    memory, read = map(int, ran.stdout.split())
    assert memory < 16 * 1024
    assert read == count


def test_asynchronous_values_are_awaited(tmp_path):
    async def values():
        for task in TASKS:
            yield task
            if task.id % 100 == 0:
                await asyncio.sleep(0)

    async def run(module):
        path = tmp_path / name(module)
        assert await module.write(path, values(), Task) == 1000
        assert path.read_bytes() == one_by_one(module, TASKS)

    for module in formats.modules(but=BLOCKS):
        asyncio.run(run(module))


def test_a_task_that_was_cancelled_leaves_no_file(tmp_path):
    async def values():
        yield TASKS[0]
        await asyncio.sleep(60)

    async def run():
        task = asyncio.ensure_future(json.write(tmp_path / "x.json", values()))
        await asyncio.sleep(0.01)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task

    asyncio.run(run())
    assert not any(tmp_path.iterdir())


def test_a_hook_may_write_to_another_place(tmp_path):
    class Money:
        pass

    def encode(money):
        json.write(tmp_path / "inner.json", [1, 2])
        return "money"

    assert json.write(tmp_path / "outer.json", [Money()], hooks={Money: demat.Hook(encode=encode)}) == 1
    assert (tmp_path / "outer.json").read_bytes() == b'["money"]\n'
    assert (tmp_path / "inner.json").read_bytes() == b"[1,2]\n"


def test_standard_output_is_a_place():
    program = 'import demat; demat.csv.write("-", [{"a": 1}])'
    assert subprocess.run([sys.executable, "-c", program], capture_output=True, check=True).stdout == b"a\n1\n"


def test_a_file_that_it_reads_from_can_be_written_over(tmp_path):
    path = Path(tmp_path / "tasks.ndjson")
    ndjson.write(path, TASKS)

    def doubled():
        with path.open("rb") as file:
            for line in file:
                task = json.decode(line, Task)
                yield Task(task.id * 2, task.title)

    assert ndjson.write(path, doubled()) == 1000
    assert ndjson.decode(path.read_bytes(), list[Task])[-1].id == 1998
