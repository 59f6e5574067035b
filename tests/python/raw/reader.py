"""A reader of raw data that follows `docs/raw.md`, and shares no code with Demat.

A shape is a tuple, its kind first: `("int", None)`, `("list", item)`, `("record", [(name, number, sign, shape), ...])`.
"""

from __future__ import annotations

import struct
from datetime import date, datetime, time, timedelta, timezone
from decimal import Decimal
from typing import Any
from uuid import UUID

Shape = tuple[Any, ...]
MISSING = object()
ANY: list[Shape] = [
    ("null",), ("bool",), ("int", None), ("float", 8), ("text",), ("bytes",), ("decimal",), ("date",), ("time",),
    ("datetime",), ("instant",), ("duration",), ("uuid",), ("list", ("any",)), ("map", ("any",), ("any",)),
]  # fmt: skip
LETTERS = {
    "any": "*", "null": "0", "bool": "b", "text": "s", "bytes": "y", "decimal": "n", "date": "d", "time": "t",
    "datetime": "w", "instant": "z", "duration": "p", "uuid": "x",
}  # fmt: skip


def description(shape: Shape) -> str:
    """The canonical description of a shape that is not recursive."""
    known: dict[str, int] = {}

    def named(name: str) -> str:
        return f"{len(name.encode())}:{name}"

    def told(shape: Shape) -> str:
        kind, *rest = shape
        if kind in LETTERS:
            return LETTERS[kind]
        if kind in ("int", "uint"):
            return f"{kind[0]}{rest[0] or ''};"
        if kind == "float":
            return f"f{rest[0]}"
        if kind in ("option", "list"):
            return ("?" if kind == "option" else "l") + told(rest[0])
        if kind == "enum":
            return f"e[{''.join(named(name) for name in rest[0])}]"
        alone = repr(shape)
        if alone in known:
            return f"#{known[alone]};"
        known[alone] = len(known)
        if kind == "map":
            return "m" + told(rest[0]) + told(rest[1])
        if kind == "tuple":
            return "(" + "".join(told(item) for item in rest[0]) + ")"
        if kind == "union":
            return "<" + "".join(named(name) + told(content) for name, content in rest[0]) + ">"
        fields = (f"{named(name)}={number}{sign}{told(own)}" for name, number, sign, own in rest[0])
        return "{" + "".join(fields) + "}"

    return "raw1" + told(shape)


def fingerprint(text: str) -> bytes:
    """FNV-1a of a description."""
    value = 0xCBF29CE484222325
    for byte in text.encode():
        value = ((value ^ byte) * 0x100000001B3) % 2**64
    return value.to_bytes(8, "little")


def is_empty(shape: Shape) -> bool:
    kind, *rest = shape
    if kind in ("null",):
        return True
    if kind == "enum":
        return len(rest[0]) == 1
    if kind == "tuple":
        return all(is_empty(item) for item in rest[0])
    return kind == "record" and all(sign == "!" and is_empty(own) for _, _, sign, own in rest[0])


