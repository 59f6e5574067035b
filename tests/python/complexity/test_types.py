# ruff: noqa: B008 (what is measured is made once, beforehand)
"""Work on types alone visits each class once, although the classes contain each other many times."""

from collections.abc import Callable
from typing import Any, NamedTuple

import demat
import pytest
from demat import json
from families import nested_classes, wide
from growth import MOST, growth


def alone(n: int) -> Any:
    """Returns the outermost of n nested classes; each of them occurs twice in the next one."""
    return nested_classes(n).type.__args__[0]


def text(n: int) -> str:
    return demat.schema(alone(n), to="shape")


class Work(NamedTuple):
    make: Callable[[int], Callable[[], object]]
    n: int = 24
    deepest: int | None = 80
    """The most classes within each other that all targets can hold."""


WORK: dict[str, Work] = {
    **{
        f"schema to {to}": Work(lambda n, to=to: lambda type=alone(n): demat.schema(type, to=to))  # type: ignore[misc]
        for to in ("json-schema", "shape", "sql", "proto")
    },
    "describe": Work(lambda n: lambda: json.decode(b"[]", list[alone(n)])),  # type: ignore[misc]
    "define": Work(lambda n: lambda shape=text(n): demat.define(shape)),  # type: ignore[misc]
    "source": Work(lambda n: lambda type=alone(n): demat.source(type)),  # type: ignore[misc]
    "schema to arrow, wide": Work(
        lambda n: lambda type=wide(n).type.__args__[0]: demat.schema(type, to="arrow"),  # type: ignore[misc]
        n=400,
        deepest=None,
    ),
}


@pytest.mark.parametrize("work", WORK.values(), ids=WORK)
def test_growth(work: Work) -> None:
    assert growth(work.make, work.n, work.deepest) < MOST


def test_columns_that_are_exponentially_many_are_refused() -> None:
    for work in (lambda: demat.schema(alone(40), to="arrow"), lambda: json.columns(b"[]", alone(40))):
        with pytest.raises((TypeError, demat.LimitError), match="columns within columns"):
            work()


def test_as_many_levels_as_columns_have_are_no_trouble() -> None:
    for depth in (24, 30, 60):
        document = b"[" + b'{"a":' * depth + b"1" + b"}" * depth + b"]"
        assert len(json.columns(document)) == 1
