"""Classes made by attrs."""

from typing import Annotated, Any, Generic, TypeVar

import attr
import attrs
import pytest
from asked import fields, nodes, record
from demat import Field

T = TypeVar("T")


@attrs.define
class Slotted:
    a: int
    b: "list[int]" = attrs.field(factory=list)
    c: Annotated[str, Field(name="C")] = "x"
    d: int = attrs.field(default=1, init=False)


@attrs.frozen
class Frozen:
    a: int


@attr.s(auto_attribs=True)
class Old:
    a: int


@attr.s
class Untyped:
    a = attr.ib()
    b = attr.ib(type=int)


@attrs.define(on_setattr=attrs.setters.NO_OP)
class NoSetters:
    a: int


@attrs.define
class Base(Generic[T]):
    value: T


@attrs.define
class Derived(Base[int]):
    other: str


@pytest.mark.parametrize("cls", [Slotted, Frozen, Old, Untyped, NoSetters, Base, Derived])
def test_plain_classes_are_made_by_storing_their_fields(cls):
    assert record(cls)["make"] == "fields"


def test_fields():
    found = fields(Slotted)
    assert nodes(Slotted) == {"a": ("int",), "b": ("list", list, ("int",)), "c": ("str",), "d": ("int",)}
    assert found["b"]["factory"] is list
    assert (found["c"]["key"], found["c"]["default"]) == ("C", "x")
    assert (found["d"]["init"], found["d"]["default"]) == (None, 1)
    assert nodes(Untyped) == {"a": ("any",), "b": ("int",)}
    assert nodes(Derived) == {"value": ("int",), "other": ("str",)}


@attrs.define
class Converted:
    a: int = attrs.field(converter=int)


@attrs.define
class Validated:
    a: int = attrs.field(validator=attrs.validators.ge(0))


@attrs.define
class PostInit:
    a: int

    def __attrs_post_init__(self) -> None:
        self.a += 1


@attrs.define
class PreInit:
    a: int

    def __attrs_pre_init__(self) -> None:
        pass


@attrs.define
class Written:
    a: int

    def __init__(self, a: int = 7) -> None:
        self.__attrs_init__(a)


@attrs.define
class FromSelf:
    a: int
    b: int = attrs.field(default=attrs.Factory(lambda self: self.a + 1, takes_self=True))


@attrs.frozen(cache_hash=True)
class Hashed:
    a: int


@attrs.define
class FailureError(Exception):
    a: int


@attrs.define
class SetsItself:
    a: int

    def __setattr__(self, name: str, value: Any) -> None:
        super().__setattr__(name, value)


@pytest.mark.parametrize(
    "cls", [Converted, Validated, PostInit, PreInit, Written, FromSelf, Hashed, FailureError, SetsItself]
)
def test_a_class_with_a_say_is_called(cls):
    assert record(cls)["make"] == "call"


@attrs.define
class Private:
    _a: int = attrs.field(converter=int)
    b: int = attrs.field(alias="other")


def test_parameters_have_names_of_their_own():
    found = fields(Private)
    assert (found["_a"]["init"], found["_a"]["key"]) == ("a", "_a")
    assert (found["b"]["init"], found["b"]["key"]) == ("other", "b")


def test_a_default_made_from_the_instance_is_left_to_the_constructor():
    found = fields(FromSelf)["b"]
    assert not found["required"]
    assert "default" not in found
    assert "factory" not in found


def test_a_parameter_has_the_default_that_counts():
    assert fields(Written)["a"]["default"] == 7
