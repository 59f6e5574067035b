"""Subclasses of builtin classes with a constructor of their own, which Demat calls with the value."""

import collections
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta
from decimal import Decimal, InvalidOperation
from typing import NamedTuple
from uuid import UUID

import demat
import pytest
from demat import csv, json, ndjson, proto


class Shout(str):
    def __new__(cls, value):
        if value == "key":
            raise KeyError("no")
        return super().__new__(cls, value.upper())


class Percent(int):
    def __new__(cls, value):
        if value < 0:
            raise ValueError("negative")
        if value > 100:
            raise InvalidOperation("too much")
        return super().__new__(cls, value)


class Ratio(float):
    def __init__(self, value):
        self.half = value / 2


class Blob(bytes):
    def __new__(cls, value):
        return super().__new__(cls, value)


class Buffer(bytearray):
    pass


class Day(date):
    pass


class Moment(datetime):
    def __new__(cls, value):
        return super().__new__(cls, value.year, value.month, value.day, tzinfo=UTC)


class Stamp(datetime):
    def __new__(cls, *arguments):
        return super().__new__(cls, *arguments)


class Clock(time):
    pass


class Span(timedelta):
    pass


class Key(UUID):
    pass


class Copied(UUID):
    def __init__(self, other):
        super().__init__(int=other.int)


class Price(Decimal):
    def __new__(cls, value="0"):
        return super().__new__(cls, value)

    def __str__(self):
        return "what it costs"


class Tags(list):
    def __init__(self, items):
        if len(items) > 3:
            raise KeyError("too many")
        super().__init__(items)


class Pair(tuple[int, ...]):
    def __new__(cls, items):
        return super().__new__(cls, items)


class Names(set):
    def __init__(self, items):
        super().__init__(items)


class Table(dict):
    def __init__(self, entries):
        super().__init__(entries)
        self.size = len(entries)


class Empty(dict):
    def __init__(self):
        super().__init__()


class Grouped(collections.defaultdict):
    def __init__(self, *arguments):
        super().__init__(list, *arguments)


class Interned(type):
    def __call__(cls, *arguments):
        return super().__call__(*arguments)


class Word(str, metaclass=Interned):
    pass


MADE = [
    (Shout, '"ab"', Shout("ab"), '"AB"'),
    (Percent, "5", Percent(5), "5"),
    (Ratio, "1.5", Ratio(1.5), "1.5"),
    (Blob, '"AAAA"', Blob(b"\0\0\0"), '"AAAA"'),
    (Buffer, '"AAAA"', Buffer(b"\0\0\0"), '"AAAA"'),
    (Day, '"2020-01-02"', Day(2020, 1, 2), '"2020-01-02"'),
    (Moment, '"2020-01-02T00:00:00"', Moment(date(2020, 1, 2)), '"2020-01-02T00:00:00Z"'),
    (Stamp, '"2020-01-02T03:04:05.000006Z"', Stamp(2020, 1, 2, 3, 4, 5, 6, UTC), '"2020-01-02T03:04:05.000006Z"'),
    (Clock, '"01:02:03"', Clock(1, 2, 3), '"01:02:03"'),
    (Span, '"P1DT5S"', Span(1, 5), '"P1DT5S"'),
    (Key, f'"{UUID(int=5)}"', Key(int=5), f'"{UUID(int=5)}"'),
    (Copied, f'"{UUID(int=5)}"', Copied(UUID(int=5)), f'"{UUID(int=5)}"'),
    (Price, "1.50", Price("1.50"), "1.50"),
    (Word, '"w"', Word("w"), '"w"'),
    (Tags, "[1]", Tags([1]), "[1]"),
    (Pair, "[1,2]", Pair((1, 2)), "[1,2]"),
    (Names, "[1]", Names([1]), "[1]"),
    (Table, '{"a":1}', Table({"a": 1}), '{"a":1}'),
    (Empty, '{"a":1}', None, '{"a":1}'),
    (Grouped, '{"a":1}', Grouped({"a": 1}), '{"a":1}'),
]


