# ruff: noqa: UP045 (classes made one by one have no such text)
"""Families of growing values, each with the type of the value. The time of every verb should be linear in the size."""

from collections.abc import Callable
from dataclasses import dataclass, field, make_dataclass
from typing import Annotated, Any, NamedTuple, Optional

import demat
from demat import Field


@dataclass
class Row:
    id: int
    name: str
    score: float
    note: str | None = None


@dataclass
class Nothing:
    """A record with none of the fields, so that the reader skips all of them."""

    other: Annotated[int, Field(4000)] = 0


@dataclass
class Node:
    value: int
    child: "Node | None" = None


@dataclass
class Tree:
    items: "list[Tree]" = field(default_factory=list)
    value: int = 0


@demat.configure(tag="kind")
@dataclass
class Circle:
    r: int
    inner: "list[Circle | Square]" = field(default_factory=list)


@demat.configure(tag="kind")
@dataclass
class Square:
    side: int
    inner: "list[Circle | Square]" = field(default_factory=list)


@dataclass
class One:
    a: int
    b: str


@dataclass
class Other:
    a: int
    c: str


@dataclass
class Either:
    value: One | Other


@dataclass
class Texts:
    text: str


@dataclass
class Many:
    items: list[int]
    names: list[str]


@dataclass
class Holds:
    rows: list[Row]


@dataclass
class Maps:
    values: dict[str, int]


class Sample(NamedTuple):
    """A member of a family, of one size."""

    value: Any
    """Instances, or a list of them."""
    type: Any
    """The type of the whole value."""


class Family(NamedTuple):
    n: int
    make: Callable[[int], Sample]
    deepest: int | None = None
    """For families that nest: the size at which a format with the default depth limit can still read the value."""
    flat: bool = True
    """Whether columns of it are as many as it has fields: a class that occurs twice has its columns twice."""


def rows(n: int) -> list[Row]:
    return [Row(k, f"name {k}", k / 7, None if k % 3 else "note") for k in range(n)]


def chain(n: int) -> Node:
    node = Node(0)
    for k in range(n):
        node = Node(k, node)
    return node


def tree(n: int) -> Tree:
    inner = Tree()
    for k in range(n):
        inner = Tree([inner], k)
    return inner


def shapes(n: int) -> Circle:
    inner = Circle(0)
    for k in range(n):
        inner = Circle(k, [inner, Square(k)])  # type: ignore[list-item]
    return inner


def wide(n: int) -> Sample:
    made = make_dataclass("Wide", [(f"field{k}", int) for k in range(n)])
    return Sample([made(*range(n)) for _ in range(4)], list[made])  # type: ignore[valid-type]


def nested_classes(n: int) -> Sample:
    """Nests classes: each level's class occurs twice in the next one."""
    inner: Any = make_dataclass("Level0", [("value", int)])
    value = inner(1)
    for k in range(1, n + 1):
        outer = make_dataclass(f"Level{k}", [("one", inner), ("two", Optional[inner], None)])
        inner, value = outer, outer(value)
    return Sample([value], list[inner])


FAMILIES: dict[str, Family] = {
    "length": Family(300, lambda n: Sample(rows(n), list[Row])),
    "width": Family(66, wide),
    "depth": Family(24, lambda n: Sample([chain(n)], list[Node]), deepest=48),
    "depth of lists": Family(10, lambda n: Sample([tree(n)], list[Tree]), deepest=40),
    "deep records in one list": Family(60, lambda n: Sample([tree(20) for _ in range(n)], list[Tree])),
    "classes within classes": Family(6, nested_classes, deepest=12, flat=False),
    "one long text": Family(40_000, lambda n: Sample([Texts("x" * n)], list[Texts])),
    # Small, as some verbs copy it at the speed of memory: larger ones measure where the processor's caches end.
    "text beyond ASCII": Family(2_000, lambda n: Sample([Texts("é😀" * n)], list[Texts])),
    "escapes": Family(10_000, lambda n: Sample([Texts('"\\\n\x01' * n)], list[Texts])),
    "quotes in rows": Family(5_000, lambda n: Sample([Texts('a"",\r\n' * n)], list[Texts])),
    "nulls": Family(600, lambda n: Sample([Row(1, "", 0.0, None) for _ in range(n)], list[Row])),
    "lists in one record": Family(
        1_000, lambda n: Sample([Many(list(range(n)), [f"{k}" for k in range(n)])], list[Many])
    ),
    "one huge record": Family(300, lambda n: Sample([Holds(rows(n))], list[Holds])),
    "keys": Family(1_000, lambda n: Sample([Maps({f"key{k}": k for k in range(n)})], list[Maps])),
    # All sizes are beyond the first windows of a reader, which decodes a record anew for each that is too small.
    "keys alike": Family(
        4_000,
        lambda n: Sample([Maps({f"{'k' * 17}{k * 65536:020d}": k for k in range(n)})], list[Maps]),
        deepest=16_000,
    ),
    "tagged unions": Family(12, lambda n: Sample([shapes(n)], list[Circle | Square]), deepest=24),
    "untagged unions": Family(
        200, lambda n: Sample([Either(One(k, "") if k % 2 else Other(k, "")) for k in range(n)], list[Either])
    ),
}
