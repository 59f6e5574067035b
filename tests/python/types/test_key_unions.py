"""Dict keys of several types: they round-trip, or the type is refused when it is described."""

import enum
import random
import typing
from collections import Counter, OrderedDict, defaultdict
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta
from decimal import Decimal
from ipaddress import IPv4Address, IPv4Interface, IPv4Network, IPv6Address
from typing import Annotated, Any, Literal, NewType
from uuid import UUID

import demat
import pytest
from demat import Field, Hook, json, ndjson


class Color(enum.Enum):
    RED = "red"
    BLUE = "blue"


class Level(enum.IntEnum):
    LOW = 1
    HIGH = 2


class Mixed(enum.Enum):
    A = "a"
    B = 2


class Twice(enum.Enum):
    TEXT = "1"
    INT = 1


class Access(enum.Flag):
    READ = 1
    WRITE = 2


class Name(str):
    pass


class Number(int):
    pass


Id = NewType("Id", int)
Code = NewType("Code", UUID)

random_ = random.Random(20261122)
BITS = random_.getrandbits

# Maps each key type to a function that makes a random value.
KINDS: dict[Any, Any] = {
    str: lambda: random_.choice(["", "a", "5", "-1", "true", "1.5", "2026-08-01", "P1D", "null", "é"]),
    int: lambda: random_.choice([0, 5, -5, 2**64, 10**31, -(10**31), BITS(20)]),
    float: lambda: random_.choice([0.0, 1.0, -2.5, 1e22, 1e100, 5e-324, random_.random()]),
    bool: lambda: random_.random() < 0.5,
    Decimal: lambda: random_.choice([Decimal("1"), Decimal("1.50"), Decimal("1E+5"), Decimal(-3)]),
    bytes: lambda: bytes(BITS(8) for _ in range(random_.randrange(5))),
    date: lambda: date(1 + BITS(13), 1, 1 + BITS(4)),
    datetime: lambda: datetime(1 + BITS(13), 1, 1 + BITS(4), BITS(4), tzinfo=random_.choice([None, UTC])),
    time: lambda: time(BITS(4), BITS(4), BITS(4), BITS(10)),
    timedelta: lambda: timedelta(BITS(4), BITS(4), BITS(4)),
    UUID: lambda: UUID(int=random_.choice([5, 12345678901234567890, BITS(128)])),
    Color: lambda: random_.choice(list(Color)),
    Level: lambda: random_.choice(list(Level)),
    Mixed: lambda: random_.choice(list(Mixed)),
    Access: lambda: Access(BITS(2)),
    Literal["x", "y"]: lambda: random_.choice(["x", "y"]),
    Literal[7, 8]: lambda: random_.choice([7, 8]),
    Literal["z", 9, True]: lambda: random_.choice(["z", 9, True]),
    Name: lambda: Name(random_.choice(["n", "5"])),
    Number: lambda: Number(BITS(8)),
    Id: lambda: BITS(8),
    Code: lambda: UUID(int=BITS(128)),
    Annotated[int, Field(ge=0)]: lambda: BITS(9),
    IPv4Address: lambda: IPv4Address(BITS(32)),
    IPv6Address: lambda: IPv6Address(BITS(128)),
    IPv4Interface: lambda: IPv4Interface(BITS(32)),
}


def exactly(table):
    # True and 1 are equal keys, and a dict keeps the first; all other classes must match.
    return [(key, type(key) if type(key) is not bool else int, value) for key, value in table.items()]


def test_random_unions_of_keys():
    read = refused = 0
    for _ in range(4000):
        parts = random_.sample(list(KINDS), random_.choice([1, 2, 2, 2, 3]))
        tp = typing.Union[tuple(parts)]  # noqa: UP007
        table = {KINDS[random_.choice(parts)](): BITS(4) for _ in range(4)}
        if random_.random() < 0.2:
            tp = tp | None
        try:
            data = json.encode(table, type=dict[tp, int])
        except TypeError as error:
            assert "can't be told apart" in str(error)
            assert len(parts) > 1
            refused += 1
            with pytest.raises(TypeError, match="can't be told apart"):
                json.decode("{}", dict[tp, int])
            continue
        assert json.encode(table) == data
        for strict in (True, False):
            assert exactly(json.decode(data, dict[tp, int], strict=strict)) == exactly(table), (tp, data)
        (found,) = ndjson.decode(data + b"\n", list[dict[tp, int]])
        assert exactly(found) == exactly(table)
        read += 1
    assert min(read, refused) > 500


