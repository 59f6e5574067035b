"""`source`: a class, as the source that would define it."""

from __future__ import annotations

from typing import Any

from .._describe import describe
from .program import program


def source(cls: type[Any]) -> str:
    """The source of a module that defines the class, and all classes that it refers to, as `demat` sees them.

    Dataclasses, attrs classes and msgspec Structs become dataclasses; named tuples, TypedDicts and enums stay what they
    are. The names of fields outside, their numbers, bounds, defaults and all else that a `Field` or `configure` says is
    there; methods are not, nor what the class inherits from: its fields are its own.

    Raises TypeError where it is no class with fields, or does what source can't say: hooks, hand-written constructors,
    `__post_init__`, functions as factories, pydantic's models.

    >>> from dataclasses import dataclass
    >>> @dataclass
    ... class Task:
    ...     id: int
    ...     title: str = "new"
    >>> print(source(Task), end="")
    from dataclasses import dataclass
    <BLANKLINE>
    <BLANKLINE>
    @dataclass
    class Task:
        id: int
        title: str = 'new'
    """
    root, records = describe(cls, notes=True)
    if root[0] != "record":
        raise TypeError(f"source is for classes with fields, and a {root[0]} is none")
    text, _ = program(root, records)
    return text
