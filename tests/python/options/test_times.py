"""Datetimes in other forms than those of RFC 3339, where `times` accepts them; and UUIDs, where `strict=False` does."""

import json as standard
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta, timezone
from typing import Annotated
from uuid import UUID

import demat
import formats
import pytest
from demat import Field, cbor, csv, json, msgpack, ndjson, proto, raw, toml, txtpb, yaml
from hypothesis import given
from hypothesis import strategies as st

HOUR = timezone(timedelta(hours=1))
AT = datetime(2024, 5, 6, 7, 8, 9)
Aware = Annotated[datetime, Field(tz=True)]
Naive = Annotated[datetime, Field(tz=False)]

TEXTS = [
    ("2024-05-06", datetime(2024, 5, 6)),
    ("2024-05-06T07:08", datetime(2024, 5, 6, 7, 8)),
    ("2024-05-06 07:08Z", datetime(2024, 5, 6, 7, 8, tzinfo=UTC)),
    ("2024-05-06T07:08:09+0100", AT.replace(tzinfo=HOUR)),
    ("2024-05-06 07:08:09 +0100", AT.replace(tzinfo=HOUR)),
    ("2024-05-06T07:08:09+01", AT.replace(tzinfo=HOUR)),
    ("2024-05-06T07:08:09.123456789", AT.replace(microsecond=123456)),
    ("2024-05-06T07:08:09.9999999999999Z", AT.replace(microsecond=999999, tzinfo=UTC)),
]


@pytest.mark.parametrize("times", ["lenient", "seconds", "milliseconds"])
@pytest.mark.parametrize(("text", "value"), TEXTS)
def test_texts(text, value, times):
    quoted = standard.dumps(text)
    for tp in (datetime, Naive if value.tzinfo is None else Aware, Annotated[datetime, Field(times=times)]):
        options = {} if tp.__class__ is type(Aware) and "times" in repr(tp) else {"times": times}
        assert repr(json.decode(quoted, tp, **options)) == repr(value)
        assert repr(json.decode(quoted, tp, strict=False)) == repr(value)
        assert demat.convert(text, tp, **options) == value
    assert csv.decode(f"v\n{text}\n", list[dict[str, datetime]], times=times) == [{"v": value}]
    for module in formats.modules(reads="times", typed=False):
        assert module.decode(module.encode([{"v": text}]), list[dict[str, datetime]], times=times) == [{"v": value}]


@pytest.mark.parametrize(("text", "value"), TEXTS)
def test_errors_name_the_option(text, value):
    with pytest.raises(demat.ValidationError, match='`times="lenient"`') as raised:
        json.decode(f'[{{"at":"{text}"}}]', list[dict[str, datetime]])
    assert (raised.value.path, raised.value.column) == ("$[0].at", 8)
    with pytest.raises(demat.ValidationError, match='`times="lenient"`'):
        demat.convert(text, datetime)


def test_the_option_is_named_only_where_it_would_help():
    for text, tp in (
        ('"2024-02-30"', datetime),
        ('"soon"', datetime),
        ('"2024-05-06"', Aware),
        ('"2024-05-06T07:08Z"', Naive),
        ("true", datetime),
        ("{}", datetime),
    ):
        with pytest.raises(demat.ValidationError) as raised:
            json.decode(text, tp)
        assert "times" not in str(raised.value)
    for times in ("lenient", "seconds", "milliseconds"):
        with pytest.raises(demat.ValidationError, match="with an offset, found one without"):
            json.decode('"2024-05-06"', Aware, times=times)
        with pytest.raises(demat.ValidationError, match="without an offset, found one with"):
            json.decode('"2024-05-06T07:08Z"', Naive, times=times)
        for text in ('"2024-02-30"', '"soon"', '""', '"06.05.2024"', '"17"', "null", "[]", "true"):
            with pytest.raises(demat.ValidationError):
                json.decode(text, datetime, times=times)


