"""Apple's property lists: XML, binary, and the old text form, which is only read."""

from __future__ import annotations

from .format import Format
from .json import JSON_READING
from .option import AT, DEPTH, HEADER, KEYS, OMITTING, READING, STREAMING, WRITING, Option

PLIST_WRITING = (
    Option("variant", 'Literal["xml", "binary"]', '"xml"', "the form to write"),
    Option("uids", "bool", "False", "True: write a dict whose only key is `CF$UID` as a UID, which only binary has"),
)

FORMAT = Format(
    name="plist",
    title="a property list",
    summary="Apple's property lists: XML, binary, and the old text form, which is only read.",
    doc="The form is detected. A datetime with an offset is a date, in UTC, and bytes are "
    "data. There is no null: a field that is None is left out, and a None in a list or a dict is refused. A "
    "document is held in memory.",
    example="""\
>>> from dataclasses import dataclass
>>> from demat import plist
>>> @dataclass
... class Task:
...     id: int
...     title: str
...     done: bool = False
>>> data = plist.encode(Task(1, "Clean room"), variant="binary")
>>> data[:8]
b'bplist00'
>>> plist.decode(data, Task)
Task(id=1, title='Clean room', done=False)""",
    untyped="bool, int, float, str, bytes, datetime, and lists and dicts of them",
    untyped_type="Any",
    reading=(*READING, DEPTH._replace(default="512"), JSON_READING[1]),
    streaming=(AT, KEYS, HEADER, *STREAMING),
    records="the items of the outermost array",
    writing=(*WRITING, *OMITTING, *PLIST_WRITING),
    binary=True,
)
