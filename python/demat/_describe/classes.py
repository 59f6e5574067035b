"""Classes: which kind of thing a class is, asked in the order in which one answer excludes the next."""

from __future__ import annotations

import collections.abc as abc
import typing
from typing import TYPE_CHECKING, Any

from . import (
    containers,
    enums,
    hooks,
    number_arrays,
    numpy_arrays,
    of_attrs,
    of_dataclass,
    of_namedtuple,
    of_pydantic,
    of_struct,
    of_typeddict,
    scalars,
)
from .nodes import Node
from .scope import Scope

if TYPE_CHECKING:
    from .describer import Describer

# TypedDicts are dicts and named tuples tuples, so these come before the containers.
_RECORDS: tuple[Any, ...] = (of_typeddict, of_namedtuple, of_pydantic, of_struct, of_attrs, of_dataclass)


def node(describer: Describer, tp: Any, scope: Scope) -> Node | None:
    """The node for a class that stands there without arguments; None for what is no class."""
    return described(describer, tp, tp, None, scope) if isinstance(tp, type) else None


def described(describer: Describer, cls: type, tp: Any, arguments: tuple[Any, ...] | None, scope: Scope) -> Node:
    """The node for a class with arguments, or (None) without; `tp` is both, for messages."""

    def plain() -> Node:
        return _plain(describer, cls, tp, arguments, scope)

    hooked = hooks.find(describer, cls, plain)
    return plain() if hooked is None else hooked


def _plain(describer: Describer, cls: type, tp: Any, arguments: tuple[Any, ...] | None, scope: Scope) -> Node:
    found: Node | None = (
        scalars.node(cls)
        or numpy_arrays.node(describer, cls, tp, arguments, scope)
        or number_arrays.node(describer, cls, tp, arguments, scope)
        or enums.node(describer, cls)
        or containers.node(describer, cls, arguments, scope)
    )
    if found is not None:
        return found
    for kind in _RECORDS:
        if kind.is_one(cls):
            record: Node = kind.node(describer, cls, arguments, scope)
            return record
    found = (
        containers.derived(describer, cls, scope, arguments)
        or scalars.derived(cls, own=False)
        or hooks.inherited(describer, cls)
        or scalars.derived(cls, own=True)
    )
    if found is None:
        raise describer.refusal(tp, _why_not(cls))
    return found


_REASONS: dict[type, str] = {
    abc.Callable: "functions are no data",  # type: ignore[dict-item]
    type: "classes are no data",
    abc.Iterator: "it can be gone through only once; write `list[…]` or `Iterable[…]`",
    abc.Generator: "it can be gone through only once; write `list[…]` or `Iterable[…]`",
    abc.AsyncIterator: "it can be gone through only once; write `list[…]`",
}


def _why_not(cls: type) -> str:
    name = cls.__name__
    advice = f"say how with demat.hook({name}, wire=…, decode=…, encode=…)"
    if cls in _REASONS:
        return _REASONS[cls]
    if cls is typing.Protocol or cls is typing.Generic:
        return "it is what other classes are made with"
    if getattr(cls, "_is_protocol", False):
        return f"it is a Protocol, which many classes can be; name one of them, or {advice}"
    if getattr(cls, "__abstractmethods__", None):
        return f"it is abstract, and has no instances of its own; name a class that has, or {advice}"
    return f"nothing says what its data is; make it a dataclass, or {advice}"
