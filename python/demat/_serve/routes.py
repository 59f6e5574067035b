"""What stands at a path, as the native server takes it."""

from __future__ import annotations

from os import PathLike
from pathlib import Path
from typing import Any


def routed(path: str, what: Any) -> tuple[Any, ...]:
    """A route: its path, what kind it is of, and what there is to say of that."""
    from demat._sqlite.database import Database
    from demat._sqlite.table import Table
    from demat.store import Store

    methods, _, own = path.rpartition(" ")
    if not own.startswith("/"):
        raise ValueError(f"a route begins with a slash, and {path!r} does not")
    if isinstance(what, Store):
        return own, "store", what._native
    if isinstance(what, Table):
        root, records = _described(what.type)
        return own, "table", what._database._native, what.name, root, records
    if isinstance(what, Database):
        return own, "table", what._native, None, None, None
    if isinstance(what, Path) or (isinstance(what, PathLike) and not callable(what)):
        return own, "files", what
    if callable(what) and not isinstance(what, type):
        from .function import Function

        function = Function(what, own, methods.split())
        return own, "function", function, function.methods, function.about, function.asked
    if isinstance(what, type):
        raise TypeError(f"a class can't be served at {path!r}, but its instances can")
    from .objects import Objects

    item = None
    if isinstance(what, tuple) and len(what) == 2 and isinstance(what[0], list | dict):
        what, item = what
    whole: Any = None
    if item is not None:
        whole = list[item] if isinstance(what, list) else dict[str, item]  # type: ignore[valid-type]
    root, records = _described(whole) if whole is not None else (None, None)
    return own, "objects", Objects(what, item), root, records


def _described(type_: Any) -> tuple[Any, Any]:
    from demat._describe import describe

    return describe(type_)
