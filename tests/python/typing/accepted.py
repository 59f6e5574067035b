"""What a type checker must see in right programs: each `assert_type` is a promise of the stubs. Read, never run."""

import asyncio
import gzip
import io
import mmap
import socket
import sys
from collections.abc import AsyncIterator, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from decimal import Decimal
from enum import Enum
from pathlib import Path, PurePosixPath
from typing import (
    Annotated,
    Any,
    Generic,
    Literal,
    NamedTuple,
    NewType,
    TypeAlias,
    TypedDict,
    TypeVar,
    Union,
    assert_type,
)

import demat
from demat import csv, json, ndjson

T = TypeVar("T")


@dataclass
class Task:
    id: int
    title: str
    due: date | None = None


@dataclass
class Page(Generic[T]):
    items: list[T]


class Point(NamedTuple):
    x: int
    y: int


class Options(TypedDict, total=False):
    color: str


class Color(Enum):
    RED = "red"


UserId = NewType("UserId", int)
Id: TypeAlias = int | str
Tasks = list[Task]
Positive = Annotated[int, demat.Field(gt=0)]

data = b"..."

# Without a type, whatever there is.
assert_type(json.decode(data), Any)
assert_type(ndjson.decode(data), list[Any])
assert_type(csv.decode(data), list[Any])
assert_type(json.loads(data), Any)

# `None` is a type, and no type is none.
assert_type(json.Decoder(None), json.Decoder[None])
assert_type(json.decode(data, int | None), int | None)
json.decode(data, None)
json.decode(data, type=None)

# A class gives its instances, and so does everything that is written with square brackets.
assert_type(json.decode(data, Task), Task)
assert_type(json.decode(data, type=Task), Task)
assert_type(json.loads(data, Task), Task)
assert_type(ndjson.decode(data, list[Task]), list[Task])
assert_type(csv.decode(data, list[Task]), list[Task])
assert_type(csv.decode(data, Tasks, delimiter=";", header=False), list[Task])
assert_type(json.decode(data, Page[Task]), Page[Task])
assert_type(json.decode(data, dict[str, list[Task]]), dict[str, list[Task]])
assert_type(json.decode(data, tuple[int, str]), tuple[int, str])
assert_type(json.decode(data, tuple[int, ...]), tuple[int, ...])
assert_type(json.decode(data, Sequence[int]), Sequence[int])
assert_type(json.decode(data, Mapping[str, Task]), Mapping[str, Task])
assert_type(json.decode(data, Point), Point)
assert_type(json.decode(data, Options), Options)
assert_type(json.decode(data, Color), Color)
assert_type(json.decode(data, Decimal), Decimal)
assert_type(json.decode(data, UserId), UserId)

# Annotations that are no classes.
assert_type(json.decode(data, int | str), int | str)
assert_type(json.decode(data, Task | None), Task | None)
assert_type(json.decode(data, Union[Task, Point]), Task | Point)
assert_type(json.decode(data, Id), int | str)
assert_type(json.decode(data, Literal["a", "b"]), Literal["a", "b"])
assert_type(json.decode(data, Positive), int)
assert_type(json.decode(data, list[Task | Point]), list[Task | Point])


def of_class(cls: type[T], given: Any) -> T:
    assert_type(json.decode(data, cls, strict=False), T)
    # What nothing is known of may be anything.
    json.decode(data, given).whatever()
    return json.Decoder(cls).decode(data)


# Every kind of input.
with mmap.mmap(-1, 1) as mapped:
    for whole in ("{}", b"{}", bytearray(b"{}"), memoryview(b"{}"), mapped):
        assert_type(json.decode(whole, Task), Task)

# Options of reading.
json.decode(data, Task, strict=False, times="seconds", unknown="forbid", rename="camel", errors="all", gc=False)
json.encode(Task(1, "x"), omit_default=True, omit_none=True, sort_sets=True, decimals="text", uuids="hex")
json.decode(data, Task, rename={"id": "ID"}, errors=3, hooks={Decimal: demat.Hook(decode=Decimal, wire=str)})
json.decode(data, Task, rename=str.upper, depth=10, repeated_keys="refuse")
csv.decode(data, Tasks, delimiter="\t", quote=None, header=False, ragged="pad")
# Options that are put together elsewhere.
given_options: dict[str, Any] = {"strict": False}
assert_type(json.decode(data, Task, **given_options), Task)
assert_type(json.decode(data, Task | None, **given_options), Task | None)
assert_type(json.Decoder(Task, **given_options), json.Decoder[Task])

# Decoders, which may be named in annotations.
decoder = json.Decoder(list[Task], strict=False)
assert_type(decoder, json.Decoder[list[Task]])
assert_type(decoder.decode(data), list[Task])
assert_type(json.Decoder().decode(data), Any)
assert_type(ndjson.Decoder().decode(data), list[Any])
assert_type(json.Decoder(int | None).decode(data), int | None)
assert_type(csv.Decoder(Tasks, ragged="pad").decode(data), list[Task])
same = json.Decoder(decoder.type)
assert_type(same.decode(data), list[Task])
wider: json.Decoder[Sequence[Task]] = decoder

# Writing.
task = Task(1, "Clean room")
assert_type(json.encode(task), bytes)
assert_type(json.dumps({"a": [1, None]}, indent=2, sort_keys=True, ascii=True, depth=9), bytes)
assert_type(json.encode({"a": task}, type=dict[str, Task]), bytes)
assert_type(json.encode(1, type=int | str, default=repr), bytes)
assert_type(ndjson.encode([task], sort_keys=True), bytes)
assert_type(csv.encode([task], delimiter=";", quote="'", header=False, line_ending="\r\n", escape_formulas=True), bytes)
buffer = bytearray()
assert_type(json.encode_into(task, buffer), None)
encoder = json.Encoder(indent=2, hooks={PurePosixPath: demat.Hook(encode=str)})
assert_type(encoder, json.Encoder)
assert_type(encoder.encode(task), bytes)
assert_type(encoder.encode_into(task, buffer), None)

