"""Classes of the standard library that are text or a list: fractions, complex numbers, paths, patterns, ranges."""

from __future__ import annotations

import re
import subprocess
import sys
from dataclasses import dataclass, field
from fractions import Fraction
from pathlib import Path, PurePath, PurePosixPath, PureWindowsPath
from typing import Any

import demat
import pytest
from demat import Hook, csv, json, msgpack, proto, sqlite
from hypothesis import given
from hypothesis import strategies as st


@dataclass
class All:
    share: Fraction
    point: complex
    home: Path
    pure: PurePath
    windows: PureWindowsPath
    name: re.Pattern[str]
    maybe: Fraction | None = None


@dataclass
class Steps:
    steps: range
    each: dict[Fraction, list[complex]] = field(default_factory=dict)


ALL = All(Fraction(1, 3), 1 + 2j, Path("/home/a"), PurePath("b"), PureWindowsPath("c:/d"), re.compile("^[a-z]+$"))
TEXT = {
    "share": "1/3",
    "point": "1+2j",
    "home": "/home/a",
    "pure": "b",
    "windows": "c:\\d",
    "name": "^[a-z]+$",
    "maybe": None,
}


def test_text_in_every_kind_of_format(tmp_path):
    assert json.decode(json.encode(ALL)) == TEXT
    assert json.encode(ALL, type=All) == json.encode(ALL)
    for module in (json, msgpack, proto):
        assert module.decode(module.encode(ALL), All) == ALL
    assert csv.decode(csv.encode([ALL]), list[All]) == [ALL]
    with sqlite.open(tmp_path / "a.db") as database:
        table = database.table("all", All)
        table.insert([ALL])
        assert table.select().all() == [ALL]
    assert demat.convert(TEXT, All) == ALL


def test_lists_and_keys():
    steps = Steps(range(3, 12, 4), {Fraction(1, 2): [1j, complex(-1.5, -0.0)]})
    assert json.encode(steps) == b'{"steps":[3,7,11],"each":{"1/2":["1j","-1.5-0j"]}}'
    assert json.decode(json.encode(steps), Steps) == steps
    assert json.encode({Path("a"): 1}) == b'{"a":1}'
    assert json.decode('{"a": 1}', dict[Path, int]) == {Path("a"): 1}


@pytest.mark.parametrize(
    "steps", [range(0), range(1), range(5, 0, -2), range(-3, 4), range(7, 8), range(2**70, 2**70 + 2)]
)
def test_ranges(steps):
    assert json.decode(json.encode(steps), range) == steps


REFUSED: list[tuple[Any, str, str]] = [
    (Fraction, '"0.5"', "a fraction such as"),
    (Fraction, '"1e999999999"', "a fraction such as"),
    (Fraction, '"1/0"', "denominator is not zero"),
    (Fraction, '" 1/2"', "a fraction such as"),
    (Fraction, f'"{"9" * 5000}"', "4300 digits"),
    (Fraction, "1", "expected `str`, found `int` 1"),
    (complex, '"1 + 2j"', "a complex number"),
    (complex, '"(1+2j)"', "a complex number"),
    (complex, '"\u0661"', "a complex number"),
    (complex, '"x"', "a complex number"),
    (re.Pattern, '"("', "a regular expression"),
    (range, "[1,2,4]", "equal steps"),
    (range, "[1,1]", "equal steps"),
    (Path, "1", "expected `str`"),
]


@pytest.mark.parametrize(("tp", "text", "message"), REFUSED)
def test_refused(tp, text, message):
    with pytest.raises(demat.ValidationError, match=message) as raised:
        json.decode(f"[{text}]", list[tp])
    assert raised.value.path == "$[0]"


def test_what_text_does_not_hold_is_not_written():
    assert json.decode(json.encode(re.compile("(?i)a")), re.Pattern).flags & re.IGNORECASE
    with pytest.raises(demat.EncodeError, match="flags"):
        json.encode(re.compile("a", re.IGNORECASE))
    with pytest.raises(demat.EncodeError, match="bytes"):
        json.encode(re.compile(b"a"))
    with pytest.raises(demat.EncodeError, match="surrogate"):
        json.encode(Path("\udcff"))


def test_subclasses_of_paths_are_made_again():
    class Own(PurePosixPath):
        pass

    assert type(json.decode('"a"', Own)) is Own
    assert json.encode(Own("a")) == b'"a"'


def test_hooks_of_the_user_come_first():
    parts = Hook(wire=list[int], decode=lambda read: Fraction(*read), encode=Fraction.as_integer_ratio)
    hooks = {Fraction: parts}
    assert json.encode(Fraction(1, 3), hooks=hooks) == b"[1,3]"
    assert json.decode("[1,3]", Fraction, hooks=hooks) == Fraction(1, 3)


def test_schemas():
    assert demat.schema(Fraction)["type"] == "string"
    assert demat.schema(range) == demat.schema(list[int])


def test_nothing_is_imported():
    program = "import sys, demat.json; demat.json.encode([1, 'a']); print('fractions' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", program], capture_output=True, text=True).stdout == "False\n"


@given(st.fractions() | st.complex_numbers(allow_nan=False))
def test_values_come_back(value):
    assert json.decode(json.encode(value), type(value)) == value
    assert repr(json.decode(json.encode(value), type(value))) == repr(value)
