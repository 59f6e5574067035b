"""Checks and keys as JSON Schema has them."""

from __future__ import annotations

import decimal
from typing import Any

from .._describe.nodes import Node

_NUMBERS = {
    "ge": "minimum",
    "gt": "exclusiveMinimum",
    "le": "maximum",
    "lt": "exclusiveMaximum",
    "multiple_of": "multipleOf",
}
_LENGTHS = {"str": "Length", "list": "Items", "dict": "Properties"}


def limited(schema: dict[str, Any], node: Node) -> dict[str, Any]:
    """The schema with the keywords for what a node checks, as far as there are any."""
    _, inner, checks = node
    said = dict(schema)
    for name, bound in checks.items():
        if name == "pattern":
            said["pattern"] = bound
        elif name in _NUMBERS:
            if (number := _number(bound)) is not None:
                said[_NUMBERS[name]] = number
        elif inner[0] in _LENGTHS:
            said[name.removesuffix("_length") + _LENGTHS[inner[0]]] = bound
        else:
            # Base64 has four characters for each three bytes, also for the last one or two.
            said[name.removesuffix("_length") + "Length"] = (bound + 2) // 3 * 4
    return said


def _number(bound: Any) -> int | float | None:
    """A bound as a number of JSON; None where it is none: a date, or infinity."""
    if isinstance(bound, decimal.Decimal):
        if not bound.is_finite():
            return None
        return int(bound) if bound == bound.to_integral_value() else float(bound)
    if not isinstance(bound, (int, float)) or bound in (float("inf"), float("-inf")):
        return None
    return bound


def keys(node: Node, schema: dict[str, Any]) -> dict[str, Any]:
    """What the keys of an object have to be, where they stand for a node: always text."""
    kind = node[1][0] if node[0] == "checked" else node[0]
    match kind:
        case "any":
            return {}
        case "str":
            return {} if schema == {"type": "string"} else {"propertyNames": schema}
        case "bool":
            return {"propertyNames": {"enum": ["true", "false"]}}
        case "int" | "flag":
            return {"propertyNames": {"pattern": "^-?(0|[1-9][0-9]*)$"}}
        case "enum":
            return {"propertyNames": {"enum": [str(wire) for wire in node[2]]}}
        case "literal" if all(type(value) in (str, int) for value in node[1]):
            return {"propertyNames": {"enum": [str(value) for value in node[1]]}}
    return {"propertyNames": schema} if schema.get("type") == "string" else {}
