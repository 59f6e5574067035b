"""Some of a record's fields, where the others are not wanted."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from .nodes import Node

_OWN = "makes its instances itself, from all of its fields: use a smaller class instead of `fields`"


def wanted(root: Node, records: list[dict[str, Any]], names: Iterable[str]) -> tuple[Node, list[dict[str, Any]]]:
    """Returns the description with only these fields, for a record or a list of records.

    `any` and `dict[str, …]` become a dict with these keys. Decoding ignores the other fields and leaves them unset.
    Raises TypeError if the type has no fields, or makes its instances itself. Raises ValueError, with a list of the
    fields, for a name that is not a field.
    """
    names = _listed(names)
    match root[0]:
        case "any":
            records = [*records, _mapping(names, ("any",))]
        case "dict" if _has_text_keys(root):
            records = [*records, _mapping(names, root[3])]
        case "record":
            records = [*records, _narrowed(records[root[1]], names)]
        case "list" | "optional" | "checked":
            place = 2 if root[0] == "list" else 1
            inner, records = wanted(root[place], records, names)
            return (*root[:place], inner, *root[place + 1 :]), records
        case _:
            raise TypeError("`fields` wants a class with fields or a dict with keys of text, or a list of these")
    return ("record", len(records) - 1), records


def _has_text_keys(node: Node) -> bool:
    """Whether a dict, of no other class, has keys of text, or any."""
    _, cls, key, _ = node
    return cls is dict and key[0] in ("any", "str")


def _listed(names: Iterable[str]) -> list[str]:
    listed = [] if isinstance(names, str) or not isinstance(names, Iterable) else list(names)
    if not listed or not all(isinstance(name, str) for name in listed):
        raise TypeError(f"fields is a list of the names of attributes, not {names!r}")
    return list(dict.fromkeys(listed))


def _narrowed(record: dict[str, Any], names: list[str]) -> dict[str, Any]:
    if record["make"] not in ("fields", "dict"):
        raise TypeError(f"`{record['name']}` {_OWN}")
    known = [field["name"] for field in record["fields"]]
    for name in names:
        if name not in known:
            raise ValueError(f"`{record['name']}` has no field {name!r}; its fields are {', '.join(known)}")
    unknown = record["unknown"]
    fields = _at_their_columns(record)
    if isinstance(unknown, int) and fields[unknown]["name"] not in names:
        # Who would keep unknown fields is not wanted, so nobody minds them.
        fields = [field for index, field in enumerate(fields) if index != unknown]
        unknown = "ignore"
    # The items of an array are known by their places.
    if unknown == "ignore" and not record.get("array_like"):
        return {**record, "unknown": unknown, "fields": [field for field in fields if field["name"] in names]}
    # What is not wanted is known all the same.
    fields = [field if field["name"] in names else _passed(field) for field in fields]
    return {**record, "unknown": unknown, "fields": fields}


def _at_their_columns(record: dict[str, Any]) -> list[dict[str, Any]]:
    """The fields with the columns that they have in tables without a header, which are those of all fields."""
    # A tag is written first.
    tagged = record["tag"] is not None and record["tag"][0] is not None
    unknown, column, fields = record["unknown"], int(tagged), []
    for index, field in enumerate(record["fields"]):
        if index == unknown:
            fields.append(field)
            continue
        fields.append({**field, "column": column})
        column += 1
    return fields


def _passed(field: dict[str, Any]) -> dict[str, Any]:
    kept = {name: value for name, value in field.items() if name not in ("default", "factory")}
    return {**kept, "node": ("any",), "required": False, "omit": None, "passed": True}


def _mapping(names: list[str], node: Node) -> dict[str, Any]:
    fields = [
        {
            "name": name,
            "key": name,
            "read": (name,),
            "number": number,
            "node": node,
            "required": False,
            "init": name,
            "omit": None,
            # The columns of a table without a header are called by their numbers.
            **({"column": int(name) - 1} if name.isdecimal() and 0 < int(name) < 1 << 31 else {}),
        }
        for number, name in enumerate(names, 1)
    ]
    return {
        "cls": dict,
        "name": "dict",
        "make": "dict",
        "fields": fields,
        "unknown": "ignore",
        "post_init": None,
        "gc": True,
        "tag": None,
    }
