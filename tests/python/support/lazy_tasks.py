"""A record with fields of many kinds, for tests of lazy records over formats with keys; and documents of it."""

from __future__ import annotations

import dataclasses
import datetime
from dataclasses import dataclass, field
from decimal import Decimal
from types import ModuleType
from typing import Any

import formats
from packed import packed


@dataclass
class Point:
    x: int = 0
    y: float = 0.0


@dataclass(slots=True)
class Task:
    id: int
    title: str
    tags: list[str] = field(default_factory=list)
    done: bool = False
    due: datetime.date | None = None
    at: Point | None = None
    points: list[Point] = field(default_factory=list)
    counts: dict[str, int] = field(default_factory=dict)
    price: Decimal | None = None
    more: Any = None


TASK = Task(
    5,
    "Clean ü",
    ["a", "b\n"],
    True,
    datetime.date(2024, 1, 2),
    Point(1, 2.5),
    [Point(3), Point()],
    {"a": 1},
    Decimal("1.10"),
    {"n": [1, None]},
)
NAMES = [one.name for one in dataclasses.fields(Task)]
# Blanks, another order, keys that nobody knows, escapes, a key that comes twice.
ODD = b"""{ "title" : "no", "other": {"deep": [1, {"x": "}"}]},
  "points":[ {"y" : 0.0, "x":3 , "z":null},{} ],
  "title": "Clean \\u00fc","id":5 ,"tags":["a","b\\n"],
  "at":{"x":1,"y":2.5,"x":1}, "done":true,"due":"2024-01-02", "counts" : {"a":1},
  "price":1.10,"more":{"n":[1,null]}
}"""
# The text of JSON as a document of each format, by its name.
_FORMS = {"json": lambda text, wide: text, "msgpack": lambda text, wide: packed(text, wide=wide)}


def form(module: ModuleType, text: bytes, *, wide: bool = False) -> bytes:
    """The document that JSON writes so. `wide`: in the longest form, if there are several."""
    made: bytes = _FORMS[formats.name(module)](text, wide)
    return made


def odd(module: ModuleType) -> bytes:
    """A document of `TASK` as no one writes it."""
    # Decimals are text where the format has none.
    text = ODD if formats.name(module) == "json" else ODD.replace(b"1.10", b'"1.10"')
    return form(module, text, wide=True)
