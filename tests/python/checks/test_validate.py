"""`validate`: what `decode` accepts and refuses, with no objects made."""

import gc
from dataclasses import dataclass, field
from datetime import date, datetime, time, timedelta
from decimal import Decimal
from enum import Enum
from typing import Annotated, Any, Literal
from uuid import UUID

import demat
import formats
import pytest
from demat import Field, json
from hypothesis import given
from hypothesis import strategies as st
from typing_extensions import TypeAliasType

Nested = TypeAliasType("Nested", "list[Nested]")


class Color(Enum):
    RED = "red"
    BLUE = "blue"


@dataclass
class Task:
    id: int
    title: str = ""
    tags: list[str] = field(default_factory=list)
    next: "Task | None" = None


@dataclass
class Wide:
    small: Annotated[int, Field(ge=0, le=9)] = 1
    text: Annotated[str, Field(pattern="^a", max_length=3)] = "a"
    kind: Literal["x", 2] = "x"
    color: Color = Color.RED
    day: date | None = None
    at: datetime | None = None
    price: Decimal | None = None
    id: UUID | None = None
    pair: tuple[int, str] | None = None
    by: dict[int, list[float]] = field(default_factory=dict)
    some: set[int] = field(default_factory=set)
    data: bytes = b""
    any: Any = None


class Strict:
    @dataclass
    class Positive:
        n: int

        def __post_init__(self):
            if self.n < 0:
                raise ValueError("below zero")


TYPES = [
    Task, list[Task], dict[str, Task], Wide, list[Wide], int, float, str, list[int | str], Strict.Positive, Any, None,
]  # fmt: skip


def outcome(call):
    try:
        call()
    except demat.Error as error:
        return type(error), str(error), error.path, error.line, error.column
    return None


LEAVES = st.one_of(
    st.none(), st.booleans(), st.integers(-3, 12), st.floats(allow_nan=False, allow_infinity=False),
    st.sampled_from(["", "a", "abc", "abcd", "x", "red", "2024-02-30", "2024-02-29", "1.50", "2024-01-01T00:00:00Z"]),
    st.sampled_from(["12345678123456781234567812345678", "AAE=", "5"]),
)  # fmt: skip
KEYS = st.sampled_from([
    "id", "title", "tags", "next", "small", "text", "kind", "color", "day", "at", "price", "pair", "by", "some",
    "data", "any", "n", "1",
])  # fmt: skip
VALUES = st.recursive(
    LEAVES, lambda inner: st.one_of(st.lists(inner, max_size=3), st.dictionaries(KEYS, inner, max_size=4)), max_leaves=8
)


@given(VALUES, st.sampled_from(TYPES))
def test_it_agrees_with_decode(value, type_):
    for format in (json, demat.msgpack, demat.cbor, demat.yaml):
        data = format.encode(value)
        expected = outcome(lambda: format.decode(data, type_))  # noqa: B023
        assert outcome(lambda: format.validate(data, type_)) == expected  # noqa: B023


@given(VALUES, st.sampled_from(TYPES), st.data())
def test_it_agrees_of_broken_data(value, type_, draw):
    for format in (json, demat.msgpack):
        data = bytearray(format.encode(value))
        at = draw.draw(st.integers(0, len(data) - 1))
        data[at] = draw.draw(st.sampled_from(b'{}[],:"0a\\ \xff\x91'))
        expected = outcome(lambda: format.decode(data, type_))  # noqa: B023
        assert outcome(lambda: format.validate(data, type_)) == expected  # noqa: B023


@formats.each()
def test_every_format_has_it(module):
    tasks = [Task(1, "a", ["x"]), Task(2)] if formats.is_nested(module) else [demat.define("id: int")(1)]
    type_ = list[type(tasks[0])]
    data = module.encode(tasks) if not formats.facts(module).typed else module.encode(tasks, type=type_)
    assert module.validate(data, type_) is None
    with pytest.raises(demat.Error) as raised:
        module.validate(data[:-1] + b"\xff\xff", type_)
    with pytest.raises(demat.Error) as expected:
        module.decode(data[:-1] + b"\xff\xff", type_)
    assert str(raised.value) == str(expected.value)


@demat.configure(tag="kind", tag_value=1)
@dataclass
class Tagged:
    n: int = 0


