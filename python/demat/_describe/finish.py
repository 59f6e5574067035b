"""The end of a description: what could not be decided while classes were half described."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from . import hooks, keys, tags
from .display import display
from .nodes import Node, children, rebuilt

if TYPE_CHECKING:
    from .describer import Describer


def finished(describer: Describer, root: Node) -> tuple[Node, list[dict[str, Any]]]:
    """The root and the records, with unions resolved, and with what can't work refused."""
    records = [record for record in describer.records if record is not None]
    assert len(records) == len(describer.records), "a class was left half described"
    said = [record["tag"][1] if "fields" in record else None for record in records]
    own = tags.settled(records)

    def change(node: Node) -> Node:
        if node[0] == "union" and len(node) == 4:
            return tags.resolved(node, records, own, said)
        return node

    root = _checked(rebuilt(root, change), records, describer.path)
    for index, record in enumerate(records):
        if "fields" in record:
            for field in record["fields"]:
                where = f"{record['name']}.{field['name']}"
                field["node"] = _checked(rebuilt(field["node"], change), records, where)
        else:
            record["node"] = _checked(rebuilt(record["node"], change), records, record["name"])
            _grounded(index, records)
    inner = (field["node"] for record in records for field in record.get("fields", ()))
    hooks.reach(describer, (root, *inner, *(record["node"] for record in records if "node" in record)))
    return root, records


def _grounded(index: int, records: list[dict[str, Any]]) -> None:
    """Refuses an alias that is itself, with nothing in between: reading it would never get to a value."""
    waiting, seen = [records[index]["node"]], set()
    while waiting:
        node = waiting.pop()
        if node == ("named", index):
            raise TypeError(f"`{records[index]['name']}` can't be described: it is an alias of itself")
        if node[0] == "named" and node[1] not in seen:
            seen.add(node[1])
            waiting.append(records[node[1]]["node"])
        if node[0] in ("optional", "checked", "noted", "union", "hook"):
            waiting += children(node)


def _checked(node: Node, records: list[dict[str, Any]], where: str) -> Node:
    """Returns the node, or raises if a set's items or a dict's keys are unhashable or ambiguous."""
    for part in children(node):
        _checked(part, records, where)
    item = None
    if node[0] == "dict" or (node[0] == "list" and issubclass(node[1], (set, frozenset))):
        item = node[2]
    if item is not None and (fault := _unhashable(item, records)) is not None:
        what = "the keys of a dict" if node[0] == "dict" else f"in a {node[1].__name__}"
        raise TypeError(f"`{where}`: `{fault}` has no hash, and can't be {what}")
    if node[0] == "dict" and (fault := keys.ambiguity(node[2], records)) is not None:
        reason = f"its keys can't be told apart, which are text in data: {fault}"
        raise TypeError(f"`{where}` can't be described: {reason}; give it keys of one type, or a hook")
    return node


def _unhashable(node: Node, records: list[dict[str, Any]]) -> str | None:
    """The name of what can't be hashed in values of a node; None where they can."""
    match node[0]:
        case "list" | "dict" | "flag" | "enum":
            return node[1].__name__ if node[1].__hash__ is None else None
        case "bytearray":
            return "bytearray"
        case "record":
            record = records[node[1]]
            cls = dict if record["make"] == "dict" else record["cls"]
            return record["name"] if cls.__hash__ is None else None
        case "hook":
            return display(node[2]) if node[2].__hash__ is None else None
        case "optional" | "checked" | "noted" | "tuple":
            return next((fault for part in children(node) if (fault := _unhashable(part, records))), None)
        case "union":
            faults = [_unhashable(part, records) for part in children(node)]
            return None if None in faults else faults[0]
    return None
