"""Lists, tuples, sets, dicts and what else gives items: in and out."""

import collections
from collections import Counter, OrderedDict, UserDict, UserList, defaultdict, deque
from collections.abc import (
    Collection,
    Iterable,
    Mapping,
    MutableMapping,
    MutableSequence,
    MutableSet,
    Sequence,
)
from collections.abc import Set as AbstractSet
from types import MappingProxyType
from typing import Any

import demat
import pytest
from demat import json
from same import same


class Names(list[str]):
    pass


class Ages(dict[str, int]):
    pass


class Odd(deque):
    pass


TAKEN = [
    (list, '[1,"a",null]', [1, "a", None]),
    (list[int], "[]", []),
    (list[int], "[1,2]", [1, 2]),
    (list[list[int]], "[[],[1]]", [[], [1]]),
    (list[int | None], "[1,null]", [1, None]),
    (Sequence[int], "[1,2]", [1, 2]),
    (MutableSequence[int], "[1,2]", [1, 2]),
    (Iterable[int], "[1,2]", [1, 2]),
    (Collection[int], "[1,2]", [1, 2]),
    (Names, '["a"]', Names(["a"])),
    (tuple, '[1,"a"]', (1, "a")),
    (tuple[int, ...], "[1,2]", (1, 2)),
    (tuple[int, ...], "[]", ()),
    (tuple[int, str], '[1,"a"]', (1, "a")),
    (tuple[()], "[]", ()),
    (set[int], "[1]", {1}),
    (MutableSet[int], "[1]", {1}),
    (AbstractSet[str], '["a"]', {"a"}),
    (frozenset[str], '["a"]', frozenset(["a"])),
    (frozenset[frozenset[int]], "[[1]]", frozenset([frozenset([1])])),
    (deque[int], "[1,2]", deque([1, 2])),
    (dict, '{"a":1,"b":[]}', {"a": 1, "b": []}),
    (dict[str, int], "{}", {}),
    (dict[str, int], '{"a":1,"b":2}', {"a": 1, "b": 2}),
    (dict[str, dict[str, list[int]]], '{"a":{"b":[1]}}', {"a": {"b": [1]}}),
    (Mapping[str, int], '{"a":1}', {"a": 1}),
    (MutableMapping[str, int], '{"a":1}', {"a": 1}),
    (OrderedDict[str, int], '{"b":1,"a":2}', OrderedDict(b=1, a=2)),
    (defaultdict[str, int], '{"b":1}', defaultdict(None, b=1)),
    (defaultdict[str, list[int]], '{"b":[1]}', defaultdict(None, b=[1])),
    (Counter[str], '{"a":3}', Counter(a=3)),
    (Ages, '{"a":3}', Ages(a=3)),
    (Any, '{"a":[1,{"b":[]}]}', {"a": [1, {"b": []}]}),
]


@pytest.mark.parametrize(("tp", "text", "value"), TAKEN)
def test_taken(tp, text, value):
    found = json.decode(text, tp)
    assert (type(found), found) == (type(value), value)
    assert [*found] == [*value]
    assert json.encode(value) == json.encode(value, type=tp) == text.encode()
    assert json.decode(text.replace(",", " ,\n ").replace("[", " [ ").replace("}", " } "), tp) == value


