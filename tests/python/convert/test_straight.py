"""Builtins are converted in one pass: it answers as its slower twin does, which records the parts and reads them."""

import gc
import json
import sys
from dataclasses import dataclass, field
from datetime import UTC, date, datetime, time, timedelta
from decimal import Decimal
from enum import Enum, IntEnum
from typing import Annotated, Any, Literal, NotRequired, TypedDict
from uuid import UUID

import demat
import pytest
from demat import Field
from hypothesis import given
from hypothesis import strategies as st


class Colour(Enum):
    RED = "red"
    GREEN = "green"


class Level(IntEnum):
    LOW = 1
    HIGH = 2


class Typed(TypedDict):
    id: int
    note: NotRequired[str]


@dataclass
class Plain:
    id: int
    title: str = "none"
    tags: list[str] = field(default_factory=list)


@dataclass(slots=True)
class Slotted:
    id: int
    ratio: float | None = None
    child: "Slotted | None" = None


@dataclass
class Circle:
    kind: Literal["circle"]
    radius: float


@dataclass
class Square:
    kind: Literal["square"]
    side: Annotated[int, Field(ge=0)]


@dataclass
class Renamed:
    first: Annotated[int, Field(name="1st")]
    second: int = 2


@demat.configure(unknown="forbid")
@dataclass
class Closed:
    id: int


TYPES: list[Any] = [
    Any,
    int,
    float,
    str,
    bool,
    None,
    bytes,
    Decimal,
    datetime,
    date,
    time,
    timedelta,
    UUID,
    Colour,
    Level,
    Literal["a", 1, True] | None,
    Plain,
    Slotted,
    Renamed,
    Closed,
    Typed,
    list[Plain],
    dict[str, Slotted],
    Annotated[Circle | Square, Field(tag="kind")],
    int | str | None,
    list[int] | dict[str, int],
    tuple[int, str],
    tuple[float, ...],
    set[int],
    frozenset[str],
    dict[int, str],
    dict[str, Any],
    Annotated[list[Annotated[int, Field(le=3)]], Field(max_length=2)],
]

NAMES = ["id", "title", "tags", "ratio", "child", "kind", "radius", "side", "1st", "second", "note", "ü"]
KEYS = st.sampled_from(NAMES)
SCALARS = (
    st.none()
    | st.booleans()
    | st.integers(-3, 3)
    | st.integers()
    | st.floats()
    | st.sampled_from(["circle", "square", "red", "a", "12", "\ud800", "ü", "\U0001f600"])
    | st.sampled_from(["2024-02-29", "2024-02-29T01:02:03Z", "2024-02-29T01:02:03", "12:30:00", "PT5S", "1.50"])
    | st.sampled_from([str(UUID(int=7)), UUID(int=7), Decimal("1.50"), b"\x00", bytearray(b"x"), Colour.RED, Level.LOW])
    | st.sampled_from([date(2024, 2, 29), datetime(2024, 2, 29, 1), datetime(1, 1, 1, tzinfo=UTC), time(1)])
    | st.sampled_from([datetime(2024, 1, 1, fold=1), timedelta(days=-1, microseconds=3), 2**64, object, 1j])
)
VALUES = st.recursive(
    SCALARS,
    lambda inner: (
        st.lists(inner, max_size=4)
        | st.tuples(inner, inner)
        | st.dictionaries(KEYS | st.integers(0, 3), inner, max_size=6)
        | st.sets(st.integers(0, 3), max_size=3)
    ),
    max_leaves=12,
)
SHAPED = st.fixed_dictionaries(
    {},
    optional={
        "title": st.just("t"),
        "id": st.integers(0, 3),
        "tags": st.lists(st.just("x"), max_size=2),
        "ratio": st.floats(allow_nan=False) | st.integers(0, 3),
        "kind": st.sampled_from(["circle", "square"]),
        "radius": st.floats(allow_nan=False),
        "side": st.integers(-1, 3),
        "1st": st.integers(0, 3),
        "note": st.just("n"),
    },
)


