"""`demat.writer`: a place that a program holds."""

from __future__ import annotations

import gzip
import io
import socket
import subprocess
import sys
import threading
from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Annotated, Any

import demat
import formats
import pytest
from demat import Field, ndjson


@dataclass
class Item:
    id: int
    name: Annotated[str, Field(max_length=5)] = "a"
    tags: list[str] | None = None


@dataclass
class Row:
    id: Annotated[int, Field(key=True)]
    name: str = "a"


ITEMS = [Item(1), Item(2, "é"), Item(3, "c")]


def read(module: Any, data: bytes) -> list[Item]:
    return list(module.read(io.BytesIO(data), Item))


@formats.each(nested=True, texts=False)
def test_one_by_one_is_as_all_at_once(module: Any, tmp_path: Path) -> None:
    name = formats.name(module)
    whole = io.BytesIO()
    items = [Item(k, "ab" * (k % 3), ["x" * k] * (k % 4) or None) for k in range(300)]
    module.write(whole, items, Item)
    single, mixed = io.BytesIO(), tmp_path / "a"
    with demat.writer(single, Item, format=name) as writer:
        for item in items:
            writer.write(item)
        assert writer.count == 300
    with demat.writer(mixed, Item, format=name) as writer:
        writer.write(items[0])
        assert writer.write_all(iter(items[1:299])) == 298
        writer.flush()
        writer.write(items[299])
        assert not mixed.exists()
        assert (writer.close(), writer.closed, writer.close()) == (300, True, 300)
    assert read(module, single.getvalue()) == read(module, mixed.read_bytes()) == items
    # A list of MessagePack has a wider head where its first part was written before its length was known.
    if name not in ("mca", "plist", "msgpack"):
        assert single.getvalue() == mixed.read_bytes()


@formats.each(nested=True, texts=False)
def test_a_value_that_is_refused_is_left_out(module: Any) -> None:
    name = formats.name(module)
    file = io.BytesIO()
    wrong = Item(9, "z", ["deep", 5])  # type: ignore[list-item]
    with demat.writer(file, Item, format=name) as writer:
        with pytest.raises(demat.Error) as first:
            writer.write(wrong)
        writer.write(ITEMS[0])
        with pytest.raises(demat.Error) as second:
            writer.write(wrong)
        with pytest.raises(demat.Error):
            writer.write_all([ITEMS[1], wrong, ITEMS[0]])
        assert writer.count == 2
        writer.write(ITEMS[2])
    assert [(error.value.path or "")[:4] for error in (first, second)] == ["$[0]", "$[1]"]
    assert read(module, file.getvalue()) == ITEMS


@formats.each(nested=True, texts=False)
def test_nothing_written_is_an_empty_list(module: Any) -> None:
    name = formats.name(module)
    file = io.BytesIO()
    with demat.writer(file, Item, format=name) as writer:
        writer.flush()
    assert file.getvalue() == formats.one_by_one(module, [], type=list[Item])


def test_an_error_leaves_a_path_as_it_was(tmp_path: Path) -> None:
    path = tmp_path / "a.json"
    path.write_bytes(b"old")
    with pytest.raises(KeyError), demat.writer(path) as writer:
        writer.write_all(ITEMS)
        raise KeyError
    assert path.read_bytes() == b"old"
    assert [path] == list(tmp_path.iterdir())
    writer = demat.writer(path)
    writer.write(1)
    writer.abort()
    writer.abort()
    assert (writer.closed, path.read_bytes()) == (True, b"old")
    for call in (partial(writer.write, 1), partial(writer.write_all, [1]), writer.flush):
        with pytest.raises(RuntimeError, match="closed"):
            call()
    # It is forgotten at once.
    demat.writer(path).write(1)
    assert path.read_bytes() == b"old"


def test_an_open_file_gets_what_each_call_writes() -> None:
    file = io.BytesIO()
    with demat.writer(file, format="ndjson") as writer:
        for count, item in enumerate(ITEMS, 1):
            writer.write(item)
            assert file.getvalue().count(b"\n") == count
        writer.write_all(ITEMS)
        assert file.getvalue().count(b"\n") == 6
    text = io.StringIO()
    with demat.writer(text, format="json") as writer:
        writer.write(Item(1, "é"))
        assert text.getvalue().endswith('"é","tags":null}')
        writer.write(2)
        assert text.getvalue().endswith(",2")
    assert text.getvalue() == '[{"id":1,"name":"é","tags":null},2]\n'


