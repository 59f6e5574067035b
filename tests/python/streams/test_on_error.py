"""Reading goes on after refused records, in every format whose records have borders."""

from __future__ import annotations

import asyncio
import gc
import random
import subprocess
import sys
import weakref
from collections.abc import AsyncIterator, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any

import demat
import formats
import pytest
from demat import Error, Field, LimitError, ValidationError, csv, json, ndjson
from demat._formats import FORMATS

# A document of one record has no next one.
SINGLE = {"txtpb": "a document is one message", "toml": "a document is one table"}
LISTED = formats.names(special=None, but=("mca", *SINGLE))


@dataclass
class Task:
    id: Annotated[int, Field(gt=-1)]
    title: str = ""


@dataclass
class Loose:
    """A task with any id, to write what is refused."""

    id: int
    title: str = ""


def made(format: str, ids: list[int]) -> bytes:
    """A document of tasks; those with negative ids are to be refused."""
    tasks = [Loose(id, f"t{id}") for id in ids]
    data: bytes = getattr(demat, format).encode(tasks, type=list[Loose])
    return data


def read(format: str, data: Any, **options: Any) -> Any:
    return getattr(demat, format).read(data, Task, **options)


@pytest.mark.parametrize("format", LISTED)
def test_what_is_right_is_given(format: str) -> None:
    chosen = random.Random(7)
    for count in (1, 2, 3, 50, 700):
        ids = [id if chosen.random() < 0.6 else -id - 1 for id in range(count)]
        right, wrong = [id for id in ids if id >= 0], [index for index, id in enumerate(ids, 1) if id < 0]
        data = made(format, ids)
        reader = read(format, data, on_error="skip")
        assert [task.id for task in reader] == right
        assert (reader.record, reader.rejected) == (len(right), len(wrong))
        listed: list[tuple[Error, bytes]] = []
        assert [task.id for task in read(format, data, on_error="collect", rejects=listed)] == right
        assert [error.record for error, _ in listed] == wrong
        assert all(isinstance(error, ValidationError) and error.path.endswith("id") for error, _ in listed)
        assert all(type(data) is bytes for _, data in listed)
        called: list[tuple[Error, bytes]] = []

        def call(error: Error, data: bytes, called: list[tuple[Error, bytes]] = called) -> None:
            called.append((error, data))

        batches = list(read(format, data, on_error="collect", rejects=call, batch=7))
        assert [task.id for batch in batches for task in batch] == right
        assert [(str(error), data) for error, data in called] == [(str(error), data) for error, data in listed]
        assert [task.id for task in read(format, iter([data[:9], data[9:]]), on_error="skip")] == right


@pytest.mark.parametrize("format", LISTED)
def test_awaited_bytes(format: str) -> None:
    data = made(format, [1, -2, 3, -4, 5])

    async def chunks() -> AsyncIterator[bytes]:
        for at in range(0, len(data), 11):
            yield data[at : at + 11]

    async def ids(reader: Any) -> list[int]:
        return [task.id async for task in reader]

    rejects: list[tuple[Error, bytes]] = []
    reader = read(format, chunks(), on_error="collect", rejects=rejects)
    assert asyncio.run(ids(reader)) == [1, 3, 5]
    assert ([error.record for error, _ in rejects], reader.record, reader.rejected) == ([2, 4], 3, 2)


@pytest.mark.parametrize("format", LISTED)
def test_a_refused_record_ends_the_reading_unless_told_otherwise(format: str) -> None:
    for options in ({}, {"on_error": "stop"}, {"on_error": "stop", "rejects": None}):
        reader = read(format, made(format, [1, -2, 3]), **options)
        assert next(reader) == Task(1, "t1")
        with pytest.raises(ValidationError, match="found `-2`"):
            next(reader)
        assert list(reader) == []


def test_a_reject_comes_in_its_turn() -> None:
    ids = [1, 2, 3, -4, 5, -6, -7, 8, -9]
    seen: list[int] = []
    reader = ndjson.read(
        made("ndjson", ids), Task, on_error="collect", rejects=lambda error, _: seen.append(-error.record)
    )
    for task in reader:
        seen.append(task.id)
        assert reader.record + reader.rejected == task.id
    assert seen == ids


def test_a_callable_that_raises_ends_the_reading() -> None:
    class Enough(Exception):
        pass

    def enough(error: Error, data: bytes) -> None:
        raise Enough(data) from error

    for options in ({}, {"batch": 10}):
        reader: Any = json.read(made("json", [1, 2, -3, 4]), Task, on_error="collect", rejects=enough, **options)
        assert next(reader) in (Task(1, "t1"), [Task(1, "t1"), Task(2, "t2")])
        assert options or next(reader) == Task(2, "t2")
        with pytest.raises(Enough, match="-3"):
            next(reader)
        assert list(reader) == []
        assert reader.closed


