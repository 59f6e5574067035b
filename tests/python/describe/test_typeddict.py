"""TypedDicts."""

import typing
from typing import Annotated, NotRequired, Required, TypedDict

import pytest
import typing_extensions as te
from asked import fields, record
from demat import Field


class Options(TypedDict, total=False):
    name: Required[str]
    size: int


class More(Options):
    color: NotRequired[str]
    depth: Annotated[NotRequired[int], Field(ge=0)]
    width: NotRequired[Annotated[int, Field(name="w")]]
    shape: te.ReadOnly[Required[str]]


Functional = TypedDict("Functional", {"with-dash": int, "class": str})


class Defaults(TypedDict):
    a: Annotated[NotRequired[int], Field(default=3)]
    b: Annotated[int, Field(factory=list)]


class Extended(te.TypedDict):
    a: te.NotRequired[int]


class Closed(te.TypedDict, closed=True):
    a: int


def test_a_typed_dict_is_made_as_a_dict():
    found = record(Options)
    assert (found["make"], found["cls"], found["name"]) == ("dict", Options, "Options")


def test_what_is_required():
    assert {name: field["required"] for name, field in fields(Options).items()} == {"name": True, "size": False}
    assert {name: field["required"] for name, field in fields(More).items()} == {
        "name": True,
        "size": False,
        "color": False,
        "depth": False,
        "width": False,
        "shape": True,
    }
    assert fields(More)["depth"]["node"] == ("checked", ("int",), {"ge": 0})
    assert fields(More)["width"]["key"] == "w"


def test_what_may_be_missing_is_left_out_unless_there_is_a_default():
    size = fields(Options)["size"]
    assert "default" not in size
    assert "factory" not in size
    found = fields(Defaults)
    assert (found["a"]["required"], found["a"]["default"]) == (False, 3)
    assert (found["b"]["required"], found["b"]["factory"]) == (False, list)


def test_names_that_are_no_identifiers():
    assert list(fields(Functional)) == ["with-dash", "class"]


def test_those_of_typing_extensions():
    assert not fields(Extended)["a"]["required"]
    assert record(Closed)["unknown"] == "forbid"


def test_a_qualifier_elsewhere_is_refused():
    with pytest.raises(TypeError, match="`Required` says something about a field"):
        record(list[Required[int]])  # type: ignore[valid-type]
    with pytest.raises(TypeError, match="`ClassVar` says something about a field"):
        record(list[typing.ClassVar[int]])
