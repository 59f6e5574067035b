"""Enums, flags and literals: one of a few values."""

import enum
from dataclasses import dataclass
from typing import Literal

import demat
import pytest
from demat import csv, json
from same import same


class Color(enum.Enum):
    RED = "red"
    GREEN = "green"
    ROSE = "red"  # noqa: PIE796 (an alias of RED)


class Level(enum.IntEnum):
    LOW = 1
    HIGH = 2


class Name(enum.StrEnum):
    ADA = enum.auto()
    BOB = "b"


class Mixed(enum.Enum):
    ONE = 1
    TWO = "two"


class Lenient(enum.Enum):
    ON = "on"
    OFF = "off"

    @classmethod
    def _missing_(cls, value):
        return cls.ON if value in ("1", "yes") else None


class Access(enum.Flag):
    READ = 1
    WRITE = 2
    ALL = 3


class Bits(enum.IntFlag):
    A = 1
    B = 8


TAKEN = [
    (Color, '"red"', Color.RED),
    (Level, "2", Level.HIGH),
    (Name, '"ada"', Name.ADA),
    (Mixed, "1", Mixed.ONE),
    (Mixed, '"two"', Mixed.TWO),
    (Access, "1", Access.READ),
    (Access, "3", Access.ALL),
    (Access, "0", Access(0)),
    (Bits, "9", Bits.A | Bits.B),
    (Literal["a", "b"], '"b"', "b"),
    (Literal[1, 2], "2", 2),
    (Literal[True], "true", True),
    (None, "null", None),
    ((Literal[1, True, "1"] | None), "1", 1),
    ((Literal[1, True, "1"] | None), "true", True),
    ((Literal[1, True, "1"] | None), '"1"', "1"),
    ((Literal[1, True, "1"] | None), "null", None),
    (Literal[Color.RED], '"red"', Color.RED),
    (Color | None, "null", None),
    (Literal[2**70], str(2**70), 2**70),
]


@pytest.mark.parametrize(("tp", "text", "value"), TAKEN)
def test_taken(tp, text, value):
    found = json.decode(text, tp)
    assert (type(found), found) == (type(value), value)
    assert json.encode(value) == json.encode(value, type=tp) == text.encode()
    assert same(json.decode(f"[{text}]", list[tp]), [value])


REFUSED = [
    (Color, '"blue"', "expected `red` or `green`, found `blue`"),
    (Color, '"RED"', "expected `red` or `green`, found `RED`"),
    (Color, "1", "expected `str`, found `int` 1"),
    (Color, "null", "expected `str`, found `None`"),
    (Level, "3", "expected `1` or `2`, found `3`"),
    (Level, '"1"', 'expected `int`, found `str` "1"'),
    (Level, "1.0", "expected `int`, found `float` 1.0"),
    (Level, "true", "expected `int`, found `bool` True"),
    (Mixed, "2", "expected `1` or `two`, found `2`"),
    (Mixed, '"1"', "expected `1` or `two`, found `1`"),
    (Access, '"READ"', 'expected `int`, found `str` "READ"'),
    (Literal["a", "b"], '"c"', "expected `a` or `b`, found `c`"),
    (Literal["a", "b"], "1", "expected `a` or `b`, found `int` 1"),
    (Literal[1, 2], "3", "expected `1` or `2`, found `3`"),
    (Literal[1, 2], "true", "expected `1` or `2`, found `bool` True"),
    (Literal[1], "1.0", "expected `1`, found `float` 1.0"),
    (Literal[1], '"1"', 'expected `1`, found `str` "1"'),
    (Literal[True], "false", "expected `True`, found `False`"),
    (Literal[True], "1", "expected `True`, found `int` 1"),
    (Literal[Color.RED], '"green"', "expected `red`, found `green`"),
    (Literal["a"], "null", "expected `a`, found `None`"),
]


@pytest.mark.parametrize(("tp", "text", "message"), REFUSED)
def test_refused(tp, text, message):
    with pytest.raises(demat.ValidationError) as raised:
        json.decode(f" [{text}]", list[tp])
    assert str(raised.value) == f"{message} at `$[0]` (line 1, column 3)"


def test_a_flag_of_no_such_bits_is_refused():
    with pytest.raises(demat.ValidationError, match="9"):
        json.decode("9", Access)
    with pytest.raises(demat.ValidationError):
        json.decode("-1000", Access, errors="all")
    # An IntFlag keeps what it does not know, as in Python.
    assert json.decode("4", Bits) == Bits(4)


def test_a_class_that_knows_what_is_missing_is_asked():
    assert json.decode('["on","1","yes"]', list[Lenient]) == [Lenient.ON] * 3
    with pytest.raises(demat.ValidationError, match="expected `on` or `off`, found `no`"):
        json.decode('"no"', Lenient)


class Failing(enum.Enum):
    A = "a"

    @classmethod
    def _missing_(cls, value):
        if value == "memory":
            raise MemoryError("of the class")
        raise LookupError("of the class")


def test_what_a_class_raises_when_it_is_asked_is_its_own_affair():
    with pytest.raises(LookupError, match="of the class") as raised:
        json.decode('["b"]', list[Failing])
    assert raised.value.__notes__ == ["while Demat was at `$[0]`"]
    with pytest.raises(MemoryError):
        json.decode('"memory"', Failing)


@dataclass
class Row:
    color: Color
    level: Level
    mixed: Mixed
    text: Literal["a", 1]
    flag: Literal[True, False] | None
    access: Access


def test_in_cells_where_everything_is_text():
    rows = [
        Row(Color.RED, Level.LOW, Mixed.ONE, "a", True, Access.ALL),
        Row(Color.GREEN, Level.HIGH, Mixed.TWO, 1, None, Access(0)),
        Row(Color.GREEN, Level.HIGH, Mixed.TWO, 1, False, Access(0)),
    ]
    data = csv.encode(rows)
    assert data.splitlines()[1:] == [b"red,1,1,a,true,3", b"green,2,two,1,,0", b"green,2,two,1,false,0"]
    assert csv.decode(data, list[Row]) == rows
    for column, cell in enumerate(["blue", "x", "3", "b", "2", "7"]):
        cells = ["red", "1", "1", "a", "true", "3"]
        cells[column] = cell
        with pytest.raises(demat.ValidationError, match=r"`\$\[0\]\.\w+` \(record 1, line 2, column"):
            csv.decode(",".join(Row.__dataclass_fields__) + "\n" + ",".join(cells), list[Row])


def test_members_that_are_not_of_the_class_are_written_by_their_value():
    with pytest.raises(demat.EncodeError):
        json.encode(enum.Enum("Odd", {"X": object()})["X"])
