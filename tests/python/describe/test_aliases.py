"""Other names for types: NewType, TypeAlias, and `type X = ...`."""

import sys
from dataclasses import dataclass
from typing import Annotated, NewType, TypeAlias, TypeVar

import pytest
import typing_extensions as te
from asked import fields, node, nodes
from demat import Field, Hook
from demat._describe import describe

T = TypeVar("T")

UserId = NewType("UserId", int)
Positive = NewType("Positive", Annotated[int, Field(gt=0)])  # type: ignore[valid-newtype]
Plain: TypeAlias = list[int]
Text: TypeAlias = "list[str]"

Ident = te.TypeAliasType("Ident", Annotated[int, Field(ge=1, name="ID")])
Json = te.TypeAliasType("Json", "None | bool | float | str | list[Json] | dict[str, Json]")
Many = te.TypeAliasType("Many", list[T] | T, type_params=(T,))
Nested = te.TypeAliasType("Nested", "list[Nested[T]] | T", type_params=(T,))
Endless = te.TypeAliasType("Endless", "list[Endless[list[T]]] | T", type_params=(T,))
Itself = te.TypeAliasType("Itself", "Itself | None")
Ring = te.TypeAliasType("Ring", "Gnir | int")
Gnir = te.TypeAliasType("Gnir", "Ring | str")


def test_new_types_and_plain_aliases_are_what_they_stand_for():
    assert node(UserId) == ("int",)
    assert node(Positive) == ("checked", ("int",), {"gt": 0})
    assert node(Annotated[Positive, Field(gt=5, le=9)]) == ("checked", ("int",), {"gt": 5, "le": 9})
    assert node(Plain) == ("list", list, ("int",))
    assert node(Text) == ("list", list, ("str",))


def test_a_hook_for_a_new_type_is_for_no_other_int():
    hook = Hook(wire=str, decode=int, encode=str)
    assert node(list[UserId], hooks={UserId: hook}) == ("list", list, ("hook", ("str",), object, int, str, ("str",)))
    assert node(int, hooks={UserId: hook}) == ("int",)


@dataclass
class Task:
    id: Ident
    other: "Ident"
    many: Many[int]


def test_what_an_alias_says_about_a_field_counts_for_it():
    @dataclass
    class One:
        id: Ident
        text: "Annotated[Ident, Field(name='other', le=7)]"

    assert {name: (field["key"], field["node"]) for name, field in fields(One).items()} == {
        "id": ("ID", ("checked", ("int",), {"ge": 1})),
        "text": ("other", ("checked", ("int",), {"ge": 1, "le": 7})),
    }


def test_a_name_means_nothing_where_there_is_no_field():
    with pytest.raises(TypeError, match="`name` says something about a field"):
        node(list[Ident])


def test_two_fields_of_one_alias_still_clash():
    with pytest.raises(TypeError, match="the fields `id` and `other` are both read as `ID`"):
        nodes(Task)


def test_aliases_with_parameters():
    assert node(Many[str]) == ("union", None, ((None, ("list", list, ("str",))), (None, ("str",))))


def test_recursive_aliases_are_named_nodes():
    root, records = describe(Json)
    assert root == ("named", 0)
    assert records[0]["name"] == "Json"
    assert records[0]["node"][1][2][-1] == (None, ("dict", dict, ("str",), ("named", 0)))
    assert describe(tuple[Json, Json])[0] == ("tuple", (("named", 0), ("named", 0)))


def test_recursive_aliases_with_parameters():
    root, records = describe(tuple[Nested[int], Nested[str], Nested[int]])
    assert root == ("tuple", (("named", 0), ("named", 1), ("named", 0)))
    assert records[1]["node"] == ("union", None, ((None, ("list", list, ("named", 1))), (None, ("str",))))


def test_aliases_without_end_or_ground_are_refused():
    with pytest.raises(TypeError, match="without end"):
        node(Endless[int])
    for alias in (Itself, Ring):
        with pytest.raises(TypeError, match="it is an alias of itself"):
            node(alias)


@dataclass
class Folder:
    entries: "Entries"


Entries = te.TypeAliasType("Entries", "list[Folder | Entries]")


def test_recursion_through_a_class_and_an_alias():
    root, records = describe(Entries)
    (_, folder), (_, entries) = records[root[1]]["node"][2][2]
    assert entries == root
    assert records[folder[1]]["cls"] is Folder


@pytest.mark.skipif(sys.version_info < (3, 12), reason="the syntax came with Python 3.12")
def test_the_type_statement():
    module = sys.modules["statement"] = type(sys)("statement")
    found = vars(module)
    source = """
from dataclasses import dataclass
type Json = None | int | list[Json]
type Pair[A, B] = tuple[A, B]
@dataclass
class Box[T: int]:
    value: T
    pair: Pair[T, str]
    json: Json
    more: "Box[T] | None"
"""
    try:
        exec(source, found)
        root, records = describe(found["Box"][bool])
        assert records[root[1]]["name"] == "Box[bool]"
        assert nodes(found["Box"]) == {
            "value": ("int",),
            "pair": ("tuple", (("int",), ("str",))),
            "json": ("named", 1),
            "more": ("optional", ("record", 0)),
        }
        assert nodes(found["Box"][bool])["pair"] == ("tuple", (("bool",), ("str",)))
    finally:
        del sys.modules["statement"]
