"""Other names for types: `type X = ...`, `NewType`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, get_args, get_origin

from . import forward, hooks, special
from .nodes import Node, frozen
from .scope import Scope

if TYPE_CHECKING:
    from .describer import Describer

# An alias or a class whose arguments grow each time it refers to itself would never be described to its end.
NESTING = 32


def is_alias(tp: Any) -> bool:
    """Whether it is a `TypeAliasType`, of `typing` or of `typing_extensions`, and not one with arguments."""
    return type(tp).__name__ == "TypeAliasType"


def node(describer: Describer, tp: Any, scope: Scope) -> Node | None:
    """The node for an alias or a new type; None for anything else."""
    if is_alias(tp):
        return _alias(describer, tp, ())
    if is_alias(get_origin(tp)):
        return _alias(describer, get_origin(tp), tuple(describer.node(part, scope) for part in get_args(tp)))
    if hasattr(tp, "__supertype__"):
        home = Scope(None, getattr(tp, "__module__", None))

        def plain() -> Node:
            return describer.node(tp.__supertype__, home)

        hooked = hooks.find(describer, tp, plain)
        return plain() if hooked is None else hooked
    return None


def _alias(describer: Describer, alias: Any, arguments: tuple[Node, ...]) -> Node:
    bindings: dict[Any, Any] = dict(zip(alias.__type_params__, arguments, strict=False))
    scope = Scope(None, alias.__module__, bindings)
    # By what its parameters stand for at last, so that an alias with defaults is the same with and without them.
    values = tuple(special.variable(describer, parameter, scope) for parameter in alias.__type_params__)
    with nested(describer, alias):
        return forward.named(
            describer, (alias, frozen(values)), alias.__name__, lambda: describer.node(alias.__value__, scope)
        )


class nested:  # noqa: N801
    """While it lasts, a class or alias is being described once more; refuses where that never ends."""

    def __init__(self, describer: Describer, thing: Any) -> None:
        self.describer = describer
        self.thing = thing

    def __enter__(self) -> None:
        nesting = self.describer.nesting
        nesting[self.thing] = nesting.get(self.thing, 0) + 1
        if nesting[self.thing] > NESTING:
            raise self.describer.refusal(self.thing, "it refers to itself with other arguments each time, without end")

    def __exit__(self, *_: object) -> None:
        self.describer.nesting[self.thing] -= 1
