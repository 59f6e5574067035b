"""Dates, times, datetimes and timedeltas: with offsets and without, which are kept apart."""

from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta, timezone
from json import dumps
from typing import Annotated
from zoneinfo import ZoneInfo

import demat
import pytest
from demat import Field, csv, json, ndjson, proto

Aware = Annotated[datetime, Field(tz=True)]
Naive = Annotated[datetime, Field(tz=False)]
EAST = timezone(timedelta(hours=1, minutes=30))
WEST = timezone(-timedelta(hours=9, minutes=30))

# The type, a text, its value, and how that is written where it is another text.
TAKEN = [
    (date, "2020-02-29", date(2020, 2, 29)),
    (date, "0001-01-01", date.min),
    (date, "9999-12-31", date.max),
    (time, "00:00:00", time()),
    (time, "23:59:59.999999", time.max),
    (time, "10:00:00.5", time(10, microsecond=500_000), "10:00:00.500"),
    (time, "10:00:00Z", time(10, tzinfo=UTC)),
    (time, "10:00:00+01:30", time(10, tzinfo=EAST)),
    (datetime, "2020-02-29T01:02:03", datetime(2020, 2, 29, 1, 2, 3)),
    (datetime, "2020-02-29T01:02:03.000004", datetime(2020, 2, 29, 1, 2, 3, 4)),
    (datetime, "2020-02-29T01:02:03Z", datetime(2020, 2, 29, 1, 2, 3, tzinfo=UTC)),
    (datetime, "2020-02-29T01:02:03+00:00", datetime(2020, 2, 29, 1, 2, 3, tzinfo=UTC), "2020-02-29T01:02:03Z"),
    (datetime, "2020-02-29T01:02:03+01:30", datetime(2020, 2, 29, 1, 2, 3, tzinfo=EAST)),
    (datetime, "2020-02-29T01:02:03-09:30", datetime(2020, 2, 29, 1, 2, 3, tzinfo=WEST)),
    (datetime, "2020-02-29t01:02:03z", datetime(2020, 2, 29, 1, 2, 3, tzinfo=UTC), "2020-02-29T01:02:03Z"),
    (datetime, "2020-02-29 01:02:03", datetime(2020, 2, 29, 1, 2, 3), "2020-02-29T01:02:03"),
    (datetime, "2020-02-29T01:02:03.1", datetime(2020, 2, 29, 1, 2, 3, 100_000), "2020-02-29T01:02:03.100"),
    (datetime, "0001-01-01T00:00:00", datetime.min),
    (datetime, "9999-12-31T23:59:59.999999", datetime.max),
    (Aware, "2020-02-29T01:02:03Z", datetime(2020, 2, 29, 1, 2, 3, tzinfo=UTC)),
    (Naive, "2020-02-29T01:02:03", datetime(2020, 2, 29, 1, 2, 3)),
    (timedelta, "PT0S", timedelta()),
    (timedelta, "P1D", timedelta(1)),
    (timedelta, "P1DT2H", timedelta(1, hours=2)),
    (timedelta, "PT36H", timedelta(1.5), "P1DT12H"),
    (timedelta, "P2W", timedelta(14), "P14D"),
    (timedelta, "-PT1.5S", timedelta(seconds=-1.5)),
    (timedelta, "PT0.000001S", timedelta(microseconds=1)),
    (timedelta, "-P1D", timedelta(-1)),
    (timedelta, "P999999999DT23H59M59.999999S", timedelta.max),
    (timedelta, "-P999999999D", timedelta.min),
]


@pytest.mark.parametrize(("tp", "text", "value", "written"), [(*row, row[1])[:4] for row in TAKEN])
def test_taken(tp, text, value, written):
    found = json.decode(f'"{text}"', tp)
    assert (type(found), found, repr(found)) == (type(value), value, repr(value))
    rows = csv.decode(f"v\n{text}\n", list[dict[str, tp]])
    assert rows == [{"v": value}]
    assert json.encode(value) == f'"{written}"'.encode()
    assert repr(json.decode(json.encode(value), tp)) == repr(value)


