"""`accept_single=True`: a single value is read as a list of one where the type is a list."""

from __future__ import annotations

import array
import asyncio
import io
import pickle
from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass, field, make_dataclass, replace
from typing import Annotated

import demat
import numpy
import pyarrow
import pytest
from demat import Field, cbor, json, msgpack, ndjson, toml, yaml
from hypothesis import given
from hypothesis import strategies as st

FORMS = [json, ndjson, msgpack, cbor, yaml, toml]
NAMES = [form.__name__ for form in FORMS]


@dataclass
class Part:
    name: str
    tags: list[str] = field(default_factory=list)


@dataclass
class Order:
    id: int
    parts: list[Part]
    codes: set[int] = field(default_factory=set)
    grid: list[list[int]] = field(default_factory=list)
    maybe: list[str] | None = None
    pair: tuple[int, ...] = ()
    by: dict[str, list[int]] = field(default_factory=dict)
    seen: deque[float] = field(default_factory=deque)
    few: Annotated[list[int], Field(max_length=3)] = field(default_factory=list)


OLD = {
    "id": 1,
    "parts": {"name": "a", "tags": "x"},
    "codes": 7,
    "grid": 5,
    "maybe": "m",
    "pair": 1,
    "by": {"k": 2},
    "seen": 1.5,
    "few": 3,
}
NEW = Order(1, [Part("a", ["x"])], {7}, [[5]], ["m"], (1,), {"k": [2]}, deque([1.5]), [3])


@pytest.mark.parametrize("form", FORMS, ids=NAMES)
def test_single_values_are_lists_of_one(form):
    type, data, expected = Order, form.encode(OLD), NEW
    if form is ndjson:
        type, data, expected = list[Order], form.encode([OLD]), [NEW]
    assert form.decode(data, type, accept_single=True) == expected
    assert form.Decoder(type, accept_single=True).decode(data) == expected
    form.validate(data, type, accept_single=True)
    # Never by default.
    with pytest.raises(demat.ValidationError) as caught:
        form.decode(data, type)
    assert caught.value.path.removeprefix("$[0]").removeprefix("$").lstrip(".") in ("parts", "codes")
    assert "list" in caught.value.expected
    with pytest.raises(demat.ValidationError):
        form.validate(data, type)
    # Lists are what they are.
    whole = form.encode([NEW] if form is ndjson else NEW)
    assert form.decode(whole, type, accept_single=True) == expected == form.decode(whole, type)


@pytest.mark.parametrize("form", [json, ndjson, msgpack, cbor, yaml], ids=lambda form: form.__name__)
def test_records_of_a_place(form, tmp_path):
    values = [OLD, {**OLD, "id": 2, "parts": [], "by": {"k": [1, 2]}}]
    expected = [NEW, replace(NEW, id=2, parts=[], by={"k": [1, 2]})]
    data = form.encode(values)
    assert list(form.read(data, Order, accept_single=True)) == expected
    assert list(form.read(io.BytesIO(data), Order, accept_single=True, batch=1)) == [[one] for one in expected]
    path = tmp_path / f"orders.{form.__name__.rpartition('.')[2]}"
    path.write_bytes(data)
    assert list(form.read(path, Order, accept_single=True)) == expected
    with pytest.raises(demat.ValidationError):
        list(form.read(path, Order))
    many = form.encode(values * 5000)
    path.write_bytes(many)
    assert list(form.read(path, Order, accept_single=True)) == expected * 5000
    for threads in (1, 3):
        columns = form.columns(many, Order, accept_single=True, threads=threads)
        assert columns.records(Order) == expected * 5000
    with pytest.raises(demat.ValidationError):
        form.columns(many, Order)
    for batch in form.columns(path, Order, accept_single=True, batch_size=1000):
        assert pyarrow.table(batch).column("parts").combine_chunks().flatten().field("name").to_pylist() == ["a"] * 500


