"""Lists, sets, tuples and dicts, and the abstract types that stand for one of them."""

from __future__ import annotations

import collections
import collections.abc as abc
from typing import TYPE_CHECKING, Any, get_args, get_origin

from . import binding
from .nodes import ANY, Node
from .scope import Scope

if TYPE_CHECKING:
    from .describer import Describer

_LISTS: dict[type, type] = {
    list: list,
    set: set,
    frozenset: frozenset,
    collections.deque: collections.deque,
    abc.Sequence: list,
    abc.MutableSequence: list,
    abc.Collection: list,
    abc.Iterable: list,
    abc.Set: set,
    abc.MutableSet: set,
}
_DICTS: dict[type, type] = {
    dict: dict,
    collections.OrderedDict: collections.OrderedDict,
    collections.defaultdict: collections.defaultdict,
    abc.Mapping: dict,
    abc.MutableMapping: dict,
}


def node(describer: Describer, cls: type, arguments: tuple[Any, ...] | None, scope: Scope) -> Node | None:
    """The node for one of the containers above, with arguments or (None) without; None for any other class."""
    if cls is tuple:
        return _tuple(describer, arguments, scope)
    if cls in _LISTS:
        item = _part(describer, arguments, 0, "[]", scope)
        return ("list", _LISTS[cls], item)
    if cls is collections.Counter:
        return ("dict", cls, _part(describer, arguments, 0, "[key]", scope), ("int",))
    if cls in _DICTS:
        key = _part(describer, arguments, 0, "[key]", scope)
        return ("dict", _DICTS[cls], key, _part(describer, arguments, 1, "[]", scope))
    return None


def derived(describer: Describer, cls: type, scope: Scope, arguments: tuple[Any, ...] | None) -> Node | None:
    """The node for a class that inherits from a container: `class Tags(list[str])`. None for any other class."""
    known = {*_LISTS, *_DICTS, tuple, collections.Counter}
    base = next((base for base in cls.__mro__ if base in known and base.__module__ != "collections.abc"), None)
    if base is None:
        return None
    found = binding.bases(describer, cls, binding.given(describer, cls, arguments, scope)).get(base)
    inner = None if found is None else tuple(found)
    made = node(describer, base, inner, scope)
    if made is None or made[0] == "tuple":
        raise describer.refusal(cls, "a tuple of fixed length has to be a named tuple to have a class of its own")
    return (made[0], cls, *made[2:])


def _part(describer: Describer, arguments: tuple[Any, ...] | None, index: int, step: str, scope: Scope) -> Node:
    if arguments is None or index >= len(arguments):
        return ANY
    with describer.at(step):
        return binding.argument(describer, arguments[index], scope)


def _tuple(describer: Describer, arguments: tuple[Any, ...] | None, scope: Scope) -> Node:
    if arguments is None:
        return ("list", tuple, ANY)
    if len(arguments) == 2 and arguments[1] is Ellipsis:
        return ("list", tuple, _part(describer, arguments, 0, "[]", scope))
    parts: list[Node] = []
    for index, part in enumerate(arguments):
        with describer.at(f"[{index}]"):
            parts += _unpacked(describer, part, scope)
    return ("tuple", tuple(parts))


def _unpacked(describer: Describer, part: Any, scope: Scope) -> list[Node]:
    """The nodes that an argument of a tuple stands for: one, but for `*Ts` and `*tuple[int, str]`."""
    starred = None
    if getattr(get_origin(part), "_name", None) == "Unpack":
        (starred,) = get_args(part)
    elif getattr(part, "__unpacked__", False):
        starred = get_origin(part)[get_args(part)]
    if starred is None:
        return [binding.argument(describer, part, scope)]
    if binding.is_variadic(starred):
        if starred not in scope.bindings:
            raise describer.refusal(part, "nothing says how many types it stands for")
        return list(describer.late(scope.bindings[starred]))
    made = describer.node(starred, scope)
    if made[0] != "tuple":
        raise describer.refusal(part, "a tuple in which a part varies in length; say `tuple[X, ...]` for all of it")
    return list(made[1])
