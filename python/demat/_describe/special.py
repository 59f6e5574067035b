"""The types that are no classes and take no arguments: Any, None, type variables, Self."""

from __future__ import annotations

import typing
from typing import TYPE_CHECKING, Any

from .nodes import ANY, NONE, Node
from .scope import Scope

if TYPE_CHECKING:
    from .describer import Describer

_NOTHING = {"Never": "no value has it", "NoReturn": "no value has it"}
_BARE = {
    "ClassVar": "it belongs to the class and not to its instances",
    "Union": "it says no types",
    "Optional": "it says no type",
    "Literal": "it says no values",
    "Concatenate": "it is part of a function's type",
    "TypeAlias": "it marks an alias, and belongs where that is assigned",
}


def node(describer: Describer, tp: Any, scope: Scope) -> Node | None:
    """The node for a special form or a type variable; None for anything else."""
    if tp is Any or tp is object:
        return ANY
    if tp is None or tp is type(None):
        return NONE
    if isinstance(tp, typing.TypeVar) or type(tp).__name__ == "TypeVar":
        return variable(describer, tp, scope)
    name = form(tp)
    if name == "Self":
        if "Self" not in scope.bindings:
            raise describer.refusal(tp, "it stands in no class")
        own: Node = scope.bindings["Self"]
        return own
    if name == "LiteralString":
        return ("str",)
    if name == "Final":
        # `x: Final = 3` leaves the type to be inferred, which is for type checkers.
        return ANY
    if name in _NOTHING or name in _BARE:
        raise describer.refusal(tp, {**_NOTHING, **_BARE}[name])
    return None


def form(tp: Any) -> str | None:
    """The name of a special form of `typing` or `typing_extensions`; None for anything else."""
    if isinstance(tp, type) or getattr(tp, "__module__", None) not in ("typing", "typing_extensions"):
        return None
    # `List` and the like have a name as well, but stand for a class.
    return None if hasattr(tp, "__origin__") else getattr(tp, "_name", None)


def variable(describer: Describer, tp: Any, scope: Scope) -> Node:
    """What a type variable stands for: what it was bound to, else its default, its bound, its constraints, or Any."""
    if tp in scope.bindings:
        found: Node = describer.late(scope.bindings[tp])
        return found
    # What a variable says itself stands in the module that made it.
    home = Scope(None, getattr(tp, "__module__", scope.module), scope.bindings)
    if has_default(tp):
        return describer.node(tp.__default__, home)
    if tp.__bound__ is not None:
        return describer.node(tp.__bound__, home)
    if tp.__constraints__:
        return describer.node(typing.Union[tp.__constraints__], home)  # noqa: UP007
    return ANY


def has_default(tp: Any) -> bool:
    """Whether a type variable says what it stands for where nobody else does."""
    asked = getattr(tp, "has_default", None)
    return asked is not None and bool(asked())
