"""What `define` is given: a Shape, a path or a sample, as a description without classes."""

from __future__ import annotations

import os
import re
from importlib import import_module
from pathlib import Path
from typing import Any

from .._describe.nodes import Node
from .._store import Store
from .._stored import Stored
from .arrow import is_arrow


def described(place_or_shape: Any, format: str | None, rows: Any) -> tuple[Node, list[dict[str, Any]]]:
    """The description of what the Shape says or the place has."""
    # Any: its stubs say what it does to others than this package.
    native: Any = import_module("demat._native")
    if rows is not None and (not isinstance(rows, int) or rows < 1):
        raise ValueError(f"rows must be 1 or more, or None for all, not {rows!r}")
    stored = stored_value(place_or_shape)
    if stored is not None:
        place_or_shape, format = stored.read(format)
    if hasattr(place_or_shape, "read"):
        sample = place_or_shape.read()
        place_or_shape = sample.encode() if isinstance(sample, str) else sample
    found: tuple[Node, list[dict[str, Any]]]
    if is_arrow(place_or_shape):
        found = native.arrow_shape(place_or_shape)
    elif not isinstance(place_or_shape, str) or is_file(place_or_shape) or is_table(place_or_shape):
        place = os.fspath(place_or_shape) if isinstance(place_or_shape, os.PathLike) else place_or_shape
        found = native.infer_shape(place, format, rows)
    elif is_shape(place_or_shape):
        found = native.parse_shape(place_or_shape)
    else:
        raise FileNotFoundError(f"there is no file {place_or_shape!r}, and it is not the text of a Shape")
    return found


def stored_value(place_or_shape: Any) -> Stored | None:
    """The value of a store that it leads to: `todo:/tasks`. Without the slash it is a Shape with a field `todo`."""
    if isinstance(place_or_shape, Store) or (isinstance(place_or_shape, str) and ":/" in place_or_shape):
        return Stored.of(place_or_shape)
    return None


def is_file(place: str | os.PathLike[str]) -> bool:
    """Whether it is the path of something that is there; the text of a Shape may be longer than any path can be."""
    try:
        return Path(place).exists()
    except (OSError, ValueError):
        return False


def is_table(place: str) -> bool:
    """Whether it is a table of a database, `tasks.db#tasks`, or a statement, `tasks.db?select …`."""
    found = re.match(r"(.*?\.(?:db|sqlite3?))[#?]", place, re.IGNORECASE | re.DOTALL)
    return found is not None and is_file(found[1])


def is_shape(text: str) -> bool:
    """Whether a str that is no path of a file is the text of a Shape: these have fields, and fields have a colon."""
    return ":" in text or "{" in text
