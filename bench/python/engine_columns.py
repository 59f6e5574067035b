"""Demat, into columns, and record by record."""

import os
from collections.abc import Callable
from typing import Any

import demat
from demat import csv, json, ndjson

from shapes import DictRecord, Hi, Record, Stop


def columns(verbs: Any, cls: Any) -> tuple[Callable[..., Any], Any]:
    """A file by one thread."""
    return lambda path: verbs.columns(path, cls, threads=1), None


def columns_by_two(verbs: Any, cls: Any, threads: int = 2, **options: Any) -> tuple[Callable[..., Any], Any]:
    """A file by two threads; the harness gives each process one core, and here both are wanted."""
    if hasattr(os, "sched_setaffinity"):
        os.sched_setaffinity(0, range(os.cpu_count() or 1))
    return lambda path: verbs.columns(path, cls, threads=threads, **options), None


def summed(path: str) -> int:
    """One column of three."""
    return json.columns(path, Record, fields=["hi"], threads=1).numpy("hi").sum()


def summed_recycled(path: str) -> int:
    """One field of each record, the object of which is used again."""
    return sum(record.hi for record in json.read(path, Hi, recycle=True))


def read(verbs: Any, **options: Any) -> tuple[Callable[..., Any], Any]:
    """Record by record."""

    def summed(path: str) -> int:
        total = 0
        for record in verbs.read(path, Record, **options):
            total += record.hi
        return total

    return summed, None


def first(path: str) -> int:
    """The first record of a file."""
    with json.read(path, Record) as reader:
        return next(reader).hi


ENGINES = {
    "demat": {
        "json-columns": lambda job: columns(json, Record),
        "ndjson-columns": lambda job: columns(ndjson, Record),
        "stops-columns": lambda job: columns(csv, Stop),
        "json-columns-two": lambda job: columns_by_two(json, Record),
        "ndjson-columns-two": lambda job: columns_by_two(ndjson, Record),
        "stops-columns-two": lambda job: columns_by_two(csv, Stop),
        "json-column-sum": lambda job: (summed, None),
        "json-read-sum": lambda job: read(json),
        "ndjson-read-sum": lambda job: read(ndjson, recycle=True),
        "json-first": lambda job: (first, None),
        "objects-columns": lambda job: (demat.columns_of, DictRecord),
    },
    "demat-one": {
        "json-columns-two": lambda job: columns_by_two(json, Record, 1),
        "ndjson-columns-two": lambda job: columns_by_two(ndjson, Record, 1),
        "stops-columns-two": lambda job: columns_by_two(csv, Stop, 1),
    },
    "demat-read": {"json-column-sum": lambda job: (summed_recycled, None)},
    "demat-kept": {"ndjson-read-sum": lambda job: read(ndjson)},
}
