"""Which formats can hold the values of a type."""

from __future__ import annotations

from typing import Any

from demat import _native

from .._describe import describe
from .._describe.nodes import Node, bare

_NESTED = ("record", "dict", "list", "tuple", "union", "any", "raw")


def readable(annotation: Any) -> list[str]:
    """The formats that a value of a type can be read from.

    >>> readable(int)
    ['json', 'msgpack', 'cbor', 'xml', 'nbt', 'snbt', 'yaml', 'plist', 'avro']
    """
    holder = _Holder(annotation, written=False)
    return [name for name in _native.FORMATS if holder.fits(name)]


def writable(annotation: Any) -> list[str]:
    """The formats that a value of a type can be written in.

    >>> writable(dict[str, int])
    ['json', 'ndjson', 'csv', 'msgpack', 'cbor', 'xml', 'nbt', 'snbt', 'toml', 'yaml', 'plist', 'avro']
    """
    holder = _Holder(annotation, written=True)
    return [name for name in _native.FORMATS if holder.fits(name)]


class _Holder:
    def __init__(self, annotation: Any, *, written: bool) -> None:
        self.written = written
        self.root, self.records = describe(annotation)

    def fits(self, format: str) -> bool:
        return format != "mca" and self._fits(format, self.root)

    def plain(self, node: Node) -> Node:
        """What stands inside of options, checks, hooks and names."""
        while True:
            node = bare(node)
            if node[0] == "named" or (node[0] == "record" and "fields" not in self.records[node[1]]):
                node = self.records[node[1]]["node"]
            elif node[0] == "hook":
                node = node[5] if self.written else node[1]
            else:
                return node

    def _fits(self, format: str, node: Node) -> bool:
        node = self.plain(node)
        kind: str = node[0]
        if kind in ("any", "raw"):
            return True
        if kind == "union":
            return all(self._fits(format, variant) for _, variant in node[2])
        items: str | None = self.plain(node[2])[0] if kind == "list" else None
        match format:
            case "ndjson":
                # It is written as a line, and read as a list of lines.
                return self.written or kind in ("list", "tuple")
            case "csv":
                if kind == "list":
                    return items in ("any", "raw") or self._is_row(self.plain(node[2]))
                return self.written and self._is_row(node)
            case "proto" | "raw":
                return kind == "record" or items == "record"
            case "txtpb":
                return kind == "record"
            case "toml":
                return kind in ("record", "dict")
            case "nbt" | "snbt":
                # The items of a list have one type.
                return kind != "tuple" and items != "tuple"
        return True

    def _is_row(self, node: Node) -> bool:
        """Whether the cells of a row hold it."""
        if node[0] == "dict":
            return str(self.plain(node[3])[0]) not in _NESTED
        if node[0] != "record":
            return False
        fields = self.records[node[1]]["fields"]
        return all(self.plain(field["node"])[0] not in _NESTED for field in fields)
