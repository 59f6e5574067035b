"""Descriptions as source: a module that defines classes of the same description."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from .._describe.nodes import Node, children
from .classes import Classes
from .enums import enum_lines
from .identifiers import class_name
from .imports import Imports
from .literals import Literals
from .spelling import Spelling

Records = list[dict[str, Any]]


def program(root: Node, records: Records) -> tuple[str, dict[int, str]]:
    """The source, and the name that each record has in it.

    The records need names that Python can have. Raises TypeError where something can't be written: hooks, functions as
    factories, classes that do more than their fields say.
    """
    return _Program(root, records).written()


class _Program:
    def __init__(self, root: Node, records: Records) -> None:
        self.records = records
        self.order = list(_order(root, records))
        self.enums = list(_enums(root, records))
        self.names: dict[Any, str] = {}
        for thing, name in self._called():
            count, found = 1, name
            while found in self.names.values():
                count += 1
                found = f"{name}_{count}"
            self.names[thing] = found
        attributes = {field["name"] for entry in records for field in entry.get("fields", ())}
        self.imports = Imports({*attributes, *self.names.values()})
        self.literals = Literals(self.imports, self._name_of_class)
        self.spelling = Spelling(self.imports, self.literals, self._name_of_node)

    def written(self) -> tuple[str, dict[int, str]]:
        names = {index: name for index, name in self.names.items() if isinstance(index, int)}
        classes = Classes(self.records, self.imports, self.literals, self.spelling, self.names, _tags(self.records))
        parts = [enum_lines(node, self.names[_enum_key(node)], self.imports, self.literals) for node in self.enums] + [
            classes.lines(index) for index in self.order
        ]
        # What they import is known now, and stands above them.
        blocks = ["\n".join(self.imports.lines())] + ["\n".join(part) for part in parts]
        return "\n\n\n".join(block for block in blocks if block) + "\n", names

    def _called(self) -> Iterator[tuple[Any, str]]:
        # The root comes last, and users know its name, so it has the first choice of a name.
        for index in reversed(self.order):
            entry = self.records[index]
            cls = entry.get("cls")
            # The tag of a class is its name, if nothing else is said; so it keeps it, also where it has arguments.
            name = entry["name"] if cls is None else cls.__name__
            yield index, "".join(char if char.isalnum() else "_" for char in name)
        for node in self.enums:
            yield _enum_key(node), class_name(node[1]) if isinstance(node[1], str) else node[1].__name__

    def _name_of_node(self, node: Node) -> str:
        return self.names[node[1] if node[0] in ("record", "named") else _enum_key(node)]

    def _name_of_class(self, cls: type) -> str | None:
        if cls in self.names:
            return self.names[cls]
        found = [index for index in self.order if self.records[index].get("cls") is cls]
        return self.names[found[0]] if found else None


def _enum_key(node: Node) -> Any:
    # Of enums without a class two of one name and the same members are one.
    return node[1] if isinstance(node[1], type) else (node[1], tuple(node[2]))


def _order(root: Node, records: Records) -> Iterator[int]:
    """The entries that a node leads to, each after those that it is made of, where that is possible."""
    seen: set[int] = set()

    def visit(node: Node) -> Iterator[int]:
        for part in children(node):
            yield from visit(part)
        if node[0] not in ("record", "named") or node[1] in seen:
            return
        seen.add(node[1])
        entry = records[node[1]]
        for inner in [entry["node"]] if "node" in entry else [field["node"] for field in entry["fields"]]:
            yield from visit(inner)
        yield node[1]

    return visit(root)


def _enums(root: Node, records: Records) -> Iterator[Node]:
    """The enums and flags that are to be defined, each once."""
    seen: set[Any] = set()
    nodes = [root, *(field["node"] for entry in records for field in entry.get("fields", ()))]
    nodes += [entry["node"] for entry in records if "node" in entry]
    while nodes:
        node = nodes.pop(0)
        nodes[:0] = children(node)
        if node[0] in ("enum", "flag") and node[1] is not None and _enum_key(node) not in seen:
            seen.add(_enum_key(node))
            yield node


def _tags(records: Records) -> dict[int, Any]:
    """What stands at the tag of each record in a union, where neither a field nor the class says so."""
    found: dict[int, Any] = {}
    nodes = [field["node"] for entry in records for field in entry.get("fields", ())]
    nodes += [entry["node"] for entry in records if "node" in entry]
    while nodes:
        node = nodes.pop()
        nodes += children(node)
        if node[0] == "union" and node[1] is not None:
            for name, variant in node[2]:
                if name is None:
                    continue
                record = records[variant[1]]
                held = any(field["key"] == node[1] for field in record["fields"])
                if held or record["tag"] is not None:
                    continue
                if found.setdefault(variant[1], name) != name:
                    both = f"{found[variant[1]]!r} in one union and {name!r} in another"
                    raise TypeError(f"`{record['name']}` can't be written as source: it is {both}")
    return found
