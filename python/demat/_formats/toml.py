"""TOML 1.1: configuration, as a record or a map."""

from __future__ import annotations

from .format import Format
from .option import ACCEPT_SINGLE, AT, DEPTH, HEADER, KEYS, OMITTING, READING, STREAMING, WRITING

FORMAT = Format(
    name="toml",
    title="TOML",
    summary="TOML 1.1: configuration, as a record or a map.",
    doc="The whole is a table, and is read and written whole. The four kinds of date and time are `datetime` with "
    "an offset and without one, `date` and `time`. There is no null: a field that is None is left out, and one "
    "that may be None and is not there is None. Ints have 64 bits.",
    example="""\
>>> from dataclasses import dataclass
>>> from demat import toml
>>> @dataclass
... class Server:
...     host: str
...     ports: list[int]
>>> server = toml.decode("host = 'localhost'\\nports = [80, 443]\\n", Server)
>>> server
Server(host='localhost', ports=[80, 443])
>>> print(toml.encode({"web": server}).decode(), end="")
[web]
host = "localhost"
ports = [80, 443]""",
    untyped="a dict of bool, int, float, str, datetime, date, time, and lists and dicts of them",
    untyped_type="dict[str, Any]",
    reading=(*READING, DEPTH, ACCEPT_SINGLE),
    streaming=(AT, KEYS, HEADER, *STREAMING),
    records="the document, or what `at` selects in it",
    writing=(*WRITING, *OMITTING),
    single="expected a record or a map, which a TOML document is, found `list`",
)
