"""Unions without tags."""

# What is tested is each way that a type can be written in.
# ruff: noqa: UP007, UP045, PYI030, PYI051

import typing
from typing import Annotated, Any, Literal, Optional, Union

import pytest
from asked import node
from demat import Field


def untagged(*nodes: Any) -> Any:
    return ("union", None, tuple((None, part) for part in nodes))


@pytest.mark.parametrize(
    ("tp", "expected"),
    [
        (int | str, untagged(("int",), ("str",))),
        (Union[str, int], untagged(("str",), ("int",))),
        (int | None, ("optional", ("int",))),
        (None | int, ("optional", ("int",))),
        (Optional[int], ("optional", ("int",))),
        (Optional[int | str], ("optional", untagged(("int",), ("str",)))),
        (Union[int, Annotated[str | None, "x"]], ("optional", untagged(("int",), ("str",)))),
        (Optional[Annotated[Optional[int], "x"]], ("optional", ("int",))),
        (Union[int, Annotated[int, "x"]], ("int",)),
        (Optional[None], ("none",)),
        (Optional[Any], ("any",)),
        (int | Annotated[str | bool, "x"], untagged(("int",), ("str",), ("bool",))),
        (list[int | None], ("list", list, ("optional", ("int",)))),
    ],
)
def test_unions_are_flat_and_none_stands_outside(tp, expected):
    assert node(tp) == expected


def test_literals_of_a_union_are_one_and_true_is_not_1():
    tp = Union[Literal["a", 1], int, Literal[True], Literal["a", "b"]]
    assert node(tp) == untagged(("literal", ("a", 1, True, "b")), ("int",))
    assert [type(value) for value in node(tp)[2][0][1][1]] == [str, int, bool, str]


def test_the_order_is_the_one_written():
    assert node(Union[str, bytes, int, float])[2] == tuple((None, (name,)) for name in ("str", "bytes", "int", "float"))


def test_checks_go_to_the_variants_that_they_mean_something_to():
    tp = Annotated[int | str | None, Field(ge=1, min_length=2)]
    assert node(tp) == (
        "optional",
        untagged(("checked", ("int",), {"ge": 1}), ("checked", ("str",), {"min_length": 2})),
    )


def test_a_union_of_nothing_is_refused():
    with pytest.raises(TypeError, match="says no types"):
        node(typing.Union)
