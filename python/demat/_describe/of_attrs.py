"""Classes made by attrs, recognised by what it leaves on them: it is never imported here."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any

from . import construct, records
from .draft import Draft, FieldDraft
from .nodes import Node
from .own_annotations import declarer
from .scope import Scope

if TYPE_CHECKING:
    from .describer import Describer


def is_one(cls: type) -> bool:
    """Whether it is an attrs class, or inherits from one."""
    return isinstance(getattr(cls, "__attrs_attrs__", None), tuple)


def node(describer: Describer, cls: type, arguments: tuple[Any, ...] | None, scope: Scope) -> Node:
    """The node for an attrs class with these arguments."""
    return records.node(describer, cls, arguments, scope, _draft)


def _draft(describer: Describer, cls: type, bindings: dict[type, Any], index: int) -> Draft:
    attributes = getattr(cls, "__attrs_attrs__")  # noqa: B009
    fields = [_field(cls, attribute, bindings, index) for attribute in attributes]
    generated = _is_generated(construct.constructor(cls))
    plain = construct.is_plain(cls, [field.name for field in fields], _is_generated)
    if plain and not _has_say(cls, attributes):
        return Draft("fields", fields)
    if not generated:
        # attrs lets a hand-written `__init__` call the one that it would have had, so names are the attributes' own.
        for field in fields:
            field.init = None if field.init is None else field.name
        construct.take_parameters(describer, cls, fields)
    return Draft("call", fields)


def _field(cls: type, attribute: Any, bindings: dict[type, Any], index: int) -> FieldDraft:
    field = FieldDraft(
        name=attribute.name,
        type=Any if attribute.type is None else attribute.type,
        scope=records.scope_of(declarer(cls, attribute.name), bindings, index),
        init=attribute.alias if attribute.init else None,
    )
    default = attribute.default
    kind = type(default).__name__
    if kind == "Factory" and type(default).__module__.startswith("attr"):
        if default.takes_self:
            # Only the constructor has an instance to give to it.
            field.may_miss = True
        else:
            field.factory = default.factory
    elif kind != "_Nothing":
        field.default = default
    return field


def _has_say(cls: type, attributes: Any) -> bool:
    """Whether its generated constructor does more than store what it is given."""
    if hasattr(cls, "__attrs_post_init__") or hasattr(cls, "__attrs_pre_init__"):
        return True
    if any(attribute.converter is not None or attribute.validator is not None for attribute in attributes):
        return True
    if any(getattr(attribute.default, "takes_self", False) for attribute in attributes):
        return True
    # A cached hash is an attribute more that it sets.
    code = getattr(construct.constructor(cls), "__code__", None)
    return code is not None and "_attrs_cached_hash" in (*code.co_names, *code.co_consts)


def _is_generated(method: Any) -> bool:
    """Whether attrs made the method: `__init__` in a file that is none, `__setattr__` in the file of its own."""
    name = getattr(getattr(method, "__code__", None), "co_filename", "")
    own = getattr(sys.modules.get("attr._make"), "__file__", None)
    return name.startswith("<attrs generated") or name == own
