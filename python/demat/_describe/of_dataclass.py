"""Dataclasses."""

from __future__ import annotations

import dataclasses
from typing import TYPE_CHECKING, Any

from .._unset import UNSET
from . import construct, records
from .draft import Draft, FieldDraft
from .nodes import Node
from .own_annotations import declarer
from .scope import Scope

if TYPE_CHECKING:
    from .describer import Describer


def is_one(cls: type) -> bool:
    """Whether it is a dataclass, or inherits from one."""
    return hasattr(cls, "__dataclass_fields__")


def node(describer: Describer, cls: type, arguments: tuple[Any, ...] | None, scope: Scope) -> Node:
    """The node for a dataclass with these arguments."""
    return records.node(describer, cls, arguments, scope, _draft)


def _draft(describer: Describer, cls: type, bindings: dict[type, Any], index: int) -> Draft:
    fields = []
    for field in getattr(cls, "__dataclass_fields__").values():  # noqa: B009
        kind = field._field_type.name
        if kind == "_FIELD_INITVAR":
            raise describer.wrong(
                f"`{field.name}` is an InitVar: the instance does not keep it, so it could be read but never written; "
                f"say how with demat.hook({cls.__name__}, …), or make it a field"
            )
        if kind == "_FIELD":
            fields.append(_field(cls, field, bindings, index))
    if construct.is_plain(cls, [field.name for field in fields], _is_generated):
        # Without an `__init__` of its own making, a dataclass does not call it either.
        own = construct.constructor(cls) is not object.__init__
        return Draft("fields", fields, post_init=getattr(cls, "__post_init__", None) if own else None)
    if not _is_generated(construct.constructor(cls)):
        construct.take_parameters(describer, cls, fields)
    return Draft("call", fields)


def _field(cls: type, field: Any, bindings: dict[type, Any], index: int) -> FieldDraft:
    missing = dataclasses.MISSING
    return FieldDraft(
        name=field.name,
        type=field.type,
        scope=records.scope_of(declarer(cls, field.name), bindings, index),
        default=UNSET if field.default is missing else field.default,
        factory=None if field.default_factory is missing else field.default_factory,
        init=field.name if field.init else None,
    )


def _is_generated(method: Any) -> bool:
    """Whether `dataclasses` wrote the method: it makes them all inside of a function of that name."""
    code = getattr(method, "__code__", None)
    return code is not None and code.co_qualname.startswith("__create_fn__")
