"""`demat.convert` and `demat.to_builtins`: objects to objects, with no text in between."""

import sqlite3
from collections import namedtuple
from dataclasses import dataclass, field
from datetime import date, datetime, time, timedelta, timezone
from decimal import Decimal
from enum import Enum
from typing import Annotated, Any, NamedTuple, TypedDict
from uuid import UUID

import demat
import pytest
from demat import Field, json
from hypothesis import given
from hypothesis import strategies as st


class Colour(Enum):
    RED = "red"


@dataclass
class Part:
    number: Annotated[int, Field(ge=0)]
    text: str = "none"


@dataclass
class Whole:
    parts: list[Part]
    colour: Colour
    when: datetime
    naive: datetime
    day: date
    clock: time
    span: timedelta
    price: Decimal
    ident: UUID
    data: bytes
    big: int
    by_number: dict[int, str]
    members: set[int]
    anything: Any = None
    child: "Whole | None" = None


def whole(child: Whole | None = None) -> Whole:
    return Whole(
        parts=[Part(1, "é"), Part(2)],
        colour=Colour.RED,
        when=datetime(2024, 2, 29, 1, 2, 3, 4, tzinfo=timezone(timedelta(hours=2))),
        naive=datetime(1, 1, 1),
        day=date(9999, 12, 31),
        clock=time(23, 59, 59, 999999),
        span=timedelta(days=-3, microseconds=5),
        price=Decimal("1.10"),
        ident=UUID(int=5),
        data=b"\x00\xff",
        big=-(2**100),
        by_number={-5: "a", 7: "b"},
        members={1, 2, 3},
        anything={"list": [1, 2.5, None, True, "x"]},
        child=child,
    )


def test_an_object_comes_back_from_builtins_and_from_itself():
    value = whole(whole())
    plain = demat.to_builtins(value)
    assert demat.convert(plain, Whole) == value == demat.convert(value, Whole)
    assert demat.convert(value, Whole).parts is not value.parts
    assert plain["child"]["when"] == value.when
    assert plain["child"]["when"].utcoffset() == timedelta(hours=2)
    assert (plain["colour"], plain["members"], plain["data"]) == ("red", [1, 2, 3], b"\x00\xff")


BUILTINS = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text() | st.binary() | st.dates(),
    lambda inner: st.lists(inner, max_size=5) | st.dictionaries(st.text() | st.integers(), inner, max_size=5),
    max_leaves=30,
)


@given(BUILTINS)
def test_builtins_are_what_they_are(value: Any):
    converted = demat.to_builtins(value)
    assert converted == value
    assert repr(converted) == repr(value)
    assert demat.convert(value, Any) == value


@given(st.dictionaries(st.text(), st.lists(st.integers() | st.text() | st.none()), max_size=4))
def test_it_reads_what_decode_reads(value: dict[str, Any]):
    text = json.encode(value)
    for wanted in (dict[str, list[int]], dict[str, list[str | None]], dict[str, list[int | str | None]]):
        try:
            decoded = json.decode(text, wanted)
        except demat.ValidationError as error:
            with pytest.raises(demat.ValidationError) as converted:
                demat.convert(value, wanted)
            assert converted.value.path == error.path
        else:
            assert demat.convert(value, wanted) == decoded


def test_errors_have_paths_and_the_options_are_those_of_decode():
    with pytest.raises(demat.ValidationError) as caught:
        demat.convert({"number": "1"}, Part)
    assert str(caught.value) == 'expected `int`, found `str` "1" at `$.number`'
    assert demat.convert({"number": "1"}, Part, strict=False) == Part(1)
    with pytest.raises(demat.ValidationError) as caught:
        demat.convert([{"number": -1}, {"number": None, "text": 5}], list[Part], errors="all")
    assert [one.path for one in caught.value.errors] == ["$[0].number", "$[1].number", "$[1].text"]
    with pytest.raises(demat.ValidationError, match="unknown field `more`"):
        demat.convert({"number": 1, "more": 2}, Part, unknown="forbid")
    assert demat.convert({"number": 1, "more": 2}, Part) == Part(1)


