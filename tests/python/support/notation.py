"""The notation of values in `conformance/cases`, JSON with tags for what JSON lacks; as values of Python, exactly."""

from __future__ import annotations

import datetime
import decimal
import math
import re
import struct
import uuid
from typing import Any

Node = tuple[Any, ...]


def plain(noted: Any) -> Any:
    """What JSON with tags stands for: `{"$date": "2024-02-29"}` is a date, and a record is a dict."""
    if isinstance(noted, list):
        return [plain(item) for item in noted]
    if not isinstance(noted, dict):
        return noted
    if len(noted) == 1:
        (tag, content) = next(iter(noted.items()))
        if tag.startswith("$"):
            return _TAGS[tag[1:]](content)
    return {key: plain(value) for key, value in noted.items()}


def _duration(text: str) -> datetime.timedelta:
    found = re.fullmatch(r"(-?)P(?:(\d+)D)?(?:T(?:(\d+)H)?(?:(\d+)M)?(?:(\d+)(?:\.(\d+))?S)?)?", text)
    assert found, text
    sign, days, hours, minutes, seconds, fraction = found.groups()
    micros = int((fraction or "").ljust(6, "0"))
    parts = [int(part or 0) for part in (days, seconds, minutes, hours)]
    whole = datetime.timedelta(parts[0], parts[1], micros, 0, parts[2], parts[3])
    return -whole if sign else whole


def _nest(content: Any) -> Any:
    count, value = content[0], plain(content[1])
    for _ in range(count):
        value = [value]
    return value


def _chain(content: Any) -> Any:
    name, count, value = content[0], content[1], plain(content[2])
    for _ in range(count):
        value = {name: value}
    return value


_TAGS: dict[str, Any] = {
    "float": float,
    "decimal": decimal.Decimal,
    "bytes": lambda lines: bytes.fromhex("".join(lines)),
    "date": datetime.date.fromisoformat,
    "time": datetime.time.fromisoformat,
    "datetime": datetime.datetime.fromisoformat,
    "instant": datetime.datetime.fromisoformat,
    "duration": _duration,
    "uuid": uuid.UUID,
    "map": lambda entries: {plain(key): plain(value) for key, value in entries},
    "text": lambda parts: parts[0] * parts[1],
    "repeat": lambda parts: [plain(parts[0])] * parts[1],
    "nest": _nest,
    "chain": _chain,
}


def build(node: Node, records: list[Any], value: Any) -> Any:
    """The value as the type of this description has it: dicts are instances where it says records."""
    if value is None and node[0] not in ("record", "union"):
        return None
    match node[0]:
        case "optional":
            return build(node[1], records, value)
        case "list":
            return [build(node[2], records, item) for item in value]
        case "tuple":
            return tuple(build(part, records, item) for part, item in zip(node[1], value, strict=True))
        case "dict":
            return {build(node[2], records, key): build(node[3], records, item) for key, item in value.items()}
        case "union" if node[1] is not None:
            variants = dict(node[2])
            return build(variants[value[node[1]]], records, value)
        case "record":
            record = records[node[1]]
            left = dict(value)
            given = {
                field["name"]: build(field["node"], records, left.pop(field["key"]))
                for field in record["fields"]
                if field["key"] in left and field["read"]
            }
            if isinstance(record["unknown"], int):
                given[record["fields"][record["unknown"]]["name"]] = left
                left = {}
            assert not left, f"{record['name']} has no fields {list(left)}"
            return record["cls"](**given)
    return value


# Most values are of these: asking for them first halves the time.
_PLAIN = frozenset({int, str, bool, bytes, type(None)})


def exact(value: Any) -> Any:
    """The value as texts, lists and tuples, which are equal only where the values are: `1`, `1.0` and `True` differ."""
    if type(value) in _PLAIN:
        return f"{type(value).__name__} {value!r}"
    if isinstance(value, list):
        return [exact(item) for item in value]
    if isinstance(value, tuple):
        return ("tuple", *map(exact, value))
    if isinstance(value, dict):
        return ("dict", [(exact(key), exact(item)) for key, item in value.items()])
    if hasattr(value, "__dataclass_fields__"):
        fields = [(name, exact(getattr(value, name))) for name in value.__dataclass_fields__]
        return (type(value).__name__, fields)
    if isinstance(value, float) and not math.isnan(value):
        return f"float {struct.pack('>d', value).hex()} {value}"
    if isinstance(value, decimal.Decimal):
        return f"Decimal {value.as_tuple()}"
    if isinstance(value, datetime.datetime):
        return f"datetime {value.isoformat()} {value.utcoffset()}"
    return f"{type(value).__name__} {value!r}"
