"""YAML 1.2 with its core schema, in a safe subset."""

from __future__ import annotations

from .format import Format
from .option import ACCEPT_SINGLE, AT, DEPTH, HEADER, KEYS, OMITTING, READING, STREAMING, WRITING, Option

YAML_READING = (
    DEPTH,
    Option(
        "merge_keys",
        "bool",
        "True",
        "True: the key `<<` adds the entries of other maps; False: it is text, as in YAML 1.2",
    ),
    Option(
        "alias_limit",
        "int",
        "16777216",
        "how much aliases may add: 32 for each value, and the bytes of its text",
    ),
    Option(
        "lenient_indentation",
        "bool",
        "False",
        "True: accept brackets and quoted text with less indentation than the specification asks, as PyYAML does",
    ),
)

YAML_WRITING = (
    Option("indent", "int", "2", "spaces for each level, from 1 to 16"),
    Option(
        "documents",
        "bool",
        "False",
        "True: write each record of a list as a document of its own; False: the list as one document",
    ),
)

FORMAT = Format(
    name="yaml",
    title="YAML",
    summary="YAML 1.2 with its core schema, in a safe subset.",
    doc="A document is read whole. Text without quotes is a number, a bool or a null only where the core schema "
    "says so: `no` is text. Several documents are a list. Tags that construct objects are refused, and what "
    "aliases add is limited. What is written is read as the same by readers of YAML 1.1.",
    example="""\
>>> from dataclasses import dataclass
>>> from demat import yaml
>>> @dataclass
... class Task:
...     id: int
...     title: str
...     tags: list[str]
>>> task = yaml.decode("id: 1\\ntitle: Clean room\\ntags: [home, no]\\n", Task)
>>> task
Task(id=1, title='Clean room', tags=['home', 'no'])
>>> print(yaml.encode(task).decode(), end="")
id: 1
title: Clean room
tags:
  - home
  - 'no'""",
    untyped="None, bool, int, float, str, bytes, datetime, date, and lists and dicts of them",
    untyped_type="Any",
    reading=(*READING, *YAML_READING, ACCEPT_SINGLE),
    streaming=(AT, KEYS, HEADER, *STREAMING),
    records="the items of the outermost list, or the documents",
    writing=(*WRITING, *OMITTING, *YAML_WRITING),
    layout=("documents",),
)
