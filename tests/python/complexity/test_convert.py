"""Conversions of objects take linear time in the size of the value, over the families of all verbs."""

from collections.abc import Callable

import demat
import pytest
from families import FAMILIES, Family
from growth import growth

MOST = 2.5


def to_builtins(family: Family, n: int) -> Callable[[], object]:
    value = family.make(n).value
    return lambda: demat.to_builtins(value)


def convert(family: Family, n: int) -> Callable[[], object]:
    value, wanted = family.make(n)
    plain = demat.to_builtins(value)
    return lambda: demat.convert(plain, wanted)


def convert_objects(family: Family, n: int) -> Callable[[], object]:
    value, wanted = family.make(n)
    return lambda: demat.convert(value, wanted)


@pytest.mark.parametrize("verb", [to_builtins, convert, convert_objects])
@pytest.mark.parametrize("name", FAMILIES)
def test_growth(verb: Callable[[Family, int], Callable[[], object]], name: str) -> None:
    family = FAMILIES[name]
    assert growth(lambda n: verb(family, n), family.n, family.deepest) < MOST
