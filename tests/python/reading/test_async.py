"""Places whose bytes are awaited."""

from __future__ import annotations

import asyncio
import gzip
from collections.abc import AsyncIterator
from dataclasses import dataclass
from typing import Any

import demat
import formats
import pytest
from demat import DecodeError, ValidationError, json


@dataclass
class Task:
    id: int
    title: str = ""


TASKS = [Task(1, "one"), Task(2, "zwö"), Task(3)]


class Stream:
    """What has an asynchronous `read` and nothing else."""

    def __init__(self, data: bytes, size: int = 3) -> None:
        self.data, self.size = data, size

    async def read(self, size: int) -> bytes:
        await asyncio.sleep(0)
        given, self.data = self.data[: self.size], self.data[self.size :]
        return given


async def pieces(data: bytes, size: int = 1) -> AsyncIterator[bytes]:
    for at in range(0, len(data), size):
        await asyncio.sleep(0)
        yield data[at : at + size]


async def all_of(reader: demat.AsyncReader[Any]) -> list[Any]:
    return [record async for record in reader]


def test_records_of_what_is_awaited() -> None:
    for form in formats.modules():
        data = form.encode(TASKS)
        for packed in (data, gzip.compress(data)):
            for size in (1, 2, 5, 1000):
                assert asyncio.run(all_of(form.read(pieces(packed, size), Task))) == TASKS
                assert asyncio.run(all_of(form.read(Stream(packed, size), Task))) == TASKS
    assert asyncio.run(all_of(json.read(pieces(b'{"a": [1, 2]}'), int, at="$.a[*]"))) == [1, 2]

    async def texts() -> AsyncIterator[str]:
        for char in '["räum"]':
            yield char

    assert asyncio.run(all_of(json.read(texts(), str))) == ["räum"]


def test_all_options_hold() -> None:
    data = json.encode([{"id": n} for n in range(500)])
    told: list[tuple[int, int | None]] = []

    async def main() -> None:
        async with json.read(pieces(data, 100), Task, recycle=True, progress=lambda *at: told.append(at)) as reader:
            ids = {(task.id, id(task)) async for task in reader}
            assert (reader.record, reader.bytes_read, reader.closed) == (500, len(data), True)
        assert sorted(one for one, _ in ids) == list(range(500))
        assert len({address for _, address in ids}) < 100
        lists = await all_of(json.read(pieces(data, 100), Task, batch=4))
        assert [task.id for tasks in lists for task in tasks] == list(range(500))
        assert max(map(len, lists)) == 4

    asyncio.run(main())
    assert told[-1] == (len(data), None)


def test_a_server_that_takes_its_time() -> None:
    async def main() -> None:
        seen: list[int] = []
        answered = asyncio.Event()

        async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            # Each record is sent when the one before has been seen.
            writer.write(b"[")
            for number in range(20):
                answered.clear()
                text = json.encode(Task(number, "x" * number * 1000))
                writer.write((b", " if number else b"") + text)
                await writer.drain()
                await answered.wait()
            writer.write(b"]")
            await writer.drain()
            writer.close()

        server = await asyncio.start_server(serve, "127.0.0.1", 0)
        host, port = server.sockets[0].getsockname()[:2]
        reader, writer = await asyncio.open_connection(host, port)
        async for task in json.read(reader, Task):
            assert len(task.title) == task.id * 1000
            seen.append(task.id)
            answered.set()
        assert seen == list(range(20))
        writer.close()
        await writer.wait_closed()
        server.close()
        await server.wait_closed()

    asyncio.run(asyncio.wait_for(main(), 30))


def test_errors_come_through_and_end_it() -> None:
    async def failing() -> AsyncIterator[bytes]:
        yield b"[1, 2, "
        raise OSError("gone")

    async def main() -> None:
        reader = json.read(failing(), int)
        assert await anext(reader) == 1
        assert await anext(reader) == 2
        with pytest.raises(OSError, match="gone"):
            await anext(reader)
        assert [one async for one in reader] == []

        reader = json.read(pieces(b'[1, "x", 3]'), int)
        assert await anext(reader) == 1
        with pytest.raises(ValidationError) as raised:
            await anext(reader)
        assert (raised.value.record, raised.value.path) == (2, "$[1]")
        assert [one async for one in reader] == []

        with pytest.raises(DecodeError):
            await all_of(json.read(pieces(b"[1, 2"), int))

        async def wrong() -> AsyncIterator[Any]:
            yield 3

        with pytest.raises(TypeError, match="expected bytes or str of what is awaited, not int"):
            await all_of(json.read(wrong(), int))

    asyncio.run(main())


def test_a_wait_that_is_cut_short_can_be_gone_on_with() -> None:
    class Waiting:
        def __init__(self) -> None:
            self.chunks: asyncio.Queue[bytes] = asyncio.Queue()

        async def read(self, size: int) -> bytes:
            return await self.chunks.get()

    async def main() -> None:
        place = Waiting()
        reader = json.read(place, int)
        place.chunks.put_nowait(b"[1, 2")
        assert await anext(reader) == 1
        with pytest.raises(asyncio.TimeoutError):
            await asyncio.wait_for(anext(reader), 0.01)
        place.chunks.put_nowait(b"3]")
        assert await anext(reader) == 23
        place.chunks.put_nowait(b"")
        assert [one async for one in reader] == []

    asyncio.run(main())


def test_one_task_at_a_time() -> None:
    async def main() -> None:
        reader = json.read(Stream(b"[1, 2]", 1), int)
        results = await asyncio.gather(anext(reader), anext(reader), return_exceptions=True)
        assert results[0] == 1
        assert isinstance(results[1], RuntimeError)
        assert "at work" in str(results[1])
        assert [one async for one in reader] == [2]

    asyncio.run(main())


def test_closing() -> None:
    async def main() -> None:
        reader = json.read(pieces(b"[1, 2]", 100), int)
        assert await anext(reader) == 1
        await reader.aclose()
        await reader.aclose()
        assert (reader.closed, [one async for one in reader]) == (True, [])
        with pytest.raises(TypeError):
            iter(reader)  # type: ignore[call-overload]

    asyncio.run(main())


def test_a_slow_giver_of_a_long_record_is_not_tried_with_each_byte() -> None:
    data = json.encode([{"id": 1, "title": "x" * 60_000}, {"id": 2, "title": "[{" * 30_000}])

    async def main() -> None:
        assert [task.id async for task in json.read(pieces(data), Task)] == [1, 2]

    asyncio.run(asyncio.wait_for(main(), 30))
