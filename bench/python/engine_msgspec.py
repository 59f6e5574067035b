"""msgspec: into its own Struct, and into the same dataclasses as everybody."""

from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

import msgspec

from models import Job
from shapes import DictRecord, Record, Task


class StructRecord(msgspec.Struct):
    """A row, as msgspec wants it."""

    hi: int
    there: int
    comment: str


class StructTask(msgspec.Struct):
    """The small message, as msgspec wants it."""

    id: int
    title: str
    done: bool


def decode(cls: Any) -> tuple[Callable[..., Any], Any]:
    """A whole array."""
    return msgspec.json.Decoder(list[cls]).decode, cls


def decode_lines(cls: Any) -> tuple[Callable[..., Any], Any]:
    """One document a line."""
    return msgspec.json.Decoder(cls).decode_lines, cls


def encode_into(cls: Any) -> tuple[Callable[..., Any], Any]:
    """Into a buffer that is kept."""
    encoder, buffer = msgspec.json.Encoder(), bytearray()

    def into(rows: list[Any]) -> bytearray:
        encoder.encode_into(rows, buffer)
        return buffer

    return into, cls


def small_decode(cls: Any) -> tuple[Callable[..., Any], Any]:
    """A prepared decoder."""
    decoder = msgspec.json.Decoder(cls)

    def loop(times: Iterable[None], data: bytes) -> Any:
        for _ in times:
            found = decoder.decode(data)
        return found

    return loop, cls


def small_decode_oneshot(cls: Any) -> tuple[Callable[..., Any], Any]:
    """The function, told the type each time."""

    def loop(times: Iterable[None], data: bytes) -> Any:
        for _ in times:
            found = msgspec.json.decode(data, type=cls)
        return found

    return loop, cls


def small_encode(cls: Any) -> tuple[Callable[..., Any], Any]:
    """A prepared encoder."""
    encoder = msgspec.json.Encoder()

    def loop(times: Iterable[None], task: Any) -> bytes:
        for _ in times:
            found = encoder.encode(task)
        return found

    return loop, cls


def small_encode_oneshot(cls: Any) -> tuple[Callable[..., Any], Any]:
    """The function."""

    def loop(times: Iterable[None], task: Any) -> bytes:
        for _ in times:
            found = msgspec.json.encode(task)
        return found

    return loop, cls


def typed(record: Any, task: Any) -> dict[str, Callable[[Job], tuple[Callable[..., Any], Any]]]:
    """The models that both kinds of classes can do."""
    return {
        "decode-slots": lambda job: decode(record),
        "encode-slots": lambda job: (msgspec.json.Encoder().encode, record),
        "encode-slots-into": lambda job: encode_into(record),
        "ndjson-decode": lambda job: decode_lines(record),
        "ndjson-encode": lambda job: (msgspec.json.Encoder().encode_lines, record),
        "small-decode": lambda job: small_decode(task),
        "small-decode-oneshot": lambda job: small_decode_oneshot(task),
        "small-encode": lambda job: small_encode(task),
        "small-encode-oneshot": lambda job: small_encode_oneshot(task),
    }


class StructHi(msgspec.Struct):
    """One field of the records."""

    hi: int


def summed(path: str) -> int:
    """One field of each record; the others are passed over."""
    return sum(record.hi for record in msgspec.json.decode(Path(path).read_bytes(), type=list[StructHi]))


def summed_lines(path: str) -> int:
    """Record by record, as lines come."""
    decode = msgspec.json.Decoder(StructRecord).decode
    total = 0
    with Path(path).open("rb") as file:
        for line in file:
            total += decode(line).hi
    return total


READING = {
    "json-column-sum": lambda job: (summed, None),
    "ndjson-read-sum": lambda job: (summed_lines, None),
}

ENGINES = {
    "msgspec": {
        "decode-untyped": lambda job: (msgspec.json.Decoder().decode, None),
        "encode-dicts": lambda job: (msgspec.json.Encoder().encode, None),
    },
    "msgspec-struct": typed(StructRecord, StructTask) | READING,
    "msgspec-dataclass": typed(Record, Task) | {"decode-dict-class": lambda job: decode(DictRecord)},
}
