"""Nodes as annotations: the source of a type."""

from __future__ import annotations

import collections
import enum
from collections.abc import Callable
from typing import Any

from .._describe.nodes import Node
from .imports import Imports
from .literals import Literals

_BUILTINS = ("bool", "int", "float", "str", "bytes", "bytearray", "memoryview")
_MODULES = {"decimal": "decimal.Decimal", "uuid": "uuid.UUID"} | {
    name: f"datetime.{name}" for name in ("datetime", "date", "time", "timedelta")
}


class Spelling:
    """Writes annotations.

    `name_of` gives the name of an entry of the records, or of an enum by its node, where the source defines it.
    """

    def __init__(self, imports: Imports, literals: Literals, name_of: Callable[[Node], str]) -> None:
        self.imports = imports
        self.literals = literals
        self.name_of = name_of

    def annotation(self, node: Node, said: dict[str, Any] | None = None) -> str:
        """The annotation for a node; `said` is what a `Field` around it says beside."""
        node, inner, nullable = _taken_off(node)
        said = {**inner, **(said or {})}
        text = self._union([self._node(node), "None"]) if nullable else self._node(node)
        if not said:
            return text
        field = self.imports.member("demat", "Field")
        given = ", ".join(f"{name}={self._given(name, value)}" for name, value in said.items())
        return f"{self.imports.member('typing', 'Annotated')}[{text}, {field}({given})]"

    def _given(self, name: str, value: Any) -> str:
        if name == "factory":
            return self.literals.factory(value)
        if name == "other":
            return self.annotation(value)
        if name == "read" and len(value) == 1:
            return repr(value[0])
        return self.literals.text(value)

    def _node(self, node: Node) -> str:
        kind = node[0]
        if kind in _BUILTINS:
            return self.imports.builtin(kind)
        if kind in _MODULES:
            module, _, name = _MODULES[kind].partition(".")
            return f"{self.imports.module(module)}.{name}"
        match kind:
            case "any":
                return self.imports.member("typing", "Any")
            case "none":
                return "None"
            case "raw":
                return self.imports.member("demat", "Raw")
            case "list":
                return self._list(node)
            case "tuple":
                return f"{self.imports.builtin('tuple')}[{', '.join(map(self.annotation, node[1])) or '()'}]"
            case "dict":
                return self._dict(node)
            case "literal":
                return self._literal([repr(value) for value in node[1]])
            case "enum":
                return self._enum(node)
            case "flag" | "record":
                return self.name_of(node)
            case "named":
                # In quotes: it is not there yet where it contains itself, which is known by that very text.
                return repr(self.name_of(node))
            case "union":
                return self._union([self.annotation(variant) for variant in _variants(node)])
        raise TypeError(f"a {kind} can't be written as source")

    def _union(self, parts: list[str]) -> str:
        # A text can't be the operand of `|`.
        if any(part.startswith("'") for part in parts):
            return f"{self.imports.member('typing', 'Union')}[{', '.join(parts)}]"
        return " | ".join(parts)

    def _list(self, node: Node) -> str:
        _, cls, item = node
        if cls not in (list, tuple, set, frozenset, collections.deque):
            raise TypeError(f"`{cls.__name__}` can't be written as source: it is a list with a class of its own")
        name = self._container(cls)
        return f"{name}[{self.annotation(item)}{', ...' if cls is tuple else ''}]"

    def _dict(self, node: Node) -> str:
        _, cls, key, value = node
        if cls is collections.Counter:
            return f"{self._container(cls)}[{self.annotation(key)}]"
        if cls not in (dict, collections.OrderedDict, collections.defaultdict):
            raise TypeError(f"`{cls.__name__}` can't be written as source: it is a dict with a class of its own")
        return f"{self._container(cls)}[{self.annotation(key)}, {self.annotation(value)}]"

    def _container(self, cls: type) -> str:
        if cls.__module__ == "builtins":
            return self.imports.builtin(cls.__name__)
        return f"{self.imports.module('collections')}.{cls.__name__}"

    def _literal(self, values: list[str]) -> str:
        return f"{self.imports.member('typing', 'Literal')}[{', '.join(values)}]"

    def _enum(self, node: Node) -> str:
        cls, members = node[1], node[2]
        if cls is None:
            return self._literal([repr(wire) for wire in members])
        if isinstance(cls, type) and issubclass(cls, enum.Enum) and len(members) < len(set(cls)):
            return self._literal([self.literals.text(member) for member in members.values()])
        return self.name_of(node)


def _variants(node: Node) -> list[Node]:
    """The variants of a union, each once: one that has several values of the tag is there as often."""
    return list({id(variant) if variant[0] != "record" else variant: variant for _, variant in node[2]}.values())


def _taken_off(node: Node) -> tuple[Node, dict[str, Any], bool]:
    """A node without what a `Field` around it can say (checks, zones, tags, notes); that; and if it can be None."""
    said: dict[str, Any] = {}
    nullable = False
    while node[0] in ("noted", "checked", "optional"):
        if node[0] == "optional":
            nullable = True
        else:
            said = {**node[2], **said}
        node = node[1]
    if node[0] in ("datetime", "time") and node[1] is not None:
        said = {"tz": node[1], **said}
    if node[0] == "datetime" and node[2:]:
        said = {"times": node[2], **said}
    if node[0] == "union" and node[1] is not None:
        said = {"tag": node[1], **said}
        others = [variant for name, variant in node[2] if name is None]
        if others:
            said["other"] = others[0]
    return node, said, nullable