@pytest.mark.parametrize(("cls", "text", "value", "written"), MADE)
def test_made_wherever_they_stand(cls, text, value, written):
    made = json.decode(text, cls)
    assert type(made) is cls
    assert value is None or made == value
    key = text if text.startswith('"') else f'"{text}"'
    places = [(list[cls], f"[{text}]", f"[{written}]"), (cls | None, text, written)]
    places += [
        (dict[str, cls], f'{{"k":{text}}}', f'{{"k":{written}}}'),
        (tuple[cls, int], f"[{text},1]", f"[{written},1]"),
    ]
    if cls.__hash__ is not None and not text.startswith(("[", "{")):
        places.append((dict[cls, int], f"{{{key}:1}}", None))
    for tp, given, back in places:
        found = json.decode(given, tp)
        assert json.decode(given, tp, errors="all") == found
        assert json.encode(found) == json.encode(found, type=tp)
        assert back is None or json.encode(found) == back.encode()
    # An instance can also be encoded as its base class.
    base = next(base for base in cls.__mro__ if base.__module__ in ("builtins", "datetime", "decimal", "uuid"))
    assert json.encode(made, type=base) == written.encode()


def test_what_a_constructor_keeps():
    assert json.decode("3.0", Ratio).half == 1.5
    assert json.decode('{"a":1,"b":2}', Table).size == 2
    assert json.decode("{}", Grouped)["new"] == []


@dataclass
class Row:
    name: Shout
    share: Percent


REFUSED = [
    ("-1", ValueError, "negative"),
    ("101", InvalidOperation, "too much"),
]


@pytest.mark.parametrize(("text", "cause", "message"), REFUSED)
def test_whatever_a_constructor_raises_is_about_the_value(text, cause, message):
    for decode, data, tp, path in (
        (json.decode, text, Percent, "$"),
        (json.decode, f'{{"name":"","share":{text}}}', Row, "$.share"),
        (json.decode, f"[[{text}]]", list[list[Percent]], "$[0][0]"),
        (json.decode, f"[{text}]", list[Percent | None], "$[0]"),
        (json.decode, f'{{"{text}":1}}', dict[Percent, int], f'$["{text}"]'),
        (ndjson.decode, text, list[Percent], "$[0]"),
        (csv.decode, f"name,share\na,{text}\n", list[Row], "$[0].share"),
    ):
        with pytest.raises(demat.ValidationError, match=message) as raised:
            decode(data, tp)
        assert raised.value.path in (path, path.replace('["101"]', ".101"))
        assert isinstance(raised.value.__cause__, cause) or isinstance(raised.value.__cause__.__cause__, cause)
    with pytest.raises(demat.ValidationError, match="KeyError: 'too many'"):
        json.decode("[1,2,3,4]", Tags)
    with pytest.raises(demat.ValidationError, match="KeyError: 'no' at `\\$.key`"):
        json.decode('{"key":1}', dict[Shout, int])


def test_the_next_type_of_a_union_where_a_constructor_refuses():
    assert json.decode("[-1,5]", list[Percent | int]) == [-1, Percent(5)]


def test_a_constructor_that_wants_more_is_said_to():
    class Two(str):
        def __new__(cls, one, two):
            return super().__new__(cls, one + two)

    with pytest.raises(TypeError, match=r"`.*Two` can't be described: .*demat\.hook\(Two"):
        json.decode('"a"', Two)


class Place(NamedTuple):
    x: int
    y: int = 0


class Here(Place):
    pass


@pytest.mark.parametrize("cls", [Place, Here])
@pytest.mark.parametrize("items", [(), (1,), (1, 2, 3)])
def test_a_named_tuple_has_as_many_items_as_fields(cls, items):
    value = tuple.__new__(cls, items)
    for write, given, options, path in (
        (json.encode, value, {}, "$"),
        (json.encode, [value], {"type": list[Place]}, "$[0]"),
        (json.encode, {"a": value}, {"type": dict[str, Place | int]}, "$.a"),
        (ndjson.encode, [value], {}, "$[0]"),
        (csv.encode, [value], {}, "$[0]"),
        (csv.encode, [value], {"type": list[Place]}, "$[0]"),
        (proto.encode, value, {}, "$"),
    ):
        with pytest.raises(demat.EncodeError, match=f"expected a `.*` of 2, found one of {len(items)}") as raised:
            write(given, **options)
        assert raised.value.path == path
