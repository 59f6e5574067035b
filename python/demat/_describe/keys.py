"""Ambiguity check for dict keys: they are text in the data, and in a union that text must decide the type."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any, NamedTuple

from . import network
from .nodes import Node, title

# For each kind, a pattern that covers every key text that the kind accepts.
_FORMS: dict[str, str] = {
    "bool": "true|false",
    "int": "-?[0-9]+",
    "float": r"-?[0-9]+(\.[0-9]+)?([eE][+-]?[0-9]+)?",
    "decimal": r"-?[0-9]+(\.[0-9]+)?([eE][+-]?[0-9]+)?",
    "bytes": "([A-Za-z0-9+/]{4})*([A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?",
    "date": "[0-9]{4}-[0-9]{2}-[0-9]{2}",
    "datetime": "[0-9]{4}-[0-9]{2}-[0-9]{2}[Tt ].*",
    "time": "[0-9]{2}:[0-9]{2}:.*",
    "timedelta": "-?P.*",
    "uuid": "[0-9a-fA-F]{8}-?[0-9a-fA-F]{4}-?[0-9a-fA-F]{4}-?[0-9a-fA-F]{4}-?[0-9a-fA-F]{12}",
    "text": ".*",
    "IPv4Address": r"[0-9]+(\.[0-9]+){3}",
    "IPv6Address": "[0-9a-fA-F:.]*:[0-9a-fA-F:.]*",
    "IPv4Interface": r"[0-9]+(\.[0-9]+){3}/.*",
    "IPv6Interface": "[0-9a-fA-F:.]*:[0-9a-fA-F:.]*/.*",
}
_ALIKE = {"bytearray": "bytes", "memoryview": "bytes", "str": "text", "any": "text", "raw": "text", "flag": "int"}
_NETWORKS = {"IPv4Network": "IPv4Interface", "IPv6Network": "IPv6Interface"}

# Pairs of kinds that both accept some text, with an example of such a text. Floats keep a `.0` and UUIDs keep their
# hyphens, so neither can be taken for an int.
_SHARED: dict[frozenset[str], str] = {
    frozenset(("decimal", "int")): "1",
    frozenset(("decimal", "float")): "1.5",
    frozenset(("bytes", "int")): "1234",
    frozenset(("bytes", "bool")): "true",
    frozenset(("bytes", "float")): "1234",
    frozenset(("bytes", "decimal")): "1234",
    frozenset(("bytes", "timedelta")): "PT5S",
    # An address alone is also valid as an interface and as a network.
    frozenset(("IPv4Address", "IPv4Interface")): "10.0.0.1",
    frozenset(("IPv6Address", "IPv6Interface")): "::1",
}
_EXAMPLES = {
    "bool": "true", "int": "5", "float": "5.0", "decimal": "5", "bytes": "AAAA", "date": "2026-08-01",
    "datetime": "2026-08-01T00:00:00", "time": "00:00:00", "timedelta": "P1D", "text": "a",
    "uuid": "00000000-0000-0000-0000-000000000005", "IPv4Address": "10.0.0.1", "IPv6Address": "::1",
    "IPv4Interface": "10.0.0.0/8", "IPv6Interface": "::/8",
}  # fmt: skip


class _Way(NamedTuple):
    """One type in a union of key types."""

    name: str
    kind: str
    """A key of `_FORMS`, or `""` if only the texts in `values` are valid."""
    values: dict[str, Any]
    """The texts of an enum or a literal, each with the value it denotes."""
    plain: bool
    """Whether values are of the kind itself, not of a class of the user's."""


def ambiguity(node: Node, records: list[Any]) -> str | None:
    """Returns why a dict's key type is ambiguous: one text could be a key of two of its types. None if it is not."""
    ways: list[_Way] = []
    for part in _variants(node, records, set()):
        twice = next((text for text, values in _texts(part) if len(values) > 1), None)
        if twice is not None:
            return f"`{title(part, records)}` has two values with the text `{twice}`"
        way = _way(part, records)
        for other in ways if way is not None else ():
            text = None if way is None else _shared(way, other)
            if way is not None and text is not None:
                return f"`{text}` could be `{other.name}` or `{way.name}`"
        if way is not None:
            ways.append(way)
    return None


def _variants(node: Node, records: list[Any], seen: set[int]) -> Iterator[Node]:
    """Yields the types of the keys, with options, checks and aliases unwrapped."""
    match node[0]:
        case "optional" | "checked" | "noted":
            yield from _variants(node[1], records, seen)
        case "named":
            if node[1] not in seen:
                seen.add(node[1])
                yield from _variants(records[node[1]]["node"], records, seen)
        case "union":
            for _, variant in node[2]:
                yield from _variants(variant, records, seen)
        case _:
            yield node


def _way(node: Node, records: list[Any]) -> _Way | None:
    """Returns how keys of this type are written; None if the type can't be a key, such as a list."""
    name = title(node, records)
    match node[0]:
        case "none" | "list" | "tuple" | "dict" | "record":
            return None
        case "enum" | "literal":
            return _Way(name, "", {text: values[0] for text, values in _texts(node)}, node[0] == "literal")
        case "hook":
            entry = network.hook(node[2])
            if entry is not None and entry.decode is node[3]:
                form = _NETWORKS.get(node[2].__name__, node[2].__name__)
                return _Way(name, form if form in _FORMS else "text", {}, False)
            written = next(_variants(node[5], records, set()), node[5])
            way = None if written[0] == "hook" or node[5][0] == "union" else _way(written, records)
            return _Way(name, "text", {}, False) if way is None else way._replace(name=name, plain=False)
        case kind:
            return _Way(name, _ALIKE.get(kind) or kind, {}, kind != "flag")


def _texts(node: Node) -> Iterator[tuple[str, list[Any]]]:
    """Yields the texts of an enum or a literal, each with the values it denotes."""
    found: dict[str, list[Any]] = {}
    if node[0] in ("enum", "literal"):
        for value in node[2] if node[0] == "enum" else node[1]:
            if value is not None:
                found.setdefault(str(value).lower() if isinstance(value, bool) else str(value), []).append(value)
    yield from found.items()


def _shared(one: _Way, other: _Way) -> str | None:
    """Returns a text that both types write with different meanings; None if there is none."""
    if not one.kind or not other.kind:
        finite, infinite = (one, other) if not one.kind else (other, one)
        for text, value in finite.values.items():
            if infinite.kind:
                same = finite.plain and infinite.plain and _kind(value) == infinite.kind
                if not same and re.fullmatch(_FORMS[infinite.kind], text, re.DOTALL):
                    return text
            elif text in infinite.values:
                return text
        return None
    if one.kind == other.kind:
        return None if one.plain and other.plain else _EXAMPLES[one.kind]
    if "text" in (one.kind, other.kind):
        return _EXAMPLES[one.kind if other.kind == "text" else other.kind]
    return _SHARED.get(frozenset((one.kind, other.kind)))


def _kind(value: Any) -> str:
    return "bool" if isinstance(value, bool) else "int" if isinstance(value, int) else "text"
