"""Messages of Protocol Buffers as descriptions: their enums become classes, and what need not come has a default."""

from __future__ import annotations

import enum
import os
from collections.abc import Iterable
from importlib import import_module
from typing import Any

from .._describe.nodes import Node, rebuilt
from .._errors import DecodeError
from .identifiers import class_name
from .places import is_file

SUFFIXES = (".proto", ".protoset")

# What a field is that did not come, and was not said to be anything else.
_ZEROS: dict[str, Any] = {"bool": False, "int": 0, "float": 0.0, "str": "", "bytes": b""}
_EMPTY: dict[str, Any] = {"list": list, "dict": dict}


def is_definition(place: Any, format: str | None) -> bool:
    """Whether it is the path of a `.proto` file or a descriptor set, or said to be what is in one."""
    if format in ("proto", "protoset"):
        return True
    if format is not None or not isinstance(place, (str, os.PathLike)):
        return False
    return os.fspath(place).endswith(SUFFIXES)


def message(
    place: Any, name: str | None, format: str | None, includes: Iterable[str | os.PathLike[str]]
) -> tuple[Node, list[dict[str, Any]]]:
    """The description of a message; without a name, of the only one that there is."""
    native: Any = import_module("demat._native")
    if hasattr(place, "read"):
        place = place.read()
    given: Any
    if _is_path(place, format):
        given = _Path(os.fspath(place))
    elif format == "proto":
        given = place if isinstance(place, str) else _text(bytes(place))
    else:
        given = bytes(place)
    folders = [os.fspath(folder) for folder in includes]
    root, records = native.define_message(given, name, folders, format == "protoset")
    return _Messages(zeros=True).whole(root, records)


def with_enums(root: Node, records: list[dict[str, Any]]) -> tuple[Node, list[dict[str, Any]]]:
    """The description with classes for the enums whose members have numbers."""
    return _Messages(zeros=False).whole(root, records)


def _text(definition: bytes) -> str:
    try:
        return definition.decode()
    except UnicodeDecodeError as error:
        message = f"the text of a .proto file is UTF-8, and this is not (byte {error.start})"
        raise DecodeError(message, offset=error.start, expected="UTF-8", found="other bytes") from None


def _is_path(place: Any, format: str | None) -> bool:
    """Returns whether `place` is a path, not the definition's text. A str is a path if it names an existing file.

    A descriptor set is binary, so a str for one is always a path.
    """
    if format is None or (format == "protoset" and isinstance(place, str)) or isinstance(place, os.PathLike):
        return True
    return isinstance(place, str) and "{" not in place and is_file(place)


class _Path:
    """A path that is no text of a definition."""

    def __init__(self, path: str) -> None:
        self.path = path

    def __fspath__(self) -> str:
        return self.path


class _Messages:
    def __init__(self, zeros: bool) -> None:
        self.zeros = zeros
        self.enums: dict[Any, type[enum.IntEnum]] = {}

    def whole(self, root: Node, records: list[dict[str, Any]]) -> tuple[Node, list[dict[str, Any]]]:
        for record in records:
            for field in record.get("fields", ()):
                field["node"] = rebuilt(field["node"], self._node)
                self._default(field)
        return rebuilt(root, self._node), records

    def _node(self, node: Node) -> Node:
        if node[0] != "names":
            return node
        _, name, members = node
        key = (name, tuple(members))
        if key not in self.enums:
            self.enums[key] = _enum(class_name(name) if name else "Names", dict(members))
        cls = self.enums[key]
        return ("enum", cls, {member.value: member for member in cls})

    def _default(self, field: dict[str, Any]) -> None:
        node = field["node"]
        names = _enum_of(node)
        if names is not None and isinstance(field.get("default"), str):
            field["default"] = names[1][field["default"]]
        if not self.zeros:
            return
        needed = "required" in str(field.get("notes", {}).get("wire", "")).split(", ")
        if not field["required"] or needed:
            return
        if names is not None:
            # What a closed enum is that did not come is its first name, and zero is that of an open one.
            field["default"] = names[2].get(0, next(iter(names[2].values())))
        elif node[0] in _ZEROS:
            field["default"] = _ZEROS[node[0]]
        elif node[0] in _EMPTY:
            field["factory"] = _EMPTY[node[0]]
        else:
            return
        field["required"] = False


def _enum(name: str, members: dict[str, int]) -> type[enum.IntEnum]:
    """The enum with these members; ValueError for names that Python keeps to itself, such as `mro` and `_order_`."""
    make: Any = enum.IntEnum
    for member, number in members.items():
        # Some names raise, others become attributes that are no members.
        try:
            is_member = member in make(name, {member: number}).__members__
        except (TypeError, ValueError):
            is_member = False
        if not is_member:
            raise ValueError(
                f"the enum `{name}` can't have a member `{member}`: the name is one of Python's own for enums"
            )
    made: type[enum.IntEnum] = make(name, members)
    return made


def _enum_of(node: Node) -> Node | None:
    if node[0] == "optional":
        return _enum_of(node[1])
    if node[0] == "union":
        return next((variant for _, variant in node[2] if variant[0] == "enum"), None)
    return node if node[0] == "enum" else None
