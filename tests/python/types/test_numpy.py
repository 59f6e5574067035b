"""NumPy's arrays and scalars."""

from __future__ import annotations

import subprocess
import sys
from dataclasses import dataclass
from typing import Any

import demat
import numpy as np
import numpy.typing as npt
import pytest
from demat import Hook, json, msgpack, ndjson, proto
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

GRID = np.arange(24).reshape(2, 3, 4)

# An array, and what it is in JSON.
WRITTEN: list[tuple[Any, str]] = [
    (GRID, str(GRID.tolist())),
    (GRID[:, ::2, ::-1], str(GRID[:, ::2, ::-1].tolist())),
    (np.asfortranarray(GRID[0]), str(GRID[0].tolist())),
    (GRID[0].T, str(GRID[0].T.tolist())),
    (np.array([-128, 127], "i1"), "[-128,127]"),
    (np.array([0, 2**64 - 1], "u8"), "[0,18446744073709551615]"),
    (np.array([1], ">i4"), "[1]"),
    (np.array([0.1, -0.0, 1e300]), "[0.1,-0.0,1e+300]"),
    (np.array([0.1, 3.4e38], "f4"), "[0.1,3.4e+38]"),
    (np.array([0.1, 65504], "f2"), "[0.1,65500.0]"),
    (np.array([True, False]), "[true,false]"),
    (np.array(["a", "\u00e9", ""]), '["a","\u00e9",""]'),
    (np.array([b"ab"]), '["YWI="]'),
    (np.array(["2026-08-01", "NaT"], "M8[D]"), '["2026-08-01",null]'),
    (np.array(["2026-08-01T12:30:00.5"], "M8[ns]"), '["2026-08-01T12:30:00.500"]'),
    (np.array(["2026", "NaT"], "M8[Y]"), '["2026-01-01",null]'),
    (np.array([["2026-08"]], "M8[M]"), '[["2026-08-01"]]'),
    (np.array([0], "M8[W]"), '["1970-01-01"]'),
    (np.array(["2026-08-01T12"], "M8[h]"), '["2026-08-01T12:00:00"]'),
    (np.array(["2026-08-01T12:30"], "M8[m]"), '["2026-08-01T12:30:00"]'),
    (
        np.array(["0001-01-01", "9999-12-31T23:59:59.999999"], "M8[us]"),
        '["0001-01-01T00:00:00","9999-12-31T23:59:59.999999"]',
    ),
    (np.array([1000], "M8[ps]"), '["1970-01-01T00:00:00.000000001"]'),
    (np.array([1], "M8[25s]"), '["1970-01-01T00:00:25"]'),
    (np.array([], "M8[M]"), "[]"),
    (np.array([90, -1], "m8[s]"), '["PT1M30S","-PT1S"]'),
    # More days than 64 bits have microseconds.
    (np.array([107_000_000, -999_999_999], "m8[D]"), '["P107000000D","-P999999999D"]'),
    (np.array([1000], "m8[ns]"), '["PT0.000001S"]'),
    (np.array([0.1], np.longdouble), "[0.1]"),
    (np.array([1 + 2j]), '["1+2j"]'),
    (np.array([1, "a", None], object), '[1,"a",null]'),
    (np.array(7), "7"),
    (np.zeros((0, 3)), "[]"),
    (np.zeros((2, 0)), "[[],[]]"),
    (np.int8(-3), "-3"),
    (np.uint64(2**64 - 1), "18446744073709551615"),
    (np.float32(0.1), "0.1"),
    (np.float16(0.1), "0.1"),
    (np.float64(0.1), "0.1"),
    (np.bool_(True), "true"),
    (np.str_("a"), '"a"'),
    (np.datetime64("2026-08-01T12:30:00"), '"2026-08-01T12:30:00"'),
    (np.timedelta64(90, "s"), '"PT1M30S"'),
    (np.complex64(1j), '"1j"'),
    (np.longdouble(0.1), "0.1"),
    (np.clongdouble(1j), '"1j"'),
]


@pytest.mark.parametrize(("value", "text"), WRITTEN)
def test_written(value, text):
    text = text.replace(" ", "")
    assert json.encode(value).decode() == text
    assert json.encode({"a": [value]}).decode() == f'{{"a":[{text}]}}'
    assert json.encode(value, type=type(value)).decode() == text
    assert msgpack.decode(msgpack.encode([value, 1]))[1] == 1
    assert ndjson.encode([value]).decode() == text + "\n"


def test_not_written():
    for value, message in [
        (np.array([(1, 2.0)], "i4,f8"), "has no form in data"),
        (np.array([1], "m8[ns]"), "no exact"),
        (np.array([2**62], "m8[s]"), "of more than 999,999,999 days"),
        (np.timedelta64(10**15, "D"), "of more than 999,999,999 days"),
        (np.timedelta64(-(10**9), "D"), "of more than 999,999,999 days"),
        (np.timedelta64(2**60, "W"), "of more than 999,999,999 days"),
        (np.timedelta64(1, "M"), "of months has no length"),
        (np.timedelta64(1, "Y"), "of years has no length"),
        (np.timedelta64(1), "without a unit"),
        (np.timedelta64("NaT"), "NaT is no `timedelta`"),
        (np.datetime64("0000-12-31"), "outside the years 1 to 9999"),
        (np.datetime64("10000-01-01"), "outside the years 1 to 9999"),
        (np.datetime64(2**60, "Y"), "outside the years 1 to 9999"),
        (np.datetime64(-(2**62), "us"), "outside the years 1 to 9999"),
        (np.array([-79], "M8[25Y]"), "outside the years 1 to 9999"),
        (np.datetime64(1, "ps"), "not whole nanoseconds"),
        (np.longdouble("1e400"), "no 64-bit float"),
        (np.array([np.longdouble(1) + np.finfo(np.longdouble).eps]), "no 64-bit float"),
        (np.clongdouble(1) / 3, "no 64-bit float"),
        (np.array([np.nan]), "a finite number"),
    ]:
        with pytest.raises(demat.EncodeError, match=message):
            json.encode(value)


