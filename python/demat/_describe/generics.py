"""Types with arguments: unions, literals, `list[int]`, and classes of one's own that take some."""

from __future__ import annotations

import types
import typing
from typing import TYPE_CHECKING, Any, get_args, get_origin

from . import classes, containers, enums, unions
from .nodes import Node
from .scope import Scope

if TYPE_CHECKING:
    from .describer import Describer


def node(describer: Describer, tp: Any, scope: Scope) -> Node | None:
    """The node for a type with arguments, or a class that takes some by its name in `typing`; None for all others."""
    origin = get_origin(tp)
    if origin is None:
        return None
    if origin is typing.Union or origin is types.UnionType:
        return unions.node(describer, tp, get_args(tp), scope)
    if origin is typing.Literal or getattr(origin, "_name", None) == "Literal":
        return enums.literal(describer, tp, get_args(tp))
    if not isinstance(origin, type):
        raise describer.refusal(tp, "it is no type that a value can have")
    # `tuple[()]` has arguments, none; `Tuple` has not.
    arguments = get_args(tp) if hasattr(tp, "__args__") else None
    found = containers.node(describer, origin, arguments, scope)
    return classes.described(describer, origin, tp, arguments, scope) if found is None else found
