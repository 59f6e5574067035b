"""Unions of scalars are read by the kind of the value alone: as by the slower way, which tries the types."""

from __future__ import annotations

import enum
import math
from dataclasses import dataclass
from typing import Annotated, Any, Literal

import demat
import pytest
from demat import Field, cbor, json, msgpack, yaml
from hypothesis import given
from hypothesis import strategies as st
from same import same

FORMATS = [json, msgpack, cbor, yaml]
# A condition that always holds leads to the slower way.
SLOW = (
    Annotated[int, Field(ge=-(10**60))]
    | Annotated[str, Field(min_length=0)]
    | Annotated[float, Field(ge=-math.inf)]
    | Literal[True, False]
    | None
)
FLOATS = st.floats(allow_nan=False, allow_infinity=False)
SCALARS = st.one_of(st.integers(-(2**63), 2**64 - 1), st.text(max_size=20), st.booleans(), st.none(), FLOATS)


@pytest.mark.parametrize("format", FORMATS, ids=lambda format: format.__name__)
@given(values=st.lists(SCALARS, max_size=20))
def test_each_value_as_by_the_slower_way(format: Any, values: list[Any]) -> None:
    data = format.encode(values)
    for options in ({}, {"strict": False}, {"errors": "all"}):
        found = format.decode(data, list[int | str | float | bool | None], **options)
        assert same(found, values)
        assert same(found, format.decode(data, list[SLOW], **options))


class Level(enum.IntEnum):
    LOW = 1


class Mode(enum.Enum):
    A = "a"


@dataclass
class Point:
    x: int


@pytest.mark.parametrize("format", FORMATS, ids=lambda format: format.__name__)
def test_types_before_the_scalar_still_come_first(format: Any) -> None:
    values = [1, 2, "a", "b", None, [1], {"x": 1}, 1.5]
    data = format.encode(values)
    read = format.decode(data, list[Level | int | Mode | str | list[int] | Point | float | None])
    assert read == [Level.LOW, 2, Mode.A, "b", None, [1], Point(1), 1.5]
    assert [type(value) for value in read[:4]] == [Level, int, Mode, str]
    read = format.decode(data, list[int | str | Level | Mode | list[int] | Point | float | None])
    assert [type(value) for value in read[:4]] == [int, int, str, str]


def test_other_kinds_go_the_slower_way() -> None:
    assert same(json.decode("[1, 1.0, 1e2]", list[float | str]), [1.0, 1.0, 100.0])
    assert same(json.decode("[1, 1.0]", list[float | int]), [1, 1.0])
    assert json.decode('["a", [1], {"b": "c"}]', list[str | list[int] | dict[str, str]]) == ["a", [1], {"b": "c"}]
    assert json.decode("[null, 3]", list[int | str | None]) == [None, 3]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("[1, true]", "expected `int` or `str`, found `bool` True at `$[1]` (line 1, column 5)"),
        ("[1, 1.5]", "expected `int` or `str`, found `float` 1.5 at `$[1]` (line 1, column 5)"),
        ("[1, null]", "expected `int` or `str`, found `None` at `$[1]` (line 1, column 5)"),
        ("[1, [2]]", "expected `int` or `str`, found `list` at `$[1]` (line 1, column 5)"),
    ],
)
def test_errors_name_all_types(text: str, message: str) -> None:
    with pytest.raises(demat.Error) as caught:
        json.decode(text, list[int | str])
    assert (caught.value.path, str(caught.value)) == ("$[1]", message)


@pytest.mark.parametrize("text", ["[1, tru]", '[1, "a', "[1, 1e999]", "[1, ]", "[1, 01]", "[1, " + "9" * 5000 + "]"])
def test_what_is_malformed_has_the_error_of_a_single_type(text: str) -> None:
    errors = []
    for type in (list[int | str | float | bool | None], list[SLOW]):
        with pytest.raises(demat.Error) as caught:
            json.decode(text, type)
        errors.append(str(caught.value))
    assert errors[0] == errors[1]
