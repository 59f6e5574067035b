"""Whether two descriptions say the same, whatever their classes are and in whichever order their records stand."""

import functools
from typing import Any


def differences(one: Any, other: Any) -> list[str]:
    """Where two descriptions differ; classes count by name, enums by name and members, factories by what they give."""
    found: list[str] = []
    seen: set[tuple[int, int]] = set()
    (root, records), (other_root, other_records) = one, other

    def entry(path: str, a: int, b: int) -> None:
        if (a, b) in seen:
            return
        seen.add((a, b))
        first, second = records[a], other_records[b]
        if "node" in first or "node" in second:
            node(path, first.get("node"), second.get("node"))
            return
        keys = [key for key in ("make", "unknown", "post_init", "gc", "tag") if first[key] != second[key]]
        found.extend(f"{path}: {key} {first[key]!r} {second[key]!r}" for key in keys)
        if [f["name"] for f in first["fields"]] != [f["name"] for f in second["fields"]]:
            found.append(f"{path}: fields {first['fields']} {second['fields']}")
            return
        for left, right in zip(first["fields"], second["fields"], strict=True):
            field(f"{path}.{left['name']}", left, right)

    def field(path: str, left: Any, right: Any) -> None:
        for key in left.keys() | right.keys():
            if key == "node":
                node(path, left["node"], right["node"])
            elif plain(left.get(key)) != plain(right.get(key)):
                found.append(f"{path}: {key} {left.get(key)!r} {right.get(key)!r}")

    def node(path: str, a: Any, b: Any) -> None:
        if a is None or b is None or a[0] != b[0]:
            found.append(f"{path}: {a} {b}")
            return
        if a[0] in ("record", "named"):
            entry(path, a[1], b[1])
            return
        if a[0] in ("enum", "flag"):
            if a[1].__name__ != b[1].__name__ or [*map(plain, a[2:])] != [*map(plain, b[2:])]:
                found.append(f"{path}: {a} {b}")
            return
        for left, right in zip(a[1:], b[1:], strict=True):
            part(path, left, right)

    def part(path: str, left: Any, right: Any) -> None:
        if not isinstance(left, tuple) or not isinstance(right, tuple):
            if left != right or type(left) is not type(right):
                found.append(f"{path}: {left!r} {right!r}")
        elif left and right and isinstance(left[0], str) and isinstance(right[0], str) and len(left) == len(right):
            node(path, left, right)
        elif len(left) != len(right):
            found.append(f"{path}: {left} {right}")
        else:
            for one_part, other_part in zip(left, right, strict=True):
                part(path, one_part, other_part)

    node("$", root, other_root)
    return found


def plain(value: Any) -> Any:
    """A value without its class: members by their values, instances by their `repr`."""
    if isinstance(value, dict):
        return {key: plain(part) for key, part in value.items()}
    if isinstance(value, functools.partial):
        return plain(value())
    if hasattr(value, "_value_"):
        return (type(value).__name__, value._value_)
    if isinstance(value, type):
        return value.__name__
    return repr(value) if hasattr(value, "__dataclass_fields__") else value
