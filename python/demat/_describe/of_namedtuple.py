"""Named tuples, of `typing` and of `collections`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from .._unset import UNSET
from . import construct, records
from .draft import Draft, FieldDraft
from .nodes import Node
from .own_annotations import declarer, own_annotations
from .scope import Scope

if TYPE_CHECKING:
    from .describer import Describer


def is_one(cls: type) -> bool:
    """Whether it is a named tuple."""
    return issubclass(cls, tuple) and isinstance(getattr(cls, "_fields", None), tuple)


def node(describer: Describer, cls: type, arguments: tuple[Any, ...] | None, scope: Scope) -> Node:
    """The node for a named tuple with these arguments."""
    return records.node(describer, cls, arguments, scope, _draft)


def _draft(describer: Describer, cls: type, bindings: dict[type, Any], index: int) -> Draft:
    defaults = getattr(cls, "_field_defaults", {})
    fields = []
    for name in getattr(cls, "_fields"):  # noqa: B009
        home = declarer(cls, name)
        fields.append(
            FieldDraft(
                name=name,
                type=own_annotations(home).get(name, Any),
                scope=records.scope_of(home, bindings, index),
                init=name,
                default=defaults.get(name, UNSET),
            )
        )
    # `namedtuple` makes each `__new__` in a module of its own, named after the class; others were written by hand.
    plain = (getattr(cls.__new__, "__module__", None) or "").startswith("namedtuple_")
    if plain and cls.__init__ is object.__init__ and type(cls).__call__ is type.__call__:  # type: ignore[misc]
        return Draft("tuple", fields)
    construct.take_parameters(describer, cls, fields)
    return Draft("call", fields)
