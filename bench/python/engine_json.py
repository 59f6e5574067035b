"""The standard library's json: untyped; objects are constructed from its dicts, or turned to dicts, by hand."""

import json
from collections.abc import Callable, Iterable
from typing import Any

from shapes import DictRecord, Record, Task

# One encoder for all calls: `json.dumps` with any option would make a new one each time.
WRITE = json.JSONEncoder(ensure_ascii=False, separators=(",", ":")).encode


def construct(cls: Any) -> tuple[Callable[..., Any], Any]:
    """A whole array."""
    return lambda data: [cls(**row) for row in json.loads(data)], cls


def lines(data: bytes) -> list[Record]:
    """One document a line."""
    return [Record(**json.loads(line)) for line in data.splitlines()]


def plain(row: Record) -> dict[str, Any]:
    """A row's dict, written out: `dataclasses.asdict` copies deeply and takes many times as long."""
    return {"hi": row.hi, "there": row.there, "comment": row.comment}


def write(value: Any) -> bytes:
    """An untyped document."""
    return WRITE(value).encode()


def write_rows(rows: list[Record]) -> bytes:
    """A whole array."""
    return WRITE([plain(row) for row in rows]).encode()


def write_lines(rows: list[Record]) -> bytes:
    """One document a line."""
    return "".join([WRITE(plain(row)) + "\n" for row in rows]).encode()


def small_decode(times: Iterable[None], data: bytes) -> Any:
    """Parsed, then constructed."""
    for _ in times:
        found = Task(**json.loads(data))
    return found


def small_encode(times: Iterable[None], task: Any) -> bytes:
    """A dict made by hand, then written."""
    for _ in times:
        found = WRITE({"id": task.id, "title": task.title, "done": task.done}).encode()
    return found


ENGINES = {
    "json": {
        "decode-untyped": lambda job: (json.loads, None),
        "encode-dicts": lambda job: (write, None),
    },
    "json-construct": {
        "decode-slots": lambda job: construct(Record),
        "decode-dict-class": lambda job: construct(DictRecord),
        "encode-slots": lambda job: (write_rows, Record),
        "ndjson-decode": lambda job: (lines, Record),
        "ndjson-encode": lambda job: (write_lines, Record),
        "small-decode": lambda job: (small_decode, Task),
        "small-decode-oneshot": lambda job: (small_decode, Task),
        "small-encode": lambda job: (small_encode, Task),
        "small-encode-oneshot": lambda job: (small_encode, Task),
    },
}