@pytest.mark.parametrize("form", [json, ndjson, msgpack, cbor, yaml], ids=lambda form: form.__name__)
def test_copies(form, tmp_path):
    name = form.__name__.rpartition(".")[2]
    source = tmp_path / f"old.{name}"
    source.write_bytes(form.encode([OLD] * 3))
    for target in ("new.json", "new.msgpack", "new.parquet", "new.db#orders"):
        with pytest.raises(demat.ValidationError):
            demat.copy(source, str(tmp_path / "not") + target, Order)
        demat.copy(source, str(tmp_path / target), Order, read={"accept_single": True})
        found = list(demat.read(str(tmp_path / target), Order))
        assert found == [NEW] * 3
    with pytest.raises(TypeError, match="accept_single"):
        demat.copy(source, tmp_path / "x.json", Order, write={"accept_single": True})


def test_a_document_that_is_longer_than_a_window():
    text = "x" * 1000
    data = b"[" + b",".join(json.encode({"id": n, "parts": {"name": text, "tags": text}}) for n in range(1000)) + b"]"

    class Slowly(io.RawIOBase):
        def __init__(self):
            self.at = 0

        def readable(self):
            return True

        def readinto(self, buffer):
            part = data[self.at : self.at + 777]
            buffer[: len(part)] = part
            self.at += len(part)
            return len(part)

    found = list(json.read(io.BufferedReader(Slowly(), 777), Order, accept_single=True))
    assert [order.id for order in found] == list(range(1000))
    assert all(order.parts == [Part(text, [text])] for order in found)
    out = io.BytesIO()
    demat.copy(io.BytesIO(data), out, Order, from_="json", to="ndjson", read={"accept_single": True})
    assert out.getvalue().count(b'"tags":["xxx') == 1000

    async def parts():
        for at in range(0, len(data), 777):
            yield data[at : at + 777]

    async def all_of_them():
        return [order.id async for order in json.read(parts(), Order, accept_single=True)]

    assert asyncio.run(all_of_them()) == list(range(1000))


def test_what_is_no_single_value():
    for text, type, path in (
        (b"null", list[int], "$"),
        (b"null", list[int | None], "$"),
        (b"1", tuple[int, int], "$"),
        (b'"a"', list[int], "$[0]"),
        (b'{"id":1,"parts":{"name":1}}', Order, "$.parts[0].name"),
        (b'{"id":1,"parts":[],"grid":"a"}', Order, "$.grid[0][0]"),
        (b'{"id":1,"parts":[],"few":[1,2,3,4]}', Order, "$.few"),
        (b'{"id":[1],"parts":[]}', Order, "$.id"),
    ):
        with pytest.raises(demat.ValidationError) as caught:
            json.decode(text, type, accept_single=True)
        assert caught.value.path == path
        with pytest.raises(demat.ValidationError):
            json.validate(text, type, accept_single=True)
    assert json.decode(b"null", list[int] | None, accept_single=True) is None
    assert json.decode(b"5", Sequence[int], accept_single=True) == [5]
    assert json.decode(b"5", frozenset[int], accept_single=True) == frozenset([5])
    # A union takes what fits, and a list for lists only.
    assert json.decode(b"5", list[int] | int, accept_single=True) == 5
    assert json.decode(b'"a"', list[str] | str, accept_single=True) == "a"
    # Without a type nothing is a list that is none.
    assert json.decode(b'{"a":1}', accept_single=True) == {"a": 1}
    assert json.decode(b"5", list, accept_single=True) == [5]


def test_with_other_options():
    assert json.decode(b'" 7"', list[int], accept_single=True, strict=False) == [7]
    with pytest.raises(demat.ValidationError) as caught:
        json.decode(b'{"id":"x","parts":{"name":1}}', Order, accept_single=True, errors="all")
    assert [error.path for error in caught.value.errors] == ["$.id", "$.parts[0].name"]
    decoder = pickle.loads(pickle.dumps(json.Decoder(list[int], accept_single=True)))
    assert decoder.decode(b"5") == [5]
    with pytest.raises(TypeError, match="accept_single"):
        json.decode(b"5", list[int], accept_single="yes")
    with pytest.raises(TypeError, match="lazy"):
        json.decode(b'{"id":1,"parts":[]}', Order, accept_single=True, lazy=True)
    with pytest.raises(TypeError, match="accept_single"):
        demat.csv.decode(b"a\n1\n", accept_single=True)


