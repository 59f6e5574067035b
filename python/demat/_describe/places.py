"""What a field says to single places: to SQL what its column is, to a format how it is written or
where it stands, in the words of that format, and to all that check values what these must be."""

from __future__ import annotations

import datetime
import decimal
from collections.abc import Iterator, Mapping
from typing import Any

from .._field import NOTED
from .._native import notes, quoted_name
from . import network
from .nodes import Node


def noted(said: Mapping[str, Any], node: Node) -> Iterator[tuple[str, str]]:
    """The notes of a field's shape, each with its place; bounds that have no text of their own are not among them."""
    for flag in ("key", "unique", "index"):
        if said.get(flag):
            yield "sql", flag
    if "references" in said:
        yield "sql", f"references {said['references']}"
    if "sql" in said:
        yield "sql", f"type {said['sql']}"
    for name in said.get("was", ()):
        yield "sql", f"was {name if name.isidentifier() else quoted_name(name)}"
    for word in str(said.get("wire", "")).split(","):
        if word.strip():
            yield "proto", network.word(word.strip(), node)
    if "oneof" in said:
        yield "proto", f"in {said['oneof']}"
    for argument in NOTED:
        if argument in said:
            yield from notes(argument, said[argument])
    # What is checked of the value, wherever in the annotation that was said.
    while node[0] in ("optional", "noted", "checked"):
        if node[0] == "checked":
            for name, bound in node[2].items():
                if isinstance(bound, datetime.date | datetime.time):
                    yield "check", f"{name} {bound.isoformat()}"
                elif name == "pattern" or isinstance(bound, int | float | decimal.Decimal):
                    yield "check", f"{name} {bound}"
        node = node[1]
