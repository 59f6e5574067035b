"""Checks: bounds, lengths and patterns, put to the nodes that can have them."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any

from .nodes import Node

if TYPE_CHECKING:
    from .describer import Describer

_NUMBERS = ("int", "float", "decimal")
_TIMES = ("date", "datetime", "time", "timedelta")
_SIZED = ("str", "bytes", "bytearray", "memoryview", "list", "dict")


def checked(describer: Describer, tp: Any, node: Node, given: dict[str, Any]) -> Node:
    """The node with these checks. Each must mean something to it, or to one of the variants of a union."""
    found, used = _applied(describer, tp, node, given)
    for name in given:
        if name not in used:
            raise describer.refusal(tp, f"`{name}` means nothing to it: {_hooked(node, name) or _wanted(name)}")
    return found


def _applied(describer: Describer, tp: Any, node: Node, given: dict[str, Any]) -> tuple[Node, set[str]]:
    if node[0] in ("optional", "noted"):
        inner, used = _applied(describer, tp, node[1], given)
        return (node[0], inner, *node[2:]), used
    if node[0] == "union":
        parts = [_applied(describer, tp, variant, given) for _, variant in node[2]]
        variants = tuple((name, part) for (name, _), (part, _) in zip(node[2], parts, strict=True))
        return (*node[:2], variants, *node[3:]), set().union(*(used for _, used in parts))
    inner, before = (node[1], node[2]) if node[0] == "checked" else (node, {})
    fitting = {name: bound for name, bound in given.items() if _fits(describer, tp, inner, name, bound)}
    if not fitting:
        return node, set()
    # Of two bounds of one side the outer replaces the inner, whether it includes its end or not.
    rivals = {"ge": "gt", "gt": "ge", "le": "lt", "lt": "le"}
    kept = {name: bound for name, bound in before.items() if rivals.get(name) not in fitting}
    return ("checked", inner, {**kept, **fitting}), set(fitting)


def _fits(describer: Describer, tp: Any, node: Node, name: str, bound: Any) -> bool:
    kind: str = node[0]
    if name == "pattern":
        return kind == "str"
    if name in ("min_length", "max_length"):
        return kind in _SIZED
    if isinstance(bound, (int, float)) or _is_of(bound, "decimal", "Decimal"):
        return kind in _NUMBERS
    if name == "multiple_of" or not _same_kind(kind, bound):
        return False
    if kind in ("datetime", "time"):
        # Comparing a value with an offset to one without would raise; so the zone must be said, and agree.
        aware: bool = bound.utcoffset() is not None
        if node[1] is not aware:
            raise describer.refusal(tp, f"`{name}` has {'an' if aware else 'no'} offset; say `tz={aware}` as well")
    return True


def _same_kind(kind: str, bound: Any) -> bool:
    # A datetime is a date to Python, but can't be compared with one.
    mixed = kind == "date" and _is_of(bound, "datetime", "datetime")
    return kind in _TIMES and _is_of(bound, "datetime", kind) and not mixed


def _is_of(value: Any, module: str, name: str) -> bool:
    """Whether it is an instance of that class of that module, which nobody has imported if it is not."""
    cls = getattr(sys.modules.get(module), name, None)
    return cls is not None and isinstance(value, cls)


def _hooked(node: Node, name: str) -> str | None:
    """Where a check is to be said instead, if a hook makes the values."""
    while node[0] in ("optional", "noted", "checked"):
        node = node[1]
    if node[0] != "hook":
        return None
    return f"a hook makes it; say it of what the hook reads: `wire=Annotated[…, Field({name}=…)]`"


def _wanted(name: str) -> str:
    if name == "pattern":
        return "it is for str"
    if name in ("min_length", "max_length"):
        return "it is for what has a length that can vary, as str, bytes, lists, sets and dicts"
    if name == "multiple_of":
        return "it is for numbers"
    return "it is for numbers, dates, times and timedeltas, and of their own kind"
