"""What is left out of records: fields that equal their default, and fields that are None."""

from dataclasses import dataclass, field
from ipaddress import IPv4Address
from typing import Annotated, Any, NamedTuple, NotRequired, TypedDict

import attrs
import demat
import formats
import msgspec
import pydantic
import pytest
from demat import Field, cbor, configure, csv, json, msgpack, ndjson, plist, proto, raw, toml, xml, yaml
from hypothesis import given
from hypothesis import strategies as st


@dataclass
class Row:
    id: int
    name: str | None = None
    tags: list[str] = field(default_factory=list)
    size: int | None = 5


@dataclass(slots=True)
class Slotted:
    id: int
    name: str | None = None
    size: int = 5


@attrs.define
class Attributed:
    id: int
    name: str | None = None
    size: int = 5


class Model(pydantic.BaseModel):
    id: int
    name: str | None = None
    size: int = 5


class Struct(msgspec.Struct):
    id: int
    name: str | None = None
    size: int = 5


@configure(omit_none=True)
@dataclass
class Sparse:
    id: int
    name: str | None
    any: Any = None
    parent: "Sparse | None" = None
    kept: Annotated[int | None, Field(omit_none=False)] = 7
    counted: int = 0


@pytest.mark.parametrize("cls", [Slotted, Attributed, Model, Struct])
def test_classes_of_every_make(cls):
    one, other = cls(id=1), cls(id=1, name="a", size=6)
    assert json.encode(one) == b'{"id":1,"name":null,"size":5}'
    assert json.encode([one], omit_none=True) == b'[{"id":1,"size":5}]'
    assert json.encode([one], omit_default=True) == b'[{"id":1}]'
    assert json.encode(one, type=cls, omit_default=True, omit_none=True) == b'{"id":1}'
    for options in ({"omit_none": True}, {"omit_default": True}):
        assert json.encode(other, **options) == json.encode(other)
        for value in (one, other):
            assert json.decode(json.encode(value, **options), cls) == value
    # What the call says is for that call alone.
    assert json.encode(one) == b'{"id":1,"name":null,"size":5}'


def test_defaults_are_those_of_the_class_and_none_is_none():
    row = Row(1, size=None)
    assert json.encode(row) == b'{"id":1,"name":null,"tags":[],"size":null}'
    assert json.encode(row, omit_default=True) == b'{"id":1,"size":null}'
    assert json.encode(row, omit_none=True) == b'{"id":1,"tags":[]}'
    assert json.encode(row, omit_none=True, omit_default=True) == b'{"id":1}'
    assert json.encode({"a": None, "rows": [row]}, omit_none=True) == b'{"a":null,"rows":[{"id":1,"tags":[]}]}'
    # True is no 1, and 5.0 no 5.
    assert json.encode(Slotted(1, size=5.0), omit_default=True) == b'{"id":1,"size":5.0}'


NAMED = formats.modules(special=None, writes="omit_none")
UNNAMED = formats.modules(special=None, writes_no="omit_none")


def test_formats_without_names_refuse_the_options():
    assert {json, ndjson, msgpack, cbor, yaml, toml, xml, plist} <= set(NAMED)
    assert {csv, raw, proto} <= set(UNNAMED)
    for module in UNNAMED:
        for option in ("omit_none", "omit_default"):
            with pytest.raises(TypeError, match=f'has no option "{option}"'):
                module.encode([Row(1)], **{option: True})


@pytest.mark.parametrize("module", [json, ndjson, msgpack, cbor, yaml], ids=formats.name)
def test_formats_with_names(module):
    rows = [Row(1), Row(2, "a", ["b"], None)]
    every = module.decode(module.encode(rows))
    assert every == [
        {"id": 1, "name": None, "tags": [], "size": 5},
        {"id": 2, "name": "a", "tags": ["b"], "size": None},
    ]
    assert module.decode(module.encode(rows, omit_none=True)) == [
        {"id": 1, "tags": [], "size": 5},
        {"id": 2, "name": "a", "tags": ["b"]},
    ]
    written = module.encode(rows, omit_default=True)
    assert module.decode(written) == [{"id": 1}, {"id": 2, "name": "a", "tags": ["b"], "size": None}]
    assert module.decode(written, list[Row]) == rows
    assert module.Encoder(omit_default=True).encode(rows) == written
    sparse = [Sparse(1, None), Sparse(2, "a", 5, Sparse(3, None))]
    written = module.encode(sparse)
    assert module.decode(written)[0] == {"id": 1, "kept": 7, "counted": 0}
    assert module.decode(written, list[Sparse]) == sparse


@pytest.mark.parametrize("module", [toml, xml, plist], ids=formats.name)
def test_formats_whose_whole_is_a_record(module):
    sparse = Sparse(2, None, None, Sparse(3, "a"))
    assert module.decode(module.encode(sparse), Sparse) == sparse
    row = Row(1, "a")
    assert len(module.encode(row, omit_default=True)) < len(module.encode(row))
    assert module.decode(module.encode(row, omit_default=True), Row) == row
    # A property list has no null, so that None is left out there anyway.
    if module is plist:
        assert plist.encode(Row(1), omit_none=True) == plist.encode(Row(1))
        assert plist.decode(plist.encode(Row(1)), Row) == Row(1)


@pytest.mark.parametrize("module", [raw, csv, msgpack], ids=formats.name)
def test_classes_that_leave_none_out_in_every_format(module):
    @configure(omit_none=True)
    @dataclass
    class Flat:
        id: int
        name: str | None
        size: float | None = None

    flat = [Flat(1, None), Flat(2, "a", 1.5), Flat(3, None, 2.0)]
    assert module.decode(module.encode(flat, type=list[Flat]), list[Flat]) == flat


