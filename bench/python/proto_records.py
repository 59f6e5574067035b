"""The records of definitions/proto.toml as the program's own classes, which say nothing but what Demat has to know."""

from dataclasses import dataclass, field
from typing import Annotated

from demat import Field


@dataclass(slots=True)
class Record:
    """A record of 2,012 bytes, or of 60."""

    done: bool = False
    marks: Annotated[list[int], Field(wire="uint32")] = field(default_factory=list)
    address: Annotated[int, Field(wire="fixed32")] = 0
    text: str = ""
    seen: bool = False
    name: str = ""


@dataclass(slots=True)
class Named:
    """One of the three messages."""

    id: Annotated[int, Field(wire="int32")] = 0
    text: str = ""


@dataclass(slots=True)
class Three:
    """Three messages, three doubles and ten ints."""

    one: Named
    two: Named
    three: Named
    a: float = 0.0
    b: float = 0.0
    c: float = 0.0
    d: int = 0
    e: int = 0
    f: int = 0
    g: int = 0
    h: int = 0
    i: int = 0
    j: int = 0
    k: int = 0
    l: int = 0  # noqa: E741
    m: int = 0


@dataclass(slots=True)
class Numbers:
    """Four thousand of them."""

    values: Annotated[list[int], Field(wire="fixed32")] = field(default_factory=list)


@dataclass(slots=True)
class Item:
    """A message of one field."""

    id: int = 0


@dataclass(slots=True)
class Nested:
    """Ten thousand messages in one."""

    items: list[Item] = field(default_factory=list)
