"""Enums, flags and literals."""

# What is tested is each way that a type can be written in.
# ruff: noqa: PYI061, PIE796

import enum
from typing import Literal

import pytest
from asked import node


class Color(enum.Enum):
    RED = "red"
    BLUE = "blue"
    AZURE = "blue"


class Level(enum.IntEnum):
    LOW = 1
    HIGH = 2


class Size(enum.StrEnum):
    S = enum.auto()
    L = enum.auto()


class Old(str, enum.Enum):
    A = "a"


class Mixed(enum.Enum):
    NAME = "name"
    NUMBER = 7


class Rights(enum.Flag):
    READ = 1
    WRITE = 2


class Bits(enum.IntFlag):
    A = 1


class Real(enum.Enum):
    HALF = 0.5


class Logical(enum.Enum):
    YES = True


class Empty(enum.Enum):
    pass


@pytest.mark.parametrize(
    ("cls", "members"),
    [
        (Color, {"red": Color.RED, "blue": Color.BLUE}),
        (Level, {1: Level.LOW, 2: Level.HIGH}),
        (Size, {"s": Size.S, "l": Size.L}),
        (Old, {"a": Old.A}),
        (Mixed, {"name": Mixed.NAME, 7: Mixed.NUMBER}),
    ],
)
def test_an_enum_is_its_members_by_value(cls, members):
    found = node(cls)
    assert found == ("enum", cls, members)
    # Looked up by what a format read, which is exact.
    assert {type(wire) for wire in found[2]} <= {str, int}
    assert all(type(member) is cls for member in found[2].values())


@pytest.mark.parametrize("cls", [Rights, Bits])
def test_flags_are_made_by_their_class(cls):
    assert node(cls) == ("flag", cls)


@pytest.mark.parametrize(
    ("cls", "message"),
    [(Real, "the value of `HALF` is of type float"), (Logical, "of type bool"), (Empty, "no members")],
)
def test_enums_that_data_can_not_say_are_refused(cls, message):
    with pytest.raises(TypeError, match=message):
        node(cls)


def test_literals_are_their_values():
    assert node(Literal["a", "b", 1, True, None]) == ("literal", ("a", "b", 1, True, None))
    assert node(Literal[None]) == ("none",)


def test_a_literal_of_members_is_the_enum_with_these_only():
    assert node(Literal[Color.RED]) == ("enum", Color, {"red": Color.RED})
    assert node(Literal["x", Color.RED, Level.LOW, Color.BLUE]) == (
        "union",
        None,
        (
            (None, ("literal", ("x",))),
            (None, ("enum", Color, {"red": Color.RED, "blue": Color.BLUE})),
            (None, ("enum", Level, {1: Level.LOW})),
        ),
    )


def test_a_literal_of_bytes_is_refused():
    with pytest.raises(TypeError, match="a literal of bytes"):
        node(Literal[b"x"])
