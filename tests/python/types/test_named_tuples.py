"""Named tuples: lists by position, and objects by name when reading."""

import gc
import sys
from collections import namedtuple
from dataclasses import dataclass
from typing import Generic, NamedTuple, TypeVar

import demat
import formats
import pytest
from demat import configure, csv, json, ndjson, xml

T = TypeVar("T")


class Point(NamedTuple):
    x: int
    y: int = 0
    label: str | None = None


class Pair(NamedTuple, Generic[T]):
    left: T
    right: T


Bare = namedtuple("Bare", "a b", defaults=[2])  # noqa: PYI024


@pytest.mark.parametrize(
    ("tp", "text", "value"),
    [
        (Point, '[1,2,"p"]', Point(1, 2, "p")),
        (Point, "[1,2]", Point(1, 2)),
        (Point, "[1]", Point(1)),
        (Point, '{"x":1,"y":2,"label":"p"}', Point(1, 2, "p")),
        (Point, '{"label":"p","x":1}', Point(1, 0, "p")),
        (Pair[int], "[1,2]", Pair(1, 2)),
        (Bare, '["a",[]]', Bare("a", [])),
        (Bare, '["a"]', Bare("a", 2)),
    ],
)
def test_taken(tp, text, value):
    found = json.decode(text, tp)
    assert (type(found), found) == (type(value), value)
    assert json.decode(json.encode(value), tp) == value


def test_written_as_a_list():
    assert json.encode(Point(1)) == b"[1,0,null]"
    assert json.encode([Point(1)], type=list[Point]) == b"[[1,0,null]]"
    assert ndjson.encode([Point(1)]) == b"[1,0,null]\n"


def test_rows_of_a_table():
    rows = [Point(1, 2, "a"), Point(3)]
    assert csv.encode(rows) == b"x,y,label\n1,2,a\n3,0,\n"
    assert csv.decode(csv.encode(rows), list[Point]) == rows
    assert csv.decode("label,x\na,1\n", list[Point]) == [Point(1, 0, "a")]


@pytest.mark.parametrize(
    ("tp", "text", "message"),
    [
        (Point, "[]", "expected field `x`, found nothing (line 1, column 2)"),
        (Point, '[1,2,"p",3]', "expected a `list` of 3, found more items (line 1, column 10)"),
        (Point, '[1,"2"]', 'expected `int`, found `str` "2" at `$[1]` (line 1, column 4)'),
        (Point, '{"x":1,"y":"2"}', 'expected `int`, found `str` "2" at `$.y` (line 1, column 12)'),
        (Point, '{"y":1}', "expected field `x`, found nothing (line 1, column 7)"),
        (Pair[int], '[1,"a"]', 'expected `int`, found `str` "a" at `$[1]` (line 1, column 4)'),
        (Point, "1", "expected `Point`, found `int` 1 (line 1, column 1)"),
    ],
)
def test_refused(tp, text, message):
    with pytest.raises(demat.ValidationError) as raised:
        json.decode(text, tp)
    assert str(raised.value) == message


@configure(tag="kind")
class Tagged(NamedTuple):
    a: int
    b: int


@configure(tag="kind")
class Other(NamedTuple):
    c: int


def test_one_with_a_tag_is_written_as_an_object():
    assert json.encode(Tagged(1, 2)) == b'{"kind":"Tagged","a":1,"b":2}'
    for tp in (Tagged, Tagged | Other):
        assert json.decode('{"kind":"Tagged","a":1,"b":2}', tp) == Tagged(1, 2)
        assert json.decode(json.encode([Tagged(5, 6)], type=list[tp]), list[Tagged | Other]) == [Tagged(5, 6)]
    # Alone it needs no tag, and a list has no place for one.
    assert json.decode("[1,2]", Tagged) == Tagged(1, 2)


def test_a_constructor_of_its_own_is_called():
    class Sorted(namedtuple("_Sorted", "low high")):  # noqa: PYI024
        __slots__ = ()

        def __new__(cls, low: int, high: int) -> "Sorted":
            return super().__new__(cls, min(low, high), max(low, high))

    assert json.decode('{"low":5,"high":1}', Sorted) == (1, 5)