RFC = "expected `datetime` as RFC 3339, found `str`"
REFUSED = [
    (date, "2020-02-30", 'expected `date` as YYYY-MM-DD, found `str` "2020-02-30"'),
    (date, "20200229", 'expected `date` as YYYY-MM-DD, found `str` "20200229"'),
    (date, "2020-02-29T00:00:00", 'expected `date` as YYYY-MM-DD, found `str` "2020-02-29T00:00:00"'),
    (date, "0000-01-01", 'expected `date` as YYYY-MM-DD, found `str` "0000-01-01"'),
    (date, "", 'expected `date` as YYYY-MM-DD, found `str` ""'),
    (time, "24:00:00", 'expected `time` as HH:MM:SS, found `str` "24:00:00"'),
    (time, "10:00:60", 'expected `time` as HH:MM:SS, found `str` "10:00:60"'),
    (time, "1:00:00", 'expected `time` as HH:MM:SS, found `str` "1:00:00"'),
    (time, "10:00:00+24:00", 'expected `time` as HH:MM:SS, found `str` "10:00:00+24:00"'),
    (datetime, "2020-02-29", f'{RFC} "2020-02-29": `times="lenient"` reads it'),
    (datetime, "2020-02-30T00:00:00Z", f'{RFC} "2020-02-30T00:00:00Z"'),
    (datetime, "2020-02-29T24:00:00Z", f'{RFC} "2020-02-29T24:00:00Z"'),
    (datetime, "2020-02-29T23:59:60Z", f'{RFC} "2020-02-29T23:59:60Z"'),
    (datetime, "2020-02-29T00:00:00+24:00", f'{RFC} "2020-02-29T00:00:00+24:00"'),
    (datetime, "2020-02-29T00:00:00 Z", f'{RFC} "2020-02-29T00:00:00 Z": `times="lenient"` reads it'),
    (datetime, "10000-01-01T00:00:00Z", f'{RFC} "10000-01-01T00:00:00Z"'),
    (datetime, "0000-01-01T00:00:00Z", f'{RFC} "0000-01-01T00:00:00Z"'),
    (Aware, "2020-02-29T01:02:03", "expected a `datetime` with an offset, found one without"),
    (Naive, "2020-02-29T01:02:03Z", "expected a `datetime` without an offset, found one with"),
    (Annotated[time, Field(tz=True)], "10:00:00", "expected a `time` with an offset, found one without"),
    (timedelta, "P1Y", 'expected `timedelta` as ISO 8601, found `str` "P1Y"'),
    (timedelta, "P", 'expected `timedelta` as ISO 8601, found `str` "P"'),
    (timedelta, "PT", 'expected `timedelta` as ISO 8601, found `str` "PT"'),
    (timedelta, "1", 'expected `timedelta` as ISO 8601, found `str` "1"'),
    (timedelta, "P1000000000D", "expected a timedelta of less than 1000000000 days, found `more`"),
]


@pytest.mark.parametrize(("tp", "text", "message"), REFUSED)
def test_refused(tp, text, message):
    with pytest.raises(demat.ValidationError) as raised:
        json.decode(f'["{text}"]', list[tp])
    assert str(raised.value) == f"{message} at `$[0]` (line 1, column 2)"


@pytest.mark.parametrize("tp", [date, time, datetime, timedelta])
def test_numbers_are_no_times_unless_that_is_asked_for(tp):
    for text in ("0", "1.5", "null", "true", "[]", "{}"):
        with pytest.raises(demat.ValidationError):
            json.decode(text, tp)


@pytest.mark.parametrize(
    ("tp", "text"),
    [(datetime, "2020-01-01T00:00:00.1234567Z"), (time, "00:00:00.0000001"), (timedelta, "PT0.0000001S")],
)
def test_nanoseconds_are_not_lost_in_silence(tp, text):
    with pytest.raises(demat.ValidationError, match="at most microseconds, found nanoseconds"):
        json.decode(f'"{text}"', tp)
    assert json.decode(f'"{text}"', tp, strict=False) == json.decode(
        f'"{text}"'.replace("1234567", "123456"), tp, strict=False
    )
    assert json.decode(f'"{text.replace("1234567", "123456000").replace("0000001", "000000000")}"', tp) is not None


