"""NumPy's arrays of numbers, encoded from their memory: the same as lists of their items."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import demat
import numpy
import pytest
from demat import _native
from demat._describe.numpy_arrays import _listed
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays

KINDS = ["?", "i1", "i2", "i4", "i8", "u1", "u2", "u4", "u8", "f2", "f4", "f8"]
SHAPES = [(0,), (1,), (7,), (2, 3), (3, 0), (0, 3), (2, 1, 3), (1, 2, 1, 2)]


def some(kind: str, shape: tuple[int, ...]) -> Any:
    """An array with the borders of its kind."""
    dtype = numpy.dtype(kind)
    if dtype.kind == "f":
        own = numpy.finfo(dtype)
        values = [0.0, -0.0, 0.1, -1.5, float(own.max), float(own.tiny), float(own.smallest_subnormal), 1 / 3]
    elif dtype.kind == "b":
        values = [True, False, True]
    else:
        limits = numpy.iinfo(dtype)
        values = [limits.min, limits.max, 0, 1, 100]
    size = int(numpy.prod(shape))
    return numpy.array((values * (size + 1))[:size], dtype).reshape(shape)


@pytest.mark.parametrize("order", ["=", ">", "<"])
@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("kind", KINDS)
def test_the_items_are_those_of_lists(kind: str, shape: tuple[int, ...], order: str) -> None:
    array = some(kind, shape).astype(numpy.dtype(kind).newbyteorder(order))
    for own in (array, array[::-1], array.T, numpy.asfortranarray(array), array[..., ::2]):
        expected = _listed(numpy, own)
        for module in (demat.json, demat.msgpack, demat.cbor, demat.yaml):
            assert module.encode({"a": own}) == module.encode({"a": expected})


@given(
    st.sampled_from(KINDS).flatmap(lambda kind: arrays.arrays(kind, arrays.array_shapes(max_dims=3, max_side=4))),
)
def test_any_array(array: Any) -> None:
    assert demat.json.encode(array, nonfinite="null") == demat.json.encode(_listed(numpy, array), nonfinite="null")


def test_every_float_of_half_the_width_has_its_shortest_digits() -> None:
    array = numpy.arange(0x1_0000, dtype="u2").view("f2")
    array = array[numpy.isfinite(array)]
    found = numpy.array(demat.json.decode(demat.json.encode(array)))
    expected = array.astype(str).astype(float)
    assert (found.view("u8") == expected.view("u8")).all()


@pytest.mark.parametrize("kind", ["i1", "i2", "i4", "i8", "u1", "u2", "u4", "u8"])
def test_ints_of_any_number_of_digits(kind: str) -> None:
    limits = numpy.iinfo(kind)
    powers = [sign * 10**power + more for sign in (1, -1) for power in range(20) for more in (-1, 0, 1)]
    numbers = [number for number in powers if limits.min <= number <= limits.max]
    # In runs of every length around those that are written together.
    for size in (1, 2, 63, 64, 65, 129, 1000):
        array = numpy.resize(numpy.array(numbers, kind), size)
        for module in (demat.json, demat.ndjson, demat.msgpack):
            assert module.decode(module.encode(array)) == array.tolist()


@pytest.mark.parametrize("unit", ["Y", "M", "W", "D", "h", "m", "s", "ms", "us", "ns", "3D", "25s"])
def test_times_are_what_python_has(unit: str) -> None:
    counts = [0, 1, -1, 45, -45, 999, 1_000, 1_677, "NaT"] + ([1_785_412_345] if unit[-1] == "s" else [])
    array = numpy.array(counts, f"M8[{unit}]")
    for own in (array, array[::-1], array.astype(array.dtype.newbyteorder(">")), array.reshape(1, -1)):
        whole = own if unit[-1] in "YMWD" else own.astype("M8[us]")
        expected = (own if unit == "ns" else whole.astype("M8[D]") if unit[-1] in "YMWD" else whole).tolist()
        if unit != "ns":
            assert demat.json.decode(demat.json.encode(own)) == demat.json.decode(demat.json.encode(expected))
        for module in (demat.msgpack, demat.cbor, demat.yaml):
            assert module.decode(module.encode(own)) == demat.json.decode(demat.json.encode(own))


def test_times_beyond_the_years_of_python_are_refused() -> None:
    for count, unit in ((8_030, "Y"), (-1_970, "Y"), (2**62, "D"), (2**62, "s"), (-(2**62), "us")):
        with pytest.raises(demat.EncodeError, match=r"a datetime64 outside the years 1 to 9999.* at `\$\[1\]`"):
            demat.json.encode(numpy.array([0, count], f"M8[{unit}]"))


def test_numbers_that_a_format_lacks_are_refused_where_they_are() -> None:
    with pytest.raises(demat.EncodeError, match=r"found `NaN` at `\$\.a\[1\]\[2\]`"):
        demat.json.encode({"a": numpy.array([[1.0, 2.0, 3.0], [4.0, 5.0, numpy.nan]])})
    with pytest.raises(demat.EncodeError, match=r"found `inf` at `\$\[0\]`|found `Infinity` at `\$\[0\]`"):
        demat.json.encode(numpy.array([numpy.inf], "f4"))


def test_the_depth_is_that_of_lists() -> None:
    deep = numpy.zeros((1,) * 20, "i4")
    assert demat.json.encode(deep, depth=22) == b"[" * 20 + b"0" + b"]" * 20
    with pytest.raises(demat.LimitError):
        demat.json.encode(deep, depth=10)


def test_classes_with_lists_of_their_own_keep_them() -> None:
    masked = numpy.ma.array([1, 2, 3], mask=[False, True, False])
    assert demat.json.encode(masked) == b"[1,null,3]"

    class Own(numpy.ndarray):  # type: ignore[type-arg]
        pass

    assert demat.json.encode(numpy.array([[1, 2]]).view(Own)) == b"[[1,2]]"


@dataclass
class Sample:
    values: numpy.ndarray[tuple[int, int], numpy.dtype[numpy.float32]]
    flags: numpy.ndarray[tuple[int], numpy.dtype[numpy.bool_]]


@pytest.mark.parametrize("module", [demat.json, demat.msgpack, demat.cbor, demat.raw, demat.yaml, demat.xml])
def test_fields_of_every_format(module: Any) -> None:
    own = Sample(numpy.array([[0.1, 2.5], [3.0, 4.0]], "f4"), numpy.array([True, False]))
    read = module.decode(module.encode(own), Sample)
    assert read.values.dtype == numpy.float32
    assert read.values.tolist() == own.values.tolist()
    assert read.flags.tolist() == [True, False]


def test_columns_and_tables(tmp_path: Any) -> None:
    @dataclass
    class Row:
        id: int
        values: numpy.ndarray[tuple[int], numpy.dtype[numpy.int64]]

    rows = [Row(1, numpy.array([1, 2])), Row(2, numpy.array([], "i8"))]
    place = tmp_path / "rows.parquet"
    demat.parquet.write(place, rows)
    assert [row.values.tolist() for row in demat.parquet.read(place, Row)] == [[1, 2], []]
    assert demat.convert(demat.to_builtins(rows), list[Row])[0].values.tolist() == [1, 2]
    assert demat.to_builtins(rows)[0] == {"id": 1, "values": [1, 2]}


def test_what_is_no_array_of_numbers_is_refused() -> None:
    with pytest.raises(TypeError, match="no numbers: `U` of 4 bytes"):
        _native.Numbers(numpy.array([1], "i4"), "U")
    with pytest.raises(ValueError, match="not one behind the other"):
        _native.Numbers(numpy.arange(6)[::2], "i")
    with pytest.raises(BufferError):
        _native.Numbers(numpy.array(1), "i")
    with pytest.raises((BufferError, TypeError)):
        _native.Numbers([1, 2], "i")