def test_a_callable_and_a_socket() -> None:
    got: list[bytes] = []
    with demat.writer(got.append, format="ndjson") as writer:
        writer.write(1)
        writer.write("é")
    assert got == [b"1\n", '"é"\n'.encode()]
    near, far = socket.socketpair()
    with near, far:
        with demat.writer(near, format="ndjson") as writer:
            writer.write({"id": 1})
            assert far.recv(100) == b'{"id":1}\n'
        ndjson.write(near, [2])
        assert far.recv(100) == b"2\n"


def test_a_pipe_gets_records_as_they_come() -> None:
    program = """
import sys, demat
with demat.writer("-", format="ndjson") as writer:
    for line in sys.stdin:
        writer.write(int(line))
"""
    with subprocess.Popen(
        [sys.executable, "-c", program], stdin=subprocess.PIPE, stdout=subprocess.PIPE, bufsize=0
    ) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        for number in (b"1\n", b"22\n"):
            process.stdin.write(number)
            assert process.stdout.read(len(number)) == number
        process.stdin.close()


def test_a_compressed_file_object_is_flushed_on_demand() -> None:
    file = io.BytesIO()
    with demat.writer(file, format="ndjson", compression="gzip") as writer:
        writer.write({"id": 1})
        before = len(file.getvalue())
        writer.flush()
        assert len(file.getvalue()) > before
        writer.write({"id": 2})
    assert gzip.decompress(file.getvalue()) == b'{"id":1}\n{"id":2}\n'


def test_a_place_that_fails_closes_the_writer() -> None:
    class Full:
        def write(self, data: bytes) -> int:
            raise OSError("full")

    writer = demat.writer(Full(), format="ndjson")  # type: ignore[arg-type]
    with pytest.raises(OSError, match="full"):
        writer.write(1)
    assert (writer.closed, writer.count) == (True, 1)


def test_an_iterable_that_raises_leaves_what_came_before() -> None:
    def broken() -> Iterator[int]:
        yield 1
        raise KeyError("gone")

    file = io.BytesIO()
    with demat.writer(file, format="ndjson") as writer:
        with pytest.raises(KeyError):
            writer.write_all(broken())
        with pytest.raises(TypeError, match="put it into a list"):
            writer.write_all({"id": 1})
        writer.write(2)
    assert file.getvalue() == b"1\n2\n"


def test_records_that_are_large(tmp_path: Path) -> None:
    path, text = tmp_path / "a.json", "x" * 200_000
    with demat.writer(path) as writer:
        for _ in range(5):
            writer.write([text, 1])
            with pytest.raises(demat.EncodeError):
                writer.write([text, object()])
    assert demat.json.decode(path.read_bytes()) == [[text, 1]] * 5


def test_a_hook_can_not_write_to_it() -> None:
    file = io.BytesIO()
    with demat.writer(file, format="json", default=lambda value: writer.write(1)) as writer:
        with pytest.raises(RuntimeError, match="is being written to"):
            writer.write(object())
        writer.write(2)
    assert file.getvalue() == b"[2]\n"


def test_threads_take_turns() -> None:
    file = io.BytesIO()
    lock = threading.Lock()

    def work() -> None:
        for number in range(200):
            with lock:
                writer.write(number)

    with demat.writer(file, format="ndjson") as writer:
        threads = [threading.Thread(target=work) for _ in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    assert sorted(map(int, file.getvalue().split())) == sorted(list(range(200)) * 4)


def test_a_value_that_holds_raw_bytes_and_is_refused_closes_the_writer(tmp_path: Path) -> None:
    path = tmp_path / "a.json"
    writer = demat.writer(path)
    writer.write(1)
    with pytest.raises(demat.EncodeError):
        writer.write({"a": demat.Raw(b"1"), "b": object()})
    assert writer.closed
    with pytest.raises(RuntimeError, match="given up"):
        writer.close()
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("returned", [True, False, 0, object()])
def test_what_a_callable_returns_does_not_matter(returned: object) -> None:
    got: list[bytes] = []

    def take(data: bytes) -> object:
        got.append(data)
        return returned

    with demat.writer(take, format="ndjson") as writer:
        writer.write(12)
    assert got == [b"12\n"]


@pytest.mark.parametrize(
    ("place", "options", "said"),
    [
        ("a.unknown", {}, "say format="),
        ("a.json", {"nonsense": 1}, "nonsense"),
        ("a.json", {"format": "nonsense"}, "nonsense"),
        (5, {"format": "json"}, "a place to write to is"),
        (int, {"format": "json"}, "a place to write to is"),
        ("a.parquet", {"nonsense": 1}, "nonsense"),
    ],
)
def test_what_is_no_place_or_option_is_refused(
    place: Any, options: Any, said: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    with pytest.raises((TypeError, ValueError), match=said):
        demat.writer(place, **options)
    assert list(tmp_path.iterdir()) == []
