"""Enums, flags and literals."""

from __future__ import annotations

import enum
from typing import TYPE_CHECKING, Any

from .nodes import NONE, Node
from .unions import joined

if TYPE_CHECKING:
    from .describer import Describer


def node(describer: Describer, cls: type) -> Node | None:
    """The node for an enum or a flag; None for any other class."""
    if not issubclass(cls, enum.Enum):
        return None
    if issubclass(cls, enum.Flag):
        return ("flag", cls)
    members = _members(describer, cls, cls)
    if not members:
        raise describer.refusal(cls, "it has no members")
    return ("enum", cls, members)


def literal(describer: Describer, tp: Any, values: tuple[Any, ...]) -> Node:
    """The node for `Literal[...]`: literals, members of enums, or a union of both."""
    plain: list[Any] = []
    classes: dict[type, list[Any]] = {}
    for value in values:
        if isinstance(value, enum.Enum):
            classes.setdefault(type(value), []).append(value)
        elif value is None or type(value) in (str, int, bool):
            plain.append(value)
        else:
            raise describer.refusal(tp, f"a literal of {type(value).__name__} can't be told from others in data")
    nodes: list[Node] = [("enum", cls, _members(describer, tp, members)) for cls, members in classes.items()]
    if plain == [None]:
        nodes.insert(0, NONE)
    elif plain:
        nodes.insert(0, ("literal", tuple(plain)))
    return joined(nodes, describer.path)


def _members(describer: Describer, tp: Any, members: Any) -> dict[Any, Any]:
    """Member by what stands for it in data: the exact str or int that is its value."""
    found: dict[Any, Any] = {}
    for member in members:
        value = member._value_
        if isinstance(value, bool) or not isinstance(value, (str, int)):
            reason = f"the value of `{member.name}` is of type {type(value).__name__}, and not a str or an int"
            raise describer.refusal(tp, f"{reason}; give the enum a hook that says what stands for its members")
        found[str.__str__(value) if isinstance(value, str) else int.__int__(value)] = member
    return found