def answer(value: Any, wanted: Any, **options: Any) -> tuple[str, str]:
    """What a conversion gives or raises, with the classes of all parts."""
    try:
        converted = demat.convert(value, wanted, **options)
    except (demat.ValidationError, demat.EncodeError, demat.LimitError) as error:
        return type(error).__name__, str(error)
    return "", repr(converted)


def twins(value: Any, wanted: Any) -> None:
    # With a table of hooks, even an empty one, the slower way is taken.
    assert answer(value, wanted) == answer(value, wanted, hooks={})


@given(VALUES, st.sampled_from(TYPES))
def test_it_answers_as_its_twin(value: Any, wanted: Any):
    twins(value, wanted)


@given(SHAPED | st.lists(SHAPED, max_size=4) | st.dictionaries(KEYS, SHAPED, max_size=3), st.sampled_from(TYPES))
def test_it_answers_as_its_twin_where_much_fits(value: Any, wanted: Any):
    twins(value, wanted)
    twins(json.loads(json.dumps(value)), wanted)


def test_each_order_of_keys_and_unknown_ones():
    entries = {"id": 1, "x": None, "title": "t", "y": [1], "tags": ["a"], "z": "z"}
    names = list(entries)
    orders = [names[at:] + names[:at] for at in range(len(names))] + [names[::-1]]
    values = [{name: entries[name] for name in order[:count]} for order in orders for count in range(1, 7)]
    values = [value for value in values if "id" in value] * 2
    twins(values, list[Plain])
    without = [{name: value for name, value in one.items() if name != "y"} for one in values]
    twins(without, list[Plain])
    assert demat.convert(without, list[Plain])[-1] == Plain(1, "t", ["a"])
    assert answer([{"id": 1, "x": object()}], list[Plain])[0] == "EncodeError"


def test_containers_are_new_and_values_are_shared():
    long = "long " * 100
    value = {"list": [long], "dict": {"key": (long,)}}
    for wanted in (Any, dict[str, Any]):
        converted = demat.convert(value, wanted)
        assert converted == {"list": [long], "dict": {"key": [long]}}
        assert converted is not value
        assert converted["list"] is not value["list"]
        assert converted["list"][0] is long
    numbers = {"a": 1}
    copied = demat.convert(numbers, dict[str, int])
    copied["b"] = 2
    assert numbers == {"a": 1}


def test_nothing_is_kept_when_it_gives_up():
    text = "".join(["un", "shared"])
    before = sys.getrefcount(text)
    for _ in range(100):
        with pytest.raises(demat.ValidationError, match=r"field `id`, found nothing at `\$\[1\]`"):
            demat.convert([{"id": 1, "title": text}, {"title": text}, 5], list[Plain])
        with pytest.raises(demat.ValidationError):
            demat.convert({"a": {"id": 1}, text: {"id": "x"}}, dict[str, Slotted])
    assert sys.getrefcount(text) < before + 10
    assert gc.isenabled()


def test_depth_ends_with_an_error():
    deep: Any = []
    for _ in range(100_000):
        deep = [deep]
    with pytest.raises(demat.LimitError):
        demat.convert(deep, Any)
    chain: Any = None
    for _ in range(100_000):
        chain = {"id": 1, "child": chain}
    with pytest.raises(demat.LimitError):
        demat.convert(chain, Slotted)
    own: list[Any] = []
    own.append(own)
    with pytest.raises(demat.Error):
        demat.convert(own, Any)


def test_a_class_with_a_finalizer_makes_no_spare_instances():
    ended = []

    @dataclass
    class Watched:
        id: int

        def __del__(self) -> None:
            ended.append(self.id)

    made = demat.convert([{"id": 1}, {"id": 2}], list[Watched])
    assert ended == []
    del made
    assert sorted(ended) == [1, 2]


def test_hooks_of_builtin_classes_are_honoured():
    class Late(date):
        pass

    value = {"id": 1, "tags": [Late(2024, 2, 29)]}
    assert answer(value, dict[str, Any]) == answer(value, dict[str, Any], hooks={})