def test_conversion():
    assert demat.convert(OLD, Order, accept_single=True) == NEW
    assert demat.convert(5, list[int], accept_single=True) == [5]
    with pytest.raises(demat.ValidationError):
        demat.convert(OLD, Order)


def test_hostile_items():
    class Picky(list):
        def __init__(self, items):
            raise ValueError("no")

    @dataclass
    class Held:
        items: Annotated[list[int], demat.Hook(wire=list[int], decode=Picky, encode=list)]

    with pytest.raises(demat.ValidationError, match="no") as caught:
        json.decode(b'{"items":1}', Held, accept_single=True)
    assert caught.value.path == "$.items"
    deep: object = int
    for _ in range(50):
        deep = list[deep]
    found = json.decode(b"1", deep, accept_single=True)
    for _ in range(50):
        (found,) = found
    assert found == 1


@given(st.recursive(st.integers(-(2**63), 2**63 - 1), lambda inner: st.lists(inner, max_size=3), max_leaves=6))
def test_every_format_reads_the_same(value):
    found = set()
    for form in (json, msgpack, cbor, yaml):
        try:
            found.add(repr(form.decode(form.encode(value), list[list[int]], accept_single=True)))
        except demat.ValidationError as error:
            found.add(error.path)
    assert len(found) == 1


@dataclass
class Arrays:
    any: array.array
    typed: Annotated[array.array, "d"]
    numbers: numpy.ndarray


def test_arrays():
    """Of any items, too."""
    read = json.decode(b'{"any":1,"typed":1.5,"numbers":2}', Arrays, accept_single=True)
    assert (read.any, read.typed, read.numbers.tolist()) == (array.array("q", [1]), array.array("d", [1.5]), [2])
    for wrong in (b'{"any":1}', b'{"numbers":null}'):
        with pytest.raises(demat.ValidationError, match="list"):
            json.decode(b'{"any":[],"typed":[],"numbers":[],' + wrong[1:], Arrays)


def test_canonical_json():
    file = io.BytesIO()
    options = {"from_": "ndjson", "to": "ndjson", "mapping": "canonical"}
    demat.copy(b'{"a":1,"b":{"a":[2]}}\n{"a":[],"b":[]}\n', file, TREE, read={"accept_single": True}, **options)
    assert file.getvalue() == b'{"a":[1],"b":[{"a":[2]}]}\n{}\n'
    with pytest.raises(demat.ValidationError):
        demat.copy(b'{"a":1,"b":[]}\n', io.BytesIO(), TREE, **options)


TREE = "a: [int32], b: [{a: [int32]}]"


@pytest.mark.parametrize("given", [{}, {"accept_single": True}])
@pytest.mark.parametrize(
    ("kind", "factory", "expected"),
    [
        (set[int], set, []),
        (list[int], lambda: [5], [5]),
        (tuple[int, ...], tuple, []),
        (deque[int], deque, []),
        (str, lambda: "x", "x"),
        (list[int], list, []),
    ],
)
def test_a_missing_field_has_its_default_in_columns(kind, factory, expected, given):
    own = make_dataclass("Own", [("id", int), ("items", kind, field(default_factory=factory))])
    columns = pyarrow.table(ndjson.columns(b'{"id":1}\n{"id":2}\n', own, **given))
    assert columns.column("items").to_pylist() == [expected] * 2
    nested = make_dataclass("Outer", [("all", list[own])])
    read = pyarrow.table(ndjson.columns(b'{"all":[{"id":1}]}\n', nested, **given))
    assert read.to_pylist() == [{"all": [{"id": 1, "items": expected}]}]
