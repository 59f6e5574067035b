"""The data of Protocol Buffers: written and read here byte by byte, so that no library judges another."""

import struct
from collections.abc import Iterator
from typing import Any

SENTENCE = b"It was a bright cold day in April, and the clocks were striking. " * 40
MARKS = (1, 2, 3, 4, 5)
# So long is the text of a record of 2,012 bytes, and of one of 60.
LONG, SHORT = 1979, 28


def varint(value: int) -> bytes:
    """Seven bits a byte, least first; a negative number has ten bytes."""
    value &= 0xFFFF_FFFF_FFFF_FFFF
    out = bytearray()
    while value > 0x7F:
        out.append(value & 0x7F | 0x80)
        value >>= 7
    return bytes([*out, value])


def message(number: int, content: bytes) -> bytes:
    """A field that stands behind its length."""
    return varint(number << 3 | 2) + varint(len(content)) + content


def record(text: int, number: int) -> bytes:
    """A bool, packed ints, an address, a text so long, a bool, and a name of twelve bytes."""
    begin = b"\x08\x01" + message(2, b"".join(map(varint, MARKS)))
    address = struct.pack("<BI", 3 << 3 | 5, 0x7F00_0000 + number)
    return begin + address + message(4, SENTENCE[:text]) + b"\x28\x01" + message(6, b"name %07d" % number)


def delimited(text: int, rows: int) -> Iterator[bytes]:
    """Records one behind the other, each behind its length."""
    for number in range(1, rows + 1):
        whole = record(text, number)
        yield varint(len(whole)) + whole


def long_record(rows: int) -> Iterator[bytes]:
    """One record of 2,012 bytes."""
    yield record(LONG, rows)


def short_record(rows: int) -> Iterator[bytes]:
    """One record of 60 bytes."""
    yield record(SHORT, rows)


def long_records(rows: int) -> Iterator[bytes]:
    """Records of 2,012 bytes."""
    return delimited(LONG, rows)


def short_records(rows: int) -> Iterator[bytes]:
    """Records of 60 bytes."""
    return delimited(SHORT, rows)


def three(_: int) -> Iterator[bytes]:
    """Three messages of an int and a text, three doubles and ten ints."""
    for number, (id, text) in enumerate(((1, b"first of them"), (-2, b"the second"), (300, b"and a third one")), 1):
        yield message(number, b"\x08" + varint(id) + message(2, text))
    for number, double in enumerate((1.5, -2.25e10, 0.1), 4):
        yield struct.pack("<Bd", number << 3 | 1, double)
    ints = (1, 200, 30_000, 4_000_000, -5, 600_000_000_000, 7, 8_000, 9, (1 << 63) - 1)
    for number, value in enumerate(ints, 7):
        yield varint(number << 3) + varint(value)


def numbers(count: int) -> Iterator[bytes]:
    """One field of so many packed `fixed32`."""
    yield message(1, struct.pack(f"<{count}I", *(number * 1_000_003 % (1 << 32) for number in range(count))))


def nested(count: int) -> Iterator[bytes]:
    """So many messages of one field within one."""
    for number in range(count):
        yield message(1, b"\x08" + varint(number))


MAKERS = {
    maker.__name__: maker for maker in (long_record, short_record, long_records, short_records, three, numbers, nested)
}


def read_varint(data: bytes, at: int) -> tuple[int, int]:
    """The number there, and where it ends."""
    value = shift = 0
    while True:
        byte = data[at]
        value |= (byte & 0x7F) << shift
        at, shift = at + 1, shift + 7
        if byte < 0x80:
            return value, at


def fields(data: bytes) -> Iterator[tuple[int, Any]]:
    """Each field's number, and its int or its bytes."""
    at = 0
    while at < len(data):
        tag, at = read_varint(data, at)
        match tag & 7:
            case 0:
                value, at = read_varint(data, at)
                yield tag >> 3, value
            case 2:
                size, at = read_varint(data, at)
                yield tag >> 3, data[at : at + size]
                at += size
            case wire:
                size = {1: 8, 5: 4}[wire]
                yield tag >> 3, data[at : at + size]
                at += size


def messages(data: bytes) -> Iterator[bytes]:
    """Each of a file of messages."""
    at = 0
    while at < len(data):
        size, at = read_varint(data, at)
        yield data[at : at + size]
        at += size


def signed(value: int) -> int:
    """64 bits with a sign."""
    return value - (1 << 64) if value >> 63 else value


def of_record(data: bytes) -> tuple[Any, ...]:
    """The values of a record, in the order of its fields."""
    found = dict(fields(data))
    (address,) = struct.unpack("<I", found[3])
    return bool(found[1]), [*found[2]], address, found[4].decode(), bool(found[5]), found[6].decode()


def of_three(data: bytes) -> tuple[Any, ...]:
    """The values of the three messages and what stands beside them."""
    found = dict(fields(data))
    named = [dict(fields(found[number])) for number in (1, 2, 3)]
    doubles = [struct.unpack("<d", found[number])[0] for number in (4, 5, 6)]
    ints = [signed(found[number]) for number in range(7, 17)]
    return *((signed(one[1]), one[2].decode()) for one in named), *doubles, *ints


def as_json(values: tuple[Any, ...]) -> dict[str, Any]:
    """What canonical JSON has of a record."""
    return dict(zip(("done", "marks", "address", "text", "seen", "name"), values, strict=True))
