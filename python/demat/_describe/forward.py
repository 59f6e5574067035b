"""References to types by name: strings, and what `typing` makes of them."""

from __future__ import annotations

import typing
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from .nodes import Node
from .scope import Scope

if TYPE_CHECKING:
    from .describer import Describer


def node(describer: Describer, tp: Any, scope: Scope) -> Node | None:
    """The node for a string or a `ForwardRef`; None for anything else."""
    if not isinstance(tp, (str, typing.ForwardRef)):
        return None
    found, inner = resolved(describer, tp, scope)
    if isinstance(found, type):
        # Classes take care of recursion themselves.
        return describer.node(found, inner)
    # An alias that refers to itself by name: `Json = Union[None, int, list["Json"]]`.
    text = tp if isinstance(tp, str) else tp.__forward_arg__
    inner = inner.home(text, found)
    return named(describer, ("text", text, *inner.key()), text, lambda: describer.node(found, inner))


def resolved(describer: Describer, tp: Any, scope: Scope) -> tuple[Any, Scope]:
    """What a type stands for that may be a reference, and the scope that that stands in."""
    while isinstance(tp, (str, typing.ForwardRef)):
        if isinstance(tp, typing.ForwardRef):
            if tp.__forward_module__ is not None:
                scope = scope.moved(tp.__forward_module__)
            evaluate: Any = getattr(tp, "evaluate", None)
            if evaluate is not None:
                # From Python 3.14 on a reference knows better than we where it came from.
                try:
                    tp = evaluate()
                    continue
                except NameError:
                    pass
            tp = tp.__forward_arg__
        tp = _evaluated(describer, tp, scope)
    return tp, scope


def _evaluated(describer: Describer, text: str, scope: Scope) -> Any:
    try:
        return scope.evaluate(text)
    except NameError as error:
        module = scope.module or (scope.caller and scope.caller.module)
        where = f"module `{module}`" if module else "any module that is known"
        advice = "define it there, above the first use"
        if scope.owner is not None and "<locals>" in scope.owner.__qualname__:
            where = f"{where}, nor in the function that defined `{scope.owner.__name__}`, if that still runs"
            advice = "define both at the top level of the module"
        raise describer.refusal(text, f"there is no `{error.name}` in {where}; {advice}") from None
    except SyntaxError:
        raise describer.refusal(text, "it is not the text of a type") from None
    except Exception as error:
        raise describer.refusal(text, f"evaluating it raised {type(error).__name__}: {error}") from error


def named(describer: Describer, key: Any, name: str, describe: Callable[[], Node]) -> Node:
    """The node that `describe` gives, made a named node of `records` if it contains itself.

    It is described once for each key; the key must say all that its description depends on.
    """
    if key in describer.index:
        return ("named", describer.index[key])
    if key in describer.open:
        # Met again inside of itself: from now on it has to have a place to refer to.
        describer.index[key] = len(describer.records)
        describer.records.append(None)
        return ("named", describer.index[key])
    describer.open.add(key)
    try:
        found = describe()
    finally:
        describer.open.discard(key)
    if key not in describer.index:
        return found
    index = describer.index[key]
    describer.records[index] = {"name": name, "node": found}
    return ("named", index)
