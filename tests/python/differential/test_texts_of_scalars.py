"""Texts of dates, times, UUIDs and decimals, most of them slightly wrong.

What is read is what is written, and what msgspec refuses is refused.
"""

from __future__ import annotations

import random
import re
from datetime import UTC, date, datetime, time, timedelta, timezone
from decimal import Decimal
from typing import Any
from uuid import UUID

import demat
import pytest
from demat import cbor, json, msgpack, yaml

msgspec = pytest.importorskip("msgspec")

RIGHT: dict[Any, list[str]] = {
    datetime: [
        "2026-08-01T12:30:00Z",
        "2026-08-01T12:30:00",
        "2026-08-01 12:30:00.25+05:30",
        "1999-12-31T23:59:59.999999-11:00",
        "2026-08-01t12:30:00z",
    ],
    date: ["2026-08-01", "0001-01-01", "9999-12-31", "2024-02-29"],
    time: ["12:30:00", "00:00:00.000001", "23:59:59Z", "01:02:03+05:30"],
    timedelta: ["P1D", "PT1H2M3.5S", "P1DT2H", "-P1W", "PT0S", "P3DT4H5M6S"],
    UUID: [
        "00000000-0000-0000-0000-000000000005",
        "c0ffee00-1234-4abc-8def-0123456789ab",
        "C0FFEE0012344ABC8DEF0123456789AB",
    ],
    Decimal: ["1.50", "-0", "1e5", "1E-7", "0.001", "123456789012345678901234567890"],
}
LETTERS = "0123456789-+:.TtZzPDHMSWeE _,{}"


def texts(cls: Any) -> list[str]:
    """Right texts with one or two changes."""
    chance = random.Random(5)
    found = list(RIGHT[cls])
    for _ in range(3_000):
        letters = list(chance.choice(RIGHT[cls]))
        for _ in range(chance.randrange(1, 3)):
            at = chance.randrange(len(letters) + 1)
            match chance.randrange(4):
                case 0:
                    letters.insert(at, chance.choice(LETTERS))
                case 1:
                    del letters[at : at + chance.randrange(1, 4)]
                case 2:
                    letters[at : at + 1] = [chance.choice(LETTERS)]
                case _:
                    letters[at:at] = letters[max(0, at - 3) : at]
        found.append("".join(letters))
    return found


def read(decode: Any, text: str, cls: Any) -> Any:
    """The value, or None where the text is refused."""
    try:
        return decode(f'"{text}"'.encode(), cls)
    except (demat.Error, msgspec.MsgspecError, ValueError):
        return None


def as_utc(value: Any) -> Any:
    """A datetime in UTC: one may have another offset of the same instant."""
    return value.astimezone(UTC) if isinstance(value, datetime) and value.tzinfo else value


# The seconds of an offset may stand there if they are none.
OURS = re.compile(r".*[+-]\d\d:\d\d:00")


@pytest.mark.parametrize("cls", RIGHT)
def test_what_is_read_is_written_and_read_again(cls: Any) -> None:
    count = 0
    for text in texts(cls):
        value = read(json.decode, text, cls)
        if value is None:
            continue
        count += 1
        assert type(value) is cls
        for format in (json, msgpack, cbor, yaml):
            again = format.decode(format.encode([value]), list[cls])[0]
            assert again == value, text
            # A decimal fraction of CBOR has no -0.
            assert repr(as_utc(again)) == repr(as_utc(value)) or (format is cbor and value == 0), text
    assert count > 50


@pytest.mark.parametrize("cls", [datetime, date, time, UUID])
def test_what_msgspec_refuses_is_refused(cls: Any) -> None:
    for text in texts(cls):
        value = read(json.decode, text, cls)
        if value is not None:
            other = read(lambda data, cls: msgspec.json.decode(data, type=cls), text, cls)
            assert other is not None or OURS.fullmatch(text), text
            assert other is None or as_utc(other) == as_utc(value), text


@pytest.mark.parametrize("format", [json, msgpack, cbor, yaml])
def test_offsets_with_seconds(format: Any) -> None:
    for text in ("2026-08-01T12:30:00+05:30:15", "2026-08-01T12:30:00-00:00:01", "1890-01-01 00:00:00+00:09:21"):
        data = format.encode(text)
        with pytest.raises(demat.ValidationError, match="expected an offset from UTC in whole minutes"):
            format.decode(data, datetime)
        with pytest.raises(demat.ValidationError):
            format.decode(data, datetime, times="lenient")
    for text in ("12:30:00+05:30:15", "12:30:00-00:00:01"):
        with pytest.raises(demat.ValidationError, match="expected an offset from UTC in whole minutes"):
            format.decode(format.encode(text), time)
    # Seconds that are none.
    assert json.decode('"2026-08-01T12:30:00+05:30:00"', datetime).utcoffset() == timedelta(hours=5, minutes=30)
    for offset in (timedelta(hours=5, minutes=30, seconds=15), timedelta(seconds=-1)):
        with pytest.raises(demat.EncodeError, match="whole minutes"):
            format.encode(datetime(2026, 8, 1, tzinfo=timezone(offset)))
