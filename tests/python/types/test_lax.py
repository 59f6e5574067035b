"""strict=False: what is taken besides of the type itself, row by row, and what is not even then."""

from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from typing import Annotated, Literal

import demat
import pytest
from demat import Field, csv, json, ndjson
from same import same

TAKEN = [
    (int, '"5"', 5),
    (int, '" -5 "', -5),
    (int, '"+5"', 5),
    (int, '"123456789012345678901234567890"', 123456789012345678901234567890),
    (int, '"3.0"', 3),
    (int, '"123456789012345678901234567890.00"', 123456789012345678901234567890),
    (int, "3.0", 3),
    (int, "1e3", 1000),
    (int, "-0.0", 0),
    (int, "1e300", int(1e300)),
    (int, "true", 1),
    (int, "false", 0),
    (float, '"1.5"', 1.5),
    (float, '" 1e3 "', 1000.0),
    (float, '"-0"', -0.0),
    (bool, '"true"', True),
    (bool, '"TRUE"', True),
    (bool, '"yes"', True),
    (bool, '"On"', True),
    (bool, '"1"', True),
    (bool, "1", True),
    (bool, '"false"', False),
    (bool, '"No"', False),
    (bool, '"off"', False),
    (bool, '"0"', False),
    (bool, "0", False),
    (type(None), '"null"', None),
    (type(None), '"NULL"', None),
    (int | None, '"null"', None),
    (float | None, '" NULL "', None),
    (bool | int | None, '"null"', None),
    (date | None, '"null"', None),
    (list[int] | None, '"null"', None),
    (datetime, "0", datetime(1970, 1, 1, tzinfo=UTC)),
    (datetime, "1.5", datetime(1970, 1, 1, 0, 0, 1, 500_000, tzinfo=UTC)),
    (datetime, "-1", datetime(1969, 12, 31, 23, 59, 59, tzinfo=UTC)),
    (datetime, "253402300799", datetime(9999, 12, 31, 23, 59, 59, tzinfo=UTC)),
    (Annotated[datetime, Field(tz=True)], "0", datetime(1970, 1, 1, tzinfo=UTC)),
    (timedelta, "90", timedelta(seconds=90)),
    (timedelta, "-0.5", timedelta(seconds=-0.5)),
    (int | date, '"5"', 5),
    (int | float, '"5"', 5),
    (int | float, '"5.5"', 5.5),
    (int | str, '"5"', "5"),
    (int | None, '"5"', 5),
    (list[int | bool], '["5",true]', [5, True]),
    (Annotated[int, Field(ge=5)], '"5"', 5),
]


@pytest.mark.parametrize(("tp", "text", "value"), TAKEN)
def test_taken(tp, text, value):
    assert same(json.decode(text, tp, strict=False), value)
    assert same(ndjson.Decoder(list[tp], strict=False).decode(text), [value])
    assert same(json.decode(f"[{text}]", list[tp], strict=False, errors="all"), [value])
    if tp not in (int | str, list[int | bool]):
        with pytest.raises(demat.ValidationError):
            json.decode(text, tp)


REFUSED = [
    (int, '"x"'),
    (int, '""'),
    (int, '"1_000"'),
    (int, '"0x10"'),
    (int, '"3.5"'),
    (int, "3.5"),
    (int, "null"),
    (int, "[]"),
    (float, '"nan"'),
    (float, '"inf"'),
    (float, '"-Infinity"'),
    (float, '"1e400"'),
    (float, '""'),
    (float, "true"),
    (bool, "2"),
    (bool, "1.0"),
    (bool, '"maybe"'),
    (bool, '""'),
    (str, "5"),
    (str, "true"),
    (type(None), '""'),
    (type(None), '"none"'),
    (type(None), "0"),
    (datetime, '"0"'),
    (datetime, "1e300"),
    (datetime, "253402300800"),
    (datetime, str(10**40)),
    (Annotated[datetime, Field(tz=False)], "0"),
    (date, "0"),
    (timedelta, "1e300"),
    (timedelta, str(86_400 * 10**9)),
    # So many seconds that their nanoseconds would wrap around to a few.
    (timedelta, "340282366920938463463374607432"),
    (timedelta, str(10**40)),
    (bytes, '"A"'),
    (list[int], '"5"'),
    (Literal[1], '"1"'),
    (Annotated[int, Field(ge=5)], '"4"'),
]


@pytest.mark.parametrize(("tp", "text"), REFUSED)
@pytest.mark.parametrize("errors", ["first", "all"])
def test_refused(tp, text, errors):
    with pytest.raises(demat.ValidationError) as raised:
        json.decode(f"[ {text}]", list[tp], strict=False, errors=errors)
    assert (raised.value.path, raised.value.offset) == ("$[0]", 2)


@dataclass
class Row:
    number: int
    yes: bool
    when: datetime
    long: timedelta
    either: int | float | None = None


def test_in_cells():
    table = "number,yes,when,long,either\n3.0,YES,1.5,90,5.5\n 4 ,off,2020-01-01T00:00:00Z,PT1S,\n"
    rows = csv.decode(table, list[Row], strict=False)
    assert rows == [
        Row(3, True, datetime(1970, 1, 1, 0, 0, 1, 500_000, tzinfo=UTC), timedelta(seconds=90), 5.5),
        Row(4, False, datetime(2020, 1, 1, tzinfo=UTC), timedelta(seconds=1), None),
    ]
    with pytest.raises(demat.ValidationError):
        csv.decode(table, list[Row])


def test_a_hook_s_own_exception_goes_through_here_too():
    def fail(_: object) -> None:
        raise LookupError("its own affair")

    with pytest.raises(LookupError, match="its own affair"):
        json.decode('"5"', Annotated[str, demat.Hook(wire=int, decode=fail)] | date, strict=False)
