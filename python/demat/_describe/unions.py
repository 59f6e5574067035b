"""Unions while the description is still being made: flat, without repetitions, in the order in which they were written.

Whether a union is tagged depends on classes that may still be half described, so that is settled at the end (`tags`);
until then a union node has a fourth item: the path to it, for what has to be refused then.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from .nodes import NONE, Node, frozen, optional
from .scope import Scope

if TYPE_CHECKING:
    from .describer import Describer

# Stands for the name of the variant that takes the tags of no other, until tags are settled; then it has no name.
OTHER = object()


def node(describer: Describer, tp: Any, arguments: Iterable[Any], scope: Scope) -> Node:
    """The node for `A | B`, `Optional[A]`, `Union[A, B]`."""
    # msgspec's type for fields that may have no value. Such a value is never written, so it needs no node.
    unset = getattr(sys.modules.get("msgspec"), "UnsetType", None)
    parts = list(arguments)
    wanted = [part for part in parts if unset is None or part is not unset]
    if len(wanted) < len(parts):
        describer.unset = True
    if not wanted:
        raise describer.refusal(tp, "it says no types")
    return joined([describer.node(part, scope) for part in wanted], describer.path)


def joined(nodes: Iterable[Node], path: str) -> Node:
    """One node for values of any of these."""
    variants: list[Node] = []
    nullable = False
    for part in _flat(nodes):
        if part == NONE:
            nullable = True
        elif part[0] == "literal" and (at := _literal(variants)) is not None:
            variants[at] = ("literal", _distinct((*variants[at][1], *part[1])))
        else:
            variants.append(part)
    variants = list(_distinct(variants))
    if not variants:
        return NONE
    found = variants[0] if len(variants) == 1 else ("union", None, tuple((None, part) for part in variants), path)
    return optional(found) if nullable else found


def tagged(describer: Describer, tp: Any, node: Node, tag: str, other: Node | None = None) -> Node:
    """The union with that tag. `other`: what a value is whose tag none of the others has."""
    if node[0] in ("optional", "noted"):
        return (node[0], tagged(describer, tp, node[1], tag, other), *node[2:])
    if node[0] == "union":
        variants = node[2]
    elif node[0] == "record":
        # A union of one, as it may be while a second class is still to be written.
        variants = ((None, node),)
    else:
        raise describer.refusal(tp, f"`tag={tag!r}` is for unions of classes")
    path = node[3] if node[0] == "union" and len(node) > 3 else describer.path
    if other is not None:
        if other[0] not in ("record", "dict"):
            raise describer.refusal(tp, f"`other` is a class with fields or a dict, and not `{other[0]}`")
        # It is one of the union, or one more.
        variants = (*(one for one in variants if frozen(one[1]) != frozen(other)), (OTHER, other))
        if len(variants) == 1:
            raise describer.refusal(tp, "`other` is what none of the other classes is, and there is no other class")
    return ("union", tag, variants, path)


def _flat(nodes: Iterable[Node]) -> Iterable[Node]:
    """The nodes without unions and options in them; a union with a tag of its own stays one."""
    for part in nodes:
        if part[0] == "optional":
            yield from _flat((part[1],))
            yield NONE
        elif part[0] == "union" and part[1] is None:
            yield from _flat(variant for _, variant in part[2])
        else:
            yield part


def _literal(variants: list[Node]) -> int | None:
    return next((index for index, part in enumerate(variants) if part[0] == "literal"), None)


def _distinct(parts: Iterable[Any]) -> tuple[Any, ...]:
    """Each of them once, where it first stands; 1 and True are two."""
    return tuple({frozen(part): part for part in parts}.values())
