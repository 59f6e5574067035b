"""Unions, defaults and names that could be lost in Avro: each comes back, or is refused."""

from __future__ import annotations

import io
from dataclasses import dataclass, field, make_dataclass
from decimal import Decimal
from typing import Annotated, Any

import demat
import fastavro
import pytest
from demat import Field, avro


@dataclass
class V:
    x: int


@dataclass
class V_2:  # noqa: N801
    x: int


@dataclass
class AB:
    x: int


@dataclass
class Ab:
    x: int


One = make_dataclass("Item", [("x", int)])
Other = make_dataclass("Item", [("x", int)])


@pytest.mark.parametrize(
    ("type_", "values"),
    [
        (V | V_2, [V_2(2), V(1)]),
        (AB | Ab, [Ab(2), AB(1)]),
        (One | Other, [One(1), Other(2)]),
        (float | str, ["a", 1.5]),
        (float | None | str, ["a", None, 1.5]),
        (bool | float | str, ["a", True, 0.5]),
        (float | dict[str, int], [{"a": 1}, 0.5]),
        (float | Decimal, [Decimal("1.5"), 0.5]),
        (V | dict[str, int], [{"x": 1}, V(2)]),
        (int | list[int], [1, [1, 2]]),
    ],
)
def test_variants_come_back(type_: Any, values: list[Any]) -> None:
    data = avro.encode(values, type=list[type_])
    back: list[Any] = avro.decode(data, list[type_])
    assert back == values
    assert [type(value) for value in back] == [type(value) for value in values]
    for value in values:
        single: Any = avro.decode(avro.encode(value, type=type_), type_)
        assert (type(single), single) == (type(value), value)


def test_variants_that_readers_confuse_are_refused() -> None:
    with pytest.raises(demat.Error, match="could not tell this variant from another"):
        avro.encode([(1, "a")], type=list[tuple[int, str] | tuple[str, int]])
    holder = make_dataclass("Holder", [("first", Other), ("either", One | Other)])
    with pytest.raises(demat.Error, match="could not tell this variant from another"):
        avro.encode([holder(Other(1), One(2))], type=list[holder])


@dataclass
class Defaults:
    a: Annotated[int, Field(omit_default=True)] = 1
    m: Annotated[int | None, Field(omit_default=True)] = 5
    items: Annotated[list[int] | None, Field(omit_default=True)] = field(default_factory=list)


@demat.configure(omit_default=True)
@dataclass
class Omitting:
    a: int = 1
    m: int | None = 5
    items: list[int] | None = field(default_factory=list)


@pytest.mark.parametrize("cls", [Defaults, Omitting])
def test_values_that_equal_defaults_are_written(cls: type[Any]) -> None:
    values = [cls(), cls(2, None, None), cls(1, 5, [])]
    data = avro.encode(values, type=list[cls])
    assert avro.decode(data, list[cls]) == values
    assert next(iter(fastavro.reader(io.BytesIO(data)))) == {"a": 1, "m": 5, "items": []}
    stream = io.BytesIO()
    avro.write(stream, iter(values), type=cls)
    assert avro.decode(stream.getvalue(), list[cls]) == values


@pytest.mark.parametrize("name", ["string", "long", "null", "record", "enum", "fixed", "error"])
def test_classes_may_have_any_name(name: str) -> None:
    cls = make_dataclass(name, [("x", int)])
    data = avro.encode([cls(1)], type=list[cls])
    assert avro.decode(data, list[cls]) == [cls(1)]
    assert list(fastavro.reader(io.BytesIO(data))) == [{"x": 1}]


def test_the_only_value_may_be_a_list_or_tuple() -> None:
    data = avro.encode((1, "a"), type=tuple[int, str])
    assert avro.decode(data, tuple[int, str]) == (1, "a")
    data = avro.encode([1, 2], type=int | list[int])
    assert avro.decode(data) == [1, 2]
    assert avro.decode(data, list[int]) == [1, 2]


def test_a_tuple_beside_a_class_is_written_and_can_not_be_read_back() -> None:
    """The schema has a record for each; a reader in Python is not told which of them is the tuple."""
    data = avro.encode([(1, "a"), V(2)], type=list[tuple[int, str] | V])
    with pytest.raises(demat.ValidationError, match="found `Tuple`"):
        avro.decode(data, list[tuple[int, str] | V])
