"""What a type is, found out once: a description, which the native side compiles to a plan.

`docs/PYTHON.md` says what a description looks like. How one comes about: a `Describer` goes from type to node, through
the modules here, each of which knows one kind of type; a class becomes a draft (`of_…`), and a draft a record
(`records`); at the end (`finish`) unions get their tags, and what can't work is refused.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from .. import _declared
from .caller import Caller
from .describer import Describer
from .display import display
from .finish import finished
from .nodes import Node
from .scope import Scope
from .wanted import wanted

_OPTIONS = ("hooks", "rename", "unknown", "fields", "omit_default", "omit_none", "place")


def describe(
    tp: Any, options: Mapping[str, Any] | None = None, *, notes: bool = False
) -> tuple[Node, list[dict[str, Any]]]:
    """The description of a type: the node for it, and the records that nodes refer to by index.

    `options` has any of `hooks` (from class to `Hook`), `rename`, `unknown`, `omit_default` and `omit_none` (for
    classes that say nothing about these), `fields` (the names of those that are wanted of the record that the type
    is), and `place` (the format, or `sql`, whose hooks count). With `notes` what `Field` says for schemas is in the
    description too, where a plan has no use for it.

    Raises TypeError where the type is none that data could have, with the path to the part that is at fault and what
    can be done about it; and for a type with hooks for single places, if `place` is not given.

    >>> describe(list[int | None])
    (('list', <class 'list'>, ('optional', ('int',))), [])
    """
    description, places, _ = described(tp, options, notes=notes)
    if places:
        raise placed(tp, places)
    return description


def described(
    tp: Any, options: Mapping[str, Any] | None = None, *, notes: bool = False
) -> tuple[tuple[Node, list[dict[str, Any]]], list[str], Caller | None]:
    """The description of a type; the places that it has hooks for alone, if it was described for none; and the caller
    whose names it depends on, None if it is the same for all.

    >>> described(list["bool"])[2].means_the_same()
    True
    """
    options = {} if options is None else {name: value for name, value in options.items() if value is not None}
    for name in options:
        if name not in _OPTIONS:
            raise TypeError(f"{name!r} is none of the options {', '.join(_OPTIONS)}")
    describer, caller = Describer(tp, options, notes=notes), Caller()
    try:
        description = finished(describer, describer.node(tp, Scope(caller=caller)))
    except RecursionError:
        raise TypeError(f"`{describer.path}` can't be described: its types nest too deeply") from None
    finally:
        caller.forget()
    if "fields" in options:
        description = wanted(*description, options["fields"])
    places = [] if "place" in options else sorted(describer.placed)
    return description, places, caller if caller.is_used else None


def placed(tp: Any, places: list[str]) -> TypeError:
    """The error for a type with hooks for these places alone, where its values go to none of them."""
    names = ", ".join(f"`{place}`" for place in places)
    return TypeError(
        f"`{display(tp)}` has hooks for single places ({names}), and what is asked of it here is for none in particular"
    )


def version() -> int:
    """How many declarations (`hook`, `configure`) there have been: descriptions of an older number may be wrong now."""
    return _declared.version()
