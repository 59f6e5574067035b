"""Pickles of instances of defined classes: where a class can't be found by name, its definition is in the pickle."""

from __future__ import annotations

import os
import sys
from secrets import token_hex
from typing import Any, NamedTuple
from weakref import WeakKeyDictionary, WeakValueDictionary


class Definition(NamedTuple):
    """What a class was made of."""

    text: str
    """The statements that make it, and the classes in it."""
    name: str
    """Its name among them."""
    module: str
    """The module that it says it is from."""


_DEFINITIONS: WeakKeyDictionary[type, tuple[Definition, str]] = WeakKeyDictionary()
# In the process that made a class, copies and pickles come back as instances of that class.
_OWN: WeakValueDictionary[str, type] = WeakValueDictionary()
# Elsewhere all instances of a definition have one class.
_MADE: dict[Definition, type] = {}
_PROCESS = token_hex(8)


def keep(cls: type, definition: Definition) -> None:
    """Has instances of the class carry its definition when they are pickled and it has no name to be found by."""
    token = f"{_PROCESS}.{os.getpid()}.{id(cls)}"
    _OWN[token] = cls
    _DEFINITIONS[cls] = definition, token
    cls.__reduce_ex__ = _reduced  # type: ignore[method-assign, assignment]


def _reduced(self: Any, protocol: Any) -> Any:
    cls = type(self)
    kept = _DEFINITIONS.get(cls)
    usual = object.__reduce_ex__(self, max(protocol, 2))
    # A class below it is pickled as any other.
    if kept is None or _found(cls) is cls:
        return usual
    definition, token = kept
    return (new, (*definition, token), *usual[2:])


def _found(cls: type) -> Any:
    found: Any = sys.modules.get(cls.__module__)
    for part in cls.__qualname__.split("."):
        found = getattr(found, part, None)
    return found


def new(text: str, name: str, module: str, token: str) -> Any:
    """An instance without values of the class that was defined so; what unpickles gives it the values."""
    from .define import made_of  # which imports this module

    definition = Definition(text, name, module)
    cls = _OWN.get(token) or _MADE.get(definition)
    if cls is None:
        cls = _MADE[definition] = made_of(text, module)[name]
    return object.__new__(cls)