def test_numbers():
    moment = datetime(2024, 5, 6, 7, 8, 9, 250_000, tzinfo=UTC)
    seconds, milliseconds = moment.timestamp(), int(moment.timestamp() * 1000)
    assert json.decode(f"[{seconds}, {int(seconds)}, -1]", list[datetime], times="seconds") == [
        moment,
        moment.replace(microsecond=0),
        datetime(1969, 12, 31, 23, 59, 59, tzinfo=UTC),
    ]
    assert json.decode(f"[{milliseconds}, 0.5]", list[Aware], times="milliseconds") == [
        moment,
        datetime(1970, 1, 1, 0, 0, 0, 500, tzinfo=UTC),
    ]
    assert csv.decode(f"v\n{milliseconds}\n", list[dict[str, datetime]], times="milliseconds") == [{"v": moment}]
    assert demat.convert([milliseconds], list[datetime], times="milliseconds") == [moment]
    assert json.decode(str(seconds), datetime, strict=False) == moment
    assert json.decode(str(milliseconds), datetime, strict=False, times="milliseconds") == moment
    for options in ({}, {"times": "lenient"}):
        with pytest.raises(demat.ValidationError, match='`times="seconds"` and `times="milliseconds"` read numbers'):
            json.decode("17", datetime, **options)
    for text in ("1e300", "99999999999999999999999", "253402300800", "-62135596801"):
        with pytest.raises(demat.ValidationError):
            json.decode(text, datetime, times="seconds")
    with pytest.raises(demat.ValidationError, match="without an offset, found one with"):
        json.decode("17", Naive, times="seconds")


def test_times_of_day():
    assert json.decode('["07:08", "07:08:09+0100", "07:08:09.123456789"]', list[time], times="lenient") == [
        time(7, 8),
        time(7, 8, 9, tzinfo=HOUR),
        time(7, 8, 9, 123456),
    ]
    for text in ("07:08", "07:08:09+0100"):
        with pytest.raises(demat.ValidationError, match='`times="lenient"`'):
            json.decode(f'"{text}"', time)
    for text, tp, message in (
        ("07:08", Annotated[time, Field(tz=True)], "found one without"),
        ("07:08+0100", Annotated[time, Field(tz=False)], "found one with"),
        ("7:08", time, "expected `time`"),
    ):
        with pytest.raises(demat.ValidationError, match=message):
            json.decode(f'"{text}"', tp, times="lenient")


@dataclass
class Event:
    at: Annotated[datetime, Field(times="milliseconds")]
    seen: Annotated[datetime | None, Field(times="lenient")] = None
    strict: datetime | None = None


def test_fields():
    event = Event(datetime(1970, 1, 1, 0, 0, 1, tzinfo=UTC), datetime(2024, 5, 6))
    text = b'{"at":1000,"seen":"2024-05-06"}'
    assert json.decode(text, Event) == event
    # The field's own word counts more than the call's.
    assert json.decode(text, Event, times="seconds") == event
    assert json.decode(json.encode(event), Event) == event
    assert demat.convert({"at": 1000, "seen": date(2024, 5, 6)}, Event) == event
    with pytest.raises(demat.ValidationError) as raised:
        json.decode(b'{"at":1000,"strict":"2024-05-06"}', Event)
    assert raised.value.path == "$.strict"
    with pytest.raises(demat.ValidationError, match='`times="seconds"`'):
        json.decode(b'{"at":1000,"seen":17}', Event)
    lazy = json.decode(text, Event, lazy=True)
    assert (lazy.at, lazy.seen) == (event.at, event.seen)
    # The narrower type decides about a number.
    either = Annotated[datetime | str | None, Field(times="seconds")]
    assert json.decode('[1, "2024-05-06", "soon", null]', list[either]) == [
        datetime(1970, 1, 1, 0, 0, 1, tzinfo=UTC),
        datetime(2024, 5, 6),
        "soon",
        None,
    ]
    assert json.decode("[1]", list[Annotated[datetime | int, Field(times="seconds")]]) == [1]
    assert json.decode('[1, "a"]', list[datetime | str], times="seconds")[0].year == 1970


def test_schemas():
    properties = demat.schema(Event)["$defs"]["Event"]["properties"]
    assert properties["at"] == {"type": ["string", "number"]}
    assert properties["seen"]["anyOf"][0] == {"type": "string"}
    assert properties["strict"]["anyOf"][0] == {"type": "string", "format": "date-time"}