def test_zones_by_name_are_written_as_their_offset():
    summer = datetime(2020, 7, 1, 12, tzinfo=ZoneInfo("Europe/Berlin"))
    assert json.encode(summer) == b'"2020-07-01T12:00:00+02:00"'
    assert json.decode(json.encode(summer), datetime) == summer
    assert json.encode(time(1, tzinfo=ZoneInfo("UTC"))) == b'"01:00:00Z"'
    # A time of day alone has no offset in a zone that changes its.
    assert json.encode(time(1, tzinfo=ZoneInfo("Europe/Berlin"))) == b'"01:00:00"'


@dataclass
class Appointment:
    at: datetime


# Offsets like the local mean times before railways.
AMSTERDAM = timezone(timedelta(minutes=19, seconds=32))
PART_OF_A_MINUTE = [
    datetime(1900, 1, 1, tzinfo=AMSTERDAM),
    time(1, tzinfo=AMSTERDAM),
    datetime(2020, 1, 1, tzinfo=timezone(timedelta(hours=5, seconds=-1))),
    datetime(2020, 1, 1, tzinfo=timezone(-timedelta(minutes=53, seconds=28))),
    datetime(2020, 1, 1, tzinfo=timezone(timedelta(microseconds=1))),
    datetime(1850, 1, 1, tzinfo=ZoneInfo("Europe/Berlin")),
]


@pytest.mark.parametrize("value", PART_OF_A_MINUTE)
def test_an_offset_of_part_of_a_minute_is_refused_in_every_format(value):
    expected = "expected an offset from UTC in whole minutes, less than a day, found `?-?[0-9:. day,]+`?"
    for write, wrapped, path in (
        (json.encode, [value], "$[0]"),
        (json.encode, {value: 1}, f"$[{dumps(str(value))}]"),
        (ndjson.encode, [[value]], "$[0][0]"),
        (csv.encode, [{"at": value}], "$[0].at"),
    ):
        with pytest.raises(demat.EncodeError, match=expected) as raised:
            write(wrapped)
        assert raised.value.path == path
    if isinstance(value, datetime):
        with pytest.raises(demat.EncodeError, match=expected) as raised:
            proto.encode(Appointment(value))
        assert raised.value.path == "$.at"


def test_the_ends_of_time():
    minutes = timezone(timedelta(hours=14)), timezone(-timedelta(hours=23, minutes=59)), UTC, None
    for value in (datetime.min, datetime.max, datetime(999, 2, 3, 4, 5, 6, 7), datetime(1, 1, 1, fold=1)):
        for zone in minutes:
            aware = value.replace(tzinfo=zone)
            assert json.decode(json.encode(aware), datetime) == aware
            assert json.decode(json.encode(aware), datetime).utcoffset() == aware.utcoffset()
            text = aware.replace(fold=0).isoformat().replace("+00:00", "Z")
            assert json.encode(aware).decode().strip('"').rstrip("0Z") == text.rstrip("0Z")
    first, second = (datetime(2026, 10, 25, 2, 30, tzinfo=ZoneInfo("Europe/Berlin"), fold=fold) for fold in (0, 1))
    assert json.encode([first, second]) == b'["2026-10-25T02:30:00+02:00","2026-10-25T02:30:00+01:00"]'


def test_subclasses_are_written_as_what_they_stand_on():
    class Stamp(datetime):
        pass

    class Day(date):
        pass

    assert json.encode([Stamp(2020, 1, 1), Day(2020, 1, 2)]) == b'["2020-01-01T00:00:00","2020-01-02"]'


def test_each_offset_has_its_own_timezone():
    minutes = [*range(-24 * 60 + 1, 24 * 60)] * 2
    values = [datetime(2024, 5, 6, 7, 8, tzinfo=timezone(timedelta(minutes=offset))) for offset in minutes]
    times = [value.timetz() for value in values]
    texts = [value.isoformat() for value in values]
    for read in (json.decode(dumps(texts), list[datetime]), json.decode(dumps(texts), list[datetime], errors="all")):
        assert read == values
        assert [one.utcoffset() for one in read] == [value.utcoffset() for value in values]
        assert all(type(one.tzinfo) is timezone for one in read)
    clocks = json.decode(dumps([one.isoformat() for one in times]), list[time])
    assert [one.utcoffset() for one in clocks] == [one.utcoffset() for one in times]
