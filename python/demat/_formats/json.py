"""JSON (RFC 8259)."""

from __future__ import annotations

from .format import Format
from .option import ACCEPT_SINGLE, AT, DEPTH, HEADER, INDENT, KEYS, LAZY, OMITTING, READING, STREAMING, WRITING, Option

JSON_READING = (
    DEPTH,
    Option(
        "repeated_keys",
        'Literal["last", "refuse"]',
        '"last"',
        "the last value of a repeated key wins, or the object is refused",
    ),
)

NONFINITE_READING = Option(
    "nonfinite",
    'Literal["refuse", "text"]',
    '"refuse"',
    'whether a float may be the text `"NaN"`, `"Infinity"` or `"-Infinity"`',
)

JSON_WRITING = (
    Option("sort_keys", "bool", "False", "True: write the keys of each object in the order of their UTF-8 bytes"),
    Option("ascii", "bool", "False", "True: write characters outside ASCII as `\\u` escapes"),
    Option(
        "nonfinite",
        'Literal["refuse", "null", "text"]',
        '"refuse"',
        "how to write NaN and infinities, for which JSON has no numbers: refuse them, or write `null` or text",
    ),
    Option(
        "decimals",
        'Literal["number", "text"]',
        '"number"',
        "how to write decimals: as numbers, or as text for readers that take every number for a float",
    ),
    Option(
        "uuids",
        'Literal["text", "hex", "urn"]',
        '"text"',
        "how to write UUIDs: with hyphens, as 32 digits, or behind `urn:uuid:`",
    ),
)

FORMAT = Format(
    name="json",
    title="JSON",
    summary="JSON (RFC 8259).",
    doc="Integers of any size are exact, and floats come back to the bit. NaN and infinities are refused, unless\n"
    "`nonfinite` says otherwise.",
    example="""\
>>> from dataclasses import dataclass
>>> from demat import json
>>> @dataclass
... class Task:
...     id: int
...     title: str
...     done: bool = False
>>> task = json.decode('{"id": 1, "title": "Clean room"}', Task)
>>> task
Task(id=1, title='Clean room', done=False)
>>> json.encode(task)
b'{"id":1,"title":"Clean room","done":false}'""",
    untyped="None, bool, int, float, str, and lists and dicts of them",
    untyped_type="Any",
    reading=(*READING, *JSON_READING, NONFINITE_READING, ACCEPT_SINGLE, LAZY),
    streaming=(AT, KEYS, HEADER, *STREAMING),
    records="the items of the outermost list",
    looked_into=True,
    writing=(*WRITING, *OMITTING, INDENT, *JSON_WRITING),
    joined="array",
)
