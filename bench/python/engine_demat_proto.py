"""Demat over Protocol Buffers: lazy records, dataclasses, columns, and JSON as the specification has it."""

import io
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

import demat
import numpy
from demat import proto
from engine_columns import columns_by_two

from models import Job
from proto_records import Named, Nested, Numbers, Record, Three

DEFINITION = f"[{Path(__file__).parent / 'records.proto'}:Record]"


def loop(call: Callable[[Any], Any]) -> Callable[[Iterable[None], Any], Any]:
    """A loop over a call; every engine has the same."""

    def turns(times: Iterable[None], given: Any) -> Any:
        for _ in times:
            found = call(given)
        return found

    return turns


def last(job: Job) -> tuple[Callable[..., Any], Any]:
    """A view, and its last field."""
    decode = proto.Decoder(Record, lazy=True).decode

    def turns(times: Iterable[None], data: bytes) -> str:
        for _ in times:
            found = decode(data).name
        return found

    return turns, None


def scan(path: str) -> int:
    """Views that are used again."""
    total = 0
    for record in proto.read(path, Record, lazy=True, recycle=True):
        total += record.address
    return total


def numbers(job: Job) -> tuple[Callable[..., Any], Any]:
    """An array over the bytes themselves."""
    decode = proto.Decoder(Numbers, lazy=True).decode

    def turns(times: Iterable[None], data: bytes) -> Any:
        for _ in times:
            found = decode(data).values.numpy()
        if found.flags.owndata:
            raise TypeError("expected no copy, found one")
        return found

    return turns, None


def asarray(job: Job) -> tuple[Callable[..., Any], Any]:
    """The same, which NumPy makes of it: most of the time is what it asks before."""
    decode = proto.Decoder(Numbers, lazy=True).decode

    def turns(times: Iterable[None], data: bytes) -> Any:
        for _ in times:
            found = numpy.asarray(decode(data).values)
        if found.flags.owndata:
            raise TypeError("expected no copy, found one")
        return found

    return turns, None


def nested(job: Job) -> tuple[Callable[..., Any], Any]:
    """A list's length and one of its items."""
    decode = proto.Decoder(Nested, lazy=True).decode

    def turns(times: Iterable[None], data: bytes) -> Any:
        for _ in times:
            items = decode(data).items
            found = len(items), items[len(items) // 2].id
        return found

    return turns, None


def to_json(data: bytes) -> bytes:
    """From bytes to bytes, with no object in between."""
    file = io.BytesIO()
    demat.copy(data, file, DEFINITION, from_="proto", to="json", mapping="canonical")
    return file.getvalue()


ENGINES = {
    "demat": {
        "proto-last": last,
        "proto-decode-record": lambda job: (loop(proto.Decoder(Record).decode), None),
        "proto-decode-three": lambda job: (loop(proto.Decoder(Three).decode), None),
        "proto-encode-record": lambda job: (loop(proto.Encoder().encode), Record),
        "proto-encode-three": lambda job: (loop(proto.Encoder().encode), (Three, Named)),
        "proto-numbers": numbers,
        "proto-numbers-asarray": asarray,
        "proto-nested": nested,
        "proto-scan": lambda job: (scan, None),
        "proto-columns": lambda job: columns_by_two(proto, Record, fields=["name"]),
        "proto-columns-one": lambda job: (lambda path: proto.columns(path, Record, fields=["name"], threads=1), None),
        "proto-json": lambda job: (to_json, None),
    }
}