@dataclass
class Sample:
    name: str
    values: npt.NDArray[np.float64]
    mask: npt.NDArray[np.bool_]
    count: np.int32


def test_fields_of_classes():
    sample = Sample("a", np.array([[1.0, 2.5]]), np.array([True]), np.int32(7))
    data = json.encode(sample)
    assert data == b'{"name":"a","values":[[1.0,2.5]],"mask":[true],"count":7}'
    for module in (json, msgpack):
        read = module.decode(module.encode(sample, type=Sample), Sample)
        assert read.values.tolist() == [[1.0, 2.5]]
        assert read.values.dtype == np.float64
        assert read.mask.dtype == bool
        assert type(read.count) is np.int32


Rows = np.ndarray[tuple[int, int], np.dtype[np.int64]]


def test_a_stated_number_of_dimensions_has_a_shape():
    assert json.decode("[[1,2],[3,4]]", Rows).tolist() == [[1, 2], [3, 4]]
    assert demat.schema(Rows)["items"]["items"]["type"] == "integer"

    @dataclass
    class Line:
        values: np.ndarray[tuple[int], np.dtype[np.int64]]

    assert proto.decode(proto.encode(Line(np.arange(3))), Line).values.tolist() == [0, 1, 2]


READ: list[tuple[Any, str, Any, list[Any]]] = [
    (np.ndarray, "[[1,2],[3,4]]", np.int64, [[1, 2], [3, 4]]),
    (np.ndarray, "[1,2.5]", np.float64, [1.0, 2.5]),
    (npt.NDArray[Any], '["a"]', "U1", ["a"]),
    (npt.NDArray[np.float32], "[0.1]", np.float32, [np.float32(0.1).item()]),
    (npt.NDArray[np.uint8], "[]", np.uint8, []),
    (npt.NDArray[np.int64], "[[[9007199254740993]]]", np.int64, [[[9007199254740993]]]),
    (npt.NDArray[np.str_], '["a","bc"]', "U2", ["a", "bc"]),
    (npt.NDArray[np.bytes_], '["YWI="]', "S2", [b"ab"]),
    (npt.NDArray[np.complex128], '["1+2j"]', np.complex128, [1 + 2j]),
]


@pytest.mark.parametrize(("tp", "text", "dtype", "items"), READ)
def test_read(tp, text, dtype, items):
    read = json.decode(text, tp)
    assert type(read) is np.ndarray
    assert (read.dtype, read.tolist()) == (np.dtype(dtype), items)


REFUSED = [
    (npt.NDArray[np.uint8], "[256]", "a larger number"),
    (npt.NDArray[np.uint8], "[-1]", "a larger number"),
    (npt.NDArray[np.float32], "[1e300]", "a larger number"),
    (npt.NDArray[np.int32], "[1.5]", "found `float`"),
    (npt.NDArray[np.int32], "[true]", "found `bool`"),
    (npt.NDArray[np.float64], '["1"]', "found `str`"),
    (npt.NDArray[np.float64], "[null]", "found `NoneType`"),
    (npt.NDArray[np.float64], "[[1],[2,3]]", "the same length"),
    (npt.NDArray[np.float64], "[1,[2]]", "the same length"),
    (npt.NDArray[np.str_], "[1]", "found `int`"),
    (npt.NDArray[np.datetime64], '["2026-08-01T00:00:00Z"]', "without an offset"),
    (np.ndarray, '[1,"a"]', "of one kind"),
    (np.ndarray, "1", "expected `list`"),
    (Rows, "[1]", "expected `list`"),
    (np.uint8, "256", "<= 255"),
    (np.timedelta64, '"P107000000D"', "found a longer one"),
    (np.timedelta64, '"-P107000000D"', "found a longer one"),
]


@pytest.mark.parametrize(("tp", "text", "message"), REFUSED)
def test_refused(tp, text, message):
    with pytest.raises(demat.ValidationError, match=message):
        json.decode(text, tp)


def test_types_that_no_data_is():
    for tp in (npt.NDArray[np.void], np.void):
        with pytest.raises((TypeError, demat.Error)):
            json.decode("[[1]]", tp)


def test_hooks_of_the_user_come_first():
    hook = Hook(wire=int, encode=lambda array: int(array.sum()), decode=lambda count: np.ones(count))
    assert json.encode(np.arange(4), hooks={np.ndarray: hook}) == b"6"
    assert json.decode("3", np.ndarray, hooks={np.ndarray: hook}).tolist() == [1, 1, 1]


def test_numpy_is_not_imported():
    program = "import sys, demat.json; demat.json.encode([1.5, {}]); print('numpy' in sys.modules)"
    run = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert run.stdout == "False\n"


@given(
    hnp.arrays(
        st.sampled_from(["i1", "u2", "i4", "u8", "f4", "f8", "?", "U3"]),
        hnp.array_shapes(max_dims=3, max_side=3),
        elements={"allow_nan": False, "allow_infinity": False},
    )
)
def test_arrays_come_back(array):
    if array.dtype.kind == "U":
        array = np.char.replace(array, "\x00", "")
        if any(0xD800 <= ord(char) < 0xE000 for text in array.ravel() for char in text):
            return
    read = json.decode(json.encode(array), npt.NDArray[array.dtype.type])
    assert read.shape == array.shape
    assert (read == array).all()
