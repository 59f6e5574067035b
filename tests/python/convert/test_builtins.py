"""`demat.to_builtins` in one pass beside the way that records all parts, which any option takes."""

import gc
import sys
from dataclasses import dataclass, field
from datetime import UTC, date, datetime, time, timedelta, timezone
from decimal import Decimal
from enum import Enum, IntEnum
from typing import Annotated, Any, Literal, NamedTuple, TypedDict
from uuid import UUID
from zoneinfo import ZoneInfo

import attrs
import demat
import pytest
from demat import Field
from hypothesis import given
from hypothesis import strategies as st


class Colour(Enum):
    RED = "red"
    BLUE = 2


class Level(IntEnum):
    LOW = 1


class Pair(NamedTuple):
    left: int
    right: Any


class Named(TypedDict, total=False):
    name: str
    extra: Any


@dataclass
class Plain:
    number: Any
    text: str = "none"
    many: list[Any] = field(default_factory=list)


@dataclass(slots=True)
class Slotted:
    value: Any
    by_name: dict[str, Any] = field(default_factory=dict)
    inner: "Slotted | Plain | None" = None


@attrs.define
class Attrs:
    here: Any
    there: Annotated[Any, Field(name="the-re")] = None


@dataclass
class Cat:
    kind: Literal["cat"]
    lives: int


@dataclass(slots=True)
class Dog:
    kind: Literal["dog"]
    friends: "list[Annotated[Cat | Dog, Field(tag='kind')]]"


class Child(Plain):
    pass


SCALARS = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(),
    st.integers(min_value=2**600, max_value=2**601),
    st.floats(),
    st.text(),
    st.binary(max_size=5),
    st.dates(),
    st.times(),
    st.times(timezones=st.just(UTC)),
    st.datetimes(),
    st.datetimes(timezones=st.sampled_from([UTC, timezone(timedelta(hours=2)), ZoneInfo("Europe/Berlin")])),
    st.timedeltas(),
    st.decimals(),
    st.uuids(),
    st.sampled_from([Colour.RED, Colour.BLUE, Level.LOW, bytearray(b"x"), memoryview(b"xy"), "\ud800", float("nan")]),
)
KEYS = st.one_of(st.text(), st.integers(), st.none(), st.booleans(), st.floats(allow_nan=False), st.just(Level.LOW))


