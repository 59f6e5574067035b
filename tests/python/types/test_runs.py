"""Records with many scalars, and long lists of them: most formats read and write these in runs of several."""

from __future__ import annotations

from dataclasses import dataclass, make_dataclass
from types import ModuleType
from typing import Any

import formats
import pytest
from demat import DecodeError, EncodeError

KINDS: list[tuple[Any, Any]] = [
    (int, -5),
    (str, "text"),
    (float, 0.25),
    (bool, True),
    (int | None, 7),
    (str | None, "some"),
    (int, 2**62),
    (str, "ключ & more"),
]
# More fields than a run has, with a list, which no run has, in the middle.
NAMES = [f"field_{at}" for at in range(45)]
TYPES = [list[int] if at == 20 else KINDS[at % 8][0] for at in range(45)]
VALUES = [[1, 2] if at == 20 else KINDS[at % 8][1] for at in range(45)]
Many = make_dataclass("Many", list(zip(NAMES, TYPES, strict=True)), slots=True)

# An item of the region format is a chunk and nothing else.
each = formats.each(nested=True, lists=False, special=None, but=("mca",))


@each
def test_a_record_of_many_fields(module: ModuleType) -> None:
    for value in (Many(*VALUES), Many(*(None if one in (7, "some") else one for one in VALUES))):
        assert module.decode(module.encode(value), Many) == value


@formats.each(nested=True, typed=False, lists=False, special=None, but=("mca",))
def test_fields_in_any_order(module: ModuleType) -> None:
    pairs = [*zip(NAMES, VALUES, strict=True)]
    for order in (pairs[::-1], pairs[1::2] + pairs[::2], [*pairs[30:], *pairs[:30]]):
        assert module.decode(module.encode(dict(order)), Many) == Many(*VALUES)


@dataclass(slots=True)
class Lists:
    """Lists of scalars, which are longer than a run and than the steps between two looks for signals."""

    ints: list[int]
    floats: list[float]
    texts: list[str]
    bools: list[bool]


@each
@pytest.mark.parametrize("length", [0, 1, 15, 16, 17, 32, 2100])
def test_lists(module: ModuleType, length: int) -> None:
    value = Lists(
        [at * 7919 - 5 for at in range(length)],
        [at / 8 for at in range(length)],
        [f"text {at}" for at in range(length)],
        [at % 3 == 0 for at in range(length)],
    )
    assert module.decode(module.encode(value), Lists) == value


@dataclass(slots=True)
class Huge:
    """Ints beyond 64 bits among others."""

    first: int
    ints: list[int]
    last: int


# Formats whose ints have 64 bits at most, or 128.
SMALL = ("avro", "nbt", "snbt", "plist", "msgpack", "proto", "txtpb", "toml", "raw", "yaml")


@formats.each(nested=True, lists=False, special=None, but=("mca", *SMALL))
def test_large_ints(module: ModuleType) -> None:
    sizes = [2**63, 2**64 - 1, 2**64, 2**90, 2**120 - 1, 2**120, 10**60, 3**400, 2**2000 + 1, 2**2040, 7**1200]
    values = [one for size in sizes for one in (size, -size, size - 1, 1 - size)]
    for value in (Huge(values[0], [1, *values, 2], values[5]), *(Huge(1, [], one) for one in values)):
        assert module.decode(module.encode(value), Huge) == value


@formats.each(nested=True, typed=False, lists=False)
def test_an_error_names_its_field_and_its_item(module: ModuleType) -> None:
    value = dict(zip(NAMES, VALUES, strict=True))
    with pytest.raises(DecodeError, match=r"\$\.field_32"):
        module.decode(module.encode(value | {"field_32": [1]}), Many)
    lists = {"ints": [*range(40), [1]], "floats": [], "texts": [], "bools": []}
    with pytest.raises(DecodeError, match=r"\$\.ints\[40\]"):
        module.decode(module.encode(lists), Lists)


@each
def test_text_that_is_not_unicode_is_refused_with_its_place(module: ModuleType) -> None:
    with pytest.raises(EncodeError, match=r"\$\.texts\[20\]"):
        module.encode(Lists([], [], [*"a" * 20, "\ud800"], []))
