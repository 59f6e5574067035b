"""Lists, sets, tuples and dicts."""

# What is tested is each way that a type can be written in.
# ruff: noqa: UP006

import collections
import collections.abc as abc
import typing
from typing import Any, Generic, TypeVar

import pytest
from asked import node

ANY = ("any",)


@pytest.mark.parametrize(
    ("tp", "cls"),
    [
        (list, list),
        (typing.List, list),
        (set, set),
        (typing.Set, set),
        (frozenset, frozenset),
        (typing.FrozenSet, frozenset),
        (collections.deque, collections.deque),
        (typing.Deque, collections.deque),
        (abc.Sequence, list),
        (typing.Sequence, list),
        (abc.MutableSequence, list),
        (abc.Collection, list),
        (typing.Collection, list),
        (abc.Iterable, list),
        (typing.Iterable, list),
        (abc.Set, set),
        (typing.AbstractSet, set),
        (abc.MutableSet, set),
    ],
)
def test_a_list_is_of_its_class_and_its_items(tp, cls):
    assert node(tp) == ("list", cls, ANY)
    assert node(tp[int]) == ("list", cls, ("int",))


@pytest.mark.parametrize(
    ("tp", "cls"),
    [
        (dict, dict),
        (typing.Dict, dict),
        (abc.Mapping, dict),
        (typing.Mapping, dict),
        (abc.MutableMapping, dict),
        (collections.OrderedDict, collections.OrderedDict),
        (typing.OrderedDict, collections.OrderedDict),
        (collections.defaultdict, collections.defaultdict),
        (typing.DefaultDict, collections.defaultdict),
    ],
)
def test_a_dict_is_of_its_class_its_keys_and_its_values(tp, cls):
    assert node(tp) == ("dict", cls, ANY, ANY)
    assert node(tp[int, str | None]) == ("dict", cls, ("int",), ("optional", ("str",)))


@pytest.mark.parametrize("tp", [collections.Counter, typing.Counter])
def test_a_counter_counts(tp):
    assert node(tp) == ("dict", collections.Counter, ANY, ("int",))
    assert node(tp[str]) == ("dict", collections.Counter, ("str",), ("int",))


@pytest.mark.parametrize(
    ("tp", "expected"),
    [
        (tuple, ("list", tuple, ANY)),
        (typing.Tuple, ("list", tuple, ANY)),
        (tuple[int, ...], ("list", tuple, ("int",))),
        (typing.Tuple[int, ...], ("list", tuple, ("int",))),
        (tuple[()], ("tuple", ())),
        (typing.Tuple[()], ("tuple", ())),
        (tuple[int], ("tuple", (("int",),))),
        (tuple[int, str | None], ("tuple", (("int",), ("optional", ("str",))))),
        (tuple[int, *tuple[str, bool]], ("tuple", (("int",), ("str",), ("bool",)))),
    ],
)
def test_tuples_are_of_any_length_or_of_one(tp, expected):
    assert node(tp) == expected


def test_a_tuple_can_not_vary_in_one_part():
    with pytest.raises(TypeError, match="varies in length"):
        node(tuple[int, *tuple[str, ...]])


T = TypeVar("T")


class Tags(list[str]):
    pass


class Stack(list[T], Generic[T]):
    pass


class Ints(Stack[int]):
    pass


class Index(dict[str, list[T]], Generic[T]):
    pass


class Words(collections.Counter[str]):
    pass


class Path(tuple[int, ...]):
    pass


class Loose(set):
    pass


@pytest.mark.parametrize(
    ("tp", "expected"),
    [
        (Tags, ("list", Tags, ("str",))),
        (Stack, ("list", Stack, ANY)),
        (Stack[bool], ("list", Stack, ("bool",))),
        (Ints, ("list", Ints, ("int",))),
        (Index[bool], ("dict", Index, ("str",), ("list", list, ("bool",)))),
        (Words, ("dict", Words, ("str",), ("int",))),
        (Path, ("list", Path, ("int",))),
        (Loose, ("list", Loose, ANY)),
    ],
)
def test_a_class_that_inherits_from_a_container_is_one(tp, expected):
    assert node(tp) == expected


class Pair(tuple[int, int]):
    pass


def test_a_tuple_of_fixed_length_has_no_class_of_its_own():
    with pytest.raises(TypeError, match="named tuple"):
        node(Pair)


@pytest.mark.parametrize(
    ("tp", "message"),
    [
        (set[list[int]], "`set.list.int..`: `list` has no hash, and can't be in a set"),
        (frozenset[tuple[int, bytearray]], "`bytearray` has no hash, and can't be in a frozenset"),
        (dict[dict[str, int], int], "`dict` has no hash, and can't be the keys of a dict"),
        (list[set[list[int] | dict[str, int]]], "`list` has no hash"),
    ],
)
def test_what_has_no_hash_is_refused_where_one_is_needed(tp, message):
    with pytest.raises(TypeError, match=message):
        node(tp)


def test_a_set_of_anything_is_left_to_the_values():
    assert node(set[Any]) == ("list", set, ANY)
    assert node(set[int | list[int]])[0] == "list"


@pytest.mark.parametrize("tp", [abc.Iterator[int], abc.Generator[int, None, None]])
def test_what_can_be_gone_through_once_is_no_data(tp):
    with pytest.raises(TypeError, match="only once"):
        node(tp)
