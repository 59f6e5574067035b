"""MessagePack: JSON's values, bytes and timestamps, in few bytes."""

from __future__ import annotations

from .format import Format
from .json import JSON_READING
from .option import ACCEPT_SINGLE, AT, HEADER, KEYS, LAZY, OMITTING, READING, SEQUENCE, STREAMING, WRITING

FORMAT = Format(
    name="msgpack",
    title="MessagePack",
    summary="MessagePack: JSON's values, bytes and timestamps, in few bytes.",
    doc="A document is one value. Maps one after another are read as a list. Bytes are `bin`, a "
    "datetime with an offset is a timestamp in UTC, and what MessagePack has no form for is text, as in JSON. Ints "
    "have 64 bits. `Ext` is a value of an "
    "extension type.",
    example="""\
>>> from dataclasses import dataclass
>>> from demat import msgpack
>>> @dataclass
... class Task:
...     id: int
...     title: str
...     done: bool = False
>>> data = msgpack.encode(Task(1, "Clean room"))
>>> data
b'\\x83\\xa2id\\x01\\xa5title\\xaaClean room\\xa4done\\xc2'
>>> msgpack.decode(data, Task)
Task(id=1, title='Clean room', done=False)""",
    untyped="None, bool, int, float, str, bytes, datetime, and lists and dicts of them",
    untyped_type="Any",
    reading=(*READING, *JSON_READING, ACCEPT_SINGLE, LAZY),
    streaming=(AT, KEYS, HEADER, *STREAMING),
    records="the items of the outermost list",
    looked_into=True,
    writing=(*WRITING, *OMITTING, SEQUENCE),
    binary=True,
    classes=(("Ext", "_ext"),),
    joined="sequence",
    layout=("sequence",),
)