# Reading: an iterator of records, an asynchronous one where bytes are awaited, of lists where batches are asked for.
assert_type(json.read("tasks.json", Task), demat.Reader[Task])
assert_type(json.read(data), demat.Reader[Any])
assert_type(json.read(Path("tasks.json"), int | str, at="$.items[*]"), demat.Reader[int | str])
assert_type(ndjson.read(io.BytesIO(data), Task, batch=10), demat.Reader[list[Task]])
assert_type(csv.read(sys.stdin.buffer, Task, recycle=True, fields=["id"]), demat.Reader[Task])
assert_type(csv.read(sys.stdin, Task, delimiter=";"), demat.Reader[Task])
assert_type(json.read([b"[1", "]"], Task, progress=True, limit=1 << 20, compression=None), demat.Reader[Task])
assert_type(json.read(socket.socket(), Task, progress=lambda read, total: None), demat.Reader[Task])
assert_type(json.read(gzip.GzipFile(fileobj=io.BytesIO(data)), Task, strict=False, errors="all"), demat.Reader[Task])
rejects: list[tuple[demat.Error, bytes]] = []
assert_type(json.read("tasks.json", Task, on_error="skip"), demat.Reader[Task])
assert_type(json.read("tasks.json", Task, on_error="collect", rejects=rejects), demat.Reader[Task])
assert_type(json.read("tasks.json", Task, on_error="collect", rejects=lambda error, data: None), demat.Reader[Task])
assert_type(csv.decode(data, list[Task], on_error="collect", rejects=rejects), list[Task])
assert_type(demat.copy(data, "tasks.csv", from_="json", on_error="collect", rejects=rejects), demat.Copied)
assert_type(json.read("tasks.json", Task, at="$.users.*", keys=True), demat.Reader[tuple[str, Task]])
assert_type(json.read(data, at="$.users.*", keys=True, batch=3, limit=9), demat.Reader[list[tuple[str, Any]]])
assert_type(json.read(data, int | None, keys=False, batch=None, depth=9), demat.Reader[int | None])
records: Iterator[Task] = json.read("tasks.json", Task)
assert_type([task.id for task in json.read("tasks.json", Task)], list[int])
with json.read("tasks.json", Task) as reader:
    assert_type(next(reader), Task)
    assert_type(reader.record, int)
    assert_type(reader.rejected, int)
    assert_type(reader.bytes_read, int)
    assert_type(reader.close(), None)


async def awaited(stream: asyncio.StreamReader, chunks: AsyncIterator[bytes]) -> None:
    assert_type(json.read(stream, Task), demat.AsyncReader[Task])
    assert_type(json.read(chunks), demat.AsyncReader[Any])
    assert_type(ndjson.read(chunks, Task | None, batch=3), demat.AsyncReader[list[Task | None]])
    assert_type(json.read(chunks, Task, at="$.*", keys=True, gc=False), demat.AsyncReader[tuple[str, Task]])
    async with json.read(stream, Task, at="$.items[*]") as reader:
        async for task in reader:
            assert_type(task, Task)
        assert_type(reader.record, int)
    tasks: AsyncIterator[Task] = json.read(stream, Task)
    await anext(tasks)


async def written() -> AsyncIterator[Task]:
    yield task


assert_type(json.write("tasks.json", [task]), int)
assert_type(demat.copy("tasks.json", Path("tasks.csv"), Task, fields=["id"], on_error="skip"), demat.Copied)
assert_type(demat.copy(b"[]", io.BytesIO(), "id: int", from_="json", to="csv").records, int)
assert_type(csv.write(Path("tasks.csv"), iter([task]), Task, delimiter=";"), int)
assert_type(ndjson.write(io.BytesIO(), [task], compression="gzip"), int)


async def count() -> None:
    assert_type(await ndjson.write("tasks.ndjson", written()), int)


class Own(demat.Store):
    """A store of the program."""


# A store is a place.
assert_type(json.read(Own(), Task), demat.Reader[Task])
assert_type(json.write(demat.store.memory(), [task]), int)
assert_type(csv.columns(Own(), Task), demat.Columns)
assert_type(demat.copy(Own(), [demat.store.memory(), "tasks.csv"]), demat.Copied)

# What a writer is follows from the place.
assert_type(demat.writer("tasks.json", Task), demat.Writer)
assert_type(demat.writer(io.BytesIO(), format="json"), demat.Writer)
assert_type(demat.writer("tasks", Task, format="parquet"), demat.Writer)
assert_type(demat.writer(Own(), Task), demat.StagedWriter)
with demat.sqlite.open(":memory:") as database:
    table = database.table("tasks", Task)
    assert_type(demat.writer(table), demat.TableWriter)
    assert_type(table.changes(), demat.Changes)
    demat.copy(table.changes(limit=3), "changes.ndjson")
    for change in demat.store.of(table).watch("/1", values=False):
        assert_type(change, demat.Change)
        assert_type(change.kind, Literal["put", "delete", "reset"])


async def send(data: bytes) -> None: ...


async def written_to(stream: asyncio.StreamWriter) -> None:
    async with demat.writer(stream, Task, format="ndjson") as writer:
        assert_type(writer, demat.AsyncWriter)
        assert_type(await writer.write_all(written()), int)
    assert_type(await demat.writer(send, format="json").close(), int)
    async for change in demat.store.memory().watch():
        assert_type(change, demat.Change)
