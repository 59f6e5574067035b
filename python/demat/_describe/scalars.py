"""Scalars: single values, and classes that are one with a name of their own."""

from __future__ import annotations

import sys
from typing import Any

from .nodes import Node

_BUILTINS: dict[type, Node] = {kind: (kind.__name__,) for kind in (bool, int, float, str, bytes, bytearray, memoryview)}
# By name, since importing their modules takes longer than all the rest; no type is one of these before somebody has.
_OTHERS: dict[tuple[str, str], Node] = {
    ("decimal", "Decimal"): ("decimal",),
    ("datetime", "datetime"): ("datetime", None),
    ("datetime", "date"): ("date",),
    ("datetime", "time"): ("time", None),
    ("datetime", "timedelta"): ("timedelta",),
    ("uuid", "UUID"): ("uuid",),
    ("demat._native", "Raw"): ("raw",),
}

# Makes the exact base of a value whose class derives from it, whatever that class has made of `__str__` and the like.
_EXACT: dict[type, Any] = {
    str: str.__str__,
    int: int.__int__,
    float: float.__float__,
    bytes: bytes.__bytes__,
}


def node(cls: type) -> Node | None:
    """The node for a scalar; None for any other class."""
    if cls in _BUILTINS:
        return _BUILTINS[cls]
    for (module, name), found in _OTHERS.items():
        if getattr(sys.modules.get(module), name, None) is cls:
            return found
    return None


def derived(cls: type) -> Node | None:
    """The node for a class like `class UserId(int)`, made by calling it with the scalar; None for any other class.

    None as well where it is made in a way of its own, which may want something else.
    """
    decimal = getattr(sys.modules.get("decimal"), "Decimal", None)
    for base, exact in (_EXACT if decimal is None else {**_EXACT, decimal: decimal}).items():
        plain = cls.__new__ is base.__new__ and cls.__init__ is base.__init__  # type: ignore[misc]
        if issubclass(cls, base) and plain and type(cls).__call__ is type.__call__:
            scalar = node(base)
            return ("hook", scalar, cls, cls, exact, scalar)
    return None
