"""Arrow arrays that are no tables are lists of their values; and columns whose types say more than their layout."""

import datetime

import demat
import polars
import pyarrow
import pyarrow.parquet
import pytest
from demat import cbor, csv, json, msgpack, ndjson, parquet, xml, yaml

ARRAYS = [
    pyarrow.array([1, None, 3]),
    pyarrow.chunked_array([[1], [None, 3]]),
    polars.Series("a", [1, None, 3]),
    pyarrow.array([1, None, 3]).dictionary_encode(),
]


@pytest.mark.parametrize("array", ARRAYS, ids=lambda array: type(array).__name__)
def test_arrays_are_lists_of_their_values(array):
    assert json.encode(array) == b"[1,null,3]"
    assert json.encode({"x": array, "y": [array]}) == b'{"x":[1,null,3],"y":[[1,null,3]]}'
    for module in (json, ndjson, cbor, msgpack, yaml):
        assert module.decode(module.encode(array), list[int | None]) == [1, None, 3]
    assert xml.encode({"x": array}) == xml.encode({"x": [1, None, 3]})


def test_arrays_are_written_as_values_of_a_list(tmp_path):
    for array in ARRAYS:
        assert demat.write(tmp_path / "a.ndjson", array) == 3
        assert (tmp_path / "a.ndjson").read_text() == "1\nnull\n3\n"
        with pytest.raises(TypeError, match="this is an array of"):
            demat.write(tmp_path / "a.parquet", array)
        with pytest.raises(TypeError, match="this is an array of"):
            demat.columns_of(array)
        with pytest.raises(TypeError, match="this is an array of"):
            demat.copy(array, tmp_path / "b.json")


def test_arrays_of_all_types():
    day = datetime.date(2026, 8, 1)
    for array, text in [
        (pyarrow.array(["a", None]), '["a",null]'),
        (pyarrow.array([[1], []]), "[[1],[]]"),
        (pyarrow.array([day]), '["2026-08-01"]'),
        (pyarrow.array([], pyarrow.int8()), "[]"),
        (pyarrow.nulls(2), "[null,null]"),
        (pyarrow.array([{"a": 1}]), '[{"a":1}]'),
        (pyarrow.array([{"a": 1}, None]), '[{"a":1},null]'),
        (pyarrow.chunked_array([[{"a": 1}], [None]]), '[{"a":1},null]'),
        (polars.Series([{"a": 1}, None]), '[{"a":1},null]'),
        (polars.Series(["x", "y", "x"], dtype=polars.Categorical), '["x","y","x"]'),
        (polars.Series([[1.5]], dtype=polars.Array(polars.Float32, 1)), "[[1.5]]"),
    ]:
        assert json.encode(array).decode() == text, array
        assert json.encode([array]).decode() == f"[{text}]"


def test_records_of_an_array_are_rows():
    records = pyarrow.array([{"a": 1}, {"a": 2}])
    assert csv.encode(records) == b"a\n1\n2\n"
    assert csv.encode(polars.Series([{"a": 1}, {"a": 2}])) == b"a\n1\n2\n"
    assert len(demat.columns_of(records)) == 2
    with pytest.raises(demat.Error, match="some of these are null"):
        demat.columns_of(pyarrow.array([{"a": 1}, None]))


def test_objects_of_polars_are_refused(tmp_path):
    frame = polars.DataFrame({"a": polars.Series(["x", {"k": 1}, None], dtype=polars.Object)})

    class Frame(polars.DataFrame):
        pass

    for held in (frame, frame["a"], {"f": frame}, Frame(frame.to_dict())):
        with pytest.raises(demat.EncodeError, match="polars type `Object`"):
            json.encode(held)
    with pytest.raises(demat.EncodeError, match="polars type `Object`"):
        csv.encode(frame)
    for to in ("a.parquet", "a.json", "a.arrow"):
        with pytest.raises(TypeError, match="polars type `Object`"):
            demat.write(tmp_path / to, frame)
        with pytest.raises(TypeError, match="polars type `Object`"):
            demat.copy(frame, tmp_path / to)
    # Eight bytes of another library are bytes.
    table = pyarrow.table({"a": pyarrow.array([b"12345678"], pyarrow.binary(8))})
    assert json.encode(table) == b'[{"a":"MTIzNDU2Nzg="}]'