def test_a_callable_must_not_ask_its_reader() -> None:
    reader: Any = json.read(b'["x", 1]', int, on_error="collect", rejects=lambda *_: next(reader))
    with pytest.raises(RuntimeError, match="this reader is at work"):
        next(reader)


def test_all_errors_of_one_record_come_together() -> None:
    rejects: list[tuple[Error, bytes]] = []
    data = b'[{"id": "x", "title": 1}, {"id": 2}]'
    assert list(json.read(data, Task, on_error="collect", rejects=rejects, errors="all")) == [Task(2)]
    ((error, raw),) = rejects
    assert [one.path for one in error.errors] == ["$[0].id", "$[0].title"]
    assert raw == b'{"id": "x", "title": 1}'


def test_lines_of_invalid_syntax_are_records() -> None:
    rejects: list[tuple[Error, bytes]] = []
    lines = b'{"id": 1}\n{"id": \r\nnonsense\n\n{"id": 4} 5\n{"id": 5}\n{"id"'
    assert [task.id for task in ndjson.read(lines, Task, on_error="collect", rejects=rejects)] == [1, 5]
    assert [(type(error).__name__, error.record, error.line, data) for error, data in rejects] == [
        ("DecodeError", 2, 2, b'{"id": '),
        ("DecodeError", 3, 3, b"nonsense"),
        ("DecodeError", 4, 5, b'{"id": 4} 5'),
        ("DecodeError", 6, 7, b'{"id"'),
    ]


def test_rows_of_other_lengths_are_records() -> None:
    rejects: list[tuple[Error, bytes]] = []
    rows = b'id,title\n1,a\n2,b,c\nx,"d\n"\n4,e\n'
    assert [task.id for task in csv.read(rows, Task, on_error="collect", rejects=rejects)] == [1, 4]
    assert [(error.record, data) for error, data in rejects] == [(2, b"2,b,c"), (3, b'x,"d\n"')]


def test_syntax_that_hides_the_next_record_stops() -> None:
    for data, good in ((b'[{"id": 1}, {"id": tru}, {"id": 3}]', 1), (b'[{"id": 1}, {"id": "x"} {"id": 3}]', 1)):
        reader = json.read(data, Task, on_error="skip")
        with pytest.raises(demat.DecodeError) as raised:
            list(reader)
        assert raised.value.record in (2, 3)
        assert reader.record == good


def test_the_system_and_foreign_exceptions_stop() -> None:
    def chunks() -> Iterator[bytes]:
        yield b'{"id": -1}\n{"id": 2}\n'
        raise ConnectionResetError("gone")

    with pytest.raises(ConnectionResetError):
        list(ndjson.read(chunks(), Task, on_error="skip"))

    class Odd:
        pass

    def hook(value: int) -> Odd:
        raise KeyError(value) if value == 2 else ValueError("refused")

    with pytest.raises(KeyError):
        list(json.read(b"[1, 2, 3]", Odd, hooks={Odd: demat.Hook(decode=hook, wire=int)}, on_error="skip"))
    with pytest.raises(LimitError):
        list(json.read(b'["' + b"x" * 100_000 + b'"]', int, on_error="skip", limit=1000))


def test_hooks_refuse_records_and_are_called_once_for_each() -> None:
    class Even:
        pass

    called: list[int] = []

    def hook(value: int) -> int:
        called.append(value)
        if value % 2:
            raise ValueError(f"{value} is odd")
        return value

    numbers = list(range(30_000))
    rejects: list[tuple[Error, bytes]] = []
    hooks: Any = {Even: demat.Hook(decode=hook, wire=int)}
    given = list(json.read(json.encode(numbers), Even, hooks=hooks, on_error="collect", rejects=rejects))
    assert given == numbers[::2]
    assert called == numbers
    assert str(rejects[0][0].__cause__) == "1 is odd"


def test_where_the_records_are() -> None:
    page = b'{"users": [{"tasks": [{"id": 1}, {"id": "x"}]}, {"tasks": []}, {"tasks": [{"id": -3}, {"id": 4}]}]}'
    rejects: list[tuple[Error, bytes]] = []
    options: Any = {"at": "$.users[*].tasks[*]", "on_error": "collect", "rejects": rejects}
    assert [task.id for task in json.read(page, Task, **options)] == [1, 4]
    assert [error.path for error, _ in rejects] == ["$.users[0].tasks[1].id", "$.users[2].tasks[0].id"]
    # One value for each user.
    values = json.read(page, list[Task], at="$.users[*].tasks", on_error="skip")
    assert list(values) == [[]]
    for at in ("$", "$.users", "$.users[0]"):
        with pytest.raises(ValueError, match="on_error is for several records, and here is only one"):
            json.read(page, at=at, on_error="skip")


