"""Protocol Buffers: messages as dataclasses, eager or lazy."""

from __future__ import annotations

from .format import Format
from .option import DEPTH, LAZY, READING, STREAMING, WRITING, Option

ORDERED = Option(
    "ordered",
    "bool",
    "False",
    "for lazy records: True promises that the fields of each message are in the order of their numbers, as writers "
    "write them, so that the search for a field ends at the first larger number",
)

PROTO_READING = (
    *(option for option in READING if option.name not in ("strict", "times")),
    DEPTH._replace(default="100", doc="how deep messages may nest"),
    LAZY,
    ORDERED,
)

FORMAT = Format(
    name="proto",
    title="Protocol Buffers",
    summary="Protocol Buffers: messages as dataclasses, eager or lazy.",
    doc="A class is a message, and `Field` says the numbers of its fields and how they are written; without one, a "
    "field has its position, from 1, and an int is `int64`, a float `double`, a str `string`, a datetime "
    "`google.protobuf.Timestamp`. A list is written as its messages one after another, each after its length.",
    example="""\
>>> from dataclasses import dataclass
>>> from typing import Annotated
>>> from demat import Field, proto
>>> @dataclass
... class Task:
...     id: Annotated[int, Field(1, wire="sint32")]
...     title: Annotated[str, Field(4)]
...     done: Annotated[bool, Field(2)] = False
>>> data = proto.encode(Task(-1, "Clean room"))
>>> data
b'\\x08\\x01"\\nClean room'
>>> proto.decode(data, Task)
Task(id=-1, title='Clean room', done=False)""",
    untyped="nothing can be decoded, as a message does not say what its fields are",
    untyped_type="Never",
    reading=PROTO_READING,
    streaming=STREAMING,
    records="messages, each after its length",
    writing=WRITING,
    typed=True,
    binary=True,
    joined="ends",
)
