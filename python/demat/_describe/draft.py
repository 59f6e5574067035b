"""Drafts: what each kind of class says about itself, in the words that all kinds have in common."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from typing import Any

from .._unset import UNSET
from .nodes import Node
from .scope import Scope


@dataclasses.dataclass(slots=True)
class FieldDraft:
    """A field as its class has it."""

    name: str
    type: Any
    scope: Scope
    # The parameter that it is given to; None: it is not read at all.
    init: str | None
    default: Any = UNSET
    factory: Callable[[], Any] | None = None
    # Whether it can be missing although nothing is known that would then stand there: the class sees to that itself.
    may_miss: bool = False
    # Its name outside and the names it is read by, where the class says these itself.
    key: str | None = None
    read: tuple[str, ...] | None = None
    # What stands further in than any `Annotated` of the type.
    metadata: tuple[Any, ...] = ()
    omit_default: bool = False
    # What it is, where that was found out already; the type does not count then.
    node: Node | None = None


@dataclasses.dataclass(slots=True)
class Draft:
    """A class, before its fields are described."""

    make: str
    fields: list[FieldDraft]
    unknown: str | None = None
    post_init: Callable[[Any], Any] | None = None
    tag: str | None = None
    tag_value: str | int | None = None
    # Whether its instances are arrays of the fields; None where the class has no say in it.
    array_like: bool | None = None