CASES = [
    (b'"2024-01-01T00:00:00.123456789Z"', datetime),
    (b'"0000-01-01"', date),
    (b'"10:00:00.123456789"', time),
    (b'"10:00:00"', Annotated[time, Field(tz=True)]),
    (b'"10:00:00"', time),
    (b'"PT0.0000001S"', timedelta),
    (b'"P1000000000D"', timedelta),
    (b'"PT1S"', timedelta),
    (b"1" * 5000, int),
    (b"1" * 5000, Any),
    (b"1" * 40, int),
    (b'{"id":1,"id":"x","id":2}', Task),
    (b'{"id":1,"id":2}', Task),
    (b'[{"id":1,"id":2},{"id":"x","id":2}]', list[Task]),
    (b'{"a":1,"a":"x","a":2}', dict[str, int]),
    (b"[1]", Nested),
    (b"[[],[[]]]", Nested),
    (b'"1.5"', Decimal),
    (b'"x"', Decimal),
    (b"1e400", Decimal),
    (b'{"kind":2,"n":1}', Tagged),
    (b'{"kind":1,"n":1}', Tagged),
    (b"[1,1]", set[int]),
    (b'{"1":1}', dict[int, int]),
    (b'{"x":1}', dict[int, int]),
    (b"[1]", tuple[int, str]),
    (b'[1,"a",2]', tuple[int, str]),
    (b'"AAE"', bytes),
    (b'"AAE="', bytes),
    (b"5", Annotated[int, Field(ge=6)]),
    (b"6", Annotated[int, Field(ge=6)]),
    (b'["ab"]', list[Annotated[str, Field(pattern="^b")]]),
    (b'["ba"]', list[Annotated[str, Field(pattern="^b")]]),
    (b"[[1,2,3]]", list[Annotated[list[int], Field(max_length=2)]]),
]


@pytest.mark.parametrize(("data", "type_"), CASES)
def test_what_only_the_decoder_knows(data, type_):
    expected = outcome(lambda: json.decode(data, type_))
    assert outcome(lambda: json.validate(data, type_)) == expected


@pytest.mark.parametrize("key", ["list", "number", "map"])
def test_keys_of_any_kind(key):
    keys = {"list": (b"\x92\x01\x02", b"\x82\x01\x02"), "number": (b"\x01", b"\x01"), "map": (b"\x80", b"\xa0")}
    for module, head, own in zip((demat.msgpack, demat.cbor), (b"\x81", b"\xa1"), keys[key], strict=True):
        data = head + own + b"\x03"
        for type_ in (Any, dict[Any, int]):
            expected = outcome(lambda: module.decode(data, type_))  # noqa: B023
            assert outcome(lambda: module.validate(data, type_)) == expected  # noqa: B023


def test_times_of_a_format_without_a_type():
    data = b"a = 1979-05-27T00:32:00.123456789Z"
    expected = outcome(lambda: demat.toml.decode(data))
    assert outcome(lambda: demat.toml.validate(data)) == expected


def test_all_errors_of_a_value():
    data = b'[{"id":"x"},{"id":1,"tags":[2]},{"id":3}]'
    with pytest.raises(demat.ValidationError) as raised:
        json.validate(data, list[Task], errors="all")
    assert [error.path for error in raised.value.errors] == ["$[0].id", "$[1].tags[0]"]


def test_options_are_those_of_decode():
    assert json.validate(b'{"id":"1"}', Task, strict=False) is None
    assert json.validate(b'{"id":1,"x":2}', Task) is None
    with pytest.raises(demat.ValidationError, match="x"):
        json.validate(b'{"id":1,"x":2}', Task, unknown="forbid")
    with pytest.raises(demat.LimitError):
        json.validate(b"[[[1]]]", depth=2)
    with pytest.raises(demat.DecodeError, match="again"):
        json.validate(b'{"id":1,"id":2}', Task, repeated_keys="refuse")
    for option in ({"lazy": True}, {"gc": False}, {"no_such": 1}):
        with pytest.raises(TypeError):
            json.validate(b"1", int, **option)


def test_no_object_is_made():
    data = json.encode([Task(id, "t", ["x"] * 3) for id in range(20_000)])
    json.validate(data, list[Task])
    gc.collect()
    counts = []
    gc.callbacks.append(lambda phase, info: counts.append(phase))
    try:
        json.validate(data, list[Task])
    finally:
        gc.callbacks.pop()
    assert counts == []
