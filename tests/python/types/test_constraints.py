"""What values must be besides of their types, and what is said of those that are not."""

import re
from collections import deque
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta
from decimal import Decimal
from typing import Annotated, Any, NewType

import annotated_types
import demat
import pytest
from demat import Field, csv, json

D = Decimal


def checked(tp: Any, **checks: Any) -> Any:
    return Annotated[tp, Field(**checks)]


TAKEN = [
    (checked(int, ge=0, le=10), ["0", "5", "10"]),
    (checked(int, gt=0, lt=10), ["1", "9"]),
    (checked(int, gt=10**30), [str(10**30 + 1)]),
    (checked(int, multiple_of=3), ["0", "-9", "12", str(3 * 10**50)]),
    (checked(int, ge=0.5), ["1"]),
    (checked(float, ge=0, lt=1), ["0", "0.0", "-0.0", "0.5", "5e-324"]),
    (checked(float, multiple_of=0.01), ["19.99", "0.3", "0", "-1.25", "1e30", "1e300"]),
    (checked(float, multiple_of=0.5), ["2", "-0.5"]),
    (checked(D, ge=D("0.1"), le=D("0.3")), ["0.1", "0.30", '"0.2"']),
    (checked(D, multiple_of=D("0.1")), ["0.3", "1e50", "1e999999", "12345678901234567890123456789012345678.9"]),
    (checked(D, multiple_of=3), ["9", "3e100000000"]),
    (checked(str, min_length=1, max_length=3), ['"a"', '"abc"', '"é€😀"']),
    (checked(str, pattern="b+"), ['"abba"']),
    (checked(str, pattern="^[a-z]+$"), ['"abc"']),
    (checked(str, pattern=re.compile("^x")), ['"xy"']),
    (checked(bytes, min_length=2, max_length=2), ['"AAE="']),
    (checked(list[int], min_length=1, max_length=2), ["[1]", "[1,2]"]),
    (checked(set[int], max_length=1), ["[1,1,1]"]),
    (checked(dict[str, int], min_length=1), ['{"a":1}']),
    (checked(deque[int], max_length=1), ["[1]"]),
    (checked(date, ge=date(2020, 1, 1)), ['"2020-01-01"']),
    (
        checked(datetime, tz=True, lt=datetime(2020, 1, 1, tzinfo=UTC)),
        ['"2019-12-31T23:59:59Z"', '"2020-01-01T00:59:59+01:00"'],
    ),
    (checked(datetime, tz=False, lt=datetime(2020, 1, 1)), ['"2019-12-31T23:59:59"']),
    (checked(time, tz=False, le=time(12)), ['"12:00:00"']),
    (checked(timedelta, gt=timedelta(0)), ['"PT1S"']),
    (checked(int | None, ge=0), ["null", "1"]),
    (checked(int, ge=0) | None, ["null", "1"]),
    (list[checked(int, ge=0)], ["[1,2]"]),
    (NewType("Age", checked(int, ge=0)), ["1"]),
    (Annotated[checked(int, ge=0), Field(le=5)], ["0", "5"]),
    (Annotated[int, annotated_types.Ge(0), annotated_types.Lt(5)], ["0", "4"]),
    (Annotated[str, annotated_types.Len(1, 2)], ['"a"']),
]


@pytest.mark.parametrize(("tp", "text"), [(tp, text) for tp, texts in TAKEN for text in texts])
def test_taken(tp, text):
    value = json.decode(text, tp)
    if len(text) < 30:
        assert json.decode(json.encode(value), tp) == value


REFUSED = [
    (checked(int, ge=0), "-1", "expected a value >= 0, found `-1`"),
    (checked(int, gt=0), "0", "expected a value > 0, found `0`"),
    (checked(int, le=10), "11", "expected a value <= 10, found `11`"),
    (checked(int, lt=10), "10", "expected a value < 10, found `10`"),
    (checked(int, ge=0, le=5, multiple_of=2), "6", "expected a value <= 5, found `6`"),
    (checked(int, le=5), "1" + "0" * 70, "expected a value <= 5, found `1" + "0" * 59 + "…`"),
    (checked(int, multiple_of=3), "10", "expected a multiple of 3, found `10`"),
    (checked(int, ge=0), '"x"', 'expected `int`, found `str` "x"'),
    (checked(float, multiple_of=0.01), "19.995", "expected a multiple of 0.01, found `19.995`"),
    (checked(float, ge=0), "-5e-324", "expected a value >= 0, found `-5e-324`"),
    (checked(D, multiple_of=D("0.1")), "0.35", "expected a multiple of 0.1, found `0.35`"),
    (checked(D, multiple_of=D("0.1")), "1e-50", "expected a multiple of 0.1, found `1E-50`"),
    (checked(D, multiple_of=7), "1e1000000", "expected a multiple of 7, found `1E+1000000`"),
    (checked(str, min_length=2), '"é"', "expected a length of at least 2, found a length of 1"),
    (checked(str, max_length=2), '"abc"', "expected a length of at most 2, found a length of 3"),
    (checked(str, pattern="length"), '"abc"', "expected text that matches `length`, found `abc`"),
    (
        checked(str, pattern="^a+$"),
        '"' + "b" * 61 + '"',
        "expected text that matches `^a+$`, found `" + "b" * 60 + "…`",
    ),
    (checked(bytes, max_length=1), '"AAE="', "expected a length of at most 1, found a length of 2"),
    (checked(list[int], min_length=1), "[]", "expected a length of at least 1, found a length of 0"),
    (checked(set[int], min_length=2), "[1,1]", "expected a length of at least 2, found a length of 1"),
    (checked(dict[str, int], max_length=0), '{"a":1}', "expected a length of at most 0, found a length of 1"),
    (checked(date, ge=date(2020, 1, 1)), '"2019-01-01"', "expected a value >= 2020-01-01, found `2019-01-01`"),
    (checked(timedelta, gt=timedelta(0)), '"PT0S"', "expected a value > 0:00:00, found `0:00:00`"),
    (Annotated[int, annotated_types.Interval(ge=0, lt=5)], "5", "expected a value < 5, found `5`"),
]


@pytest.mark.parametrize(("tp", "text", "message"), REFUSED)
def test_refused(tp, text, message):
    with pytest.raises(demat.ValidationError) as raised:
        json.decode(f"[ {text}]", list[tp])
    assert str(raised.value) == f"{message} at `$[0]` (line 1, column 3)"


def test_checks_at_fields_cells_and_keys():
    @dataclass
    class Row:
        age: Annotated[int, Field(ge=0, le=150)]
        name: Annotated[str, Field(min_length=1)] = "x"

    assert csv.decode("age,name\n5,a\n", list[Row]) == [Row(5, "a")]
    with pytest.raises(
        demat.ValidationError, match=r"expected a value <= 150, found `200` at `\$\[1\].age` \(record 2, line 3"
    ):
        csv.decode("age,name\n5,a\n200,b\n", list[Row])
    with pytest.raises(demat.ValidationError) as raised:
        json.decode('[{"age":-1,"name":""},{"age":151}]', list[Row], errors="all")
    assert [error.path for error in raised.value.errors] == ["$[0].age", "$[0].name", "$[1].age"]


def test_values_are_not_checked_when_they_are_written():
    @dataclass
    class Row:
        age: Annotated[int, Field(ge=0)]

    assert json.encode(Row(-1)) == b'{"age":-1}'


def test_a_default_is_not_checked():
    @dataclass
    class Row:
        age: Annotated[int, Field(ge=0)] = -1

    assert json.decode("{}", Row).age == -1
