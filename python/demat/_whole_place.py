"""Places that take the whole: what is wrong with them is known before there is anything to write."""

from __future__ import annotations

import os
import stat
from io import BytesIO
from typing import Any

from . import _errors, _native, _stored
from ._copy import _DEFAULTS
from ._format_of import name_in
from ._part import part_of


def check(place: Any, name: str, type: Any, packing: str | None, how: dict[str, Any]) -> None:
    """Raises what a copy to the place would raise, as far as it depends on no record."""
    if name in ("arrow", "parquet"):
        # A copy of nothing checks the options, and that records of the type can be columns.
        _native.copy(_Nothing(place), BytesIO(), {**_DEFAULTS, **how, "type": "a: int" if type is None else type})
    if _stored.Stored.of(place) is not None:
        return
    part = part_of(place)
    if name == "sqlite" and (part is None or part.kind == "lmdb"):
        raise ValueError("a table is named by the path of its database: app.db#tasks")
    if part is None or (name in ("arrow", "parquet")):
        if isinstance(place, (str, os.PathLike)) and os.fspath(place) != "-":
            _check_file(place)
        return
    if packing not in ("auto", None):
        raise ValueError(f"{part.where} is a database, which is not compressed: leave out compression=")
    part.refuse({})
    if part.sign == "?":
        raise _errors.StoreError(f"{place}: rows go into a table, and not into what a statement gives")
    if part.kind == "sqlite":
        _check_database(part.where)


class _Nothing(BytesIO):
    """No bytes, under the name of a place in errors."""

    def __init__(self, place: Any) -> None:
        super().__init__()
        named = name_in(place)
        if named is not None:
            self.name = os.fspath(named)


def _check_file(path: Any) -> None:
    try:
        mode = os.stat(path).st_mode
    except (OSError, ValueError):
        mode = None
    # A pipe would be open, and then not; all others are as they were.
    if mode is None or stat.S_ISREG(mode) or stat.S_ISDIR(mode):
        _native.open_writer(path, None, _stored.KEPT, {"compression": None}).abort()


def _check_database(path: str) -> None:
    if not os.path.exists(path):
        _check_file(path)
        return
    from . import sqlite

    # A file of locks is opened by SQLite alone: they end when any of a process's descriptors is closed.
    with sqlite.open(path, create=False) as database:
        _ = database.tables


def lasting(place: Any) -> Any:
    """The place, as it is called from any folder."""
    if not isinstance(place, (str, os.PathLike)) or _stored.Stored.of(place) is not None:
        return place
    name = os.fspath(place)
    part = part_of(place)
    if name == "-" or (part is not None and part.kind == "postgres"):
        return place
    if part is not None and part.kind == "lmdb":
        return f"lmdb:{os.path.join(os.getcwd(), part.where)}#{part.name}"
    # What follows the name of a file is no path.
    return os.path.join(os.getcwd(), name)
