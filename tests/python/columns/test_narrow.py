"""Columns of ints as narrow as the bounds of their type, and dictionaries of texts, of every place."""

from __future__ import annotations

import enum
import io
from dataclasses import dataclass, field
from typing import Annotated, Literal

import demat
import pyarrow
import pyarrow.parquet
import pytest
from demat import Field, arrow, cbor, csv, json, lmdb, msgpack, ndjson, parquet, proto, raw, sqlite, xml, yaml

Byte = Annotated[int, Field(ge=0, le=255)]


class Level(enum.IntEnum):
    LOW = 1
    HIGH = 300


@dataclass
class Row:
    id: Byte
    delta: Annotated[int, Field(ge=-1, lt=128)]
    wire: Annotated[int, Field(wire="sint32")]
    country: str
    maybe: Annotated[int | None, Field(gt=-1, lt=65_536)] = None
    level: Level = Level.LOW
    kind: Literal[1, 2] = 1
    open: Annotated[int, Field(ge=0)] = 0


@dataclass
class Deep:
    country: str
    tags: list[str] = field(default_factory=list)
    items: list[Byte] = field(default_factory=list)
    maybes: list[Annotated[int | None, Field(ge=0, le=255)]] = field(default_factory=list)
    row: Row | None = None
    map: dict[str, Byte] = field(default_factory=dict)


ROWS = [
    Row(0, -1, -(2**31), "at"),
    Row(255, 127, 2**31 - 1, "ch", 65_535, Level.HIGH, 2, 2**40),
    Row(7, 0, 0, "at", None),
]
DEEP = [
    Deep("at", ["x", "y", "x"], [0, 255], [None, 255, 0], ROWS[0], {"k": 255}),
    Deep("at"),
    Deep("ch", ["y"], [1], [], None, {}),
]
NARROW = ["uint8", "int8", "int32", "string", "uint16", "uint16", "uint8", "int64"]
FLAT = [json, ndjson, csv, msgpack, cbor, yaml, xml, proto, raw]
NESTED = [json, ndjson, msgpack, cbor, yaml, raw]


def types(columns):
    return [str(type).split("<")[0] for type in pyarrow.schema(columns).types]


@pytest.mark.parametrize("threads", [1, 3])
@pytest.mark.parametrize("form", FLAT, ids=lambda form: form.__name__)
def test_the_columns_are_the_same_in_every_format(form, threads):
    rows = ROWS * 20_000 if form in (json, ndjson, csv, proto) else ROWS
    data = form.encode(rows)
    found = form.columns(data, Row, threads=threads, narrow=True)
    assert types(found) == NARROW
    assert found.records(Row) == rows
    assert types(form.columns(data, Row, threads=threads)) == ["int64"] * 3 + ["string"] + ["int64"] * 4
    coded = form.columns(data, Row, threads=threads, narrow=True, dictionary=["country"])
    assert types(coded) == [*NARROW[:3], "dictionary", *NARROW[4:]]
    assert coded.records(Row) == rows
    assert coded.numpy("country").tolist() == [row.country for row in rows]


@pytest.mark.parametrize("form", NESTED, ids=lambda form: form.__name__)
def test_what_is_within_a_column_is_narrow_too(form):
    found = pyarrow.table(form.columns(form.encode(DEEP), Deep, narrow=True, dictionary=True))
    found.validate(full=True)
    text = pyarrow.dictionary(pyarrow.int32(), pyarrow.string())
    assert found.schema.field("country").type == text
    assert found.schema.field("tags").type.value_type == text
    assert found.schema.field("items").type.value_type == pyarrow.uint8()
    assert found.schema.field("maybes").type.value_type == pyarrow.uint8()
    assert found.schema.field("map").type.item_type == pyarrow.uint8()
    assert found.schema.field("row").type.field("id").type == pyarrow.uint8()
    assert found.schema.field("row").type.field("country").type == text
    assert json.decode(json.encode(found), list[Deep]) == DEEP


