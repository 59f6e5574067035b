"""`demat.writer` to places that are awaited."""

from __future__ import annotations

import asyncio
import gzip
from collections.abc import AsyncIterator, Awaitable, Callable
from dataclasses import dataclass
from functools import partial
from typing import Any

import anyio
import demat
import formats
import pytest


@dataclass
class Item:
    id: int
    name: str = "a"


ITEMS = [Item(1), Item(2, "é"), Item(3, "c")]


class Sink:
    """Keeps what is written, and lets other tasks run before it does."""

    def __init__(self, most: int | None = None) -> None:
        self.got = b""
        self.most = most

    async def write(self, data: bytes) -> int:
        await asyncio.sleep(0)
        data = data[: self.most]
        self.got += data
        return len(data)


class Sender:
    """The same, as streams of anyio are."""

    def __init__(self) -> None:
        self.got = b""

    async def send(self, item: bytes) -> None:
        self.got += item


class Called:
    """The same, as an object that is called."""

    def __init__(self) -> None:
        self.got = b""

    async def __call__(self, data: bytes) -> None:
        self.got += data


def run(main: Callable[[], Awaitable[Any]]) -> Any:
    async def all_of_it() -> Any:
        return await main()

    return asyncio.run(all_of_it())


@formats.each(nested=True, texts=False)
def test_it_writes_what_the_other_writer_writes(module: Any) -> None:
    name = formats.name(module)
    whole = demat.store  # a module, which is no place
    with pytest.raises(TypeError, match="a place to write to"):
        demat.writer(whole, format=name)  # type: ignore[call-overload]
    got: list[bytes] = []
    with demat.writer(got.append, Item, format=name) as writer:
        writer.write_all(ITEMS)
    sinks = [Sink(), Sender(), Called(), Sink(most=3)]

    async def main() -> None:
        for sink in sinks:
            async with demat.writer(sink, Item, format=name) as writer:  # type: ignore[call-overload]
                assert isinstance(writer, demat.AsyncWriter)
                await writer.write(ITEMS[0])
                assert await writer.write_all(ITEMS[1:]) == 2
                assert (writer.count, writer.closed) == (3, False)
            assert (await writer.close(), writer.closed) == (3, True)

    run(main)
    for sink in sinks:
        assert list(module.read(sink.got, Item)) == list(module.read(b"".join(got), Item)) == ITEMS


def test_each_call_has_arrived_when_it_returns() -> None:
    sink = Sink()

    async def many() -> AsyncIterator[Item]:
        for item in ITEMS:
            yield item

    async def main() -> None:
        async with demat.writer(sink, format="ndjson") as writer:
            for count, item in enumerate(ITEMS, 1):
                await writer.write(item)
                assert sink.got.count(b"\n") == count
            assert await writer.write_all(many()) == 3
            assert sink.got.count(b"\n") == 6

    run(main)


def test_memory_is_bounded_by_what_is_passed_on() -> None:
    sizes: list[int] = []

    async def send(data: bytes) -> None:
        sizes.append(len(data))

    async def main() -> None:
        async with demat.writer(partial(send), format="ndjson") as writer:
            await writer.write_all({"id": id, "text": "x" * 1000} for id in range(1000))

    run(main)
    assert sum(sizes) > 1_000_000
    assert max(sizes) < 70_000


def test_a_stream_of_asyncio_and_one_of_anyio() -> None:
    async def main() -> bytes:
        got = asyncio.get_running_loop().create_future()

        async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            got.set_result(await reader.read())
            writer.close()

        async with await asyncio.start_server(serve, "127.0.0.1", 0) as server:
            _, stream = await asyncio.open_connection(*server.sockets[0].getsockname())
            async with demat.writer(stream, Item, format="csv") as writer:
                await writer.write_all(ITEMS)
            stream.write_eof()
            data: bytes = await got
            stream.close()
        return data

    assert run(main) == "id,name\n1,a\n2,é\n3,c\n".encode()


def test_a_file_of_anyio(tmp_path: Any) -> None:
    async def main() -> None:
        async with await anyio.open_file(tmp_path / "a", "wb") as file:
            async with demat.writer(file, format="csv") as writer:
                await writer.write_all(ITEMS)
            await file.write(b"open still")

    run(main)
    assert (tmp_path / "a").read_text() == "id,name\n1,a\n2,é\n3,c\nopen still"


def test_what_is_refused_is_left_out() -> None:
    sink = Sink()

    async def main() -> None:
        async with demat.writer(sink, Item, format="json") as writer:
            with pytest.raises(demat.EncodeError, match=r"\$\[0\]\.id"):
                await writer.write(Item("x"))  # type: ignore[arg-type]
            await writer.write(ITEMS[0])
            with pytest.raises(demat.EncodeError, match=r"\$\[2\]\.id"):
                await writer.write_all([ITEMS[1], Item("x"), ITEMS[2]])  # type: ignore[arg-type]
            assert writer.count == 2

    run(main)
    assert demat.json.decode(sink.got, list[Item]) == ITEMS[:2]


def test_a_compressed_place_gets_all_by_flush() -> None:
    sink = Sink()

    async def main() -> None:
        async with demat.writer(sink, format="ndjson", compression="gzip") as writer:
            await writer.write(1)
            await writer.flush()
            assert len(sink.got) > 10
            await writer.write(2)

    run(main)
    assert gzip.decompress(sink.got) == b"1\n2\n"


def test_a_place_that_fails_is_given_up() -> None:
    async def broken(data: bytes) -> None:
        raise ConnectionResetError("gone")

    async def stuck(data: bytes) -> None:
        await asyncio.get_running_loop().create_future()

    async def main() -> None:
        writer = demat.writer(broken, format="ndjson")
        with pytest.raises(ConnectionResetError):
            await writer.write(1)
        assert writer.closed
        with pytest.raises(RuntimeError, match="closed"):
            await writer.write(1)
        with pytest.raises(RuntimeError, match="given up"):
            await writer.close()
        await writer.abort()
        assert await writer.close() == 1
        writer = demat.writer(stuck, format="ndjson")
        with pytest.raises(TimeoutError):
            await asyncio.wait_for(writer.write(1), 0.01)
        assert writer.closed

    run(main)


def test_an_error_in_the_program_ends_without_the_end_of_the_list() -> None:
    sink = Sink()

    async def main() -> None:
        with pytest.raises(KeyError):
            async with demat.writer(sink, format="json") as writer:
                await writer.write(1)
                raise KeyError
        assert writer.closed

    run(main)
    assert sink.got == b"[1"


def test_one_task_writes_at_a_time() -> None:
    async def main() -> None:
        goes = asyncio.Event()

        async def slow(data: bytes) -> None:
            await goes.wait()

        async with demat.writer(slow, format="ndjson") as writer:
            first = asyncio.create_task(writer.write(1))
            await asyncio.sleep(0)
            with pytest.raises(RuntimeError, match="another task"):
                await writer.write(2)
            goes.set()
            await first
            assert writer.count == 1

    run(main)


def test_a_place_says_its_format_or_it_is_asked_for() -> None:
    with pytest.raises(ValueError, match="say format="):
        demat.writer(Sink())
    with pytest.raises(TypeError, match='no option "nonsense"'):
        demat.writer(Sink(), format="json", nonsense=1)
