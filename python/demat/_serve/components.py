"""The schemas that the description of a server has in one place, and refers to."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

Schema = dict[str, Any]

_DEFINED = "#/$defs/"
# Keywords whose values are no schemas, but values; and those whose keys are names.
_VALUES = ("const", "default", "enum", "examples")
_NAMED = ("properties", "patternProperties", "$defs")


class Components:
    """Collects the schemas of classes. Equal schemas share a name; others of the same name get a number.

    >>> components = Components()
    >>> components.placed({"$ref": "#/$defs/A", "$defs": {"A": {"type": "null"}}})
    {'$ref': '#/components/schemas/A'}
    >>> components.placed({"$ref": "#/$defs/A", "$defs": {"A": {"type": "integer"}}})
    {'$ref': '#/components/schemas/A_2'}
    >>> components.schemas
    {'A': {'type': 'null'}, 'A_2': {'type': 'integer'}}
    """

    def __init__(self) -> None:
        self.schemas: dict[str, Schema] = {}
        self._names: dict[str, str] = {}

    def placed(self, schema: Schema) -> Schema:
        """Moves the definitions of a schema here, and returns the rest of it."""
        definitions: dict[str, Schema] = schema.get("$defs", {})
        names: dict[str, str] = {}
        added = []
        for name in definitions:
            # Two classes of the same name may differ only in what they refer to.
            whole = {other: definitions[other] for other in sorted(_reached(name, definitions))}
            key = f"{name} {json.dumps(whole, sort_keys=True, default=repr)}"
            if key not in self._names:
                self._names[key] = self._free(name)
                added.append((name, self._names[key]))
            names[name] = self._names[key]

        def place(reference: str) -> str:
            return f"#/components/schemas/{names[reference.removeprefix(_DEFINED)]}"

        for name, own in added:
            self.schemas[own] = _replaced(definitions[name], place)
        rest = {key: value for key, value in schema.items() if key not in ("$defs", "$schema")}
        placed: Schema = _replaced(rest, place)
        return placed

    def _free(self, name: str) -> str:
        free, count = name, 1
        taken = {*self._names.values()}
        while free in taken:
            count += 1
            free = f"{name}_{count}"
        return free


def _reached(name: str, definitions: dict[str, Schema]) -> set[str]:
    """The definitions that one refers to, with itself."""
    found = {name}
    left = [name]

    def note(reference: str) -> str:
        other = reference.removeprefix(_DEFINED)
        if other not in found:
            found.add(other)
            left.append(other)
        return reference

    while left:
        _replaced(definitions[left.pop()], note)
    return found


def _replaced(schema: Any, change: Callable[[str], str]) -> Any:
    """The schema with each of its references changed."""
    if isinstance(schema, list):
        return [_replaced(part, change) for part in schema]
    if not isinstance(schema, dict):
        return schema
    changed: Schema = {}
    for key, value in schema.items():
        if key == "$ref":
            changed[key] = change(value)
        elif key == "mapping":
            # Of a `discriminator`: references by tags. A field of this name stands in `properties`.
            changed[key] = {name: change(reference) for name, reference in value.items()}
        elif key in _NAMED:
            changed[key] = {name: _replaced(part, change) for name, part in value.items()}
        else:
            changed[key] = value if key in _VALUES else _replaced(value, change)
    return changed
