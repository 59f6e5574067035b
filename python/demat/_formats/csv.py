"""CSV (RFC 4180), also with other delimiters."""

from __future__ import annotations

from .format import Format
from .option import LINES, READING, STREAMING, WRITING, Option

TABLE = (
    Option("delimiter", "str", '","', "the character between two cells, which is ASCII"),
    Option(
        "quote",
        "str | None",
        "'\"'",
        "the character around cells with a delimiter, a quote or a line break in them; None: cells are never quoted",
    ),
)

NULL = Option(
    "null",
    "str | None",
    "None",
    "a text that stands for None without quotes, such as `NA`, of 1 to 15 bytes; it is read besides an empty cell, and "
    "written in its place",
)

TABLE_READING = (
    *TABLE,
    Option(
        "header",
        "bool",
        "True",
        "True: the first row has the names of the columns, in any order; False: columns go by position",
    ),
    Option(
        "ragged",
        'Literal["refuse", "pad"]',
        '"refuse"',
        "refuse rows that are shorter than the header, or read their last fields as missing",
    ),
    NULL,
)

TABLE_WRITING = (
    *TABLE,
    Option("header", "bool", "True", "whether the first row has the names of the columns"),
    Option(
        "line_ending",
        'Literal["\\n", "\\r\\n"]',
        '"\\n"',
        "the end of each row; RFC 4180 has the longer one",
    ),
    Option(
        "escape_formulas",
        "bool",
        "False",
        "True: write a `'` before text that a spreadsheet might run as a formula",
    ),
    NULL,
)

FORMAT = Format(
    name="csv",
    title="CSV",
    summary="CSV (RFC 4180), also with other delimiters.",
    doc="The whole is a list, one row an item. A cell is read as what the field is, whatever the order of the "
    "columns; an empty one is None to a field that may be None. Without a type, each cell is text, or None "
    "where it is empty.",
    example="""\
>>> from dataclasses import dataclass
>>> from datetime import date
>>> from demat import csv
>>> @dataclass
... class Person:
...     name: str
...     born: date | None
>>> people = csv.decode("born,name\\n1815-12-10,Ada\\n,Bob\\n", list[Person])
>>> people[0]
Person(name='Ada', born=datetime.date(1815, 12, 10))
>>> csv.encode(people, delimiter=";")
b'name;born\\nAda;1815-12-10\\nBob;\\n'""",
    untyped="a list of dicts of str (None where a cell is empty), or of lists where there is no header",
    untyped_type="list[Any]",
    reading=(*READING, *TABLE_READING),
    decoding=LINES,
    streaming=STREAMING,
    records="the rows",
    looked_into=True,
    writing=(*WRITING, *TABLE_WRITING),
    divided="rows",
    joined="header",
    dialects=("tsv",),
    layout=("delimiter", "quote", "header", "null", "escape_formulas"),
)
