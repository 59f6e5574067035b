"""CBOR (RFC 8949): JSON's values, bytes, dates, decimals and UUIDs, in few bytes."""

from __future__ import annotations

from .format import Format
from .json import JSON_READING
from .option import ACCEPT_SINGLE, AT, HEADER, KEYS, OMITTING, READING, STREAMING, WRITING, Option

CBOR_SEQUENCE = Option(
    "sequence",
    "bool",
    "False",
    "True: write the items of a list one after another; False: as one array",
)

READ_SEQUENCE = Option(
    "sequence",
    "bool",
    "False",
    "True: read the data as a list of values of any kind, one after another; False: only maps one after another are a "
    "list",
)

UNKNOWN_TAGS = Option(
    "unknown_tags",
    'Literal["keep", "ignore", "refuse"]',
    '"keep"',
    "without a type, tags that Demat does not know are dicts of `tag` and `value`; or they are ignored, or refused",
)

DETERMINISTIC = Option(
    "deterministic",
    "bool",
    "False",
    "True: write equal values as equal bytes (RFC 8949, 4.2.1): sorted keys, the shortest floats, definite lengths; "
    "maps, and lists of unknown length, are held in memory until they end",
)

FORMAT = Format(
    name="cbor",
    title="CBOR",
    summary="CBOR (RFC 8949): JSON's values, bytes, dates, decimals and UUIDs, in few bytes.",
    doc="A document is one value. Maps one after another are read as a list. Tags mark "
    "a datetime, a date, a `Decimal`, a `UUID` or an int beyond 64 bits; what CBOR has no tag for is text, as in "
    "JSON. `Tag` is a value with another tag.",
    example="""\
>>> from dataclasses import dataclass
>>> from demat import cbor
>>> @dataclass
... class Task:
...     id: int
...     title: str
...     done: bool = False
>>> data = cbor.encode(Task(1, "Clean room"))
>>> data
b'\\xa3bid\\x01etitlejClean roomddone\\xf4'
>>> cbor.decode(data, Task)
Task(id=1, title='Clean room', done=False)""",
    untyped="None, bool, int, float, str, bytes, datetime, date, Decimal, UUID, and lists and dicts of them",
    untyped_type="Any",
    reading=(*READING, *JSON_READING, READ_SEQUENCE, UNKNOWN_TAGS, ACCEPT_SINGLE),
    streaming=(AT, KEYS, HEADER, *STREAMING),
    records="the items of the outermost list",
    looked_into=True,
    writing=(*WRITING, *OMITTING, CBOR_SEQUENCE, DETERMINISTIC),
    binary=True,
    classes=(("Tag", "_tag"),),
    joined="sequence",
    layout=("sequence",),
)