def test_days_in_milliseconds_are_dates():
    days = pyarrow.table({"a": pyarrow.array([datetime.date(2026, 8, 1), None], pyarrow.date64())})
    assert json.encode(days) == b'[{"a":"2026-08-01"},{"a":null}]'
    assert demat.define(days).__annotations__["a"] == datetime.date | None
    within = pyarrow.table({"a": pyarrow.array([1], pyarrow.int64()).view(pyarrow.date64())})
    with pytest.raises(demat.Error, match="expected a date, found `1970-01-01T00:00:00.001`"):
        json.encode(within)


def test_bools_of_a_byte_are_bools(tmp_path):
    bools = pyarrow.ExtensionArray.from_storage(pyarrow.bool8(), pyarrow.array([0, 1, None, -7], pyarrow.int8()))
    table = pyarrow.table({"a": bools, "b": pyarrow.array([[1]] * 4)})
    assert json.encode(pyarrow.table({"a": bools})) == b'[{"a":false},{"a":true},{"a":null},{"a":true}]'
    assert json.encode(bools) == b"[false,true,null,true]"
    for to in ("a.parquet", "a.arrow", "a.ndjson"):
        demat.write(tmp_path / to, table)
        rows = list(demat.read(tmp_path / to))
        assert [row["a"] for row in rows] == [False, True, None, True], to


def test_rows_without_columns_are_refused_for_parquet(tmp_path):
    rows = pyarrow.table({"a": [1, 2]}).select([])
    with pytest.raises(demat.EncodeError, match="a record without fields"):
        demat.write(tmp_path / "a.parquet", rows)
    assert not (tmp_path / "a.parquet").exists()
    demat.write(tmp_path / "a.arrow", rows)
    assert list(demat.read(tmp_path / "a.arrow")) == [{}, {}]


def different(count=2):
    return [pyarrow.table({"d": pyarrow.array([f"v{n}", None, "same"]).dictionary_encode()}) for n in range(count)]


def test_dictionaries_that_differ_become_one_in_a_file(tmp_path):
    table = pyarrow.concat_tables(different(3))
    demat.write(tmp_path / "a.arrow", table)
    demat.write(tmp_path / "a.arrows", table)
    parquet.write(tmp_path / "a.parquet", table)
    demat.copy(tmp_path / "a.arrow", tmp_path / "b.arrow")
    expected = table["d"].to_pylist()
    for name in ("a.arrow", "b.arrow"):
        read = pyarrow.ipc.open_file(tmp_path / name).read_all()
        assert read.schema == table.schema
        assert read["d"].to_pylist() == expected
        assert polars.read_ipc(tmp_path / name)["d"].to_list() == expected
    for name in ("a.arrow", "a.arrows", "a.parquet"):
        assert [row["d"] for row in demat.read(tmp_path / name)] == expected


def test_row_groups_with_different_dictionaries_become_an_arrow_file(tmp_path):
    values = ["a", "b"] * 5000 + ["c", "d"] * 5000
    pyarrow.parquet.write_table(
        pyarrow.table({"d": pyarrow.array(values).dictionary_encode()}), tmp_path / "a.parquet", row_group_size=4000
    )
    demat.copy(tmp_path / "a.parquet", tmp_path / "a.arrow")
    read = pyarrow.ipc.open_file(tmp_path / "a.arrow").read_all()
    assert read["d"].to_pylist() == values
    assert polars.read_ipc(tmp_path / "a.arrow")["d"].to_list() == values


def test_dictionaries_of_polars(tmp_path):
    parts = [polars.DataFrame({"a": polars.Series([text], dtype=polars.Categorical)}) for text in "xyx"]
    frame = polars.concat(parts, rechunk=False)
    demat.write(tmp_path / "a.arrow", frame)
    assert polars.read_ipc(tmp_path / "a.arrow")["a"].to_list() == ["x", "y", "x"]