REFUSED = [
    (list[int], "{}", "expected `list`, found `dict` (line 1, column 1)"),
    (list[int], "1", "expected `list`, found `int` 1 (line 1, column 1)"),
    (list[int], "null", "expected `list`, found `None` (line 1, column 1)"),
    (list[int], '[1,"a"]', 'expected `int`, found `str` "a" at `$[1]` (line 1, column 4)'),
    (list[list[int]], "[[],[1,null]]", "expected `int`, found `None` at `$[1][1]` (line 1, column 8)"),
    (tuple[int, ...], "[1,2.5]", "expected `int`, found `float` 2.5 at `$[1]` (line 1, column 4)"),
    (tuple[int, str], "[1]", "expected a `tuple` of 2, found only 1 (line 1, column 3)"),
    (tuple[int, str], "[]", "expected a `tuple` of 2, found only 0 (line 1, column 2)"),
    (tuple[int, str], '[1,"a",2]', "expected a `tuple` of 2, found more items (line 1, column 8)"),
    (tuple[()], "[2]", "expected a `tuple` of 0, found more items (line 1, column 2)"),
    (tuple[int, str], "[1,2]", "expected `str`, found `int` 2 at `$[1]` (line 1, column 4)"),
    (set[int], '["a"]', 'expected `int`, found `str` "a" at `$[0]` (line 1, column 2)'),
    (dict[str, int], "[]", "expected `dict`, found `list` (line 1, column 1)"),
    (dict[str, int], '{"a":1,"b":null}', "expected `int`, found `None` at `$.b` (line 1, column 12)"),
    (dict[str, list[int]], '{"a b":[true]}', 'expected `int`, found `bool` True at `$["a b"][0]` (line 1, column 9)'),
    (deque[int], "[null]", "expected `int`, found `None` at `$[0]` (line 1, column 2)"),
    (Names, "[1]", "expected `str`, found `int` 1 at `$[0]` (line 1, column 2)"),
    (defaultdict[str, int], '{"b":"1"}', 'expected `int`, found `str` "1" at `$.b` (line 1, column 6)'),
]


@pytest.mark.parametrize(("tp", "text", "message"), REFUSED)
def test_refused(tp, text, message):
    with pytest.raises(demat.ValidationError) as raised:
        json.decode(text, tp)
    assert str(raised.value) == message


def test_a_default_dict_comes_without_its_factory():
    found = json.decode('{"a":1}', defaultdict[str, int])
    assert found.default_factory is None
    with pytest.raises(KeyError):
        found["b"]


def test_what_can_not_be_in_a_set_is_refused():
    for tp in (set, set[Any], frozenset[Any], set[list[int] | int]):
        with pytest.raises(demat.ValidationError, match=r"unhashable type: 'list' at `\$\[1\]`") as raised:
            json.decode("[1, []]", tp)
        assert isinstance(raised.value.__cause__, TypeError)


def test_sets_take_one_of_each():
    assert json.decode("[1,1,2,1]", set[int]) == {1, 2}
    assert json.decode("[1,1.0,true]", set) == {1}
    assert json.decode("[[1],[1]]", set[tuple[int, ...]]) == {(1,)}


def test_long_lists_and_dicts():
    for length in (0, 1, 15, 16, 17, 1000, 70_000):
        numbers = list(range(length))
        data = json.encode(numbers)
        for tp in (list[int], tuple[int, ...], deque[int], Any):
            assert list(json.decode(data, tp)) == numbers
        table = {str(number): number for number in numbers}
        data = json.encode(table)
        assert same(json.decode(data, dict[str, int]), table)
        assert same(json.decode(data), table)
        assert same(json.decode(data, dict[int, int]), {number: number for number in numbers})


WRITTEN = [
    ((1, [2, (3,)]), b"[1,[2,[3]]]"),
    ({5}, b"[5]"),
    (range(3), b"[0,1,2]"),
    ((n for n in range(3)), b"[0,1,2]"),
    (map(str, [1]), b'["1"]'),
    ({"a": 1}.keys(), b'["a"]'),
    ({"a": 1}.values(), b"[1]"),
    (UserList([1, 2]), b"[1,2]"),
    (UserDict(a=1), b'{"a":1}'),
    (MappingProxyType({"a": 1}), b'{"a":1}'),
    (collections.ChainMap({"a": 1}, {"b": 2}), b'{"b":2,"a":1}'),
    (Counter("aab"), b'{"a":2,"b":1}'),
    (Odd([1]), b"[1]"),
    (Names(["a"]), b'["a"]'),
]


@pytest.mark.parametrize(("value", "written"), WRITTEN, ids=lambda value: type(value).__name__)
def test_written(value, written):
    assert json.encode(value) == written


def test_text_is_no_list_and_a_list_no_text():
    with pytest.raises(demat.ValidationError, match="expected `list`, found `str`"):
        json.decode('"ab"', list[str])
    with pytest.raises(demat.ValidationError, match="expected `str`, found `list`"):
        json.decode('["a"]', str)
    with pytest.raises(demat.EncodeError, match="expected `list`, found `str`"):
        json.encode("ab", type=list[str])
