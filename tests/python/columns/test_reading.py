"""Columns of places: what they hold is what the objects would, in every library that takes them."""

import gzip
import io
import subprocess
import sys
from dataclasses import dataclass, field
from datetime import UTC, date, datetime
from decimal import Decimal
from typing import Annotated, Any

import demat
import formats
import numpy as np
import polars as pl
import pyarrow as pa
import pytest
from demat import csv, json, ndjson
from every_column import TASKS, Task


@dataclass
class Flat:
    id: int
    title: str
    share: float | None = None
    done: bool = False


FLAT = [Flat(id, f"title {id % 7}", None if id % 3 else id / 8, id % 2 == 0) for id in range(1000)]


@formats.each()
@pytest.mark.parametrize("threads", [1, 2, 5])
def test_columns_hold_what_objects_would(module, threads, tmp_path):
    data = module.encode(FLAT)
    path = tmp_path / "flat"
    path.write_bytes(data)
    for place in (path, str(path), data, bytearray(data), memoryview(data)):
        columns = module.columns(place, Flat, threads=threads)
        assert len(columns) == 1000
        assert columns.names == ("id", "title", "share", "done")
        assert columns.records(Flat) == FLAT


def test_every_type_has_its_column():
    columns = json.columns(json.encode(TASKS), Task)
    assert columns.records(Task) == TASKS
    schema = pa.table(columns).schema
    kinds = {one.name: str(one.type) for one in schema}
    assert kinds["id"] == "int64"
    assert kinds["title"] == "string"
    assert kinds["done"] == "bool"
    assert kinds["share"] == "double"
    assert kinds["due"] == "date32[day]"
    assert kinds["at"] == "timestamp[us, tz=UTC]"
    assert kinds["took"] == "duration[us]"
    assert kinds["clock"] == "time64[us]"
    assert kinds["colour"].startswith("dictionary<")
    assert kinds["tags"].startswith("list<")
    assert kinds["owner"].startswith("struct<")
    assert kinds["data"] == "binary"
    rows = pa.table(columns).to_pylist()
    assert rows[1]["at"] == TASKS[1].at
    assert rows[1]["owner"] == {"name": "Ada", "age": 36}
    assert rows[0]["owner"] is None


def test_decimals_have_as_many_digits_as_they_are_given():
    @dataclass
    class Price:
        price: Decimal

    data = b'[{"price": 12.5}, {"price": "0.25"}]'
    assert pa.table(json.columns(data, Price)).column("price").to_pylist() == ["12.5", "0.25"]
    exact = pa.table(json.columns(data, Price, decimals=(10, 2)))
    assert exact.schema.field("price").type == pa.decimal128(10, 2)
    assert exact.column("price").to_pylist() == [Decimal("12.50"), Decimal("0.25")]
    with pytest.raises(demat.Error, match=r"\$\[0\].price"):
        json.columns(b'[{"price": 1.234}]', Price, decimals=(10, 2))


def test_a_field_that_does_not_come_is_its_default_or_null():
    data = b'[{"id": 1, "title": "a"}, {"title": "b", "id": 2, "done": true, "share": 1}]'
    assert pa.table(json.columns(data, Flat)).to_pylist() == [
        {"id": 1, "title": "a", "share": None, "done": False},
        {"id": 2, "title": "b", "share": 1.0, "done": True},
    ]
    with pytest.raises(demat.ValidationError, match="`title`") as caught:
        json.columns(b'[{"id": 1, "title": ""}, {"id": 1}]', Flat)
    assert caught.value.path == "$[1]"


def test_fields_are_read_by_the_names_that_they_have_in_the_data():
    @dataclass
    class Row:
        first: Annotated[int, demat.Field(name="First Name")]
        second: int = 2

    columns = csv.columns(b"second,First Name\n1,5\n", Row)
    assert columns.records() == [{"First Name": 5, "second": 1}]


