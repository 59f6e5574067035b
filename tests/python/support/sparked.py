"""Classes that Spark's workers import."""

from __future__ import annotations

import os
from dataclasses import dataclass, field
from datetime import date, datetime, timedelta
from decimal import Decimal
from enum import Enum
from ipaddress import IPv6Address
from pathlib import Path
from typing import Annotated, Any
from uuid import UUID

import demat


class Color(Enum):
    RED = "red"
    BLUE = "blue"


@dataclass
class By:
    name: str
    age: int | None = None


@dataclass
class Task:
    id: int
    title: str
    done: bool = False
    due: date | None = None


@dataclass
class Wide:
    """A field of each kind that Spark has a type for."""

    id: int
    text: str = ""
    score: float = 0.0
    done: bool = False
    data: bytes = b""
    due: date | None = None
    at: datetime | None = None
    took: timedelta | None = None
    price: Decimal | None = None
    color: Color = Color.RED
    more: Any = None
    by: By | None = None
    tags: list[str] = field(default_factory=list)
    many: list[By] = field(default_factory=list)
    counts: dict[str, int] = field(default_factory=dict)


@dataclass
class Odd:
    id: UUID


@dataclass
class Deep:
    by: list[Odd]


@dataclass
class Failing:
    """Fails at the record whose title is a file that is there, once."""

    id: int
    title: str

    def __post_init__(self) -> None:
        if self.title.startswith("/") and Path(self.title).exists():
            os.unlink(self.title)  # noqa: PTH108
            raise RuntimeError("the task failed")


@dataclass
class Lower:
    """A class that changes its fields."""

    id: int
    title: str

    def __post_init__(self) -> None:
        self.title = self.title.lower()


@dataclass
class Converted:
    """Fields whose columns are not what stands in the file."""

    id: int
    more: Any = None
    either: int | str = 0
    host: IPv6Address | None = None
    price: Decimal | None = None
    code: Annotated[int, demat.Hook(wire=str, decode=lambda text: int(text, 16), encode=hex)] = 0
