"""Demat's own binary: the values of a known type, without names and numbers."""

from __future__ import annotations

from .format import Format
from .option import DEPTH, READING, STREAMING, WRITING, Option

WRITTEN_AS = Option(
    "written_as",
    "TypeForm[Any] | str | None",
    "None",
    "the type that the data was written as, if it is another one: that of the whole or of the records, or the text "
    "of its shape",
)

FORMAT = Format(
    name="raw",
    title="raw data",
    summary="Demat's own binary: the values of a known type, without names and numbers.",
    doc="Eight bytes in front are a fingerprint of the type, so that data of another type is refused. `written_as` "
    "is the type that older data was written as; then fields go by name, and may be added, removed, moved and "
    "renamed. docs/raw.md describes each byte.",
    example="""\
>>> from dataclasses import dataclass
>>> from demat import raw
>>> @dataclass
... class Task:
...     id: int
...     title: str
...     done: bool = False
>>> data = raw.encode(Task(1, "Clean room"))
>>> data[8:]
b'\\x01\\x02\\nClean room\\x00'
>>> raw.decode(data, Task)
Task(id=1, title='Clean room', done=False)""",
    untyped="nothing can be decoded, as raw data does not say what it is",
    untyped_type="Never",
    reading=(*(option for option in READING if option.name != "times"), DEPTH, WRITTEN_AS),
    streaming=STREAMING,
    records="the items of the outermost list",
    writing=WRITING,
    typed=True,
    binary=True,
)