def test_without_a_type_the_first_records_say_what_the_columns_are():
    data = b"id,day,share,name\n1,2026-01-02,0.5,a\n2,,,b\n"
    columns = csv.columns(data)
    assert pa.table(columns).to_pylist() == [
        {"id": 1, "day": date(2026, 1, 2), "share": 0.5, "name": "a"},
        {"id": 2, "day": None, "share": None, "name": "b"},
    ]
    with pytest.raises(demat.ValidationError, match="`x`"):
        ndjson.columns(b'{"id": 1}\n{"id": "x"}\n{"x": 1}\n', sample=2)


def test_some_columns_only():
    columns = json.columns(json.encode(TASKS), Task, fields=["title", "id"])
    assert columns.names == ("title", "id")
    assert columns.records() == [{"title": "käse", "id": 1}, {"title": "", "id": -2}]
    # Fields that are not selected are skipped, also invalid ones.
    assert len(json.columns(b'[{"id": 1, "title": 5}]', Flat, fields="id")) == 1
    with pytest.raises(demat.ValidationError, match="there is no field `x`; there are `id`"):
        json.columns(b"[]", Flat, fields=["x"])


@formats.each()
def test_batch_by_batch(module, tmp_path):
    path = tmp_path / "flat.gz"
    path.write_bytes(gzip.compress(module.encode(FLAT)))
    stream = module.columns(path, Flat, batch_size=300)
    assert stream.names == ("id", "title", "share", "done")
    batches = list(stream)
    assert [len(batch) for batch in batches] == [300, 300, 300, 100]
    assert [record for batch in batches for record in batch.records(Flat)] == FLAT
    with module.columns(path, Flat, batch_size=300) as stream:
        assert len(next(stream)) == 300
    assert list(stream) == []


def test_a_stream_is_handed_on_once():
    stream = ndjson.columns(ndjson.encode(FLAT), Flat, batch_size=100)
    assert pa.RecordBatchReader.from_stream(stream).read_all().num_rows == 1000
    with pytest.raises(ValueError, match="was read already"):
        pa.RecordBatchReader.from_stream(stream)


def test_a_bad_record_ends_a_stream_after_those_before_it():
    data = ndjson.encode(FLAT[:250]) + b'{"id": "x", "title": ""}\n' + ndjson.encode(FLAT)
    stream = ndjson.columns(data, Flat, batch_size=100)
    rows = 0
    with pytest.raises(demat.ValidationError) as caught:
        for batch in stream:
            rows += len(batch)
    assert rows == 250
    assert (caught.value.line, caught.value.path) == (251, "$[250].id")
    assert list(stream) == []


@pytest.mark.parametrize("threads", [1, 2, 3])
def test_errors_say_where(threads):
    rows = [Flat(id, "x" * 100) for id in range(20_000)]
    data = json.encode(rows).replace(b'{"id":15000,', b'{"id":"no",').replace(b'{"id":18000,', b'{"id":[],')
    with pytest.raises(demat.ValidationError) as caught:
        json.columns(data, Flat, threads=threads)
    error = caught.value
    assert (error.path, error.expected, error.found) == ("$[15000].id", "int", "str")
    assert data[error.offset :].startswith(b'"no"')


def test_libraries_take_them_as_they_are():
    columns = json.columns(json.encode(FLAT), Flat)
    expected = [{"id": one.id, "title": one.title, "share": one.share, "done": one.done} for one in FLAT]
    assert pa.table(columns).to_pylist() == expected
    assert pa.record_batch(columns).to_pylist() == expected
    assert pl.DataFrame(columns).to_dicts() == expected
    duckdb = pytest.importorskip("duckdb")
    assert duckdb.sql("select count(*), sum(id) from columns").fetchall() == [(1000, sum(range(1000)))]


