"""Defaults and examples as JSON has them, for schemas; where that can't be had, they are left out."""

from __future__ import annotations

import base64
import collections
import datetime
import decimal
import enum
import math
import uuid
from typing import Any

from .._describe.nodes import Node
from .._unset import UNSET

_TYPES: dict[str, Any] = {
    "bool": bool,
    "int": int,
    "float": (int, float),
    "str": str,
    "bytes": bytes,
    "bytearray": bytearray,
    "memoryview": memoryview,
    "decimal": decimal.Decimal,
    "datetime": datetime.datetime,
    "date": datetime.date,
    "time": datetime.time,
    "timedelta": datetime.timedelta,
    "uuid": uuid.UUID,
    "flag": enum.Flag,
}


def plain(value: Any, node: Node, records: list[dict[str, Any]]) -> Any:
    """The value as the node says it would stand in JSON; UNSET where it is no value of the node, or JSON has none."""
    kind = node[0]
    match kind:
        case "any":
            return _by_type(value, records)
        case "none":
            return None if value is None else UNSET
        case "optional":
            return None if value is None else plain(value, node[1], records)
        case "checked" | "noted":
            return plain(value, node[1], records)
        case "named":
            return plain(value, records[node[1]]["node"], records)
        case "enum":
            return next((wire for wire, member in node[2].items() if member is value), UNSET)
        case "literal":
            known = any(type(one) is type(value) and one == value for one in node[1])
            return value if known else UNSET
        case "list":
            return _list(value, [node[2]] * len(value), records) if isinstance(value, node[1]) else UNSET
        case "tuple":
            fits = isinstance(value, tuple) and len(value) == len(node[1])
            return _list(value, node[1], records) if fits else UNSET
        case "dict":
            return _dict(value, node, records) if isinstance(value, node[1]) else UNSET
        case "record":
            return _record(value, records[node[1]], records)
        case "union":
            return _union(value, node, records)
        case "hook":
            return _hooked(value, node, records)
    fits = isinstance(value, _TYPES.get(kind, ())) and (kind == "bool" or not isinstance(value, bool))
    return _scalar(value) if fits else UNSET


def empty(factory: Any) -> Any:
    """What a factory gives that gives the same each time; UNSET for others, whose values mean nothing beforehand."""
    if factory in (list, tuple, set, frozenset, collections.deque):
        return []
    return {} if factory in (dict, collections.OrderedDict, collections.Counter) else UNSET


def _scalar(value: Any) -> Any:
    match value:
        case None | bool() | str():
            return value
        case enum.Flag():
            return value.value
        case int():
            return int(value)
        case float():
            return value if math.isfinite(value) else UNSET
        case bytes() | bytearray() | memoryview():
            return base64.b64encode(value).decode()
        case datetime.date() | datetime.time():
            return value.isoformat()
        case datetime.timedelta():
            return _duration(value)
        case decimal.Decimal() | uuid.UUID():
            return str(value)
    return UNSET


def _duration(value: datetime.timedelta) -> str:
    sign, value = ("-", -value) if value < datetime.timedelta(0) else ("", value)
    seconds = decimal.Decimal(value.seconds) + decimal.Decimal(value.microseconds).scaleb(-6)
    days = f"{value.days}D" if value.days else ""
    time = f"T{seconds.normalize():f}S" if seconds or not days else ""
    return f"{sign}P{days}{time}"


def _by_type(value: Any, records: list[dict[str, Any]]) -> Any:
    if isinstance(value, enum.Enum) and not isinstance(value, enum.Flag):
        return _by_type(value.value, records)
    if isinstance(value, (list, tuple, set, frozenset, collections.deque)):
        return _list(value, [("any",)] * len(value), records)
    if isinstance(value, dict):
        return _dict(value, ("dict", dict, ("any",), ("any",)), records)
    return _scalar(value)


def _list(values: Any, nodes: Any, records: list[dict[str, Any]]) -> Any:
    found = [plain(value, node, records) for value, node in zip(values, nodes, strict=True)]
    return UNSET if UNSET in found else found


def _dict(value: dict[Any, Any], node: Node, records: list[dict[str, Any]]) -> Any:
    keys = _list(value, [node[2]] * len(value), records)
    values = _list(value.values(), [node[3]] * len(value), records)
    if keys is UNSET or values is UNSET:
        return UNSET
    return {key if isinstance(key, str) else _text(key): inner for key, inner in zip(keys, values, strict=True)}


def _text(key: Any) -> str:
    return {True: "true", False: "false"}[key] if isinstance(key, bool) else str(key)


def _record(value: Any, record: dict[str, Any], records: list[dict[str, Any]]) -> Any:
    is_dict = record["make"] == "dict"
    if not isinstance(value, dict if is_dict else record["cls"]):
        return UNSET
    found = {} if record["tag"] is None else {record["tag"][0]: record["tag"][1]}
    if record.get("array_like"):
        return _array(value, record, records)
    for index, field in enumerate(record["fields"]):
        name = field["name"]
        part = value.get(name, UNSET) if is_dict else getattr(value, name, UNSET)
        if part is UNSET and not field["required"]:
            continue
        made = plain(part, field["node"], records)
        if made is UNSET:
            return UNSET
        found.update(made if index == record["unknown"] else {field["key"]: made})
    return found


def _array(value: Any, record: dict[str, Any], records: list[dict[str, Any]]) -> Any:
    found = [] if record["tag"] is None else [record["tag"][1]]
    for field in record["fields"]:
        part = getattr(value, field["name"], UNSET)
        found.append(part if part is UNSET else plain(part, field["node"], records))
    return UNSET if UNSET in found else found


def _union(value: Any, node: Node, records: list[dict[str, Any]]) -> Any:
    for name, variant in node[2]:
        made = plain(value, variant, records)
        if made is not UNSET:
            return made if name is None else _tagged(made, node[1], name)
    return UNSET


def _tagged(made: Any, key: str, name: Any) -> Any:
    """What was made of a variant, with its tag: the first item of an array, or a key."""
    if isinstance(made, list):
        return made if name in made[:1] else [name, *made]
    return made if key in made else {key: name, **made}


def _hooked(value: Any, node: Node, records: list[dict[str, Any]]) -> Any:
    _, _, cls, _, encode, write = node
    if not isinstance(value, cls):
        return UNSET
    if encode is None:
        return plain(value, write, records)
    try:
        return plain(encode(value), write, records)
    except Exception:
        # The function is the user's, and the default of a schema no reason to fail.
        return UNSET
