"""`Annotated`: a type, and what is said about its values beside."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, get_origin

from . import aliases, checks, forward, hooks, number_arrays, unions
from .metadata import CHECKS, NOTES, only_on_fields, settings
from .nodes import Node, through
from .scope import Scope

if TYPE_CHECKING:
    from .describer import Describer

# Qualifiers say something about a field. They may stand within `Annotated` and around it.
_QUALIFIERS = ("Required", "NotRequired", "ReadOnly", "Final")


class Peeled:
    """The type of a field, without what stands around it."""

    __slots__ = ("metadata", "qualifiers", "scope", "type")

    def __init__(self, tp: Any, scope: Scope) -> None:
        self.type = tp
        self.scope = scope
        # From the inside out, as `Annotated` has it.
        self.metadata: tuple[Any, ...] = ()
        self.qualifiers: set[str] = set()


def node(describer: Describer, tp: Any, scope: Scope) -> Node | None:
    """The node for an `Annotated` that stands anywhere but directly at a field; None for anything else."""
    if not hasattr(tp, "__metadata__"):
        if qualifier(tp) is not None:
            raise describer.refusal(tp, f"`{qualifier(tp)}` says something about a field of a class, and this is none")
        return None
    peeled = peel(describer, tp, scope)
    merged, _ = settings(describer, tp, peeled.metadata)
    only_on_fields(describer, tp, merged)
    return dressed(describer, peeled)


def qualifier(tp: Any) -> str | None:
    """The name of a qualifier that stands around a type."""
    origin = get_origin(tp)
    name = getattr(origin, "_name", None)
    return name if name in (*_QUALIFIERS, "ClassVar") and not isinstance(origin, type) else None


def peel(describer: Describer, tp: Any, scope: Scope) -> Peeled:
    """Takes qualifiers, `Annotated` and aliases of `Annotated` off a type, in whichever order they stand around it."""
    peeled = Peeled(tp, scope)
    seen = set()
    while True:
        tp = peeled.type
        name = qualifier(tp)
        if isinstance(tp, str) or hasattr(tp, "__forward_arg__"):
            found, inner = forward.resolved(describer, tp, peeled.scope)
            if not hasattr(found, "__metadata__") and qualifier(found) is None and not aliases.is_alias(found):
                # Left as the reference that it is: recursion is recognised by it.
                return peeled
            peeled.type, peeled.scope = found, inner
        elif hasattr(tp, "__metadata__"):
            peeled.metadata = (*tp.__metadata__, *peeled.metadata)
            peeled.type = tp.__origin__
        elif name == "ClassVar":
            raise describer.refusal(tp, "it belongs to the class and not to its instances")
        elif name is not None:
            peeled.qualifiers.add(name)
            peeled.type = tp.__args__[0]
        elif aliases.is_alias(tp) and id(tp) not in seen:
            # What an alias says about a field counts for the field; an alias of anything else stays one.
            seen.add(id(tp))
            inside = peel(describer, tp.__value__, Scope(None, tp.__module__))
            if not inside.metadata:
                return peeled
            peeled.metadata = (*inside.metadata, *peeled.metadata)
            peeled.type, peeled.scope = inside.type, inside.scope
        else:
            return peeled


def dressed(describer: Describer, peeled: Peeled) -> Node:
    """The node for a type, with all that was said about its values."""
    tp = peeled.type
    merged, hook = settings(describer, tp, peeled.metadata)
    if hook:
        node = hooks.on_field(describer, hook, tp, peeled.scope)
    else:
        array = number_arrays.annotated(describer, peeled.metadata, tp, peeled.scope)
        node = array or describer.node(tp, peeled.scope)
    if "tz" in merged:
        node = _zoned(describer, tp, node, merged["tz"])
    if "times" in merged:
        node = _timed(describer, tp, node, merged["times"])
    if "tag" in merged:
        other = describer.node(merged["other"], peeled.scope) if "other" in merged else None
        node = unions.tagged(describer, tp, node, merged["tag"], other)
    elif "other" in merged:
        raise describer.refusal(tp, "`other` is for unions with a tag; say `Field(tag=…, other=…)`")
    given = {name: merged[name] for name in CHECKS if name in merged}
    # A pydantic model checks by itself, after it has stripped and changed what it wants to; schemas show the checks.
    if given and (describer.notes or not describer.validating):
        node = checks.checked(describer, tp, node, given)
    said = {name: merged[name] for name in NOTES if name in merged}
    if said and describer.notes:
        node = ("noted", node, said)
    return node


def _zoned(describer: Describer, tp: Any, node: Node, zone: bool) -> Node:
    changed = _changed(node, ("datetime", "time"), lambda inner: (inner[0], zone, *inner[2:]))
    if changed is None:
        raise describer.refusal(tp, "`tz` is for datetime and time")
    return changed


def _timed(describer: Describer, tp: Any, node: Node, times: str) -> Node:
    changed = _changed(node, ("datetime",), lambda inner: (*inner[:2], times))
    if changed is None:
        raise describer.refusal(tp, "`times` is for datetime")
    return changed


def _changed(node: Node, kinds: tuple[str, ...], change: Callable[[Node], Node]) -> Node | None:
    """The node with `change` done to those of these kinds, also in unions; None where there are none."""
    found = False

    def changed(inner: Node) -> Node:
        nonlocal found
        if inner[0] == "union":
            return (*inner[:2], tuple((name, through(variant, changed)) for name, variant in inner[2]), *inner[3:])
        if inner[0] not in kinds:
            return inner
        found = True
        return change(inner)

    node = through(node, changed)
    return node if found else None
