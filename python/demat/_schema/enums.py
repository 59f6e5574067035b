"""Enums and flags as source."""

from __future__ import annotations

import enum
import keyword

from .._describe.nodes import Node
from .identifiers import attribute
from .imports import Imports
from .literals import Literals


def enum_lines(node: Node, name: str, imports: Imports, literals: Literals) -> list[str]:
    """The definition of an enum or a flag; without a class, its members are called after what stands for them."""
    cls = node[1]
    if isinstance(cls, str):
        taken: set[str] = set()
        members = {}
        for wire in node[2]:
            member = attribute(str(wire), taken).upper().lstrip("_") or "_"
            taken.add(member)
            members[member if member.isidentifier() else f"N{member}"] = wire
        base = "StrEnum" if all(isinstance(wire, str) for wire in members.values()) else "Enum"
        bases = f"{imports.module('enum')}.{base}"
    else:
        members = {known: member._value_ for known, member in cls.__members__.items()}
        bases = _bases(cls, imports)
    values = {member: literals.text(value) for member, value in members.items()}
    if not all(member.isidentifier() and not keyword.iskeyword(member) for member in values):
        # By a call, which takes any names.
        listed = ", ".join(f"({member!r}, {value})" for member, value in values.items())
        return [f"{name} = {bases.split(', ')[-1]}({name!r}, [{listed}])"]
    return [f"class {name}({bases}):", *(f"    {member} = {value}" for member, value in values.items())]


def _bases(cls: type[enum.Enum], imports: Imports) -> str:
    module = imports.module("enum")
    for base in (enum.StrEnum, enum.IntEnum, enum.IntFlag, enum.Flag):
        if issubclass(cls, base):
            return f"{module}.{base.__name__}"
    mixins: tuple[type, ...] = (str, int)
    mixed = next((base for base in mixins if issubclass(cls, base)), None)
    return f"{module}.Enum" if mixed is None else f"{imports.builtin(mixed.__name__)}, {module}.Enum"
