"""Nodes: what a description is made of. `docs/PYTHON.md` lists the kinds; here is what they have in common."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

Node = tuple[Any, ...]

ANY: Node = ("any",)
NONE: Node = ("none",)


def children(node: Node) -> tuple[Node, ...]:
    """The nodes directly inside a node; records and named nodes are referred to and not inside."""
    match node[0]:
        case "optional" | "checked" | "noted":
            return (node[1],)
        case "list":
            return (node[2],)
        case "tuple":
            return tuple(node[1])
        case "dict":
            return (node[2], node[3])
        case "union":
            return tuple(variant for _, variant in node[2])
        case "hook":
            return (node[1], node[5])
    return ()


def rebuilt(node: Node, change: Callable[[Node], Node]) -> Node:
    """The node with `change` done to all that is inside, from the inside out, and then to itself."""
    return change(replaced_children(node, lambda child: rebuilt(child, change)))


def replaced_children(node: Node, change: Callable[[Node], Node]) -> Node:
    """The node with `change` done to each node directly inside it."""
    match node[0]:
        case "optional" | "checked" | "noted":
            return (node[0], change(node[1]), *node[2:])
        case "list":
            return ("list", node[1], change(node[2]))
        case "tuple":
            return ("tuple", tuple(change(part) for part in node[1]))
        case "dict":
            return ("dict", node[1], change(node[2]), change(node[3]))
        case "union":
            return ("union", node[1], tuple((name, change(variant)) for name, variant in node[2]), *node[3:])
        case "hook":
            _, read, cls, decode, encode, write = node
            return ("hook", change(read), cls, decode, encode, change(write))
    return node


def through(node: Node, change: Callable[[Node], Node]) -> Node:
    """The node with `change` done to what stands inside of options, checks and notes."""
    if node[0] in ("optional", "checked", "noted"):
        return (node[0], through(node[1], change), *node[2:])
    return change(node)


def bare(node: Node) -> Node:
    """What stands inside of options, checks and notes."""
    while node[0] in ("optional", "checked", "noted"):
        node = node[1]
    return node


def frozen(part: Any) -> Any:
    """A node, or a part of one, as a key for dicts: equal where the nodes mean the same, True and 1 kept apart."""
    if isinstance(part, tuple):
        return tuple(map(frozen, part))
    if isinstance(part, dict):
        return tuple((frozen(key), frozen(value)) for key, value in part.items())
    try:
        hash(part)
    except TypeError:
        return (type(part), id(part))
    return (type(part), part)


def optional(node: Node) -> Node:
    """The node, or None; as it is where it takes None already."""
    return node if node[0] in ("optional", "none", "any") else ("optional", node)


def title(node: Node, records: list[Any]) -> str:
    """The node as a short name, for names of generic classes: `Page[Task]`."""
    match node[0]:
        case "record" | "named":
            entry = records[node[1]]
            return str(entry["name"]) if entry else "…"
        case "optional":
            return f"{title(node[1], records)} | None"
        case "checked" | "noted":
            return title(node[1], records)
        case "list":
            return f"{node[1].__name__}[{title(node[2], records)}]"
        case "dict":
            return f"{node[1].__name__}[{title(node[2], records)}, {title(node[3], records)}]"
        case "tuple":
            return f"tuple[{', '.join(title(part, records) for part in node[1])}]"
        case "union":
            return " | ".join(title(variant, records) for _, variant in node[2])
        case "enum" | "flag":
            return str(node[1].__name__)
        case "hook":
            return str(getattr(node[2], "__name__", node[2]))
        case "literal":
            return f"Literal[{', '.join(map(repr, node[1]))}]"
        case kind:
            return str(kind)