def test_what_is_not_honoured_is_refused():
    with pytest.raises(ValueError, match="unknown must be"):
        demat.convert({}, Part, unknown="some")  # type: ignore[call-overload]
    with pytest.raises(TypeError, match="rename"):
        demat.convert({}, Part, rename=5)  # type: ignore[call-overload]
    with pytest.raises(TypeError, match="unexpected keyword"):
        demat.convert({}, Part, lazy=True)  # type: ignore[call-overload]
    with pytest.raises(demat.EncodeError, match=r"can't convert an object of the class `builtins.object`"):
        demat.convert([object()], list[Part])
    with pytest.raises(demat.EncodeError, match="can't encode an object of the class `object`"):
        demat.to_builtins(object())


def test_rows_are_records():
    database = sqlite3.connect(":memory:")
    database.row_factory = sqlite3.Row
    rows = database.execute("select 1 as number, 'a' as text union all select 2, 'b'").fetchall()
    assert demat.convert(rows, list[Part]) == [Part(1, "a"), Part(2, "b")]
    row = namedtuple("row", ["number", "text"])  # noqa: PYI024 - one without annotations
    assert demat.convert(row(1, "a"), Part) == Part(1, "a")
    assert demat.convert([row(1, "a"), {"number": 2}], list[Part]) == [Part(1, "a"), Part(2)]
    assert demat.convert(row(1, "a"), tuple[int, str]) == (1, "a")
    assert demat.convert([row(1, "a")], list[tuple[int, str]]) == [(1, "a")]


def test_columns_of_numpy_and_rows_of_pandas():
    numpy = pytest.importorskip("numpy")
    assert demat.convert(numpy.arange(6).reshape(2, 3), list[list[int]]) == [[0, 1, 2], [3, 4, 5]]
    assert demat.convert({"number": numpy.int32(5)}, Part) == Part(5)
    pandas = pytest.importorskip("pandas")
    frame = pandas.DataFrame({"number": [1, 2], "text": ["a", "b"]})
    assert demat.convert(list(frame.itertuples(index=False)), list[Part]) == [Part(1, "a"), Part(2, "b")]
    assert demat.convert([row for _, row in frame.iterrows()], list[Part]) == [Part(1, "a"), Part(2, "b")]


def test_tuples_with_names_and_typed_dicts():
    class Pair(NamedTuple):
        left: int
        right: str

    class Total(TypedDict):
        number: int
        text: str

    assert demat.convert((1, "a"), Pair) == Pair(1, "a")
    assert demat.convert(Part(1, "a"), Total) == {"number": 1, "text": "a"}


def test_hooks_and_defaults_of_the_call():
    class Celsius:
        def __init__(self, degrees: float):
            self.degrees = degrees

    hooks = {Celsius: demat.Hook(encode=lambda own: own.degrees, decode=lambda degrees: Celsius(degrees), wire=float)}
    assert demat.to_builtins([Celsius(1.5)], hooks=hooks) == [1.5]
    assert demat.convert(2.5, Celsius, hooks=hooks).degrees == 2.5
    assert demat.convert([Celsius(1.5)], list[float], default=lambda own: own.degrees) == [1.5]

    def fails(_: object) -> object:
        raise LookupError("nothing there")

    with pytest.raises(LookupError):
        demat.convert([Celsius(1.5)], list[float], default=fails)


def test_cycles_and_depth_are_limits():
    cycle: list[Any] = []
    cycle.append(cycle)
    with pytest.raises(demat.LimitError):
        demat.convert(cycle, list[Any])
    deep: list[Any] = []
    for _ in range(100_000):
        deep = [deep]
    with pytest.raises(demat.LimitError):
        demat.to_builtins(deep)


def test_a_default_that_changes_its_container_does_no_harm():
    items: list[Any] = [object(), 1, 2]

    def default(_: object) -> object:
        items.clear()
        return 0

    with pytest.raises(demat.EncodeError, match="the list changed while it was encoded"):
        demat.convert(items, list[int], default=default)


@dataclass
class Built:
    number: int
    seen: list[int] = field(default_factory=list)

    def __post_init__(self):
        if self.number < 0:
            raise ValueError("below zero")


def test_code_of_the_class_runs():
    assert demat.convert({"number": 1}, Built) == Built(1)
    with pytest.raises(demat.ValidationError, match="below zero"):
        demat.convert({"number": -1}, Built)
