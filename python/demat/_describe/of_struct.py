"""msgspec's Structs, recognised by what they are made with: msgspec is never imported here."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any

from .._unset import UNSET
from . import records
from .draft import Draft, FieldDraft
from .nodes import Node
from .own_annotations import declarer, own_annotations
from .scope import Scope

if TYPE_CHECKING:
    from .describer import Describer


def is_one(cls: type) -> bool:
    """Whether it is a Struct."""
    return hasattr(cls, "__struct_fields__") and hasattr(cls, "__struct_config__")


def node(describer: Describer, cls: type, arguments: tuple[Any, ...] | None, scope: Scope) -> Node:
    """The node for a Struct with these arguments."""
    return records.node(describer, cls, arguments, scope, _draft)


def _draft(describer: Describer, cls: Any, bindings: dict[type, Any], index: int) -> Draft:
    config = cls.__struct_config__
    names = cls.__struct_fields__
    # As those of a function: they belong to the last of the fields.
    defaults = (UNSET,) * (len(names) - len(cls.__struct_defaults__)) + cls.__struct_defaults__
    fields = [
        _field(cls, name, key, default, bindings, index)
        for name, key, default in zip(names, cls.__struct_encode_fields__, defaults, strict=True)
    ]
    for field in fields:
        # As msgspec does, an array has all of its items.
        field.omit_default = field.omit_default or (config.omit_defaults and not config.array_like)
    return Draft(
        # A Struct's own constructor stores what it is given, and may not be written by hand.
        "fields",
        fields,
        unknown="forbid" if config.forbid_unknown_fields else None,
        post_init=getattr(cls, "__post_init__", None),
        tag=config.tag_field,
        tag_value=config.tag,
        array_like=config.array_like,
    )


def _field(cls: type, name: str, key: str, default: Any, bindings: dict[type, Any], index: int) -> FieldDraft:
    home = declarer(cls, name)
    field = FieldDraft(
        name=name,
        type=own_annotations(home).get(name, Any),
        scope=records.scope_of(home, bindings, index),
        init=name,
        key=None if key == name else key,
        read=None if key == name else (key,),
    )
    if type(default).__name__ == "Factory":
        field.factory = default.factory
    elif default is not getattr(sys.modules.get("msgspec"), "NODEFAULT", UNSET):
        field.default = default
    return field
