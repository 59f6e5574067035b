"""TOML compared to `tomllib`: both read the same values from the output of Demat, and from other documents."""

from __future__ import annotations

import math
import tomllib
from dataclasses import dataclass, field
from datetime import UTC, date, datetime, time, timedelta, timezone
from decimal import Decimal
from enum import Enum
from typing import Any
from uuid import UUID

import demat
import pytest
from demat import toml
from hypothesis import given
from hypothesis import strategies as st

OFFSETS = st.integers(-23 * 60, 23 * 60).map(lambda minutes: timezone(timedelta(minutes=minutes)))
SCALARS = st.one_of(
    st.booleans(),
    st.integers(-(2**63), 2**63 - 1),
    st.floats(),
    st.text(),
    st.dates(),
    st.times(),
    st.datetimes(),
    st.datetimes(timezones=OFFSETS),
)
VALUES = st.recursive(
    SCALARS, lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4)
)
DOCUMENTS = st.dictionaries(st.text(), VALUES, max_size=6)


def same(one: Any, two: Any) -> bool:
    """Returns whether both are the same value: NaN equals itself, and signs of zero and offsets matter."""
    if isinstance(one, dict) and isinstance(two, dict):
        return one.keys() == two.keys() and all(same(value, two[key]) for key, value in one.items())
    if isinstance(one, list) and isinstance(two, list):
        return len(one) == len(two) and all(map(same, one, two))
    if isinstance(one, float) and isinstance(two, float):
        return (one == two and math.copysign(1, one) == math.copysign(1, two)) or (math.isnan(one) and math.isnan(two))
    if isinstance(one, datetime) and isinstance(two, datetime):
        return one == two and one.utcoffset() == two.utcoffset()
    return type(one) is type(two) and bool(one == two)


@given(DOCUMENTS)
def test_what_is_written_is_read_the_same(document: dict[str, Any]) -> None:
    text = toml.encode(document)
    assert same(tomllib.loads(text.decode()), document), text
    assert same(toml.decode(text), document), text


PIECES = [
    *(
        "a",
        "b",
        "c.d",
        '"x y"',
        "''",
        " = ",
        "=",
        "\n",
        "[",
        "]",
        "[[",
        "]]",
        "{",
        "}",
        ", ",
        ",",
        "#",
        "'",
        '"',
        "'''",
        '"""',
    ),
    *(
        "1",
        "-2",
        "0x1F",
        "1_0",
        "1.5",
        "1e3",
        "inf",
        "true",
        "2024-01-01",
        "T10:00:00",
        "Z",
        "+01:00",
        "\\n",
        "\\u0041",
        " ",
    ),
]


@given(st.lists(st.sampled_from(PIECES) | st.text(max_size=2), max_size=14).map("".join))
def test_what_tomllib_reads_is_read_the_same(text: str) -> None:
    try:
        wanted = tomllib.loads(text)
    except (tomllib.TOMLDecodeError, ValueError):
        # Version 1.1 has forms that 1.0 refuses.
        try:
            toml.decode(text)
        except demat.DecodeError as error:
            assert error.line is not None
        return
    assert same(toml.decode(text), wanted), text


class Color(Enum):
    RED = "red"


@dataclass
class Part:
    name: str
    note: str | None
    size: tuple[int, float] = (1, 0.5)


@dataclass
class Everything:
    flag: bool
    number: int
    ratio: float
    text: str
    price: Decimal
    data: bytes
    day: date
    at: time
    local: datetime
    point: datetime
    span: timedelta
    id: UUID
    color: Color
    parts: list[Part]
    by_number: dict[int, Part]
    either: int | str
    maybe: int | None = None
    more: dict[str, Any] = field(default_factory=dict)


def everything() -> Everything:
    return Everything(
        flag=True,
        number=-(2**63),
        ratio=1e300,
        text='it\'s "x"\n',
        price=Decimal("1.10"),
        data=b"\0\xff",
        day=date(2024, 5, 6),
        at=time(7, 8, 9, 250000),
        local=datetime(2024, 5, 6, 7, 8, 9),
        point=datetime(2024, 5, 6, 7, 8, 9, tzinfo=UTC),
        span=timedelta(minutes=1),
        id=UUID(int=1),
        color=Color.RED,
        parts=[Part("a", None), Part("b", "x", (2, 2.0))],
        by_number={1: Part("c", None)},
        either="1",
        more={"deep": {"list": [1, {"a": []}]}},
    )


def test_every_type_comes_back() -> None:
    value = everything()
    text = toml.encode(value)
    assert toml.decode(text, Everything) == value
    assert tomllib.loads(text.decode())["point"] == value.point


def test_none_is_left_out_of_classes_only() -> None:
    assert toml.decode(b'name = "a"', Part) == Part("a", None)
    for refused in ({"a": None}, {"a": [None]}, [1], 1, None, [{"a": 1}]):
        with pytest.raises(demat.EncodeError, match="TOML"):
            toml.encode(refused)


def test_errors_say_where() -> None:
    with pytest.raises(demat.DecodeError) as caught:
        toml.decode("name = 'a'\nsize = [1, 'x']\n", Part)
    assert (caught.value.path, caught.value.line, caught.value.column) == ("$.size[1]", 2, 12)
    with pytest.raises(demat.DecodeError) as caught:
        toml.decode("a = 1\na = 2\n")
    assert (caught.value.line, caught.value.column) == (2, 1)


def test_records_are_read_from_where_they_are() -> None:
    text = b"[[part]]\nname = 'a'\n[[part]]\nname = 'b'\nnote = 'x'\n"
    assert list(toml.read(text, Part, at="$.part[*]")) == [Part("a", None), Part("b", "x")]


@pytest.mark.parametrize(
    "text", ["a=" + "[" * 10**5, "a=" + "{a=" * 10**5, "[" + "a." * 10**5 + "a]", "a." * 10**5 + "a=1"]
)
def test_depth_is_limited(text: str) -> None:
    with pytest.raises(demat.LimitError):
        toml.decode(text)
