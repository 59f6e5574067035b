"""Hooks: nodes for what the user's own functions read and write."""

from __future__ import annotations

import inspect
import types
from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Any, get_origin

from .. import _declared
from .._hook import Hook, WritesParts
from .._unset import UNSET
from . import msgspec_raw, network, standard
from .configured import configured
from .display import display
from .nodes import ANY, Node, children
from .scope import Scope

if TYPE_CHECKING:
    from .describer import Describer


# Without a type, Demat reads and writes values of these classes directly, and calls no hook.
BUILTINS = (str, int, float, bool, type(None), list, tuple, dict)


def refuse_builtins(hooks: Any) -> None:
    """Refuses a call's hooks for builtin classes: Demat calls these only where a type names the class."""
    for cls in BUILTINS:
        if cls in hooks:
            name = cls.__name__
            raise TypeError(f"hooks= for `{name}` is for values of which a type says that they are one: give type=")


def reach(describer: Describer, nodes: Iterable[Node]) -> None:
    """Refuses the same hooks if these nodes contain untyped values, for which the hooks would not run."""
    told = [cls.__name__ for cls in BUILTINS if cls in describer.options.get("hooks", {})]
    waiting = list(nodes) if told else []
    while waiting:
        node = waiting.pop()
        if node == ANY:
            reason = f"hooks= for `{told[0]}` is not asked about values without a type, and there are some in it"
            raise TypeError(f"`{describer.path}`: {reason}; say which type they are of")
        # A hook reads and writes its own values, so its parts are not searched.
        waiting += () if node[0] == "hook" else children(node)


def find(describer: Describer, tp: Any, plain: Callable[[], Node]) -> Node | None:
    """The hook node for a class or a new type, if there is a hook for it: of the call, registered, or its own methods.

    `plain` describes it as it would be without one.
    """
    hook = _given(describer, tp)
    if hook is not None:
        home = Scope(tp) if isinstance(tp, type) else Scope(None, getattr(tp, "__module__", None))
        return _node(describer, hook, tp, home, plain)
    if isinstance(tp, type):
        return _methods(describer, tp, plain)
    return None


def inherited(describer: Describer, cls: type) -> Node | None:
    """The hook node for a class that can't be described otherwise, if a class that it inherits from has a hook."""

    def plain() -> Node:
        raise describer.refusal(cls, "it has no other description")

    for base in cls.__mro__[1:]:
        hook = _given(describer, base)
        if hook is not None:
            return _node(describer, hook, cls, Scope(base), plain)
    return None


def on_field(describer: Describer, hook: Hook, tp: Any, scope: Scope) -> Node:
    """The hook node for a hook that stands in an annotation."""
    return _node(describer, hook, tp, scope, lambda: describer.node(tp, scope))


def _given(describer: Describer, tp: Any) -> Hook | None:
    hook = describer.options.get("hooks", {}).get(tp)
    if hook is None and isinstance(tp, type):
        hook = _declared.own(tp).get("hook") or network.hook(tp) or standard.hook(tp) or msgspec_raw.hook(tp)
    if hook is not None and not isinstance(hook, Hook):
        raise describer.refusal(tp, f"its hook is a {type(hook).__name__}; make it a demat.Hook(…)")
    if hook is not None and hook.place:
        raise describer.refusal(tp, "a hook with `place` stands in an annotation: `Annotated[…, Hook(…)]`")
    return hook


def _node(describer: Describer, hook: Hook, tp: Any, scope: Scope, plain: Callable[[], Node]) -> Node:
    with describer.at("(wire)"):
        # On the wire the class itself is what it would be without the hook.
        wire = ANY if hook.wire is UNSET else plain() if hook.wire is tp else describer.node(hook.wire, scope)
    # Of a union there are no instances, and of `Any`, which is a class: what a hook writes there is of any class.
    cls = tp if isinstance(tp, type) else object if isinstance(tp, types.UnionType) else get_origin(tp)
    cls = object if tp is Any else cls
    made = _sided(describer, tp, wire, wire, hook.decode, hook.encode, plain)
    return ("hook", made[0], cls if isinstance(cls, type) else object, *made[1:])


def _sided(
    describer: Describer,
    tp: Any,
    read: Node,
    write: Node,
    decode: Callable[[Any], Any] | None,
    encode: Callable[[Any], Any] | None,
    plain: Callable[[], Node],
) -> tuple[Node, Any, Any, Node]:
    """What is read, the two functions, and what is written: the way that no function is for goes as without a hook."""
    if decode is None or encode is None:
        own = describer.attempt(plain)
        if decode is None:
            read, decode = (own, None) if own else (read, _missing(tp, "decode"))
        if encode is None:
            write, encode = (own, None) if own else (write, _missing(tp, "encode"))
    return read, decode, encode, write


def _missing(tp: Any, name: str) -> Callable[[Any], Any]:
    verb = "read" if name == "decode" else "written"

    def refuse(_: Any) -> Any:
        raise TypeError(f"`{display(tp)}` can't be {verb}: its hook has no `{name}`")

    return refuse


def _methods(describer: Describer, cls: type, plain: Callable[[], Node]) -> Node | None:
    """The hook node for a class with `__demat_decode__` or `__demat_encode__`."""
    decode: Any = getattr(cls, "__demat_decode__", None)
    encode: Any = getattr(cls, "__demat_encode__", None)
    if decode is None and encode is None:
        return None
    if configured(cls).get("array_like"):
        raise describer.wrong("`array_like` is not for classes with `__demat_decode__` or `__demat_encode__`")
    scope = Scope(cls)
    read = ANY if decode is None else _annotated(describer, cls, decode, scope)
    if encode is not None and _writes_parts(encode):
        write: Node = ANY
        encode = WritesParts(encode)
    else:
        write = read if encode is None else _returned(describer, encode, scope)
    made = _sided(describer, cls, read, write, decode, encode, plain)
    return ("hook", made[0], cls, *made[1:])


def _annotated(describer: Describer, cls: type, decode: Any, scope: Scope) -> Node:
    if not isinstance(inspect.getattr_static(cls, "__demat_decode__"), (classmethod, staticmethod)):
        raise describer.refusal(cls, "its `__demat_decode__` has to be a classmethod or a staticmethod")
    parameters = list(inspect.signature(decode).parameters.values())
    if len(parameters) != 1 or parameters[0].kind in (parameters[0].KEYWORD_ONLY, parameters[0].VAR_KEYWORD):
        raise describer.refusal(cls, "its `__demat_decode__` has to take one argument: what stands in the data")
    wire = parameters[0].annotation
    with describer.at(".__demat_decode__"):
        return ANY if wire is parameters[0].empty else describer.node(wire, scope)


def _writes_parts(encode: Any) -> bool:
    """Whether a `__demat_encode__` takes a sink beside the value."""
    parameters = inspect.signature(encode).parameters.values()
    needed = [one for one in parameters if one.default is one.empty]
    return len(needed) == 2 and all(one.kind in (one.POSITIONAL_ONLY, one.POSITIONAL_OR_KEYWORD) for one in needed)


def _returned(describer: Describer, encode: Any, scope: Scope) -> Node:
    signature = inspect.signature(encode)
    with describer.at(".__demat_encode__"):
        wire = signature.return_annotation
        return ANY if wire is signature.empty else describer.node(wire, scope)