def test_numpy():
    arrays = json.columns(json.encode(TASKS), Task).numpy()
    assert arrays["id"].dtype == np.int64
    assert arrays["id"].tolist() == [1, -2]
    assert arrays["done"].dtype == np.bool_
    assert arrays["done"].tolist() == [False, True]
    assert arrays["share"].dtype == np.float64
    assert arrays["share"].mask.tolist() == [True, False]
    assert arrays["share"][1] == 0.5
    assert arrays["due"].dtype == np.dtype("datetime64[D]")
    assert arrays["due"][1] == np.datetime64("2026-01-02")
    assert arrays["at"].dtype == np.dtype("datetime64[us]")
    assert arrays["took"].dtype == np.dtype("timedelta64[us]")
    assert arrays["title"].tolist() == ["käse", ""]
    assert arrays["tags"].tolist() == [[], ["a", "b"]]
    assert arrays["owner"].tolist() == [None, {"name": "Ada", "age": 36}]
    assert arrays["colour"].tolist() == ["red", "blue"] or arrays["colour"].tolist() == ["RED", "BLUE"]


def test_numpy_of_one_column_and_of_none():
    columns = json.columns(json.encode(FLAT), Flat, threads=3)
    assert int(columns.numpy("id").sum()) == sum(range(1000))
    with pytest.raises(KeyError, match="nothing"):
        columns.numpy("nothing")
    assert columns["id"].tolist() == columns.numpy("id").tolist()
    assert ("id" in columns, "nothing" in columns, 0 in columns) == (True, False, False)
    with pytest.raises(KeyError, match="nothing"):
        columns["nothing"]
    with pytest.raises(TypeError, match="columns have names: give a str, not int"):
        columns[0]  # type: ignore[index]
    empty = json.columns(b"[]", Flat).numpy()
    assert {name: len(array) for name, array in empty.items()} == {"id": 0, "title": 0, "share": 0, "done": 0}


def test_numbers_are_not_copied_and_can_not_be_written_to():
    columns = json.columns(json.encode(FLAT), Flat, threads=1)
    one, other = columns.numpy("id"), columns.numpy("id")
    assert one.__array_interface__["data"][0] == other.__array_interface__["data"][0]
    assert not one.flags.writeable
    del columns, other
    assert one.tolist() == list(range(1000))


def test_datetimes_are_points_of_time_or_a_clocks():
    @dataclass
    class Row:
        at: datetime

    there, here = b'[{"at": "2026-01-02T03:04:05+01:00"}]', b'[{"at": "2026-01-02T03:04:05"}]'
    assert pa.table(json.columns(there, Row)).column("at").to_pylist() == [datetime(2026, 1, 2, 2, 4, 5, tzinfo=UTC)]
    assert pa.table(json.columns(here, Row, naive=True)).column("at").to_pylist() == [datetime(2026, 1, 2, 3, 4, 5)]
    for data, naive in ((here, False), (there, True)):
        with pytest.raises(demat.Error, match=r"\$\[0\].at"):
            json.columns(data, Row, naive=naive)


@pytest.mark.parametrize("place", [3, None, object(), [3]])
def test_other_objects_are_no_places(place):
    with pytest.raises(TypeError, match="expected"):
        json.columns(place, Flat)


@pytest.mark.parametrize(
    ("options", "error", "match"),
    [
        ({"fields": 3}, TypeError, "fields"),
        ({"batch_size": 0}, ValueError, "batch_size"),
        ({"threads": -1}, ValueError, "threads"),
        ({"decimals": 3}, TypeError, "decimals"),
        ({"strict": False}, TypeError, "columns has no option .strict."),
    ],
)
def test_options_that_say_nothing_are_refused(options, error, match):
    with pytest.raises(error, match=match):
        json.columns(b"[]", Flat, **options)


def test_what_is_no_record_has_no_columns():
    with pytest.raises(demat.Error):
        json.columns(b"[1, 2]", int)
    with pytest.raises(demat.Error):
        json.columns(b"[1, 2]")


def test_a_place_that_is_not_there(tmp_path):
    with pytest.raises(FileNotFoundError):
        json.columns(tmp_path / "no.json", Flat)
    with pytest.raises(FileNotFoundError):
        json.columns(tmp_path / "no.json", Flat, batch_size=5)


def test_there_need_not_be_any_library():
    program = """
import sys
sys.modules["numpy"] = None
import demat
columns = demat.json.columns(b'[{"id": 1}]')
assert columns.records() == [{"id": 1}]
try:
    columns.numpy()
except ModuleNotFoundError:
    print("none")
assert not {"pyarrow", "polars", "pandas"} & set(sys.modules)
"""
    ran = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert ran.stdout == "none\n"