class Reader:
    """Reads one document."""

    def __init__(self, data: bytes) -> None:
        self.data = data
        self.at = 0

    def document(self, shape: Shape) -> Any:
        assert self.take(8) == fingerprint(description(shape))
        value = self.value(shape)
        assert self.at == len(self.data)
        return value

    def take(self, count: int) -> bytes:
        part = self.data[self.at : self.at + count]
        assert len(part) == count, "the end of the input"
        self.at += count
        return part

    def varint(self) -> int:
        value = shift = 0
        while True:
            byte = self.take(1)[0]
            value |= (byte & 0x7F) << shift
            shift += 7
            if byte < 0x80:
                assert byte or shift == 7, "not in the shortest form"
                return value

    def signed(self) -> int:
        return unzigzag(self.varint())

    def seconds(self) -> tuple[int, int]:
        both = self.varint()
        return both // 2, self.varint() if both % 2 else 0

    def sized(self) -> bytes:
        return self.take(self.varint())

    def blocks(self, empty: bool) -> Any:
        """Yields once for each child; the caller reads it then."""
        more = True
        while more:
            header = self.take(1)[0]
            more = header > 128
            count = header - 128 if more else header
            assert header != 128
            if header == 127:
                count = 127 + self.varint()
            for _ in range(count):
                yield
                assert not empty or self.take(1) == b"\0"

    def value(self, shape: Shape) -> Any:
        kind, *rest = shape
        return getattr(self, f"of_{kind}")(*rest)

    def of_any(self) -> Any:
        return self.value(ANY[self.take(1)[0]])

    def of_null(self) -> None:
        return None

    def of_bool(self) -> bool:
        return {0: False, 1: True}[self.take(1)[0]]

    def of_int(self, bits: int | None) -> int:
        if bits and bits <= 8:
            return int.from_bytes(self.take(1), "little", signed=True)
        if self.data[self.at : self.at + 2] == b"\x80\0":
            self.at += 2
            return int(self.sized())
        return self.signed()

    def of_uint(self, bits: int) -> int:
        return self.take(1)[0] if bits <= 8 else self.varint()

    def of_float(self, size: int) -> float:
        found: float = struct.unpack("<f" if size == 4 else "<d", self.take(size))[0]
        return found

    def of_text(self) -> str:
        return self.sized().decode()

    def of_bytes(self) -> bytes:
        return self.sized()

    def of_decimal(self) -> Decimal:
        return Decimal(self.of_text())

    def of_date(self) -> date:
        return date(1970, 1, 1) + timedelta(days=self.signed())

    def of_time(self) -> time:
        seconds, nanos = self.seconds()
        return time(seconds // 3600, seconds // 60 % 60, seconds % 60, nanos // 1000)

    def of_datetime(self) -> datetime:
        return datetime.combine(self.of_date(), self.of_time())

    def of_instant(self) -> datetime:
        clock = self.of_datetime()
        offset = self.varint()
        if offset == 0:
            return clock
        seconds = unzigzag((offset - 1) // 2) * (60 if offset % 2 else 1)
        return clock.replace(tzinfo=timezone(timedelta(seconds=seconds)))

    def of_duration(self) -> timedelta:
        seconds, nanos = self.seconds()
        return timedelta(seconds=unzigzag(seconds), microseconds=nanos // 1000)

    def of_uuid(self) -> UUID:
        return UUID(bytes=self.take(16))

    def of_option(self, inner: Shape) -> Any:
        return self.value(inner) if self.of_bool() else None

    def of_list(self, item: Shape) -> list[Any]:
        return [self.value(item) for _ in self.blocks(is_empty(item))]

    def of_map(self, key: Shape, value: Shape) -> dict[Any, Any]:
        return {self.value(key): self.value(value) for _ in self.blocks(is_empty(key) and is_empty(value))}

    def of_tuple(self, items: list[Shape]) -> tuple[Any, ...]:
        return tuple(self.value(item) for item in items)

    def of_enum(self, names: list[str]) -> str:
        return names[0 if len(names) == 1 else self.varint()]

    def of_union(self, variants: list[tuple[str, Shape]]) -> tuple[str, Any]:
        name, content = variants[self.varint()]
        return name, self.value(content)

    def of_record(self, fields: list[tuple[str, int, str, Shape]]) -> dict[str, Any]:
        count = sum({"?": 1, "-": 1, "~": 2}.get(sign, 0) for _, _, sign, _ in fields)
        bits = int.from_bytes(self.take((count + 7) // 8), "little")
        record: dict[str, Any] = {}
        for name, _, sign, shape in fields:
            there = value = True
            if sign in "-~":
                there, bits = bool(bits & 1), bits >> 1
            if sign in "?~":
                value, bits = bool(bits & 1), bits >> 1
            if there:
                record[name] = self.value(shape) if value else None
        assert bits == 0
        return record


def unzigzag(value: int) -> int:
    return (value >> 1) ^ -(value & 1)
