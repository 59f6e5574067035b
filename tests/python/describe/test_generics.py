"""Generic classes, with arguments, without, and inherited from with some."""

from dataclasses import dataclass
from typing import Annotated, Generic, NamedTuple, TypedDict, TypeVar

import pytest
import typing_extensions as te
from asked import node, nodes, record
from demat import Field
from demat._describe import describe
from typing_extensions import TypeVarTuple, Unpack

T = TypeVar("T")
U = TypeVar("U")
Bound = TypeVar("Bound", bound="Limit")
Constrained = TypeVar("Constrained", int, str)
WithDefault = te.TypeVar("WithDefault", default=bool)
Ts = TypeVarTuple("Ts")


@dataclass
class Limit:
    x: int


@dataclass
class Page(Generic[T]):
    items: list[T]
    next: "Page[T] | None" = None
    first: T | None = None


def test_arguments_stand_where_the_variables_did():
    root, (page,) = describe(Page[int])
    assert root == ("record", 0)
    assert page["name"] == "Page[int]"
    assert [field["node"] for field in page["fields"]] == [
        ("list", list, ("int",)),
        ("optional", ("record", 0)),
        ("optional", ("int",)),
    ]


def test_options_of_arguments_are_not_nested():
    assert nodes(Page[int | None])["first"] == ("optional", ("int",))


def test_each_choice_of_arguments_is_a_record_of_its_own():
    root, records = describe(tuple[Page[int], Page[str], Page[int], Page[Page[int]]])
    assert root == ("tuple", (("record", 0), ("record", 1), ("record", 0), ("record", 2)))
    assert [record["name"] for record in records] == ["Page[int]", "Page[str]", "Page[Page[int]]"]


def test_annotations_are_part_of_an_argument():
    _, records = describe(tuple[Page[Annotated[int, Field(ge=0)]], Page[int], Page[Annotated[int, Field(ge=0)]]])
    assert len(records) == 2


@dataclass
class Few(Generic[Bound, Constrained, T, WithDefault]):
    a: Bound
    b: Constrained
    c: WithDefault
    d: T


def test_without_arguments_variables_stand_for_what_they_say_themselves():
    found = nodes(Few)
    _, records = describe(Few)
    assert records[found.pop("a")[1]]["cls"] is Limit
    assert found == {
        "b": ("union", None, ((None, ("int",)), (None, ("str",)))),
        "c": ("bool",),
        "d": ("any",),
    }


@dataclass
class Both(Page[U], Generic[T, U]):
    own: T | None = None
    other: U | None = None


@dataclass
class Partly(Both[T, list[int]]):
    last: T | None = None


@dataclass
class Whole(Partly[str]):
    pass


def test_partly_applied_inheritance():
    # The `T` of Page is the `U` of Both; that of Both, the `T` of Partly: one variable, three meanings.
    assert list(nodes(Whole).items()) == [
        ("items", ("list", list, ("list", list, ("int",)))),
        ("next", ("optional", ("record", 1))),
        ("first", ("optional", ("list", list, ("int",)))),
        ("own", ("optional", ("str",))),
        ("other", ("optional", ("list", list, ("int",)))),
        ("last", ("optional", ("str",))),
    ]


class Row(NamedTuple, Generic[T]):
    key: str
    value: T


class Entry(TypedDict, Generic[T]):
    value: T


class Named(Entry[int]):
    name: str


def test_named_tuples_and_typed_dicts():
    assert nodes(Row[int]) == {"key": ("str",), "value": ("int",)}
    assert nodes(Entry[int]) == {"value": ("int",)}
    assert nodes(Named) == {"value": ("int",), "name": ("str",)}
    assert nodes(Entry) == {"value": ("any",)}


@dataclass
class Variadic(Generic[T, Unpack[Ts]]):
    first: T
    others: tuple[Unpack[Ts]]
    all: tuple[int, Unpack[Ts], T]


def test_any_number_of_arguments():
    assert nodes(Variadic[int, str, bool]) == {
        "first": ("int",),
        "others": ("tuple", (("str",), ("bool",))),
        "all": ("tuple", (("int",), ("str",), ("bool",), ("int",))),
    }
    with pytest.raises(TypeError, match="nothing says how many"):
        node(Variadic)


@dataclass
class Growing(Generic[T]):
    deeper: "Growing[list[T]] | None"


def test_arguments_that_grow_without_end_are_refused():
    with pytest.raises(TypeError, match="with other arguments each time, without end"):
        node(Growing[int])


@dataclass
class Linked:
    next: te.Self | None = None


@dataclass
class LinkedMore(Linked):
    more: list[te.Self] | None = None


def test_self_is_the_class_that_was_asked_for():
    assert nodes(Linked) == {"next": ("optional", ("record", 0))}
    assert record(LinkedMore)["cls"] is LinkedMore
    assert nodes(LinkedMore) == {
        "next": ("optional", ("record", 0)),
        "more": ("optional", ("list", list, ("record", 0))),
    }


def test_a_variable_by_itself_is_what_it_says():
    assert node(WithDefault) == ("bool",)
    assert node(list[T]) == ("list", list, ("any",))
