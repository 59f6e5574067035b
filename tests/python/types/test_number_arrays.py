"""`array.array` and memoryviews of numbers: lists, written from their memory."""

from __future__ import annotations

import ctypes
import sys
from array import array, typecodes
from dataclasses import dataclass, field
from typing import Annotated

import demat
import hypothesis.strategies as st
import pyarrow
import pytest
from demat import Field, cbor, json, msgpack, proto, yaml
from hypothesis import given

TEXT = "u" if sys.version_info < (3, 13) else "w"
NUMBERS = "bBhHiIlLqQfd"


@dataclass
class Samples:
    name: str
    values: Annotated[array, "d"]
    small: Annotated[array, "b"] = field(default_factory=lambda: array("b"))
    maybe: Annotated[array, "H"] | None = None
    any: array = field(default_factory=lambda: array("q"))


@pytest.mark.parametrize("code", NUMBERS)
def test_the_numbers_of_each_type_code_are_a_list(code):
    bits = 8 * array(code).itemsize
    ends = (
        [0, 1] if code in "fd" else [0, (1 << bits) - 1] if code.isupper() else [-(1 << bits - 1), (1 << bits - 1) - 1]
    )
    values = array(code, ends * 200)
    for form in (json, msgpack, cbor, yaml):
        data = form.encode(values)
        assert data == form.encode(values.tolist())
        assert form.encode({"a": [values]}) == form.encode({"a": [values.tolist()]})
        read = form.decode(data, Annotated[array, code])
        assert (read, read.typecode) == (values, code)
        view = memoryview(values)
        assert form.encode(view) == (form.encode(bytes(values)) if code == "B" else data)
    assert json.decode(b"[]", Annotated[array, code]) == array(code)


def test_fields_are_arrays():
    samples = Samples("a", array("d", [1.5, 2]), array("b", [-128, 127]), array("H", [65_535]), array("q", [1, 2]))
    for form in (json, msgpack, cbor, yaml):
        assert form.decode(form.encode(samples), Samples) == samples
    read = json.decode(json.encode(samples), Samples)
    assert [read.values.typecode, read.small.typecode, read.maybe.typecode, read.any.typecode] == ["d", "b", "H", "q"]
    typed = demat.convert({"name": "a", "values": [1, 2]}, Samples)
    assert typed.values == array("d", [1, 2])


def test_without_a_type_code_the_items_say_it():
    for text, code in (
        (b"[]", "q"),
        (b"[1, -2]", "q"),
        (b"[1, 9223372036854775808]", "Q"),
        (b"[1, 2.5]", "d"),
        (b'["a", "\xc3\xa4"]', TEXT),
    ):
        read = json.decode(text, array)
        assert read.typecode == code
        assert json.decode(json.encode(read), array) == read
    for text, found in (
        (b'[1, "a"]', "`int` and `str`"),
        (b"[true]", "`bool`"),
        (b'["ab"]', "`str`"),
        (b"[[1]]", "`list`"),
        (b"1", "found `int`"),
        (b"[-1, 9223372036854775808]", "a larger one"),
        (b"[18446744073709551616]", "a larger one"),
    ):
        with pytest.raises(demat.ValidationError, match=found):
            json.decode(text, array)


def test_items_that_do_not_fit_have_a_path():
    for text, path, expected in (
        (b'{"name": "a", "values": [1, "x"]}', "$.values[1]", "float"),
        (b'{"name": "a", "values": [1], "small": [1, 128]}', "$.small[1]", "a value <= 127"),
        (b'{"name": "a", "values": [1], "small": [-129]}', "$.small[0]", "a value >= -128"),
        (b'{"name": "a", "values": 1}', "$.values", "list"),
        (b'{"name": "a", "values": [1], "maybe": [1.5]}', "$.maybe[0]", "int"),
    ):
        with pytest.raises(demat.ValidationError) as caught:
            json.decode(text, Samples)
        assert (caught.value.path, caught.value.expected) == (path, expected)
    with pytest.raises(demat.ValidationError, match="32 bits"):
        json.decode(b"[1e39]", Annotated[array, "f"])
    with pytest.raises(demat.EncodeError, match="'d'.*'f'"):
        json.encode(Samples("a", array("f", [1])))
    with pytest.raises(demat.EncodeError):
        json.encode({"a": [array("f", [1]), object()]})


def test_annotations_that_say_nothing_are_refused():
    with pytest.raises(TypeError, match="'x' is no type code"):
        json.decode(b"[]", Annotated[array, "x"])
    # What stands further out wins, and other words are of others.
    assert json.decode(b"[1]", Annotated[Annotated[array, "b"], "d"]).typecode == "d"
    assert json.decode(b"[1]", Annotated[array, Field(title="Samples"), "b"]).typecode == "b"
    if sys.version_info >= (3, 12):
        assert json.decode(b"[1]", array[float]).typecode == "d"
        with pytest.raises(TypeError, match="`int`, `float` or `str`"):
            json.decode(b"[1]", array[bytes])


@dataclass
class Point:
    id: int
    at: Annotated[array, "f"]


def test_other_places_take_them():
    points = [Point(1, array("f", [0.1, 2])), Point(2, array("f"))]
    assert json.encode(points) == b'[{"id":1,"at":[0.1,2.0]},{"id":2,"at":[]}]'
    assert proto.decode(proto.encode(points[0]), Point) == points[0]
    columns = json.columns(json.encode(points), Point)
    assert str(pyarrow.schema(columns).field("at").type) == "list<item: double not null>"
    assert columns.records(Point) == points
    assert demat.columns_of(points).records(Point) == points


def test_memoryviews_of_numbers_are_lists():
    grid = memoryview(array("i", range(6))).cast("B").cast("i", (2, 3))
    assert json.encode(grid) == b"[[0,1,2],[3,4,5]]"
    assert json.encode(memoryview(array("d", range(6)))[::2]) == b"[0.0,2.0,4.0]"
    assert json.encode(memoryview((ctypes.c_int32 * 2)(1, -2))) == b"[1,-2]"
    for same in (b"abc", memoryview(b"abc"), memoryview(b"abc").cast("c")):
        assert json.encode(same) == b'"YWJj"'
    assert json.decode(json.encode(memoryview(b"abc")), memoryview) == b"abc"

    @dataclass
    class Held:
        data: memoryview

    assert json.encode(Held(memoryview(b"abc"))) == b'{"data":"YWJj"}'


def test_hostile_views():
    released = memoryview(array("d", [1.0]))
    released.release()
    with pytest.raises(demat.EncodeError, match="released"):
        json.encode([released])
    growing = array("q", range(1000))
    with pytest.raises(demat.EncodeError):
        json.encode([growing, object()])
    # Nothing holds its memory any more.
    growing.append(1)
    assert json.encode(growing) == json.encode(growing.tolist())
    assert json.encode(array("d", [float("nan")]), nonfinite="null") == b"[null]"
    with pytest.raises(demat.EncodeError) as caught:
        json.encode({"a": array("d", [1.0, float("inf")])})
    assert caught.value.path == "$.a[1]"


@given(st.lists(st.integers(-(2**63), 2**63 - 1)), st.lists(st.floats(allow_nan=False, allow_infinity=False)))
def test_arrays_are_the_lists_of_their_items(ints, floats):
    for code, items in (("q", ints), ("d", floats)):
        for form in (json, msgpack, cbor):
            assert form.encode(array(code, items)) == form.encode(items)
            assert form.decode(form.encode(items), Annotated[array, code]) == array(code, items)


def test_every_type_code_is_known():
    for code in typecodes:
        assert json.decode(b"[]", Annotated[array, code]).typecode == code
