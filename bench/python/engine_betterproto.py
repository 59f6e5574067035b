"""betterproto2, whose messages are dataclasses with plain Python behind them."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

import betterproto2

import proto_data


@dataclass(eq=False, repr=False)
class Record(betterproto2.Message):
    """A record of 2,012 bytes, or of 60."""

    done: bool = betterproto2.field(1, betterproto2.TYPE_BOOL)
    marks: list[int] = betterproto2.field(2, betterproto2.TYPE_UINT32, repeated=True)  # noqa: RUF009 - it says what the field is
    address: int = betterproto2.field(3, betterproto2.TYPE_FIXED32)
    text: str = betterproto2.field(4, betterproto2.TYPE_STRING)
    seen: bool = betterproto2.field(5, betterproto2.TYPE_BOOL)
    name: str = betterproto2.field(6, betterproto2.TYPE_STRING)


def last(times: Iterable[None], data: bytes) -> str:
    """A parse, and the last field."""
    parse = Record.parse
    for _ in times:
        found = parse(data).name
    return found


def decode_record(times: Iterable[None], data: bytes) -> Record:
    """A parse, after which every field is there."""
    parse = Record.parse
    for _ in times:
        found = parse(data)
    return found


def encode_record(times: Iterable[None], record: Record) -> bytes:
    """A message, which was built before, written."""
    for _ in times:
        found = bytes(record)
    return found


def make(*values: Any) -> Record:
    """A message of these values."""
    return Record(**dict(zip(("done", "marks", "address", "text", "seen", "name"), values, strict=True)))


def to_json(data: bytes) -> bytes:
    """Each message by `to_json`."""
    return f"[{','.join(Record.parse(one).to_json() for one in proto_data.messages(data))}]".encode()


ENGINES = {
    "betterproto2": {
        "proto-last": lambda job: (last, None),
        "proto-decode-record": lambda job: (decode_record, None),
        "proto-encode-record": lambda job: (encode_record, make),
        "proto-json": lambda job: (to_json, None),
    }
}