def test_each_place_of_rows_has_the_same_columns(tmp_path):
    options = {"narrow": True, "dictionary": ["country"]}
    expected = [*NARROW[:3], "dictionary", *NARROW[4:]]
    assert types(demat.columns_of(ROWS, **options)) == expected
    assert demat.columns_of(ROWS, **options).records(Row) == ROWS
    with sqlite.open(tmp_path / "rows.db") as database:
        table = database.table("rows", Row)
        table.insert(ROWS)
        for threads in (1, 2):
            found = table.select().columns(threads=threads, **options)
            assert types(found) == expected
            assert found.records(Row) == ROWS
        assert types(database.query("select country, id from rows").columns(dictionary=True)) == ["dictionary", "int64"]
    assert types(demat.columns(f"{tmp_path}/rows.db#rows", Row, **options)) == expected
    with pytest.raises(TypeError, match="no option `fields`"):
        demat.columns(f"{tmp_path}/rows.db#rows", Row, fields=["id"])
    with lmdb.open(tmp_path / "rows") as environment:
        collection = environment.collection("rows", Row, key="id")
        collection.put_all(ROWS)
        assert types(collection.columns(**options)) == expected
    for form in (arrow, parquet):
        place = tmp_path / f"rows.{form.__name__.rpartition('.')[2]}"
        form.write(place, ROWS)
        assert types(form.columns(place, Row, **options)) == expected
        # Without the type, a file that was not written so has no bounds but those of the wire.
        assert types(form.columns(place, **options))[:4] == ["int64", "int64", "int32", "dictionary"]
        assert types(form.columns(place))[:2] == ["int64", "int64"]


@pytest.mark.parametrize("suffix", ["arrow", "arrows", "parquet"])
def test_files_of_columns_keep_them(tmp_path, suffix):
    source, target = tmp_path / "rows.json", tmp_path / f"rows.{suffix}"
    json.write(source, ROWS)
    form = parquet if suffix == "parquet" else arrow
    write = {"narrow": True, "dictionary": ["country"]}
    expected = [*NARROW[:3], "dictionary", *NARROW[4:]]
    demat.copy(source, target, Row, write=write)
    assert types(form.columns(target)) == expected
    assert list(form.read(target, Row)) == ROWS
    again = tmp_path / f"again.{suffix}"
    assert form.write(again, ROWS, **write) == 3
    assert types(form.columns(again)) == expected
    demat.copy(target, tmp_path / "back.json", Row)
    assert json.decode((tmp_path / "back.json").read_bytes(), list[Row]) == ROWS
    demat.write(tmp_path / f"written.{suffix}", iter(ROWS), Row, **write)
    assert types(form.columns(tmp_path / f"written.{suffix}")) == expected
    # Columns of columns keep their types.
    other = tmp_path / ("copied.parquet" if suffix != "parquet" else "copied.arrow")
    demat.copy(target, other)
    assert types(demat.columns(other)) == expected
    table = pyarrow.parquet.read_table(target) if suffix == "parquet" else None
    assert table is None or table.schema.field("id").type == pyarrow.uint8()


def test_a_value_outside_is_refused_as_ever():
    for form in (json, ndjson, csv, msgpack):
        rows = [{"id": 1, "delta": 0, "wire": 0, "country": "x"}, {"id": 256, "delta": 0, "wire": 0, "country": "x"}]
        data = form.encode(rows)
        with pytest.raises(demat.ValidationError) as wide:
            form.columns(data, Row)
        with pytest.raises(demat.ValidationError) as narrow:
            form.columns(data, Row, narrow=True)
        assert wide.value.path == narrow.value.path == "$[1].id"
        assert wide.value.record == narrow.value.record
    with pytest.raises(demat.ValidationError) as caught:
        json.columns(b'[{"id": 1, "delta": 0, "wire": 2147483648, "country": "x"}]', Row, narrow=True)
    assert (caught.value.path, caught.value.expected) == ("$[0].wire", "int32")
    with pytest.raises(demat.ValidationError):
        demat.columns_of([Row(256, 0, 0, "x")], narrow=True)
    bad = b'[{"id": 1, "delta": 0, "wire": 0, "country": "x"}, {"id": 300, "delta": 0, "wire": 0, "country": "y"}]'
    found = json.columns(bad, Row, narrow=True, dictionary=True, on_error="skip")
    assert found.numpy("country").tolist() == ["x"]
    assert types(found)[:4] == [*NARROW[:3], "dictionary"]