class Only(NamedTuple):
    value: int


@dataclass
class Holder:
    point: Point
    only: Only
    points: list[Point]
    by_name: dict[str, Point]
    onlies: list[Only]
    two: tuple[Point, Point]
    maybe: Point | None = None


@pytest.mark.parametrize("module", formats.modules(nested=True))
def test_wherever_they_stand(module):
    one, two = Point(1, 2, "p"), Point(3, 4, "q")
    values = [Holder(one, Only(5), [one, two], {"k": two}, [Only(6), Only(7)], (one, two), two)]
    assert module.decode(module.encode(values), list[Holder]) == values
    for named, tp in ([one, two], list[Point]), ([Only(1), Only(2)], list[Only]):
        assert module.decode(module.encode(named, type=tp), tp) == named


def test_markup_with_the_names_of_fields_is_read_by_them():
    text = "<points><point><x>1</x><label>p</label></point><point><item>2</item></point></points>"
    assert xml.decode(text, list[Point]) == [Point(1, 0, "p"), Point(2)]


class Seen:
    def __init__(self, text: str) -> None:
        self.text = text


class Watched(NamedTuple):
    a: int
    b: Seen
    c: int = 3


@pytest.fixture
def found():
    """The tuples of the class that the collector finds while a field is decoded."""
    found: list[list[int]] = []

    def look(text: str) -> Seen:
        gc.collect()
        found.append([len(thing) for thing in gc.get_objects() if type(thing) is Watched])
        if text == "raise":
            raise ValueError("no")
        return Seen(text)

    return found, look


def test_code_sees_no_tuple_before_it_is_complete(found):
    seen, look = found
    hook = demat.Hook(decode=look, wire=str)
    kept = []
    for data in ('[[1,"x"],[2,"y",5]]', '[{"a":1,"b":"x"}]'):
        kept += json.decode(data, list[Watched], hooks={Seen: hook})
    assert [(a, b.text, c) for a, b, c in kept] == [(1, "x", 3), (2, "y", 5), (1, "x", 3)]
    assert all(gc.is_tracked(one) for one in kept)
    with pytest.raises(demat.Error) as caught:
        json.decode('[[1,"raise",2]]', list[Watched], hooks={Seen: hook})
    assert caught.value.path == "$[0][1]"
    # Only whole ones, of which the list that is being filled has none yet, or one.
    assert [set(lengths) for lengths in seen] == [set(), {3}, {3}, {3}]


def test_a_class_with_a_finalizer_sees_whole_tuples_alone():
    finalized = []

    class Final(NamedTuple("Final", [("a", int), ("b", int)])):
        def __del__(self) -> None:
            finalized.append(tuple(self))

    with pytest.raises(demat.Error):
        json.decode('[[1,2],[3,"x"]]', list[Final])
    gc.collect()
    assert finalized == [(1, 2)]


def test_a_subclass_with_attributes():
    class Wide(Point):
        def size(self) -> int:
            return self.x * self.y

    [one] = json.decode("[[2,3]]", list[Wide])
    one.more = 4
    assert (type(one), one, one.size(), one.__dict__) == (Wide, (2, 3, None), 6, {"more": 4})
    before = sys.getrefcount(Wide)
    many = json.decode("[[1,2],[3,4]]", list[Wide])
    assert sys.getrefcount(Wide) == before + 2
    del many
    assert sys.getrefcount(Wide) == before


def test_refused_items_release_what_came_before():
    class Part:
        alive = 0

        def __init__(self, number: int) -> None:
            Part.alive += 1

        def __del__(self) -> None:
            Part.alive -= 1

    class Parts(NamedTuple):
        one: Part
        other: Part

    hook = demat.Hook(decode=Part, wire=int)
    for data in ('[[1,"x"]]', "[[1,2,3]]", "[[1]]", "[[1,2"):
        with pytest.raises(demat.Error):
            json.decode(data, list[Parts], hooks={Part: hook})
        assert Part.alive == 0