TOLD_APART = [
    (int | float, {1: 0, 2.0: 0, -1e300: 0}, '{"1":0,"2.0":0,"-1e+300":0}'),
    (float | int, {1: 0, 2.0: 0}, '{"1":0,"2.0":0}'),
    (UUID | int, {UUID(int=5): 0, 5: 0}, '{"00000000-0000-0000-0000-000000000005":0,"5":0}'),
    (int | UUID, {10**31: 0}, '{"10000000000000000000000000000000":0}'),
    (bool | int, {True: 0, 5: 0}, '{"true":0,"5":0}'),
    (
        date | datetime | time,
        {date(2026, 8, 1): 0, datetime(2026, 8, 1): 0},
        '{"2026-08-01":0,"2026-08-01T00:00:00":0}',
    ),
    (int | None, {1: 0}, '{"1":0}'),
    (Color | int, {Color.RED: 0, 3: 0}, '{"red":0,"3":0}'),
    (Literal["a"] | int, {"a": 0, 3: 0}, '{"a":0,"3":0}'),
    (Literal["a"] | str, {"a": 0, "b": 0}, '{"a":0,"b":0}'),  # noqa: PYI051
    (Literal[1] | int, {1: 0, 2: 0}, '{"1":0,"2":0}'),  # noqa: PYI051
    (Number | UUID, {Number(3): 0}, '{"3":0}'),
    (IPv4Address | IPv6Address, {IPv4Address(1): 0, IPv6Address(1): 0}, '{"0.0.0.1":0,"::1":0}'),
    (IPv4Address | int, {IPv4Address(1): 0, 1: 0}, '{"0.0.0.1":0,"1":0}'),
    (Annotated[int, Field(lt=0)] | Annotated[int, Field(gt=9)], {-1: 0, 10: 0}, '{"-1":0,"10":0}'),
]


@pytest.mark.parametrize(("tp", "table", "text"), TOLD_APART)
def test_told_apart(tp, table, text):
    assert json.encode(table, type=dict[tp, int]) == text.encode()
    assert exactly(json.decode(text, dict[tp, int])) == exactly(table)
    assert exactly(json.decode(text, dict[tp, int], errors="all")) == exactly(table)


NOT_TOLD_APART = [
    (int | str, "`5` could be `int` or `str`"),
    (str | float | None, "`5.0` could be `str` or `float`"),
    (Decimal | int, "could be `decimal` or `int`"),
    (Decimal | float, "could be `decimal` or `float`"),
    (bytes | bool, "`true` could be `bytes` or `bool`"),
    (bytes | bytearray | int, ""),
    (Level | int, "`1` could be `Level` or `int`"),
    (Mixed | int, "`2` could be `Mixed` or `int`"),
    (Color | str, "`red` could be `Color` or `str`"),
    (Color | Literal["red"], "`red` could be `Color` or `Literal['red']`"),
    (Literal["5"] | int, "`5` could be `Literal['5']` or `int`"),
    (Literal["1", 1], "`Literal['1', 1]` has two values with the text `1`"),
    (Literal["true", True], "two values with the text `true`"),
    (Twice, "`Twice` has two values with the text `1`"),
    (Access | int, "`5` could be `Access` or `int`"),
    (Name | str, "`a` could be `Name` or `str`"),
    (Number | int, "`5` could be `Number` or `int`"),
    (IPv4Network | IPv4Interface, "could be `IPv4Network` or `IPv4Interface`"),
    (Annotated[UUID, Hook(wire=str, decode=UUID, encode=str)] | int, "could be"),
    (Any | int, ""),
]


@pytest.mark.parametrize(("tp", "message"), NOT_TOLD_APART)
@pytest.mark.parametrize("container", [dict, OrderedDict, defaultdict])
def test_not_told_apart(tp, message, container):
    with pytest.raises(TypeError) as raised:
        json.decode("{}", list[container[tp, int]])
    text = str(raised.value)
    if message:
        assert message in text
        assert "can't be told apart" in text


def test_a_counter_and_a_field():
    with pytest.raises(TypeError, match="can't be told apart"):
        json.decode("{}", Counter[int | str])

    @dataclass
    class Table:
        cells: dict[str, list[dict[int | str, int]]]

    with pytest.raises(TypeError, match=r"`.*Table\.cells`.*can't be told apart"):
        json.decode("{}", Table)


def test_a_key_of_none_of_them():
    with pytest.raises(demat.ValidationError) as raised:
        json.decode('{"a":{"x":1}}', dict[str, dict[int | UUID, int]])
    assert str(raised.value) == "expected `int` or `UUID`, found `x` at `$.a.x` (line 1, column 7)"