@pytest.mark.parametrize("format", SINGLE)
def test_a_document_of_one_record_has_no_next(format: str) -> None:
    with pytest.raises((TypeError, ValueError), match="on_error.*one"):
        read(format, b"", on_error="skip")


def test_a_list_in_a_document_of_one_record() -> None:
    reader = demat.toml.read(b"items = [{id = 1}, {id = -2}, {id = 3}]", Task, at="$.items[*]", on_error="skip")
    assert [task.id for task in reader] == [1, 3]


@pytest.mark.parametrize("format", formats.names(special=None, but=SINGLE))
def test_what_is_no_treatment_of_errors(format: str) -> None:
    wrong: list[tuple[dict[str, Any], type[Exception], str]] = [
        ({"on_error": "all"}, ValueError, 'on_error must be "stop" or "skip" or "collect", not "all"'),
        ({"on_error": 1}, TypeError, "on_error must be"),
        ({"on_error": None}, TypeError, "on_error must be"),
        ({"on_error": "collect"}, ValueError, 'on_error="collect" needs rejects='),
        ({"rejects": []}, ValueError, 'rejects= needs on_error="collect"'),
        ({"on_error": "skip", "rejects": []}, ValueError, 'rejects= needs on_error="collect"'),
        ({"on_error": "collect", "rejects": 3}, TypeError, "rejects must be a list, or a callable"),
        ({"on_error": "collect", "rejects": ()}, TypeError, "rejects must be a list, or a callable"),
        ({"on_error": "collect", "rejects": awaited}, TypeError, "must not be a coroutine function"),
    ]
    for options, error, message in wrong:
        with pytest.raises(error, match=message):
            read(format, b"", **options)


async def awaited(error: Error, data: bytes) -> None:
    raise AssertionError


def test_lazy_records_have_no_such_option() -> None:
    for module in (json, ndjson, demat.msgpack):
        with pytest.raises(TypeError, match="lazy records have no option .on_error."):
            module.read(b"[]", Task, lazy=True, on_error="skip")  # type: ignore[call-overload]


@pytest.mark.parametrize("format", ["json", "ndjson", "csv", "msgpack"])
def test_memory_stays_over_many_rejects(format: str) -> None:
    module = getattr(demat, format)

    def chunks(count: int) -> Iterator[bytes]:
        whole = module.encode([Loose(-1, "x" * 100)] * 100, type=list[Loose])
        if format == "json":
            yield b"["
            yield b",".join([whole[1:-1]] * count)
            yield b"]"
        elif format == "msgpack":
            one = module.encode(Loose(-1, "x" * 100))
            yield b"\xdd" + (100 * count).to_bytes(4, "big")
            for _ in range(count):
                yield one * 100
        else:
            head, body = whole.split(b"\n", 1) if format == "csv" else (b"", whole)
            yield head + b"\n"
            for _ in range(count):
                yield body

    counted = 0

    def count(error: Error, data: bytes) -> None:
        nonlocal counted
        counted += 1

    def blocks(times: int) -> int:
        reader = read(format, chunks(times), on_error="collect", rejects=count)
        assert list(reader) == []
        assert reader.rejected == 100 * times
        gc.collect()
        return sys.getallocatedblocks()

    blocks(10)
    before = blocks(10)
    assert blocks(300) - before < 500
    assert counted == 32_000


def test_a_reader_in_a_cycle_with_its_rejects_goes() -> None:
    class Sink:
        def __call__(self, error: Error, data: bytes) -> None: ...

    sink: Any = Sink()
    sink.reader = json.read(b"[1, 2]", int, on_error="collect", rejects=sink)
    gone = weakref.ref(sink)
    del sink
    gc.collect()
    assert gone() is None


def test_recycled_instances() -> None:
    ids = [id if id % 3 else -id for id in range(1, 4000)]
    reader: Any = json.read(made("json", ids), Task, on_error="skip", recycle=True)
    assert sum(task.id for task in reader) == sum(id for id in ids if id > 0)
    kept = list(json.read(made("json", ids), Task, on_error="skip", recycle=True))
    assert [task.id for task in kept] == [id for id in ids if id > 0]


LINES = [format.name for format in FORMATS if format.decoding]


