"""Keys of dicts: text in JSON, whatever they are in Python."""

import enum
import uuid
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta
from decimal import Decimal
from typing import Annotated, Any, Literal, NewType

import demat
import formats
import pytest
from demat import Field, Hook, json


class Color(enum.Enum):
    RED = "red"
    GREEN = "green"


class Level(enum.IntEnum):
    LOW = 1
    HIGH = 2


class Mixed(enum.Enum):
    ONE = 1
    TWO = "two"


Id = NewType("Id", int)
Hexed = Annotated[int, Hook(wire=str, decode=lambda text: int(text, 16), encode=hex)]

TAKEN = [
    (str, '{"a":0}', "a"),
    (str, '{"":0}', ""),
    (str, '{"é😀":0}', "é😀"),
    (int, '{"-5":0}', -5),
    (int, '{"1180591620717411303424":0}', 2**70),
    (Id, '{"7":0}', 7),
    (float, '{"1.5":0}', 1.5),
    (bool, '{"true":0}', True),
    (bool, '{"false":0}', False),
    (Decimal, '{"1.10":0}', Decimal("1.10")),
    (date, '{"2020-01-02":0}', date(2020, 1, 2)),
    (time, '{"01:02:03":0}', time(1, 2, 3)),
    (datetime, '{"2020-01-02T03:04:05Z":0}', datetime(2020, 1, 2, 3, 4, 5, tzinfo=UTC)),
    (timedelta, '{"P1D":0}', timedelta(1)),
    (uuid.UUID, '{"12345678-1234-5678-1234-567812345678":0}', uuid.UUID("12345678-1234-5678-1234-567812345678")),
    (bytes, '{"AAE=":0}', b"\0\1"),
    (Color, '{"red":0}', Color.RED),
    (Level, '{"2":0}', Level.HIGH),
    (Mixed, '{"1":0}', Mixed.ONE),
    (Mixed, '{"two":0}', Mixed.TWO),
    (Literal["a", "b"], '{"b":0}', "b"),
    (Literal[1, 2], '{"2":0}', 2),
    (Literal[1, "b"], '{"1":0}', 1),
    (Literal[1, "b"], '{"b":0}', "b"),
    (Hexed, '{"0xff":0}', 255),
    (Annotated[int, Field(ge=0)], '{"3":0}', 3),
    (Annotated[str, Field(pattern="^[a-z]+$")], '{"abc":0}', "abc"),
    (Any, '{"1":0}', "1"),
]


@pytest.mark.parametrize(("tp", "text", "key"), TAKEN)
def test_taken(tp, text, key):
    (found,) = json.decode(text, dict[tp, int])
    assert (type(found), found) == (type(key), key)
    assert json.encode({key: 0}, type=dict[tp, int]) == text.encode()
    assert json.decode(json.encode([{key: 0}], type=list[dict[tp, int]]), list[dict[tp, int]]) == [{key: 0}]


REFUSED = [
    (int, "a", "expected `int`, found `a`"),
    (int, "1.0", "expected `int`, found `1.0`"),
    (int, "", "expected `int`, found ``"),
    (int, " 1", "expected `int`, found ` 1`"),
    (bool, "True", "expected `bool`"),
    (float, "nan", "expected `float`"),
    (date, "today", 'expected `date` as YYYY-MM-DD, found `str` "today"'),
    (Color, "blue", "expected `red` or `green`, found `blue`"),
    (Level, "3", "expected `1` or `2`, found `3`"),
    (Literal["a"], "b", "expected `a`, found `b`"),
    (Annotated[int, Field(ge=0)], "-3", "expected a value >= 0, found `-3`"),
]


@pytest.mark.parametrize(("tp", "key", "message"), REFUSED)
def test_refused(tp, key, message):
    with pytest.raises(demat.ValidationError) as raised:
        json.decode(f'{{"ok":{{"{key}":1}}}}', dict[str, dict[tp, int]])
    error = raised.value
    assert str(error).startswith(message)
    assert (error.line, error.column, error.offset) == (1, 8, 7)
    assert error.path is not None
    assert error.path.startswith("$.ok")
    assert key in error.path


def test_keys_of_no_kind_that_text_can_say():
    for tp in (tuple[int, int], list[int], dict[str, int], None):
        with pytest.raises((demat.ValidationError, TypeError)):
            json.decode('{"a":1}', dict[tp, int])


@pytest.mark.parametrize("key", [None, (1, 2), frozenset([1])])
def test_keys_that_are_not_written(key):
    with pytest.raises(demat.EncodeError, match="can't be a key in JSON") as raised:
        json.encode({"a": [{key: 1}]})
    assert raised.value.path.startswith("$.a[0]")


def test_keys_of_objects_nobody_knows():
    with pytest.raises(demat.EncodeError, match="can't encode an object of the class `object`"):
        json.encode({object(): 1})
    assert json.encode({object(): 1}, default=lambda _: "it") == b'{"it":1}'


@dataclass(frozen=True)
class Point:
    x: int


def test_a_key_with_a_hook_for_its_class():
    hook = Hook(wire=str, decode=lambda text: Point(int(text)), encode=lambda point: str(point.x))
    points = json.decode('{"5":1}', dict[Point, int], hooks={Point: hook})
    assert points == {Point(5): 1}
    assert json.encode(points, hooks={Point: hook}) == b'{"5":1}'


def test_keys_that_are_one_to_python_are_one():
    assert json.decode('{"1":0,"1":5}', dict[int, int]) == {1: 5}
    assert json.decode('{"1":0,"1.0":5}', dict[float, int]) == {1.0: 5}
    with pytest.raises(demat.ValidationError, match="stands here again"):
        json.decode('{"1":0,"1.0":5}', dict[float, int], repeated_keys="refuse")


def test_many_keys_of_every_length():
    keys = [letter * length for length in range(1, 80) for letter in ("a", "b", "é", "€", "😀")]
    table = {key: index for index, key in enumerate(keys)}
    for _ in range(3):
        assert json.decode(json.encode(table)) == table
        assert json.decode(json.encode(table), dict[str, int]) == table
    alike = [{**table, "z": n} for n in range(5)]
    assert json.decode(json.encode(alike)) == alike
    assert [list(item) for item in json.decode(json.encode(alike))] == [list(item) for item in alike]


@pytest.mark.parametrize("module", formats.modules(nested=True, special=None, but=("mca", "avro", "ndjson")))
@pytest.mark.parametrize("key", [0.1, -0.0, 1e300, float("inf"), float("-inf")])
def test_floats_are_kept_or_refused_when_they_are_written(module, key):
    tp = dict[str, dict[float, int]]
    try:
        data = module.encode({"k": {key: 1}}, type=tp)
    except demat.EncodeError as error:
        assert "expected" in str(error)
    else:
        assert repr(module.decode(data, tp)) == repr({"k": {key: 1}})
