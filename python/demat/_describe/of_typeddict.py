"""TypedDicts, of `typing` and of `typing_extensions`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from . import records
from .draft import Draft, FieldDraft
from .nodes import Node
from .own_annotations import own_annotations
from .scope import Scope

if TYPE_CHECKING:
    from .describer import Describer


def is_one(cls: type) -> bool:
    """Whether it is a TypedDict."""
    return issubclass(cls, dict) and hasattr(cls, "__required_keys__") and hasattr(cls, "__total__")


def node(describer: Describer, cls: type, arguments: tuple[Any, ...] | None, scope: Scope) -> Node:
    """The node for a TypedDict with these arguments."""
    return records.node(describer, cls, arguments, scope, _draft)


def _draft(describer: Describer, cls: type, bindings: dict[type, Any], index: int) -> Draft:
    # It has the annotations of all that it inherits from, and has forgotten which came from where.
    own: dict[Any, Any] = {}
    for found in bindings.values():
        own |= found if isinstance(found, dict) else {}
    scope = records.scope_of(cls, {**bindings, cls: own}, index)
    required = getattr(cls, "__required_keys__")  # noqa: B009
    fields = [
        FieldDraft(name=name, type=tp, scope=scope, init=name, may_miss=name not in required)
        for name, tp in own_annotations(cls).items()
    ]
    return Draft("dict", fields, unknown="forbid" if getattr(cls, "__closed__", None) else None)
