"""Generic classes: what their type variables, and those of the classes they inherit from, stand for."""

from __future__ import annotations

import typing
from typing import TYPE_CHECKING, Any, get_args, get_origin

from . import special
from .nodes import Node
from .scope import Late, Scope

if TYPE_CHECKING:
    from .describer import Describer


def is_variadic(parameter: Any) -> bool:
    """Whether a type variable stands for any number of types."""
    return type(parameter).__name__ == "TypeVarTuple"


def argument(describer: Describer, part: Any, scope: Scope) -> Node:
    """The node for an argument that may have been left for later."""
    found: Node = describer.late(part) if isinstance(part, Late) else describer.node(part, scope)
    return found


def given(describer: Describer, cls: type, arguments: tuple[Any, ...] | None, scope: Scope) -> dict[Any, Any]:
    """What the class's own type variables stand for, as nodes; where no arguments say so, what the variables say."""
    parameters = getattr(cls, "__parameters__", ()) or getattr(cls, "__type_params__", ())
    nodes = [] if arguments is None else [argument(describer, part, scope) for part in arguments]
    bound = {} if arguments is None else _matched(parameters, nodes)
    home = Scope(cls, None, bound)
    for parameter in parameters:
        if parameter not in bound and not is_variadic(parameter):
            bound[parameter] = special.variable(describer, parameter, home)
    return bound


def bases(describer: Describer, cls: type, own: dict[Any, Any]) -> dict[type, Any]:
    """For each class that it inherits from with arguments, what these are.

    For a generic class of Python's that is a mapping from its type variables; for one made in C, which has none, the
    list of the arguments.
    """
    found: dict[type, Any] = {cls: own}
    _climb(describer, cls, own, found)
    return found


def _climb(describer: Describer, cls: type, own: dict[Any, Any], found: dict[type, Any]) -> None:
    scope = Scope(cls, None, own)
    for base in cls.__dict__.get("__orig_bases__", cls.__bases__):
        origin = get_origin(base) or base
        if origin in (typing.Generic, typing.Protocol, object) or not isinstance(origin, type) or origin in found:
            continue
        arguments = [part if part is Ellipsis else Late(part, scope) for part in get_args(base)]
        parameters = getattr(origin, "__parameters__", ()) or getattr(origin, "__type_params__", ())
        if parameters:
            found[origin] = _matched(parameters, arguments)
        elif arguments:
            found[origin] = arguments
            continue
        _climb(describer, origin, found.get(origin, {}), found)


def _matched(parameters: Any, arguments: list[Any]) -> dict[Any, Any]:
    """Parameter to argument; one that is variadic takes what is left between those before and after it."""
    at = next((index for index, parameter in enumerate(parameters) if is_variadic(parameter)), None)
    if at is None:
        return dict(zip(parameters, arguments, strict=False))
    after = len(parameters) - at - 1
    middle = arguments[at : len(arguments) - after]
    return {
        **dict(zip(parameters[:at], arguments, strict=False)),
        parameters[at]: middle,
        **dict(zip(parameters[at + 1 :], arguments[len(arguments) - after :], strict=False)),
    }
