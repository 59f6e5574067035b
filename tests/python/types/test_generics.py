"""Generics, recursive types, aliases and forward references."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Annotated, Any, Generic, NamedTuple, NewType, Optional, TypeVar, Union

import demat
import pytest
from demat import Field, csv, json, ndjson
from typing_extensions import TypeAliasType, TypedDict

T = TypeVar("T")
K = TypeVar("K")
V = TypeVar("V")
Number = TypeVar("Number", int, float)
Bounded = TypeVar("Bounded", bound="Node")

Ids = list[int]
Positive = Annotated[int, Field(gt=0)]
UserId = NewType("UserId", int)
Json = TypeAliasType("Json", Union[None, bool, int, float, str, "list[Json]", "dict[str, Json]"])
Pairs = TypeAliasType("Pairs", "dict[K, list[V]]", type_params=(K, V))


@dataclass
class Page(Generic[T]):
    items: list[T]
    next: Page[T] | None = None


@dataclass(slots=True)
class Pair(Generic[K, V]):
    key: K
    value: V


@dataclass
class Ages(Pair[str, int]):
    unit: str = "years"


@dataclass
class Node:
    name: str
    children: list[Node] = field(default_factory=list)
    parent: Optional["Node"] = None  # noqa: UP037, UP045


@dataclass(slots=True)
class Link:
    next: Link | None


class Tree(TypedDict, total=False):
    left: Tree
    right: Tree


class Chain(NamedTuple):
    value: int
    rest: Chain | None = None


@dataclass
class One:
    other: Other | None


@dataclass
class Other:
    one: One | None


TAKEN = [
    (Page[int], '{"items":[1,2],"next":{"items":[3],"next":null}}', Page([1, 2], Page([3]))),
    (Page[Page[str]], '{"items":[{"items":["a"],"next":null}],"next":null}', Page([Page(["a"])])),
    (Page[Positive], '{"items":[1],"next":null}', Page([1])),
    (Pair[str, list[int]], '{"key":"a","value":[1]}', Pair("a", [1])),
    (list[Pair[int, Pair[str, bool]]], '[{"key":1,"value":{"key":"a","value":true}}]', [Pair(1, Pair("a", True))]),
    (Ages, '{"key":"a","value":1,"unit":"days"}', Ages("a", 1, "days")),
    (Node, '{"name":"a","children":[{"name":"b","children":[],"parent":null}],"parent":null}', Node("a", [Node("b")])),
    (Link, '{"next":{"next":null}}', Link(Link(None))),
    (Tree, '{"left":{"right":{}}}', {"left": {"right": {}}}),
    (Chain, "[1,[2,null]]", Chain(1, Chain(2))),
    (One, '{"other":{"one":{"other":null}}}', One(Other(One(None)))),
    (Ids, "[1]", [1]),
    (dict[UserId, UserId], '{"1":2}', {1: 2}),
    (Json, '[null,true,1,1.5,"a",[],{"a":[{}]}]', [None, True, 1, 1.5, "a", [], {"a": [{}]}]),
    (Pairs[str, int], '{"a":[1]}', {"a": [1]}),
    (list[Json], '[{"a":1}]', [{"a": 1}]),
]


@pytest.mark.parametrize(("tp", "text", "value"), TAKEN)
def test_taken(tp, text, value):
    assert json.decode(text, tp) == value
    assert json.encode(value) == json.encode(value, type=tp) == text.encode()
    assert ndjson.decode(text + "\n" + text, list[tp]) == [value, value]


@pytest.mark.parametrize(
    ("tp", "text", "message"),
    [
        (Page[int], '{"items":["a"]}', 'expected `int`, found `str` "a" at `$.items[0]` (line 1, column 11)'),
        (Page[int], "[]", "expected `Page[int]`, found `list` (line 1, column 1)"),
        (Pair[str, int], '{"key":1,"value":1}', "expected `str`, found `int` 1 at `$.key` (line 1, column 8)"),
        (Page[Positive], '{"items":[0]}', "expected a value > 0, found `0` at `$.items[0]` (line 1, column 11)"),
        (
            Node,
            '{"name":"a","children":[{"name":1}]}',
            "expected `str`, found `int` 1 at `$.children[0].name` (line 1, column 33)",
        ),
        (Chain, "[1,[2,[null]]]", "expected `int`, found `None` at `$[1][1][0]` (line 1, column 8)"),
    ],
)
def test_refused(tp, text, message):
    with pytest.raises(demat.ValidationError) as raised:
        json.decode(text, tp)
    assert str(raised.value) == message


def test_each_argument_has_its_own_plan():
    assert json.decode('{"items":[1]}', Page[int]).items == [1]
    assert json.decode('{"items":["1"]}', Page[str]).items == ["1"]
    assert json.decode('{"items":[[1]]}', Page[Any]).items == [[1]]
    assert json.decode('{"items":[1.5,"x"]}', Page).items == [1.5, "x"]
    with pytest.raises(demat.ValidationError):
        json.decode('{"items":[1]}', Page[str])


def test_the_order_of_a_union_is_its_own():
    for _ in range(2):
        assert json.decode('["1"]', list[str | Positive]) == ["1"]
        assert json.decode("[1]", list[float | int]) == [1]
        assert csv.decode("a\n1\n", list[dict[str, str | int]]) == [{"a": "1"}]
        assert csv.decode("a\n1\n", list[dict[str, int | str]]) == [{"a": 1}]
        assert csv.decode("a\n1\n", list[dict[str, int | str]]) == [{"a": 1}]
        assert csv.decode("a\n1\n", list[dict[str, str | int]]) == [{"a": "1"}]


def test_an_aliased_json_refuses_what_is_none():
    with pytest.raises(demat.EncodeError):
        json.encode([object()], type=Json)


def test_deep_recursion_of_types():
    depth = 1000
    text = '{"next":' * depth + "null" + "}" * depth
    found = json.decode(text, Link)
    for _ in range(depth - 1):
        found = found.next
    assert found == Link(None)
    text = "[1," * depth + "null" + "]" * depth
    assert json.encode(json.decode(text, Chain)) == text.encode()


def test_a_class_of_a_function_with_forward_references():
    @dataclass
    class Inner:
        a: int
        more: list[Inner]

    assert json.decode('{"a":1,"more":[{"a":2,"more":[]}]}', Inner) == Inner(1, [Inner(2, [])])