def test_a_row_of_a_database_that_does_not_fit_is_named(tmp_path):
    with sqlite.open(tmp_path / "rows.db") as database:
        database.execute("create table t (id integer not null, name text)")
        database.execute("insert into t values (1, 'a'), (2, null), (300, 'c')")

        @dataclass
        class Some:
            id: Byte
            name: str | None

        with pytest.raises(demat.ValidationError) as caught:
            database.table("t", Some).select().columns(narrow=True)
        assert caught.value.path == "$[2].id"
        database.execute("delete from t where id = 300")
        found = database.table("t", Some).select().columns(narrow=True, dictionary=True)
        assert found.records(Some) == [Some(1, "a"), Some(2, None)]


def test_batches_have_a_dictionary_each():
    data = ndjson.encode([Row(n, 0, 0, f"c{n % 7}") for n in range(100)])
    stream = ndjson.columns(data, Row, batch_size=10, dictionary=["country"])
    tables = [pyarrow.table(batch) for batch in stream]
    assert len(tables) == 10
    chunks = [table.column("country").chunk(0) for table in tables]
    assert all(len(chunk.dictionary) == 7 for chunk in chunks)
    whole = pyarrow.concat_tables(tables)
    assert whole.column("country").cast("string").to_pylist() == [f"c{n % 7}" for n in range(100)]
    # A stream of batches with other dictionaries is a file with one.
    out = io.BytesIO()
    arrow.write(out, ndjson.columns(data, Row, batch_size=10, dictionary=["country"]))
    assert len(list(arrow.read(out.getvalue(), Row))) == 100


def test_options_that_mean_nothing_are_refused():
    data = json.encode(ROWS)
    for wrong in (["none"], ["country", "none"]):
        with pytest.raises(demat.Error, match="no column `none`"):
            json.columns(data, Row, dictionary=wrong)
    with pytest.raises(demat.Error, match="`id` has no texts"):
        json.columns(data, Row, dictionary="id")
    for given in (3, [1], {"country": 2}.items()):
        with pytest.raises(TypeError, match="dictionary"):
            json.columns(data, Row, dictionary=given)
    with pytest.raises(TypeError, match="narrow"):
        json.columns(data, Row, narrow="yes")
    with pytest.raises(TypeError):
        parquet.write(io.BytesIO(), ROWS, narrow=1)
    assert types(json.columns(data, Row, dictionary="country"))[3] == "dictionary"
    assert types(json.columns(data, Row, dictionary=False))[3] == "string"
    assert types(json.columns(b'[{"a": 1}, {"a": 2}]', narrow=True)) == ["int64"]


def test_the_command_takes_them(tmp_path):
    source, target = tmp_path / "rows.json", tmp_path / "rows.parquet"
    source.write_bytes(b'[{"id": 1, "c": "x"}, {"id": 2, "c": "x"}]')
    shape = 'id: int #check:"ge 0" #check:"le 9", c: text'
    options = ["--to-option", "narrow=true", "--to-option", "dictionary=c"]
    assert demat._native.command(["demat", "copy", str(source), str(target), "--shape", shape, *options]) == 0
    assert types(parquet.columns(target)) == ["uint8", "dictionary"]


@dataclass
class Bounded:
    a: Annotated[int, Field(ge=0, le=256)] = 0
    b: list[Annotated[int, Field(ge=5, le=5)]] = field(default_factory=list)
    c: Annotated[str, Field(max_length=3)] = ""


@pytest.mark.parametrize("options", [{}, {"narrow": True}])
@pytest.mark.parametrize("given", [True, False])
@pytest.mark.parametrize(
    ("wrong", "path"), [(Bounded(257), "$[1].a"), (Bounded(b=[5, 4]), "$[1].b[1]"), (Bounded(c="long"), "$[1].c")]
)
def test_objects_outside_of_their_bounds(wrong, path, given, options):
    """As `decode` and `columns` refuse them, whatever the column could hold."""
    rows = [Bounded(256, [5], "abc"), Bounded(-0)]
    types = (Bounded,) if given else ()
    assert pyarrow.table(demat.columns_of(rows, *types, **options)).to_pylist() == [
        {"a": 256, "b": [5], "c": "abc"},
        {"a": 0, "b": [], "c": ""},
    ]
    with pytest.raises(demat.Error) as caught:
        demat.columns_of([rows[0], wrong], *types, **options)
    assert caught.value.path == path
