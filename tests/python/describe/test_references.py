"""References by name: forward, recursive, and to classes that were defined within functions."""

# What is tested is each way that a type can be written in.
# ruff: noqa: UP006, UP007, UP045

import typing
from dataclasses import dataclass
from typing import Annotated, ForwardRef, NamedTuple, Optional, TypedDict, Union

import pytest
from asked import node, nodes
from demat import Field
from demat._describe import describe

Json = Union[None, bool, int, float, str, list["Json"], dict[str, "Json"]]
Chain = Optional[list["Chain"]]


@dataclass
class Tree:
    left: "Tree | None"
    right: Optional["Tree"]
    kids: "list[Tree]"
    leaves: list["Leaf"]
    note: "Annotated[str, Field(name='n', max_length=3)]" = ""


@dataclass
class Leaf:
    home: Tree | None


def test_recursion_goes_by_index():
    root, (tree, leaf) = describe(Tree)
    assert root == ("record", 0)
    assert [field["node"] for field in tree["fields"]] == [
        ("optional", ("record", 0)),
        ("optional", ("record", 0)),
        ("list", list, ("record", 0)),
        ("list", list, ("record", 1)),
        ("checked", ("str",), {"max_length": 3}),
    ]
    assert tree["fields"][4]["key"] == "n"
    assert leaf["fields"][0]["node"] == ("optional", ("record", 0))


@dataclass
class Holder:
    value: Json
    chain: Chain = None


def test_an_alias_that_refers_to_itself_is_a_named_node():
    root, records = describe(Holder)
    value, chain = (field["node"] for field in records[root[1]]["fields"])
    # The alias has no name where it stands itself: only what it refers to itself by has.
    lists, dicts = value[1][2][-2:]
    json = ("named", lists[1][2][1])
    assert (lists, dicts) == ((None, ("list", list, json)), (None, ("dict", dict, ("str",), json)))
    assert records[json[1]] == {"name": "Json", "node": value}
    assert chain == ("optional", ("list", list, ("named", chain[1][2][1])))
    assert records[chain[1][2][1]] == {"name": "Chain", "node": chain}


class Pair(NamedTuple):
    left: "Pair | None"
    right: "int"


class Movie(TypedDict):
    sequel: "Movie | None"
    year: "int"


def test_named_tuples_and_typed_dicts_refer_by_name():
    assert nodes(Pair) == {"left": ("optional", ("record", 0)), "right": ("int",)}
    assert nodes(Movie) == {"sequel": ("optional", ("record", 0)), "year": ("int",)}


@dataclass
class Outer:
    @dataclass
    class Inner:
        x: int

    inner: "Inner"


def test_a_class_within_a_class():
    assert nodes(Outer) == {"inner": ("record", 1)}


@dataclass
class Shadowed:
    # Each annotation means the builtin, though the attribute's default has its name once the class is made.
    int: "int | None" = None
    other: "int" = 3


def test_a_default_does_not_hide_what_an_annotation_means():
    assert nodes(Shadowed) == {"int": ("optional", ("int",)), "other": ("int",)}


def test_classes_of_a_function_that_still_runs():
    @dataclass
    class Local:
        other: "Other"
        own: "Local | None" = None

    @dataclass
    class Other:
        x: int

    assert nodes(Local) == {"other": ("record", 1), "own": ("optional", ("record", 0))}

    def deeper():
        @dataclass
        class Deepest:
            other: "Other"

        return nodes(Deepest)

    assert deeper() == {"other": ("record", 1)}


def made():
    @dataclass
    class Left:
        own: "Left | None"
        gone: "Gone"

    @dataclass
    class Gone:
        pass

    return Left


def test_classes_of_a_function_that_has_returned():
    message = "`Gone` at `Left.gone` can't be described: there is no `Gone` in .* nor in the function .* top level"
    with pytest.raises(TypeError, match=message):
        node(made())


@dataclass
class Typo:
    x: "lits[int]"  # noqa: F821


@dataclass
class NotAType:
    x: "1 +"  # noqa: F722


@dataclass
class Raises:
    x: "int[str]"


@pytest.mark.parametrize(
    ("cls", "message"),
    [
        (
            Typo,
            "at `Typo.x` can't be described: there is no `lits` in module `[a-z.]*test_references`; define it there",
        ),
        (NotAType, "`1 .` at `NotAType.x` can't be described: it is not the text of a type"),
        (Raises, "at `Raises.x` .*evaluating it raised TypeError: .*not subscriptable"),
    ],
)
def test_what_can_not_be_found_is_refused_with_the_place(cls, message):
    with pytest.raises(TypeError, match=message):
        node(cls)


def test_the_text_of_a_type_is_a_type():
    assert node("list[int]") == ("list", list, ("int",))
    assert node(list["int"]) == ("list", list, ("int",))
    assert node(ForwardRef("Leaf", module=__name__))[0] == "record"
    assert node(typing.List["int"]) == ("list", list, ("int",))


@dataclass
class Listing:
    x: "int if {'Leaf', 'Listing', 'len'} <= set(locals()) and len(locals()) > 100 else str"


def test_an_annotation_may_list_the_names_that_it_can_use():
    assert nodes(Listing) == {"x": ("int",)}
