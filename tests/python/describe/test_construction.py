"""Which classes are made by storing fields, and which have a say in how they are made."""

from abc import ABCMeta
from dataclasses import dataclass, field
from typing import NamedTuple

import pytest
from asked import fields, record


@dataclass
class Written:
    a: int
    b: int = 2

    def __init__(self, a: int, b: int = 5) -> None:
        self.a, self.b = a, b


@dataclass
class Inherits(Written):
    pass


class Below(Written):
    pass


@dataclass
class New:
    a: int

    def __new__(cls, *_, **__):
        return super().__new__(cls)


@dataclass
class SetsItself:
    a: int

    def __setattr__(self, name, value):
        super().__setattr__(name, value)


class Meta(type):
    def __call__(cls, *args, **kwargs):
        return super().__call__(*args, **kwargs)


@dataclass
class Metaclassed(metaclass=Meta):
    a: int


class Descriptor:
    def __get__(self, instance, owner):
        return 3 if instance is None else instance._a

    def __set__(self, instance, value):
        instance._a = value


@dataclass
class Described:
    a: int = Descriptor()


@dataclass
class FailureError(Exception):
    a: int


@dataclass
class Dictionary(dict):
    a: int


@pytest.mark.parametrize("cls", [Written, Below, New, SetsItself, Metaclassed, Described, FailureError, Dictionary])
def test_a_class_with_a_say_is_called(cls):
    found = record(cls)
    assert found["make"] == "call"
    assert found["post_init"] is None
    assert found["fields"][0]["init"] == "a"


@dataclass
class Abstracted(metaclass=ABCMeta):
    a: int


def test_what_only_looks_like_a_say_is_none():
    # `dataclass` wrote its own `__init__` over the inherited one.
    assert record(Inherits)["make"] == "fields"
    assert record(Abstracted)["make"] == "fields"


def test_a_parameter_has_the_default_that_counts():
    assert fields(Written)["b"]["default"] == 5


@dataclass
class Sentinel:
    a: list[int] = field(default_factory=list)

    def __init__(self, a: list[int] | None = None) -> None:
        self.a = [1] if a is None else a


def test_a_parameter_default_replaces_a_factory():
    found = fields(Sentinel)["a"]
    assert found["default"] is None
    assert "factory" not in found
    assert not found["required"]


@dataclass
class Lacks:
    a: int
    b: int

    def __init__(self, a: int) -> None:
        self.a, self.b = a, 0


@dataclass
class Wants:
    a: int

    def __init__(self, a: int, more: int) -> None:
        self.a = a + more


@dataclass
class Positional:
    a: int

    def __init__(self, a: int, /) -> None:
        self.a = a


@dataclass
class Open:
    a: int
    b: int

    def __init__(self, **given: int) -> None:
        self.a, self.b = given["a"], given["b"]


@pytest.mark.parametrize(
    ("cls", "message"),
    [
        (Lacks, "`Lacks`: its constructor takes no `b`"),
        (Wants, "`Wants`: its constructor wants `more`"),
        (Positional, "takes `a` by position only"),
    ],
)
def test_a_constructor_that_can_not_be_given_the_fields_is_refused(cls, message):
    with pytest.raises(TypeError, match=message):
        record(cls)


def test_a_constructor_may_take_any_name():
    assert record(Open)["make"] == "call"


class Point(NamedTuple):
    x: int
    y: int = 0


class Sub(Point):
    __slots__ = ()


class Checked(Point):
    def __new__(cls, x: int, y: int = 1):
        return super().__new__(cls, abs(x), abs(y))


def test_named_tuples():
    assert record(Point)["make"] == record(Sub)["make"] == "tuple"
    assert record(Checked)["make"] == "call"
    assert fields(Checked)["y"]["default"] == 1