def test_memory_is_bounded_by_a_batch(tmp_path):
    path = tmp_path / "many.ndjson"
    row = ndjson.encode([Flat(1, "x" * 1000)])
    with path.open("wb") as file:
        for _ in range(150):
            file.write(row * 1000)
    program = """
import demat, resource, sys
def peak():
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
demat.ndjson.columns(b'{"id": 1, "title": ""}')
before = peak()
assert sum(len(batch) for batch in demat.ndjson.columns(sys.argv[1], batch_size=1000)) == 150_000
print(peak() - before)
"""
    ran = subprocess.run([sys.executable, "-c", program, path], capture_output=True, text=True, check=True)
    assert int(ran.stdout) < 32 * 1024


def test_a_gibibyte_passes_through_little_memory():
    program = """
import demat, resource
def peak():
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
line = b'{"id": 1, "title": "' + b"x" * 1000 + b'"}\\n'
block = line * 1000
blocks = (1 << 30) // len(block) + 1
demat.ndjson.columns(b'{"id": 1, "title": ""}')
before = peak()
stream = demat.ndjson.columns((block for _ in range(blocks)), batch_size=10_000)
assert sum(len(batch) for batch in stream) == blocks * 1000
print(peak() - before)
"""
    ran = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert int(ran.stdout) <= 64 * 1024


def values() -> list[dict[str, Any]]:
    return [{"id": one.id, "title": one.title, "share": one.share, "done": one.done} for one in FLAT]


@pytest.mark.parametrize("make", [pa.Table.from_pylist, pl.DataFrame], ids=["pyarrow", "polars"])
# Columns alone do not say what the fields of a message are, and records without a class are called otherwise in XML.
@formats.each(typed=False, texts=False)
def test_columns_of_others_are_encoded_and_written(module, make, tmp_path):
    frame = make(values())
    assert module.encode(frame) == module.encode(values())
    file = io.BytesIO()
    assert module.write(file, frame) == 1000
    assert file.getvalue() == formats.one_by_one(module, values())
    assert module.write(tmp_path / "typed", frame, Flat) == 1000
    assert module.decode((tmp_path / "typed").read_bytes(), list[Flat]) == FLAT


def test_streams_of_columns_are_written_too(tmp_path):
    stream = ndjson.columns(ndjson.encode(FLAT), Flat, batch_size=100)
    assert csv.write(tmp_path / "flat.csv", stream) == 1000
    assert csv.decode((tmp_path / "flat.csv").read_bytes(), list[Flat]) == FLAT


def test_columns_stand_anywhere_in_a_value():
    frame = pl.DataFrame({"id": [1, 2]})
    assert json.encode({"rows": frame, "count": 2}) == b'{"rows":[{"id":1},{"id":2}],"count":2}'


def test_what_columns_can_not_be_told_is_an_error(tmp_path):
    frame = pl.DataFrame({"x": [1.0, float("nan")]})
    with pytest.raises(demat.EncodeError, match=r"\$\[1\].x"):
        json.write(tmp_path / "x.json", frame)
    assert not any(tmp_path.iterdir())


def test_a_missing_field_gets_what_its_factory_makes():
    made = iter(range(100))

    @dataclass
    class Row:
        id: int
        number: int = field(default_factory=lambda: next(made))
        names: set[str] = field(default_factory=set)
        text: str = field(default_factory=str)
        maybe: str | None = field(default_factory=str)

    rows = pa.table(json.columns(b'[{"id": 1}, {"id": 2, "text": "x", "maybe": null}, {"id": 3, "names": ["y"]}]', Row))
    assert rows.column_names == ["id", "number", "names", "text", "maybe"]
    assert rows["number"].to_pylist() == [0, 1, 2]
    assert rows["names"].to_pylist() == [[], [], ["y"]]
    assert rows["text"].to_pylist() == ["", "x", ""]
    with pytest.raises(demat.ValidationError, match=r"\$\[0\].text"):
        json.columns(b'[{"id": 1, "text": null}]', Row)
