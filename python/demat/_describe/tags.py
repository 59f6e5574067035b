"""Tags: how a value says which class of a union it is. Settled when all records have been described."""

from __future__ import annotations

from typing import Any

from .nodes import Node, bare
from .unions import OTHER

# The key of a record's tag, the values that stand there, and whether a field of the record is what holds them.
Tag = tuple[str, tuple[Any, ...], bool]


def settled(records: list[dict[str, Any]]) -> list[Tag | None]:
    """The tag of each record that has one of its own. Puts it into the record, unless it is a field there anyway."""
    tags: list[Tag | None] = []
    for record in records:
        if "fields" not in record:
            tags.append(None)
            continue
        key, value = record["tag"]
        tag = None if key is None else _tag(record, key, value)
        tags.append(tag)
        record["tag"] = None if tag is None or tag[2] else (key, tag[1][0])
    return tags


def resolved(node: Node, records: list[dict[str, Any]], tags: list[Tag | None], said: list[Any]) -> Node:
    """A union node in its final form; `said` is what each record's class says should stand at its tag."""
    _, key, variants, path = node
    parts = [variant for name, variant in variants if name is not OTHER]
    if key is not None:
        _alike([variant for _, variant in variants], path, records)
        others = [variant for name, variant in variants if name is OTHER]
        named = _variants(parts, key, path, records, tags, said)
        return ("union", key, (*named, *((None, _other(part, path, records, tags)) for part in others)))
    by_key: dict[str, list[Node]] = {}
    for part in parts:
        tag = tags[part[1]] if part[0] == "record" else None
        if tag is not None:
            by_key.setdefault(tag[0], []).append(part)
    # Those that are tagged alike are one variant, where the first of them stood.
    found: list[Node] = []
    for part in parts:
        tag = tags[part[1]] if part[0] == "record" else None
        alike = by_key[tag[0]] if tag is not None else []
        if tag is None or len(alike) == 1:
            found.append(part)
        elif part is alike[0]:
            _alike(alike, path, records)
            found.append(("union", tag[0], tuple(_variants(alike, tag[0], path, records, tags, said))))
    return found[0] if len(found) == 1 else ("union", None, tuple((None, part) for part in found))


def _alike(parts: list[Node], path: str, records: list[dict[str, Any]]) -> None:
    """Refuses a tagged union of arrays and others: its tag is either an item or a field."""
    flat = [inner for part in parts for inner in ([v for _, v in part[2]] if part[0] == "union" else [part])]
    listed = [part[0] == "record" and bool(records[part[1]].get("array_like")) for part in flat]
    if any(listed) and not all(listed):
        named = next(part for part, is_array in zip(flat, listed, strict=True) if is_array)
        name = records[named[1]]["name"]
        raise TypeError(f"`{path}`: `{name}` is array_like, so all classes of the union with its tag have to be")


def _other(node: Node, path: str, records: list[dict[str, Any]], tags: list[Tag | None]) -> Node:
    """The node of what has a tag of no other class; it must not want a tag of its own."""
    tag = tags[node[1]] if node[0] == "record" else None
    if tag is not None:
        name = records[node[1]]["name"]
        raise TypeError(f"`{path}`: `other` takes any tag, and `{name}` is tagged {tag[1][0]!r}")
    return node


def _variants(
    parts: list[Node],
    key: str,
    path: str,
    records: list[dict[str, Any]],
    tags: list[Tag | None],
    said: list[Any],
) -> list[tuple[Any, Node]]:
    found: list[tuple[Any, Node]] = []
    owners: dict[Any, str] = {}
    for part in parts:
        if part[0] == "union" and part[1] == key:
            named = list(part[2])
            if any(name is None for name, _ in named):
                raise TypeError(f"`{path}`: a union in it has an `other`; say it at the outermost one")
        elif part[0] != "record":
            raise TypeError(f"`{path}`: `{part[0]}` can't say what it is by the field `{key}`, as it has no fields")
        else:
            named = [(value, part) for value in _values(part[1], key, path, records, tags, said)]
        for value, variant in named:
            name = records[variant[1]]["name"]
            if value in owners:
                raise TypeError(f"`{path}`: `{owners[value]}` and `{name}` both have the tag {value!r}")
            owners[value] = name
            found.append((value, variant))
    return found


def _values(
    index: int, key: str, path: str, records: list[dict[str, Any]], tags: list[Tag | None], said: list[Any]
) -> tuple[Any, ...]:
    """What stands at the tag of a record in a union tagged by that key."""
    record, own = records[index], tags[index]
    if own is not None and own[0] != key:
        raise TypeError(f"`{path}` is tagged by `{key}`, and `{record['name']}` by `{own[0]}`; only one of them can be")
    _, values, held = own or _tag(record, key, said[index])
    if record["make"] == "dict" and not held:
        raise TypeError(
            f"`{path}`: `{record['name']}` is a dict at run time, so nothing would tell which of the union it is "
            f"when it is written; give it a field `{key}: Literal[...]`"
        )
    return values


def _tag(record: dict[str, Any], key: str, value: Any) -> Tag:
    field = next((field for field in record["fields"] if key == field["key"] or key in field["read"]), None)
    if field is None:
        return (key, (record["cls"].__name__ if value is None else value,), False)
    values = _constants(field["node"])
    if values is None or field["key"] != key or key not in field["read"]:
        raise TypeError(
            f"`{record['name']}.{field['name']}` stands where the tag `{key}` should; rename one of them, or annotate "
            f"the field with the Literal that is the tag"
        )
    if record.get("array_like") and record["fields"][0] is not field:
        raise TypeError(f"`{record['name']}` is array_like: its tag `{field['name']}` has to be the first field")
    if value is not None and value not in values:
        raise TypeError(f"`{record['name']}` is tagged {value!r}, and its field `{field['name']}` can't be that")
    return (key, values, True)


def _constants(node: Node) -> tuple[Any, ...] | None:
    """The strs and ints that a node is one of, if that is all it can be."""
    if node[0] == "optional":
        return None
    node = bare(node)
    match node[0]:
        case "literal":
            return node[1] if all(type(value) in (str, int) for value in node[1]) else None
        case "enum":
            return tuple(node[2])
        case "union":
            parts = [_constants(variant) for _, variant in node[2]]
            return None if None in parts else tuple(value for part in parts for value in part or ())
    return None
