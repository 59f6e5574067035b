"""All annotations are text under `from __future__ import annotations`."""

# What is tested is each way that a type can be written in.
# ruff: noqa: UP035, UP045

from __future__ import annotations

import datetime
from dataclasses import dataclass
from typing import Annotated, ClassVar, Generic, Literal, NamedTuple, Optional, TypedDict, TypeVar

from asked import fields, nodes
from demat import Field
from typing_extensions import NotRequired, Required

T = TypeVar("T")


@dataclass
class Event(Generic[T]):
    kind: ClassVar[str]
    date: datetime.date | None = None
    when: Annotated[datetime.datetime, Field(tz=True, name="at")] = datetime.datetime.min
    after: Optional[Event[T]] = None
    value: T | None = None
    state: Literal["open", "done"] = "open"
    again: datetime.date = datetime.date.min


def test_dataclasses():
    assert nodes(Event[int]) == {
        "date": ("optional", ("date",)),
        "when": ("datetime", True),
        "after": ("optional", ("record", 0)),
        "value": ("optional", ("int",)),
        "state": ("literal", ("open", "done")),
        "again": ("date",),
    }
    assert fields(Event[int])["when"]["key"] == "at"


class Point(NamedTuple):
    x: int
    y: Annotated[float, Field(ge=0)] = 0.0


class Options(TypedDict, total=False):
    name: Required[str]
    size: int


class MoreOptions(Options):
    color: NotRequired[str]
    depth: int


def test_qualifiers_of_typed_dicts_are_seen_in_the_text():
    assert {name: field["required"] for name, field in fields(Options).items()} == {"name": True, "size": False}
    found = {name: field["required"] for name, field in fields(MoreOptions).items()}
    assert found == {"name": True, "size": False, "color": False, "depth": True}
    assert nodes(MoreOptions)["color"] == ("str",)


def test_named_tuples():
    assert nodes(Point) == {"x": ("int",), "y": ("checked", ("float",), {"ge": 0})}


def test_locally():
    @dataclass
    class Node:
        next: Node | None
        leaf: list[Leaf]

    @dataclass
    class Leaf:
        up: Node | None

    assert nodes(Node) == {"next": ("optional", ("record", 0)), "leaf": ("list", list, ("record", 1))}
