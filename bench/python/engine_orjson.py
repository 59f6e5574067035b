"""orjson: untyped; objects are constructed from its dicts by hand, and dataclasses are encoded by itself."""

import io
from collections.abc import Callable, Iterable
from typing import Any

import orjson

from shapes import DictRecord, Record, Task


def construct(cls: Any) -> tuple[Callable[..., Any], Any]:
    """A whole array."""
    return lambda data: [cls(**row) for row in orjson.loads(data)], cls


def lines(data: bytes) -> list[Record]:
    """One document a line."""
    return [Record(**orjson.loads(line)) for line in data.splitlines()]


def write_lines(rows: list[Record]) -> bytes:
    """One document a line; kept in a list until they are joined, its outputs take ten times as long."""
    out = io.BytesIO()
    for row in rows:
        out.write(orjson.dumps(row, option=orjson.OPT_APPEND_NEWLINE))
    return out.getvalue()


def small_decode(times: Iterable[None], data: bytes) -> Any:
    """Parsed, then constructed."""
    for _ in times:
        found = Task(**orjson.loads(data))
    return found


def small_encode(times: Iterable[None], task: Any) -> bytes:
    """The function."""
    for _ in times:
        found = orjson.dumps(task)
    return found


ENGINES = {
    "orjson": {
        "decode-untyped": lambda job: (orjson.loads, None),
        "encode-dicts": lambda job: (orjson.dumps, None),
        "encode-slots": lambda job: (orjson.dumps, Record),
        "ndjson-encode": lambda job: (write_lines, Record),
        "small-encode": lambda job: (small_encode, Task),
        "small-encode-oneshot": lambda job: (small_encode, Task),
    },
    "orjson-construct": {
        "decode-slots": lambda job: construct(Record),
        "decode-dict-class": lambda job: construct(DictRecord),
        "ndjson-decode": lambda job: (lines, Record),
        "small-decode": lambda job: (small_decode, Task),
        "small-decode-oneshot": lambda job: (small_decode, Task),
    },
}
