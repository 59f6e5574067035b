"""Enums and literals that keep the values they lack: `Color | str`, `Level | int`, and `_missing_`."""

from dataclasses import dataclass
from enum import Enum, IntEnum, StrEnum
from typing import Annotated, Literal

import demat
import pytest
from demat import Field, cbor, csv, json, msgpack, ndjson, raw, yaml
from hypothesis import given
from hypothesis import strategies as st


class Color(Enum):
    RED = "red"
    BLUE = "blue"


class Level(IntEnum):
    LOW = 1
    HIGH = 2


class Mood(StrEnum):
    GOOD = "good"


class Kind(Enum):
    CAT = "cat"
    OTHER = "other"

    @classmethod
    def _missing_(cls, value):
        return cls.OTHER


TAKEN = [
    (Color | str, '"red"', Color.RED),
    (Color | str, '"green"', "green"),
    (Color | str, '""', ""),
    (str | Color, '"green"', "green"),
    (Color | str | None, "null", None),
    (Level | int, "2", Level.HIGH),
    (Level | int, "3", 3),
    (Mood | str, '"good"', Mood.GOOD),
    (Mood | str, '"bad"', "bad"),
    (Literal["asc", "desc"] | str, '"random"', "random"),  # noqa: PYI051 - the text that it is, known or not
    (Annotated[Color | str, Field(max_length=5)], '"green"', "green"),
    (list[Color | str], '["red","green"]', [Color.RED, "green"]),
    (dict[str, Level | int], '{"a":1,"b":9}', {"a": Level.LOW, "b": 9}),
]


@pytest.mark.parametrize(("tp", "text", "value"), TAKEN)
def test_unknown_values_are_kept(tp, text, value):
    found = json.decode(text, tp)
    assert (found, type(found)) == (value, type(value))
    assert json.encode(found) == json.encode(found, type=tp) == text.encode()
    assert demat.convert(json.decode(text), tp) == value
    assert demat.to_builtins(value) == json.decode(text)
    for module in (ndjson, msgpack, cbor, yaml, raw):
        data = module.encode([value], type=list[tp])
        assert module.decode(data, list[tp]) == [value]
    assert list(json.read(f"[{text},{text}]".encode(), tp)) == [value] * 2


def test_values_of_another_kind_are_refused():
    for tp, text in ((Color | str, "5"), (Level | int, '"low"'), (Level | int, "1.5"), (Color | str, "null")):
        with pytest.raises(demat.ValidationError):
            json.decode(text, tp)
    with pytest.raises(demat.ValidationError):
        json.decode('"turquoise"', Annotated[Color | str, Field(max_length=5)])


@dataclass
class Paint:
    color: Color | str
    level: Level | int = Level.LOW


def test_records_and_cells():
    paints = [Paint(Color.RED), Paint("green", 7)]
    assert csv.encode(paints) == b"color,level\nred,1\ngreen,7\n"
    assert csv.decode(csv.encode(paints), list[Paint]) == paints
    lazy = json.decode(b'{"color":"green","level":7}', Paint, lazy=True)
    assert (lazy.color, lazy.level) == ("green", 7)


def test_schema():
    schema = demat.schema(Color | str)
    assert [part.get("enum", part.get("type")) for part in schema["anyOf"]] == [["red", "blue"], "string"]


def test_keys_would_be_ambiguous():
    with pytest.raises(TypeError, match="its keys can't be told apart"):
        json.decode("{}", dict[Color | str, int])


@pytest.mark.parametrize("module", [raw, msgpack])
def test_members_alone(module):
    @dataclass
    class Both:
        color: Color
        level: Level
        colors: list[Color]

    both = Both(Color.BLUE, Level.HIGH, [Color.RED])
    assert module.decode(module.encode(both), Both) == both
    assert module.decode(module.encode([Color.RED], type=list[Color]), list[Color]) == [Color.RED]


def test_missing():
    assert json.decode('["cat","dog"]', list[Kind]) == [Kind.CAT, Kind.OTHER]
    # What was there is gone.
    assert json.encode(Kind.OTHER) == b'"other"'


@given(st.text(), st.integers(-(2**63), 2**63 - 1))
def test_any_value_comes_back(color, level):
    paint = Paint(next((one for one in Color if one.value == color), color), level)
    for module in (json, msgpack, raw):
        found = module.decode(module.encode(paint), Paint)
        assert found == paint
        assert type(found.level) is (Level if level in (1, 2) else int)