def containers(inner: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    lists = st.lists(inner, max_size=4)
    return st.one_of(
        lists,
        lists.map(tuple),
        st.dictionaries(st.text(), inner, max_size=4),
        st.dictionaries(KEYS, inner, max_size=3),
        st.builds(Plain, inner, st.text(), lists),
        st.builds(Child, inner),
        st.builds(Slotted, inner, st.dictionaries(st.text(), inner, max_size=2)),
        st.builds(Slotted, inner, inner=st.builds(Plain, inner)),
        st.builds(Attrs, inner, inner),
        st.builds(Pair, st.integers(), inner),
        st.fixed_dictionaries({"name": st.text(), "extra": inner}),
        inner.map(lambda value: vars_read(Plain(value))),
    )


VALUES = st.one_of(st.recursive(SCALARS, containers, max_leaves=10), st.frozensets(st.integers(), max_size=1))


def vars_read(value: Any) -> Any:
    """The same object, whose `__dict__` exists from now on."""
    assert vars(value)
    return value


def typed(value: Any) -> Any:
    """A value with its class, and so with all in it."""
    if isinstance(value, dict):
        return [("dict", [(typed(key), typed(item)) for key, item in value.items()])]
    if isinstance(value, list):
        return ["list", *map(typed, value)]
    if isinstance(value, datetime):
        return ("datetime", value.isoformat(), value.fold)
    return (type(value), repr(value))


def outcome(value: Any, **options: Any) -> Any:
    try:
        return typed(demat.to_builtins(value, **options))
    except demat.Error as error:
        return str(error)


@given(VALUES)
def test_the_quick_way_gives_the_same(value: Any):
    # The first call describes the classes, the second one finds them described.
    slow = outcome(value, sort_sets=True)
    assert outcome(value) == slow
    assert outcome(value) == slow


def test_what_stays_what_it_is_is_the_same_object():
    number, text, day, price = 2**70, "é" * 30, date(2024, 2, 29), Decimal("1.50")
    for value in (number, text, day, price, UUID(int=7), 1.5, b"bytes", timedelta(1), datetime(2024, 1, 1), time(1)):
        made = demat.to_builtins([Plain(value), {"x": value}])
        assert made[0]["number"] is value
        assert made[1]["x"] is value


def test_variants_have_their_tags():
    dog = Dog("dog", [Cat("cat", 9), Dog("dog", [])])
    expected = {"kind": "dog", "friends": [{"kind": "cat", "lives": 9}, {"kind": "dog", "friends": []}]}
    for _ in range(2):
        assert demat.to_builtins(dog) == expected
    assert demat.convert(expected, Dog) == dog


def test_objects_of_a_class_become_those_of_another():
    @dataclass
    class Narrow:
        number: int

    for value in ([Plain(1), Plain(2)], (Slotted(1),)):
        wanted = [Narrow(1), Narrow(2)] if isinstance(value, list) else [Other(1)]
        made = demat.convert(value, list[Narrow] if isinstance(value, list) else list[Other])
        assert made == wanted
    with pytest.raises(demat.ValidationError, match=r"expected `int`, found `str` \"x\" at `\$\[1\]\.number`"):
        demat.convert([Plain(1), Plain("x")], list[Narrow])


@dataclass
class Other:
    value: int


def test_the_collector_sees_dicts_with_containers():
    made = demat.to_builtins(Plain(1, many=[1]))
    assert gc.is_tracked(made)
    made["many"].append(made)
    references = sys.getrefcount(made)
    assert references == sys.getrefcount(made)
    alone = demat.to_builtins(Cat("cat", 9))
    alone["self"] = alone
    assert gc.is_tracked(alone)


def test_results_are_independent():
    plain = Plain({"a": [1]})
    first, second = demat.to_builtins(plain), demat.to_builtins(plain)
    first["number"]["a"].append(2)
    first["text"] = "other"
    del first["many"]
    assert second == {"number": {"a": [1]}, "text": "none", "many": []}
    assert plain.number == {"a": [1]}
    assert demat.to_builtins(plain) == second


def test_attributes_that_are_missing_are_errors_in_both_ways():
    plain, slotted = Plain(1), Slotted(1)
    assert demat.to_builtins([plain, slotted])
    del plain.number, slotted.value
    for value in (plain, slotted, [plain], {"x": slotted}):
        messages = []
        for options in ({}, {"sort_sets": True}):
            with pytest.raises((demat.EncodeError, AttributeError)) as caught:
                demat.to_builtins(value, **options)
            messages.append(str(caught.value))
        assert messages[0] == messages[1]
    del plain.text
    plain.number = 2
    assert demat.to_builtins(plain) == {"number": 2, "text": "none", "many": []}


def test_a_class_that_changes_is_looked_at_again():
    @dataclass
    class Changing:
        value: int

    instance = Changing(1)
    assert demat.to_builtins(instance) == {"value": 1}
    Changing.value = property(lambda self: 5)  # type: ignore[assignment]
    assert demat.to_builtins(instance) == {"value": 5}
    assert demat.to_builtins([instance]) == [{"value": 5}]


def test_hooks_are_asked():
    class Metres:
        def __init__(self, value: int) -> None:
            self.value = value

    @dataclass
    class Trip:
        length: Metres

    demat.hook(Metres, encode=lambda metres: metres.value)
    assert demat.to_builtins([Trip(Metres(3))]) == [{"length": 3}]
    assert demat.to_builtins([Trip(Metres(3)), Metres(4)]) == [{"length": 3}, 4]
    hooks = {date: demat.Hook(encode=lambda day: day.year)}
    assert demat.to_builtins([date(2024, 1, 1)], hooks=hooks) == [2024]


def test_nesting_has_the_same_limit():
    value: Any = 1
    for _ in range(1024):
        value = [value]
    assert demat.json.encode(demat.to_builtins(value)) == demat.json.encode(value)
    with pytest.raises(demat.LimitError) as quick:
        demat.to_builtins([value])
    with pytest.raises(demat.LimitError) as slow:
        demat.to_builtins([value], sort_sets=True)
    assert str(quick.value) == str(slow.value)
    cycle: list[Any] = []
    cycle.append(cycle)
    with pytest.raises(demat.LimitError):
        demat.to_builtins(cycle)