def test_a_class_that_leaves_none_out_reads_it_back():
    sparse = Sparse(1, None)
    assert json.encode(sparse) == b'{"id":1,"kept":7,"counted":0}'
    assert json.decode(b'{"id":1}', Sparse) == sparse
    assert json.decode(b'{"id":1,"name":null,"kept":null}', Sparse) == Sparse(1, None, kept=None)
    assert json.encode(Sparse(1, None, kept=None)) == b'{"id":1,"kept":null,"counted":0}'
    assert demat.to_builtins(sparse) == {"id": 1, "kept": 7, "counted": 0}
    assert demat.convert({"id": 1}, Sparse) == sparse
    assert demat.schema(Sparse)["$defs"]["Sparse"]["required"] == ["id"]
    # The class's own word counts more than the call's.
    assert json.encode(Sparse(1, None, kept=None), omit_none=True) == b'{"id":1,"kept":null,"counted":0}'
    assert json.encode(sparse, omit_none=False) == json.encode(sparse)


def test_typed_dicts():
    class Options(TypedDict):
        color: Annotated[str | None, Field(omit_none=True)]
        width: Annotated[NotRequired[int | None], Field(omit_none=True)]
        depth: NotRequired[int | None]

    assert json.encode({"color": None, "width": None, "depth": None}, type=Options) == b'{"depth":null}'
    assert json.decode(b"{}", Options) == {"color": None}
    assert json.encode({"color": None, "depth": None}, type=Options, omit_none=True) == b"{}"


def test_items_of_named_tuples_stay():
    class Point(NamedTuple):
        x: int
        y: int | None = None

    assert json.encode(Point(1), omit_none=True, omit_default=True) == b"[1,null]"

    class Wrong(NamedTuple):
        x: Annotated[int | None, Field(omit_none=True)]

    with pytest.raises(TypeError, match="`omit_none` is not for named tuples"):
        json.decode("[1]", Wrong)


def wrong(annotation, **values):
    namespace = {"__annotations__": {"a": annotation}, **values}
    return dataclass(type("Wrong", (), namespace))


@pytest.mark.parametrize(
    ("cls", "message"),
    [
        (wrong(Annotated[int, Field(omit_none=True)]), r"`Wrong\.a`: `omit_none` is for fields that may be None"),
        (wrong(Annotated[int | None, Field(omit_none=True)], a=5), r"where the field is missing it is its default"),
        (configure(wrong(int | None, a=5), omit_none=True), r"say `Field\(omit_none=False\)`"),
    ],
)
def test_what_could_not_be_read_back_is_refused(cls, message):
    with pytest.raises(demat.EncodeError, match=message):
        json.encode(cls(None))
    with pytest.raises(TypeError, match=message):
        json.decode("{}", cls)


def test_a_model_has_to_know_its_default():
    @configure(omit_none=True)
    class Needs(pydantic.BaseModel):
        a: int | None

    with pytest.raises(TypeError, match="give it `= None`"):
        json.decode("{}", Needs)


def test_conversions_and_buffers_and_places(tmp_path):
    row = Row(1)
    assert demat.to_builtins(row, omit_default=True) == {"id": 1}
    assert demat.to_builtins([row], omit_none=True) == [{"id": 1, "tags": [], "size": 5}]
    buffer = bytearray()
    json.encode_into(row, buffer, omit_default=True)
    assert buffer == b'{"id":1}'
    place = tmp_path / "rows.ndjson"
    assert ndjson.write(place, [row, row], omit_default=True) == 2
    assert place.read_bytes() == b'{"id":1}\n' * 2
    lazy = json.decode(b'{"id":1,"name":null,"size":5}', Slotted, lazy=True)
    assert json.encode(lazy, omit_default=True) == b'{"id":1}'
    assert json.encode(lazy) == b'{"id":1,"name":null,"size":5}'


@pytest.mark.parametrize("option", ["omit_none", "omit_default"])
def test_other_values_are_refused(option):
    for value in (None, 1, "yes"):
        with pytest.raises(TypeError, match=f"{option} must be True or False"):
            json.encode(Row(1), **{option: value})
    with pytest.raises(TypeError, match=f"{option} must be True or False"):
        Field(**{option: "yes"})
    with pytest.raises(TypeError, match="no option"):
        json.decode("{}", Row, **{option: True})


# MessagePack has no more than 64 bits.
INTS = st.integers(-(2**63), 2**63 - 1)
ROWS = st.builds(Row, INTS, st.none() | st.text(), st.lists(st.text(), max_size=2), st.just(5) | INTS)


@given(st.lists(ROWS))
def test_all_comes_back(rows):
    for module in (json, msgpack, cbor):
        for options in ({"omit_default": True}, {"omit_none": True}, {"omit_default": True, "omit_none": True}):
            assert module.decode(module.encode(rows, **options), list[Row]) == rows


@configure(omit_none=True)
@dataclass
class Host:
    address: IPv4Address
    name: str | None


def test_omit_none_is_about_fields_that_may_be_none() -> None:
    with pytest.raises(demat.ValidationError, match="address"):
        json.decode(b"{}", Host)
    assert json.encode(Host(IPv4Address("127.0.0.1"), None)) == b'{"address":"127.0.0.1"}'
    assert json.decode(b'{"address":"127.0.0.1"}', Host).name is None