def test_dates_of_formats_that_have_them():
    for module, text in ((yaml, "v: 2024-05-06\n"), (toml, "v = 2024-05-06\n")):
        assert module.decode(text, dict[str, datetime], times="lenient") == {"v": datetime(2024, 5, 6)}
        with pytest.raises(demat.ValidationError, match='`times="lenient"`'):
            module.decode(text, dict[str, datetime])
    for module in (cbor, msgpack):
        data = module.encode([date(2024, 5, 6)])
        assert module.decode(data, list[datetime], times="lenient") == [datetime(2024, 5, 6)]


def test_streams_of_any_chunks():
    text = b'[{"at":1000,"seen":"2024-05-06","strict":"2024-05-06T07:08:09"},{"at":"2024-05-06T07:08+0100"}]'
    expected = json.decode(text, list[Event])
    for size in range(1, len(text)):
        chunks = (text[at : at + size] for at in range(0, len(text), size))
        assert list(json.read(chunks, Event)) == expected
    text = b"[1717171717171, 5, 17171]"
    for size in range(1, len(text)):
        chunks = (text[at : at + size] for at in range(0, len(text), size))
        found = [moment.timestamp() for moment in json.read(chunks, datetime, times="milliseconds")]
        assert found == [1717171717.171, 0.005, 17.171]


def test_all_errors():
    with pytest.raises(demat.ValidationError) as raised:
        json.decode('["2024-05-06", 5, "x"]', list[datetime], errors="all")
    assert [error.path for error in raised.value.errors] == ["$[0]", "$[1]", "$[2]"]
    assert ["times" in str(error) for error in raised.value.errors] == [True, True, False]
    assert ndjson.decode(b'"2024-05-06"\n"x"\n', list[datetime], times="lenient", on_error="skip") == [
        datetime(2024, 5, 6)
    ]


def test_where_it_can_not_be_honoured_it_is_refused():
    for module in (proto, txtpb, raw):
        with pytest.raises(TypeError, match="no option"):
            module.decode(b"", Event, times="lenient")
    with pytest.raises(TypeError, match=r"Field\(times=…\)"):
        json.decode(b"{}", Event, lazy=True, times="lenient")
    with pytest.raises(TypeError, match="no option"):
        json.columns(b"[]", Event, times="lenient")
    for times in ("strict", "Seconds", ""):
        with pytest.raises(ValueError, match="times"):
            json.decode("1", datetime, times=times)
        with pytest.raises(ValueError, match="times"):
            Field(times=times)
    for times in (True, 5):
        with pytest.raises(TypeError, match="times"):
            json.decode("1", datetime, times=times)
    for tp in (int, date, timedelta, list[datetime]):
        with pytest.raises(TypeError, match="`times` is for datetime"):
            json.decode("1", Annotated[tp, Field(times="seconds")])


DIGITS = "f81d4fae-7dec-11d0-a765-00a0c91e6bf6"


def test_uuids():
    for text in (DIGITS, DIGITS.replace("-", ""), f"{{{DIGITS}}}", f"urn:uuid:{DIGITS}", f"URN:UUID:{DIGITS.upper()}"):
        assert json.decode(f'"{text}"', UUID, strict=False) == UUID(DIGITS)
        assert demat.convert(text, UUID, strict=False) == UUID(DIGITS)
    for text in (f"{{{DIGITS}", f"urn:{DIGITS}", "", DIGITS[1:]):
        with pytest.raises(demat.ValidationError):
            json.decode(f'"{text}"', UUID, strict=False)
    for text in (f"{{{DIGITS}}}", f"urn:uuid:{DIGITS}"):
        with pytest.raises(demat.ValidationError):
            json.decode(f'"{text}"', UUID)


# Text does not say which of two equal times of a clock it means.
MOMENTS = st.datetimes(timezones=st.none() | st.just(UTC) | st.just(HOUR)).map(lambda moment: moment.replace(fold=0))


@given(MOMENTS)
def test_what_is_read_strictly_is_read_alike(moment):
    for times in ("lenient", "seconds", "milliseconds"):
        assert repr(json.decode(json.encode(moment), datetime, times=times)) == repr(moment)


@given(st.integers(-62135596800000, 253402300799999))
def test_milliseconds(count):
    moment = datetime(1970, 1, 1, tzinfo=UTC) + timedelta(milliseconds=count)
    assert json.decode(str(count), datetime, times="milliseconds") == moment
