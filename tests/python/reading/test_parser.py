"""Parsers: bytes in pieces of any size, records as they are complete."""

from __future__ import annotations

import asyncio
import gzip
import io
import socket
from dataclasses import dataclass
from typing import Any

import demat
import formats
import pytest
from demat import csv, json, ndjson


@dataclass
class Item:
    id: int
    name: str = "é"
    tags: list[str] | None = None


ITEMS = [Item(k, "ab" * (k % 3), ["x" * k] * (k % 4) or None) for k in range(40)]


@pytest.mark.parametrize("size", [1, 7, 1000, 10**9])
@formats.each(nested=True, texts=False)
def test_every_format_in_pieces(module: Any, size: int) -> None:
    file = io.BytesIO()
    module.write(file, ITEMS, Item)
    data = file.getvalue()
    parser = module.parser(Item)
    pieces = [parser.feed(data[at : at + size]) for at in range(0, len(data), size)]
    got = [item for piece in pieces for item in piece] + parser.close()
    assert got == ITEMS
    assert (parser.record, parser.closed, parser.close()) == (len(ITEMS), True, [])


@formats.each(nested=True, texts=False)
def test_a_target_gets_each(module: Any) -> None:
    file = io.BytesIO()
    module.write(file, ITEMS, Item)
    got: list[Item] = []
    parser = module.parser(Item, target=got.append)
    assert parser.feed(file.getvalue()) == []
    assert parser.close() == []
    assert got == ITEMS


def test_records_come_as_they_are_complete() -> None:
    parser = ndjson.parser(int)
    assert [parser.feed(chunk) for chunk in ("1", "2\n3", b"\n", bytearray(b"4\n5\n"), b"", b"6")] == [
        [],
        [12],
        [3],
        [4, 5],
        [],
        [],
    ]
    assert parser.close() == [6]
    with pytest.raises(ValueError, match="closed"):
        parser.feed(b"7\n")


def test_options_are_those_of_read() -> None:
    parser = json.parser(Item, at="$.items[*]", unknown="forbid")
    assert parser.feed('{"more": [1, {"items": 2}], "items": [{"id": 1}, ') == [Item(1)]
    assert parser.feed('{"id": 2}], "rest": {}}') == [Item(2)]
    assert parser.close() == []
    refused: list[tuple[demat.Error, bytes]] = []
    lines = ndjson.parser(Item, on_error="collect", rejects=refused)
    assert lines.feed(b'{"id":"x"}\n{"id":3}\n') == [Item(3)]
    assert (lines.rejected, refused[0][0].record, refused[0][1]) == (1, 1, b'{"id":"x"}')
    packed = csv.parser(Item)
    data = gzip.compress(b"id,name\n1,a\n2,b\n")
    assert [*packed.feed(data[:9]), *packed.feed(data[9:]), *packed.close()] == [Item(1, "a"), Item(2, "b")]
    for wrong in ({"nonsense": 1}, {"batch": 2}, {"recycle": True}):
        with pytest.raises(TypeError, match=next(iter(wrong))):
            ndjson.parser(Item, **wrong)
    with pytest.raises(TypeError, match="target must be a callable"):
        ndjson.parser(Item, target=5)  # type: ignore[arg-type]


def test_an_error_comes_behind_the_records_before_it() -> None:
    parser = ndjson.parser(Item)
    assert parser.feed(b'{"id":1}\n{"id":2}\n{"id":"x"}\n{"id":4}\n') == [Item(1), Item(2)]
    with pytest.raises(demat.ValidationError) as caught:
        parser.feed(b'{"id":5}\n')
    assert (caught.value.record, caught.value.line) == (3, 3)
    assert parser.closed
    with pytest.raises(ValueError, match="closed"):
        parser.feed(b"")
    parser = ndjson.parser(Item)
    with pytest.raises(demat.ValidationError):
        parser.feed(b'{"id":"x"}\n')


def test_an_end_within_a_record_is_an_error() -> None:
    parser = json.parser(Item)
    assert parser.feed(b'[{"id": 1}, {"id"') == [Item(1)]
    with pytest.raises(demat.DecodeError):
        parser.close()
    assert parser.closed


def test_a_target_that_raises_ends_it_and_may_not_feed() -> None:
    def target(item: int) -> None:
        if item == 2:
            raise KeyError(item)
        if item == 3:
            parser.feed(b"4\n")

    parser = ndjson.parser(int, target=target)
    with pytest.raises(KeyError):
        parser.feed(b"1\n2\n3\n")
    with pytest.raises((RuntimeError, ValueError)):
        parser.feed(b"3\n")


def test_a_connection_feeds_it() -> None:
    async def received(data: bytes) -> tuple[int, list[Item]]:
        near, far = socket.socketpair()
        got: list[Item] = []
        loop = asyncio.get_running_loop()
        _, protocol = await loop.create_connection(ndjson.parser(Item, target=got.append).protocol, sock=near)
        with far:
            far.sendall(data)
        return await asyncio.wait_for(protocol.done, 10), got

    assert asyncio.run(received(b'{"id":1}\n{"id":2}')) == (2, [Item(1), Item(2)])
    with pytest.raises(demat.ValidationError):
        asyncio.run(received(b'{"id":1}\n{"id":"x"}\n{"id":2}\n'))
    with pytest.raises(demat.DecodeError):
        asyncio.run(received(b'{"id":1'))
    with pytest.raises(TypeError, match="with a target"):
        ndjson.parser(int).protocol()
