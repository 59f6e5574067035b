"""What a field says to single places: to SQL what its column is, and to all that check values what these must be."""

from __future__ import annotations

import datetime
import decimal
from collections.abc import Iterator, Mapping
from typing import Any

from .metadata import CHECKS


def noted(said: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    """The notes of a field's shape, each with its place; bounds that have no text of their own are not among them."""
    for flag in ("key", "unique", "index"):
        if said.get(flag):
            yield "sql", flag
    if "references" in said:
        yield "sql", f"references {said['references']}"
    if "sql" in said:
        yield "sql", f"type {said['sql']}"
    for name in CHECKS:
        if name in said and name != "pattern":
            bound = said[name]
            if isinstance(bound, datetime.date | datetime.time):
                yield "check", f"{name} {bound.isoformat()}"
            elif isinstance(bound, int | float | decimal.Decimal):
                yield "check", f"{name} {bound}"
