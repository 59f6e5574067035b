"""msgspec's Structs."""

from typing import Annotated, Generic, TypeVar

import demat
import msgspec
from asked import fields, node, nodes, record
from demat import Field

T = TypeVar("T")


class Task(msgspec.Struct):
    id: Annotated[int, msgspec.Meta(ge=0)]
    next: "Task | None" = None
    tags: list[str] = []
    note: Annotated[str, Field(name="NOTE")] = msgspec.field(default="n")
    made: dict[str, int] = msgspec.field(default_factory=lambda: {"a": 1})


class Renamed(msgspec.Struct, rename="camel", forbid_unknown_fields=True, omit_defaults=True):
    due_date: int
    is_done: bool = False
    title: str = msgspec.field(name="TITLE", default="")


class Ordered(msgspec.Struct, kw_only=True):
    a: int = 1
    b: int


class Sub(Ordered):
    c: int


class Missing(msgspec.Struct):
    a: int | msgspec.UnsetType = msgspec.UNSET
    b: int | None | msgspec.UnsetType = msgspec.UNSET


class Box(msgspec.Struct, Generic[T]):
    value: T


class Checked(msgspec.Struct):
    a: int

    def __post_init__(self) -> None:
        if self.a < 0:
            raise ValueError("negative")


class Get(msgspec.Struct, tag=True):
    key: str


class Put(msgspec.Struct, tag="put"):
    key: str


class Numbered(msgspec.Struct, tag_field="op", tag=3):
    key: str


class Array(msgspec.Struct, array_like=True):
    a: int


class Lean(msgspec.Struct, array_like=True, omit_defaults=True):
    a: int
    b: int = 1


def test_a_struct_is_made_by_storing_its_fields():
    assert record(Task)["make"] == "fields"
    assert nodes(Task) == {
        "id": ("checked", ("int",), {"ge": 0}),
        "next": ("optional", ("record", 0)),
        "tags": ("list", list, ("str",)),
        "note": ("str",),
        "made": ("dict", dict, ("str",), ("int",)),
    }
    found = fields(Task)
    assert found["id"]["required"]
    assert (found["next"]["required"], found["next"]["default"]) == (False, None)
    assert found["tags"]["factory"]() == []
    assert (found["note"]["key"], found["note"]["default"]) == ("NOTE", "n")
    assert found["made"]["factory"]() == {"a": 1}
    assert all(field["init"] for field in found.values())


def test_its_own_configuration_counts():
    found = fields(Renamed)
    assert [field["key"] for field in found.values()] == ["dueDate", "isDone", "TITLE"]
    assert [field["read"] for field in found.values()] == [("dueDate",), ("isDone",), ("TITLE",)]
    assert [field["omit"] for field in found.values()] == [None, "default", "default"]
    assert record(Renamed)["unknown"] == "forbid"


def test_ours_counts_before_it():
    demat.configure(Put, tag="verb")
    try:
        assert record(Put)["tag"] == ("verb", "put")
    finally:
        del Put.__demat__


def test_defaults_belong_to_their_fields():
    found = fields(Sub)
    assert set(found) == {"a", "b", "c"}
    assert found["a"]["default"] == 1
    assert "default" not in found["b"]
    assert found["b"]["required"]


def test_unset_is_a_field_that_is_not_there():
    found = fields(Missing)
    assert nodes(Missing) == {"a": ("int",), "b": ("optional", ("int",))}
    assert (found["a"]["default"], found["a"]["unset"], found["a"]["required"]) == (msgspec.UNSET, msgspec.UNSET, False)


def test_generic_structs():
    assert nodes(Box[int]) == {"value": ("int",)}


def test_post_init():
    assert record(Checked)["post_init"] is Checked.__post_init__


def test_tags():
    assert record(Get)["tag"] == ("type", "Get")
    assert node(Get | Put) == ("union", "type", (("Get", ("record", 0)), ("put", ("record", 1))))
    assert record(Numbered)["tag"] == ("op", 3)


def test_array_like():
    assert record(Array)["array_like"]
    assert "array_like" not in record(Ordered)
    # All items of an array are there, whatever equals its default.
    assert [field["omit"] for field in fields(Lean).values()] == [None, None]
    demat.configure(Array, array_like=False)
    assert "array_like" not in record(Array)
