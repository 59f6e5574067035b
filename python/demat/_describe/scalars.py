"""Scalars: single values, and classes that are one with a name of their own."""

from __future__ import annotations

import datetime
import decimal
import sys
import uuid
from typing import Any

from .nodes import Node

_SCALARS: dict[type, Node] = {
    bool: ("bool",),
    int: ("int",),
    float: ("float",),
    str: ("str",),
    bytes: ("bytes",),
    bytearray: ("bytearray",),
    memoryview: ("memoryview",),
    decimal.Decimal: ("decimal",),
    datetime.datetime: ("datetime", None),
    datetime.date: ("date",),
    datetime.time: ("time", None),
    datetime.timedelta: ("timedelta",),
    uuid.UUID: ("uuid",),
}

# Makes the exact base of a value whose class derives from it, whatever that class has made of `__str__` and the like.
_EXACT: dict[type, Any] = {
    str: str.__str__,
    int: int.__int__,
    float: float.__float__,
    bytes: bytes.__bytes__,
    decimal.Decimal: decimal.Decimal,
}


def node(cls: type) -> Node | None:
    """The node for a scalar; None for any other class."""
    native = sys.modules.get("demat._native")
    if native is not None and cls is getattr(native, "Raw", None):
        return ("raw",)
    return _SCALARS.get(cls)


def derived(cls: type) -> Node | None:
    """The node for a class like `class UserId(int)`, made by calling it with the scalar; None for any other class.

    None as well where it is made in a way of its own, which may want something else.
    """
    for base, exact in _EXACT.items():
        plain = cls.__new__ is base.__new__ and cls.__init__ is base.__init__  # type: ignore[misc]
        if issubclass(cls, base) and plain and type(cls).__call__ is type.__call__:
            return ("hook", _SCALARS[base], cls, cls, exact, _SCALARS[base])
    return None
