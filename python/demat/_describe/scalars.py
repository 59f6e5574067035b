"""Scalars: single values, and classes that are one with a name of their own."""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import Any

from . import construct
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

# Subclasses of these can't be called with an instance. Maps each to the attributes that its constructor takes, by
# position and by name. (`datetime` comes first: its subclasses derive from `date`, too.)
_PARTED: dict[tuple[str, str], tuple[tuple[str, ...], tuple[str, ...]]] = {
    ("datetime", "datetime"): (("year", "month", "day", "hour", "minute", "second", "microsecond", "tzinfo"), ()),
    ("datetime", "date"): (("year", "month", "day"), ()),
    ("datetime", "time"): (("hour", "minute", "second", "microsecond", "tzinfo"), ()),
    ("datetime", "timedelta"): (("days", "seconds", "microseconds"), ()),
    ("uuid", "UUID"): ((), ("int",)),
}

# Scalar classes that users may derive from.
_BASES = (str, int, float, bytes, bytearray)
_OTHER_BASES = (("decimal", "Decimal"), *_PARTED)


def node(cls: type) -> Node | None:
    """The node for a scalar; None for any other class."""
    if cls in _BUILTINS:
        return _BUILTINS[cls]
    for (module, name), found in _OTHERS.items():
        if getattr(sys.modules.get(module), name, None) is cls:
            return found
    return None


def derived(cls: type, *, own: bool) -> Node | None:
    """The node for a class like `class UserId(int)`, made by calling it with the scalar; None for any other class.

    `own` is whether it may have a `__new__` or `__init__` of its own.
    """
    others = (getattr(sys.modules.get(module), name, None) for module, name in _OTHER_BASES)
    for base in (*_BASES, *others):
        if base is not None and issubclass(cls, base):
            plain = (
                cls.__new__ is base.__new__ and cls.__init__ is base.__init__ and type(cls).__call__ is type.__call__
            )
            maker = _maker(cls, base, plain) if own or plain else None
            scalar = node(base)
            return None if maker is None else ("hook", scalar, cls, maker, None, scalar)
    return None


def _maker(cls: type, base: type, plain: bool) -> Callable[[Any], Any] | None:
    """Returns what makes an instance of the class from a value of its base; None if the constructor can't take one."""
    parts = _PARTED.get((base.__module__, base.__name__))
    if plain and parts is None:
        return cls
    positional, named = parts or ((), ())
    if parts is None or not (plain or construct.takes(cls, *positional, **dict.fromkeys(named))):
        return None if construct.takes(cls, None) is False else construct.guarded(cls)

    def made(value: Any) -> Any:
        named_parts = {name: getattr(value, name) for name in named}
        return cls(*[getattr(value, name) for name in positional], **named_parts)

    return made if plain else construct.guarded(made)
