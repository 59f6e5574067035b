"""Single values, and classes that are one with a name of their own."""

import datetime
import decimal
import uuid
from typing import Annotated, Any, LiteralString

import pytest
from asked import node
from demat import Field, json


@pytest.mark.parametrize(
    ("tp", "expected"),
    [
        (None, ("none",)),
        (type(None), ("none",)),
        (Any, ("any",)),
        (object, ("any",)),
        (bool, ("bool",)),
        (int, ("int",)),
        (float, ("float",)),
        (str, ("str",)),
        (LiteralString, ("str",)),
        (bytes, ("bytes",)),
        (bytearray, ("bytearray",)),
        (memoryview, ("memoryview",)),
        (decimal.Decimal, ("decimal",)),
        (datetime.datetime, ("datetime", None)),
        (datetime.date, ("date",)),
        (datetime.time, ("time", None)),
        (datetime.timedelta, ("timedelta",)),
        (uuid.UUID, ("uuid",)),
    ],
)
def test_each_scalar_is_its_node(tp, expected):
    assert node(tp) == expected


@pytest.mark.parametrize("kind", [datetime.datetime, datetime.time])
@pytest.mark.parametrize("zone", [True, False])
def test_zones_are_said_by_field(kind, zone):
    name = kind.__name__
    assert node(Annotated[kind, Field(tz=zone)]) == (name, zone)
    assert node(Annotated[kind | None, Field(tz=zone)]) == ("optional", (name, zone))
    assert node(Annotated[kind | int, Field(tz=zone)])[2][0] == (None, (name, zone))


def test_a_zone_is_refused_where_there_can_be_none():
    with pytest.raises(TypeError, match="`tz` is for datetime and time"):
        node(Annotated[datetime.date, Field(tz=True)])


class UserId(int):
    pass


class Secret(str):
    def __str__(self) -> str:
        return "***"


class Price(decimal.Decimal):
    pass


class Clever(str):
    def __new__(cls, one, two):
        return super().__new__(cls, one + two)


def test_a_class_that_is_an_int_is_made_from_one():
    kind, read, cls, decode, encode, write = node(UserId)
    assert (kind, read, cls, decode, encode, write) == ("hook", ("int",), UserId, UserId, None, ("int",))


def test_what_is_written_of_a_str_does_not_pass_through_its_own_str():
    assert node(Secret)[4] is None
    for given in ({}, {"type": Secret}, {"type": str}):
        assert json.encode(Secret("word"), **given) == b'"word"'


def test_a_class_that_is_a_decimal_is_made_from_one():
    kind, read, cls, _, encode, _ = node(Price)
    assert (kind, read, cls, encode) == ("hook", ("decimal",), Price, None)


def test_a_class_that_can_not_be_called_with_the_value_needs_a_hook():
    with pytest.raises(TypeError, match=r"`Clever` can't be described: .*demat.hook\(Clever"):
        node(Clever)


def test_raw_is_known_once_the_native_module_is_there(monkeypatch):
    import sys
    import types

    native = types.ModuleType("demat._native")
    native.Raw = type("Raw", (), {})
    monkeypatch.setitem(sys.modules, "demat._native", native)
    assert node(native.Raw) == ("raw",)
