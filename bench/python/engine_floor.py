"""Floors: floor.c makes the same objects, or writes the same bytes, from what it knows beforehand."""

import json
from collections.abc import Callable, Iterable
from typing import Any

import floor
from models import Job
from shapes import DictRecord, Record, Task

FIELDS = ("hi", "there", "comment")
MAKER = floor.Maker(Record, FIELDS)
TASKS = floor.Tasks(Task, ("id", "title", "done"))


def records(job: Job, *, shared: bool = False) -> tuple[Callable[..., Any], Any]:
    """Slots, stored by offset."""
    return lambda data: MAKER.records(job.rows, shared=shared), Record


def with_dict(job: Job) -> tuple[Callable[..., Any], Any]:
    """Attributes, set one after the other."""
    return lambda data: floor.with_dict(DictRecord, FIELDS, job.rows), DictRecord


def untyped(job: Job) -> tuple[Callable[..., Any], Any]:
    """A copy of the document, which stands ready."""
    document = json.loads(job.data)
    return lambda data: floor.copy(document), None


def write(job: Job) -> tuple[Callable[..., Any], Any]:
    """Into new bytes of the right size."""
    size = len(job.data)
    return lambda rows: MAKER.write(rows, size), Record


def write_into(job: Job) -> tuple[Callable[..., Any], Any]:
    """Into a buffer that is kept."""
    buffer = bytearray(len(job.data))

    def into(rows: list[Record]) -> bytearray:
        MAKER.write_into(rows, buffer)
        return buffer

    return into, Record


def small_decode(times: Iterable[None], data: bytes) -> Any:
    """A call, and one object."""
    for _ in times:
        found = TASKS.make(data)
    return found


def small_encode(times: Iterable[None], task: Any) -> bytes:
    """A call, and one bytes object."""
    for _ in times:
        found = TASKS.write(task)
    return found


ENGINES = {
    "floor": {
        "decode-slots": records,
        "decode-dict-class": with_dict,
        "decode-untyped": untyped,
        "encode-slots": write,
        "encode-slots-into": write_into,
        "ndjson-decode": records,
        "csv-decode": records,
        "small-decode": lambda job: (small_decode, Task),
        "small-decode-oneshot": lambda job: (small_decode, Task),
        "small-encode": lambda job: (small_encode, Task),
        "small-encode-oneshot": lambda job: (small_encode, Task),
    },
    "floor-shared": {"decode-slots": lambda job: records(job, shared=True)},
}
