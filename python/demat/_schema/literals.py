"""Values as source: the defaults of fields."""

from __future__ import annotations

import collections
import copy
import datetime
import decimal
import enum
import functools
import keyword
import math
import uuid
from collections.abc import Callable
from typing import Any

from .imports import Imports

FACTORIES: dict[Any, str] = {
    list: "list",
    dict: "dict",
    set: "set",
    frozenset: "frozenset",
    tuple: "tuple",
    bytearray: "bytearray",
    str: "str",
    int: "int",
    float: "float",
    bool: "bool",
    bytes: "bytes",
}


class Literals:
    """Writes values. `name_of` gives the name of a class that the source defines, or None."""

    def __init__(self, imports: Imports, name_of: Callable[[type], str | None]) -> None:
        self.imports = imports
        self.name_of = name_of

    def text(self, value: Any) -> str:
        """The expression that gives an equal value; TypeError where there is none."""
        if value is None or type(value) in (bool, int, str, bytes):
            return repr(value)
        match value:
            case enum.Enum():
                return self._member(value)
            case float() if type(value) is float:
                return repr(value) if math.isfinite(value) else f"{self.imports.builtin('float')}({str(value)!r})"
            case decimal.Decimal():
                return f"{self.imports.module('decimal')}.Decimal({str(value)!r})"
            case uuid.UUID():
                return f"{self.imports.module('uuid')}.UUID({str(value)!r})"
            case datetime.date() | datetime.time() | datetime.timedelta() if _is_plain(value):
                return repr(value).replace("datetime.", f"{self.imports.module('datetime')}.")
        return self._compound(value)

    def _compound(self, value: Any) -> str:
        cls = type(value)
        if cls is tuple:
            parts = ", ".join(map(self.text, value))
            return f"({parts},)" if len(value) == 1 else f"({parts})"
        if cls is list:
            return f"[{', '.join(map(self.text, value))}]"
        if cls is dict:
            return f"{{{', '.join(f'{self.text(key)}: {self.text(part)}' for key, part in value.items())}}}"
        if cls in (set, frozenset, bytearray):
            inner = self.text(bytes(value)) if cls is bytearray else self.text(sorted(value, key=repr))
            return f"{self.imports.builtin(cls.__name__)}({inner if value else ''})"
        if cls is collections.deque:
            return f"{self.imports.module('collections')}.deque({self.text(list(value))})"
        name = self.name_of(cls)
        if name is not None and hasattr(cls, "__dataclass_fields__"):
            fields = [field.name for field in cls.__dataclass_fields__.values() if field.init]
            return f"{name}({', '.join(f'{field}={self.text(getattr(value, field))}' for field in fields)})"
        if name is not None and hasattr(cls, "_fields"):
            return f"{name}({', '.join(map(self.text, value))})"
        raise TypeError(f"a default that is a {cls.__name__} can't be written as source: {value!r}")

    def _member(self, value: enum.Enum) -> str:
        name = self.name_of(type(value))
        if name is None:
            raise TypeError(f"{value!r} can't be written as source: nothing there is of its class")
        if isinstance(value, enum.Flag):
            return f"{name}({value.value!r})"
        plain = value.name.isidentifier() and not keyword.iskeyword(value.name)
        return f"{name}.{value.name}" if plain else f"{name}[{value.name!r}]"

    def factory(self, factory: Any) -> str:
        """The expression for a factory; TypeError where it is a function, of which nothing but the name is known."""
        if factory in FACTORIES:
            return self.imports.builtin(FACTORIES[factory])
        if factory in (collections.deque, collections.OrderedDict, collections.Counter, collections.defaultdict):
            return f"{self.imports.module('collections')}.{factory.__name__}"
        name = self.name_of(factory) if isinstance(factory, type) else None
        if name is not None:
            return name
        if isinstance(factory, functools.partial) and factory.func is copy.deepcopy and len(factory.args) == 1:
            return self.copier(factory.args[0])
        raise TypeError(f"a factory can't be written as source: {factory!r}")

    def copier(self, value: Any) -> str:
        """The factory for copies of a value that can be changed: unlike a lambda's, its source can be had again."""
        if value in ([], {}, set(), bytearray()):
            return self.factory(type(value))
        partial = f"{self.imports.module('functools')}.partial"
        return f"{partial}({self.imports.module('copy')}.deepcopy, {self.text(value)})"


def _is_plain(value: Any) -> bool:
    """Whether its `repr` can be evaluated: of the module's own classes, and in UTC or a fixed zone or none."""
    zone = getattr(value, "tzinfo", None)
    return type(value).__module__ == "datetime" and (zone is None or type(zone) is datetime.timezone)
