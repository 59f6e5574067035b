"""Apache Avro's container files: records behind their schema, in packed blocks."""

from __future__ import annotations

from .format import Format
from .option import AT, DEPTH, HEADER, KEYS, READING, STREAMING, WRITING, Option

AVRO_WRITING = (
    Option(
        "codec",
        'Literal["null", "deflate", "snappy", "zstandard"]',
        '"null"',
        "how the blocks of records are compressed",
    ),
    Option(
        "decimals",
        "tuple[int, int] | None",
        "None",
        "precision and scale of decimals; None: they become text, which keeps all digits",
    ),
    Option(
        "naive",
        "bool",
        "False",
        "True: datetimes are written as a clock on some wall shows them, without an offset; False: only those whose "
        "type says so, and the others need an offset",
    ),
)

FORMAT = Format(
    name="avro",
    title="an Avro file",
    summary="Apache Avro's container files: records behind their schema, in packed blocks.",
    doc="The type of the values becomes the schema of the file. What is read goes by the names in the file's schema: "
    "fields that a class does not have are skipped, and missing ones have their default. `columns` and `define` need "
    "no sample, as the schema says what the records are.",
    example="""\
>>> from dataclasses import dataclass
>>> from demat import avro
>>> @dataclass
... class Task:
...     id: int
...     title: str
...     done: bool = False
>>> data = avro.encode([Task(1, "Clean room")], codec="deflate")
>>> data[:4]
b'Obj\\x01'
>>> avro.decode(data, list[Task])
[Task(id=1, title='Clean room', done=False)]""",
    untyped="what the schema says, dicts for records,",
    untyped_type="Any",
    reading=(*READING, DEPTH),
    streaming=(AT, KEYS, HEADER, *STREAMING),
    records="the values of the file",
    writing=(*WRITING, *AVRO_WRITING),
    binary=True,
    written_typed=True,
)