@pytest.mark.parametrize("format", LINES)
def test_decoding_a_document_of_lines(format: str) -> None:
    module = getattr(demat, format)
    ids = [id if id % 4 else -id for id in range(1, 6000)]
    right = [Task(id, f"t{id}") for id in ids if id > 0]
    data = made(format, ids)
    for given in (data, data.decode(), bytearray(data), memoryview(data)):
        assert module.decode(given, list[Task], on_error="skip") == right
    listed: list[tuple[Error, bytes]] = []
    assert module.decode(data, list[Task], on_error="collect", rejects=listed) == right
    called: list[tuple[Error, bytes]] = []
    reader = read(format, data, on_error="collect", rejects=lambda error, data: called.append((error, data)))
    assert list(reader) == right
    assert [(str(error), data) for error, data in listed] == [(str(error), data) for error, data in called]
    plain = module.decode(data)
    for untyped in (list, list[Any], Any):
        assert module.decode(data, untyped, on_error="skip") == plain
    assert module.decode(data, on_error="skip") == plain
    assert module.decode(b"", list[int], on_error="skip") == []
    with pytest.raises(ValidationError) as raised:
        module.decode(data, list[Task], on_error="stop")
    with pytest.raises(ValidationError) as usual:
        module.decode(data, list[Task])
    assert (raised.value.record, raised.value.path) == (4, "$[3].id")
    assert str(raised.value) == str(usual.value)


@pytest.mark.parametrize("format", LINES)
def test_what_decoding_lines_refuses(format: str) -> None:
    module = getattr(demat, format)
    for tp in (Task, tuple[Task, ...], set[int], dict[str, int], list[Task] | None):
        with pytest.raises(TypeError, match="on_error is for a list of records"):
            module.decode(b"", tp, on_error="skip")
    with pytest.raises(TypeError, match="expected bytes, another buffer or str to decode, not list"):
        module.decode([b""], list[Task], on_error="skip")
    with pytest.raises(ValueError, match="rejects= needs on_error"):
        module.decode(b"", list[Task], rejects=[])
    with pytest.raises(TypeError, match="has no option .?batch"):
        module.decode(b"", list[Task], on_error="skip", batch=3)
    with pytest.raises(TypeError, match="has no option .?on_error"):
        module.Decoder(list[Task], on_error="skip")

    def enough(error: Error, data: bytes) -> None:
        raise LookupError(data)

    with pytest.raises(LookupError):
        module.decode(made(format, [1, -2, 3]), list[Task], on_error="collect", rejects=enough)


@pytest.mark.parametrize("format", formats.names(special=None, but=LINES))
def test_other_documents_are_decoded_as_a_whole(format: str) -> None:
    with pytest.raises(TypeError, match="has no option .?on_error"):
        getattr(demat, format).decode(b"", list[Task], on_error="skip")


def test_copies_collect_too(tmp_path: Path) -> None:
    rejects: list[tuple[Error, bytes]] = []
    out = tmp_path / "out.json"
    lines = b'{"id": 1}\n{"id": "x"}\nnonsense\n{"id": 4}\n'
    copied = demat.copy(lines, out, Task, from_="ndjson", on_error="collect", rejects=rejects)
    assert (copied.records, copied.rejected) == (2, 2)
    assert [(error.record, data) for error, data in rejects] == [(2, b'{"id": "x"}'), (3, b"nonsense")]
    with pytest.raises(ValueError, match='on_error="collect" needs rejects='):
        demat.copy(lines, out, Task, from_="ndjson", on_error="collect")
    with pytest.raises(TypeError, match="rejects must be a path, a list, or a callable"):
        demat.copy(lines, out, Task, from_="ndjson", on_error="collect", rejects=3)  # type: ignore[arg-type]


LONG = """
import asyncio, resource, sys
from demat import ndjson
how = sys.argv[1]
def lines(count):
    for _ in range(count):
        yield b'"x"\\n' * 10_000 if how == "refused" else b'1\\n"x"\\n' * 5_000
async def awaited_lines(count):
    for chunk in lines(count):
        yield chunk
async def run(count):
    async for _ in ndjson.read(awaited_lines(count), int, on_error="skip"):
        pass
def work(count):
    if how == "awaited":
        asyncio.run(run(count))
    else:
        for _ in ndjson.read(lines(count), int, on_error="skip", **({"batch": 100} if how == "batches" else {})):
            pass
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
before = work(10)
print((work(100) - before) // 1024)
"""


@pytest.mark.parametrize("how", ["single", "batches", "awaited", "refused"])
def test_a_long_run_takes_no_more_memory(how: str) -> None:
    done = subprocess.run([sys.executable, "-c", LONG, how], capture_output=True, text=True, timeout=120)
    assert done.stderr == ""
    # Eight bytes for each record would be more.
    assert int(done.stdout) < 4
