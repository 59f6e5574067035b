"""NDJSON, also called JSON Lines: a JSON value on each line."""

from __future__ import annotations

from .format import Format
from .json import JSON_READING, JSON_WRITING, NONFINITE_READING
from .option import ACCEPT_SINGLE, AT, HEADER, KEYS, LAZY, LINES, OMITTING, READING, STREAMING, WRITING

FORMAT = Format(
    name="ndjson",
    title="NDJSON",
    summary="NDJSON, also called JSON Lines: a JSON value on each line.",
    doc="The whole is a list, one line an item. Errors have the number of the record.",
    example="""\
>>> from dataclasses import dataclass
>>> from demat import ndjson
>>> @dataclass
... class Hit:
...     path: str
...     ms: int
>>> hits = ndjson.decode(b'{"path": "/", "ms": 3}\\n{"path": "/about", "ms": 12}\\n', list[Hit])
>>> hits[1].ms
12
>>> ndjson.encode(hits[:1])
b'{"path":"/","ms":3}\\n'""",
    untyped="a list of None, bool, int, float, str, and lists and dicts of them",
    untyped_type="list[Any]",
    reading=(*READING, *JSON_READING, NONFINITE_READING, ACCEPT_SINGLE, LAZY),
    decoding=LINES,
    streaming=(
        AT._replace(
            doc=AT.doc.replace("document", "line").replace("the items of the outermost list", "the line itself")
        ),
        KEYS,
        HEADER._replace(
            doc=HEADER.doc.replace("the fields around the records", "the fields of the line around its records")
        ),
        *STREAMING,
    ),
    records="the lines",
    writing=(*WRITING, *OMITTING, *JSON_WRITING),
    divided="lines",
    joined="ends",
)
