"""The data source as Spark calls it, in this process: no Java is needed."""

import gzip
import json
import pickle
from datetime import UTC, date, datetime, timedelta
from pathlib import Path
from typing import Any

import demat
import pyarrow
import pyarrow.compute
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from sparked import Task, Wide
from sparked_source import source, table

api = pytest.importorskip("pyspark.sql.datasource", reason="pyspark is not installed: make spark")
from demat._spark.source import Source  # noqa: E402
from pyspark.sql import types  # noqa: E402


def lines(count: int) -> bytes:
    return b"".join(
        b'{"id":%d,"title":"Rest %d","done":%s}\n' % (i, i, (b"false", b"true")[i % 2]) for i in range(count)
    )


WIDE = Wide(
    1,
    "é",
    1.5,
    True,
    b"\0\1",
    date(2026, 1, 2),
    datetime(2026, 1, 2, 3, 4, 5, 6, UTC),
    timedelta(days=1, microseconds=3),
    more=[1, {"a": None}],
    tags=["a", "b"],
    counts={"x": 1},
)


@pytest.mark.parametrize("format", ["ndjson", "json", "csv", "msgpack", "pb", "cbor", "demat", "parquet", "xml"])
def test_formats(tmp_path: Path, format: str) -> None:
    # Not each of them nests, or has bytes.
    type = Task if format in ("csv", "xml") else Wide
    records: list[Any] = [Task(1, "a,b", due=date(2026, 1, 2)), Task(2, "c")] if type is Task else [WIDE, Wide(2)]
    path = tmp_path / f"in.{format}"
    demat.copy(records, path, type)
    read, _, _ = table(path, type=f"sparked:{type.__name__}")
    expected = demat.columns_of(records, type)
    assert read.num_rows == 2
    for name in expected.names:
        column = pyarrow.table(expected).column(name)
        assert read.column(name).to_pylist() == column.to_pylist(), name


def test_the_schema_is_the_class(tmp_path: Path) -> None:
    schema = source(tmp_path, type="sparked:Wide").schema()
    assert schema.simpleString() == (
        "struct<id:bigint,text:string,score:double,done:boolean,data:binary,due:date,at:timestamp,took:interval day to "
        "second,price:string,color:string,more:string,by:struct<name:string,age:bigint>,tags:array<string>,"
        "many:array<struct<name:string,age:bigint>>,counts:map<string,bigint>>"
    )
    schema = source(tmp_path, type="sparked:Wide", decimals="18,2", naive="true", fields="price, at").schema()
    assert schema.simpleString() == "struct<price:decimal(18,2),at:timestamp_ntz>"
    schema = source(tmp_path, shape="id: int, tags: [text]").schema()
    assert schema.simpleString() == "struct<id:bigint,tags:array<string>>"


@given(size=st.integers(1, 400), count=st.integers(0, 40), ends=st.booleans())
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=40)
def test_partitions_are_the_file(tmp_path: Path, size: int, count: int, ends: bool) -> None:
    path = tmp_path / "in.ndjson"
    path.write_bytes(lines(count) if ends else lines(count).removesuffix(b"\n"))
    read, _, partitions = table(path, type="sparked:Task", maxPartitionBytes=size)
    assert read.column("id").to_pylist() == list(range(count))
    assert partitions == max(1, -(-path.stat().st_size // size))


def test_what_is_packed_is_one_partition_and_folders_are_their_files(tmp_path: Path) -> None:
    (tmp_path / "a.ndjson.gz").write_bytes(gzip.compress(lines(50)))
    (tmp_path / "b.ndjson").write_bytes(lines(50))
    (tmp_path / "_done").write_bytes(b"?")
    for path in (tmp_path, tmp_path / "*.*", [tmp_path / "a.ndjson.gz", tmp_path / "b.ndjson"]):
        read, _, partitions = table(path, type="sparked:Task", maxPartitionBytes=500)
        assert read.num_rows == 100
        assert partitions == 1 + -(-len(lines(50)) // 500)


def test_tables_are_divided_if_rows_are_lines(tmp_path: Path) -> None:
    path = tmp_path / "in.csv"
    path.write_bytes(b"title;id\n" + b"".join(b'"a;b";%d\n' % i for i in range(100)))
    options = {"type": "sparked:Task", "maxPartitionBytes": 100, "read__delimiter": ";"}
    read, _, partitions = table(path, multiLine="false", **options)
    assert (read.column("id").to_pylist(), partitions) == (list(range(100)), -(-path.stat().st_size // 100))
    assert read.column("title").to_pylist() == ["a;b"] * 100
    path.write_bytes(b"title;id\n" + b"".join(b'"a\nb";%d\n' % i for i in range(100)))
    read, _, partitions = table(path, **options)
    assert (read.column("id").to_pylist(), partitions) == (list(range(100)), 1)


def test_some_columns_of_a_table_without_names(tmp_path: Path) -> None:
    path = tmp_path / "in.csv"
    path.write_bytes(b"".join(b"%d,Rest %d\n" % (i, i) for i in range(30)))
    options = {"shape": "id: int, title: text", "read__header": "false", "multiLine": "false", "maxPartitionBytes": 100}
    read, _, _ = table(path, fields="title", **options)
    assert read.to_pylist() == [{"title": f"Rest {i}"} for i in range(30)]
    read, _, _ = table(path, [api.GreaterThan(COLUMN, 27)], fields="title,id", **options)
    assert read.to_pylist() == [{"title": f"Rest {i}", "id": i} for i in (28, 29)]


def test_some_columns_only_are_read(tmp_path: Path) -> None:
    path = tmp_path / "in.ndjson"
    # The other fields are skipped without a check.
    path.write_bytes(b'{"id":"x","title":"a","done":3}\n')
    assert table(path, type="sparked:Task", fields="title")[0].to_pylist() == [{"title": "a"}]
    schema = types.StructType([types.StructField("title", types.StringType())])
    assert table(path, schema=schema, type="sparked:Task")[0].to_pylist() == [{"title": "a"}]
    with pytest.raises(demat.ValidationError, match="expected `int`"):
        table(path, type="sparked:Task")


COLUMN = ("id",)
FILTERS = [
    (api.EqualTo(COLUMN, 3), [3]),
    (api.GreaterThan(COLUMN, 7), [8, 9]),
    (api.GreaterThanOrEqual(COLUMN, 8), [8, 9]),
    (api.LessThan(COLUMN, 2), [0, 1]),
    (api.LessThanOrEqual(COLUMN, 1), [0, 1]),
    (api.In(COLUMN, (1, 5)), [1, 5]),
    (api.IsNotNull(("due",)), [4]),
    (api.IsNull(("due",)), [0, 1, 2, 3, 5, 6, 7, 8, 9]),
    (api.EqualTo(("title",), "it's"), [6]),
    (api.EqualTo(("done",), True), [1, 3, 5, 7, 9]),
    (api.EqualTo(("done",), False), [0, 2, 4, 6, 8]),
]
LEFT = [
    api.GreaterThan(("title",), "a"),
    api.EqualTo(("due",), date(2026, 1, 2)),
    api.Not(api.EqualTo(COLUMN, 3)),
    api.StringContains(("title",), "x"),
    api.EqualTo(("by", "name"), "x"),
    api.In(COLUMN, (1, None)),
    api.EqualNullSafe(COLUMN, 3),
]


@pytest.fixture
def ten(tmp_path: Path) -> Path:
    tasks = [Task(i, "it's" if i == 6 else "x", bool(i % 2), date(2026, 1, 2) if i == 4 else None) for i in range(10)]
    demat.ndjson.write(tmp_path / "in.ndjson", tasks)
    return tmp_path / "in.ndjson"


@pytest.mark.parametrize(("filter", "ids"), FILTERS, ids=lambda value: str(value)[:40])
def test_filters_that_are_applied(ten: Path, filter: Any, ids: list[int]) -> None:
    read, left, _ = table(ten, [filter], type="sparked:Task")
    assert (read.column("id").to_pylist(), left) == (ids, [])


@pytest.mark.parametrize("filter", LEFT, ids=lambda value: str(value)[:40])
def test_filters_that_are_left_to_spark(ten: Path, filter: Any) -> None:
    read, left, _ = table(ten, [filter, api.GreaterThan(COLUMN, 4)], type="sparked:Task")
    assert (read.column("id").to_pylist(), left) == ([5, 6, 7, 8, 9], [filter])


def test_filters_on_columns_with_odd_names_are_left(tmp_path: Path) -> None:
    path = tmp_path / "in.ndjson"
    names = ["and", "Null", "between", "contains", "a b", "é", "x"]
    path.write_text("".join(json.dumps(dict.fromkeys(names, i)) + "\n" for i in range(3)))
    shape = 'and: int, Null: int, between: int, contains: int, "a b": int, "é": int, x: int'
    for name in names:
        filter = api.EqualTo((name,), 1)
        read, left, _ = table(path, [filter], shape=shape)
        assert (read.num_rows, left) == ((1, []) if name == "x" else (3, [filter]))


def test_a_condition_of_ones_own(ten: Path) -> None:
    read, _, _ = table(ten, [api.LessThan(COLUMN, 8)], type="sparked:Task", where="id = 9 or id = 7")
    assert read.column("id").to_pylist() == [7]


BAD = b'{"id":1,"title":"a"}\n{"id":"x","title":"b"}\n{"id":3,"ti\n{"id":4,"title":"\xc3\xa9"}\n'


def test_records_that_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "in.ndjson"
    path.write_bytes(lines(30) + BAD)
    options = {"type": "sparked:Task", "fields": "id", "maxPartitionBytes": 200}
    with pytest.raises(demat.ValidationError, match=r"expected `int`.*the byte is \d+") as raised:
        table(path, **options)
    assert raised.value.offset == len(lines(30)) + BAD.index(b'"x"')
    read, _, _ = table(path, mode="DROPMALFORMED", **options)
    assert read.column("id").to_pylist() == [*range(30), 1, 4]
    read, left, _ = table(path, [api.EqualTo(COLUMN, 4)], mode="permissive", **options)
    assert (left, read.num_rows) == ([api.EqualTo(COLUMN, 4)], 34)
    bad = read.filter(pyarrow.compute.is_valid(read["_corrupt_record"])).to_pylist()
    assert bad == [
        {"id": None, "_corrupt_record": '{"id":"x","title":"b"}'},
        {"id": None, "_corrupt_record": '{"id":3,"ti'},
    ]
    read, _, _ = table(path, mode="PERMISSIVE", columnNameOfCorruptRecord="bad", **options)
    assert read.schema.names == ["id", "bad"]


def test_refused_records_are_held_in_bounded_memory(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from demat._spark import read

    monkeypatch.setattr(read, "_LARGEST", 1000)
    path = tmp_path / "in.ndjson"
    path.write_bytes(b'{"id":"x","title":"b"}\n' * 100)
    with pytest.raises(demat.LimitError, match="records were refused one after the other"):
        table(path, type="sparked:Task", mode="PERMISSIVE")
    assert table(path, type="sparked:Task", mode="DROPMALFORMED")[0].num_rows == 0


def test_an_early_end_stops_the_copy(tmp_path: Path) -> None:
    path = tmp_path / "in.ndjson"
    path.write_bytes(lines(100_000))
    own = source(path, type="sparked:Task")
    reader = own.reader(own.schema())
    (partition,) = reader.partitions()
    batches = reader.read(partition)
    assert next(batches).num_rows > 0
    # The thread ends, as nobody reads from its pipe.
    batches.close()


REFUSED = [
    ({"typo": "x"}, "'typo' is no option"),
    ({"read__typo": "x"}, r"read\.typo is no option of ndjson"),
    ({"write__depth": "3"}, "is no option for reading"),
    ({"type": None}, "say option type"),
    ({"shape": "id: int"}, "say the same"),
    ({"type": "sparked:Nope"}, "can't be imported here"),
    ({"type": "nope:Nope"}, "can't be imported here"),
    ({"type": "sparked"}, "expected module:Class"),
    ({"type": "sparked:Odd"}, r"`id`: Spark has no type for .*uuid"),
    ({"type": "sparked:Deep"}, r"`by\[\*\]\.id`: Spark has no type"),
    ({"mode": "LAX"}, "option mode is one of"),
    ({"columnNameOfCorruptRecord": "bad"}, "needs mode=PERMISSIVE"),
    ({"mode": "PERMISSIVE", "columnNameOfCorruptRecord": "id"}, "have a field id"),
    ({"fields": "id,nope"}, "no field 'nope'"),
    ({"maxPartitionBytes": "0"}, "a number from 1"),
    ({"multiLine": "maybe"}, "true or false"),
    ({"decimals": "18"}, "two numbers"),
    ({"maxFilesPerTrigger": "3"}, "for streams"),
    ({"path": "s3a://bucket/in.ndjson"}, "only files are read"),
    ({"path": "nothing-*.ndjson"}, "no file matches"),
    ({"format": "nope"}, "nope"),
]


@pytest.mark.parametrize(("changed", "message"), REFUSED)
def test_what_is_refused(ten: Path, changed: dict[str, Any], message: str) -> None:
    said = {"path": str(ten), "type": "sparked:Task", **changed}
    given = {name.replace("__", "."): value for name, value in said.items() if value is not None}
    own = Source(api.CaseInsensitiveDict(given))
    with pytest.raises(ValueError, match=message):
        own.reader(own.schema()).partitions()


def test_a_schema_of_other_types_is_refused(ten: Path) -> None:
    schema = types.StructType([types.StructField("id", types.StringType())])
    with pytest.raises(ValueError, match="the field 'id' is bigint, and no string"):
        source(ten, type="sparked:Task").reader(schema)
    schema = types.StructType([types.StructField("nope", types.StringType())])
    with pytest.raises(ValueError, match="the type has no field 'nope'"):
        source(ten, type="sparked:Task").reader(schema)


def written(folder: Path, batches: list[list[Any]], *, overwrite: bool = False, **options: Any) -> list[str]:
    """Writes a file for each list of batches, and returns the names of the files that are there then."""
    writer = pickle.loads(pickle.dumps(source(folder, **options).writer(types.StructType(), overwrite)))
    writer.commit([writer.write(iter(some)) for some in batches])
    return sorted(path.name for path in folder.iterdir() if path.name != "_SUCCESS")


def test_writing(tmp_path: Path) -> None:
    folder = tmp_path / "out"
    batch = pyarrow.record_batch({"id": [1, 2], "title": ["a", "b"]})
    names = written(folder, [[batch, batch], [], [batch]], format="ndjson")
    assert len(names) == 2
    assert all(name.startswith("part-") and name.endswith(".ndjson") for name in names)
    assert (folder / "_SUCCESS").exists()
    read, _, _ = table(folder, type="sparked:Task", fields="id")
    assert sorted(read.column("id").to_pylist()) == [1, 1, 1, 2, 2, 2]
    more = written(folder, [[batch]], format="ndjson", compression="gzip", type="sparked:Task")
    assert set(names) < set(more)
    assert len(more) == 3
    one = written(folder, [[batch]], overwrite=True, format="csv", write__delimiter=";")
    assert len(one) == 1
    assert (folder / one[0]).read_bytes() == b"id;title\n1;a\n2;b\n"


def test_what_is_not_committed_leaves_nothing(tmp_path: Path) -> None:
    folder = tmp_path / "out"
    batch = pyarrow.record_batch({"id": [1], "title": ["a"]})
    old = written(folder, [[batch]], format="ndjson")
    writer = source(folder, format="ndjson").writer(types.StructType(), True)
    message = writer.write(iter([batch]))
    # The second attempt of a task that has failed: what the first has written is not committed.
    again = writer.write(iter([batch]))
    assert [path.name for path in folder.iterdir() if path.name[0] != "_"] == old
    writer.abort([message, None])
    assert [path.name for path in folder.iterdir() if path.name != "_SUCCESS"] == old
    assert again.records == 1


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({}, "say option format"),
        ({"format": "ndjson", "mode": "x"}, "is no option for writing"),
        ({"format": "ndjson", "compression": "xz"}, "option compression is one of"),
        ({"format": "nope"}, "no format 'nope'"),
        ({"format": "csv", "write__nope": "x"}, "is no option of csv"),
    ],
)
def test_what_is_refused_in_writing(tmp_path: Path, options: dict[str, str], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        source(tmp_path, **options).writer(types.StructType(), False)
    (tmp_path / "file").write_bytes(b"")
    with pytest.raises(ValueError, match="is a file"):
        source(tmp_path / "file", format="ndjson").writer(types.StructType(), False)


def test_a_stream_reads_each_file_once(tmp_path: Path) -> None:
    from pyspark.sql.streaming.datasource import ReadAllAvailable, ReadMaxFiles

    own = source(tmp_path, type="sparked:Task", maxFilesPerTrigger=2)
    for name in ("a", "b", "c"):
        (tmp_path / f"{name}.ndjson").write_bytes(lines(3))
    (tmp_path / "_d.ndjson").write_bytes(b"?")

    def read(reader: Any, start: Any, end: Any) -> int:
        return sum(batch.num_rows for part in reader.partitions(start, end) for batch in reader.read(part))

    reader = pickle.loads(pickle.dumps(own.streamReader(own.schema())))
    start = reader.initialOffset()
    limit = reader.getDefaultReadLimit()
    assert limit == ReadMaxFiles(2)
    first = reader.latestOffset(start, limit)
    second = reader.latestOffset(first, limit)
    assert [(offset["last"], offset["count"]) for offset in (first, second)] == [("b.ndjson", 2), ("c.ndjson", 3)]
    assert (read(reader, start, first), read(reader, first, second)) == (6, 3)
    assert reader.latestOffset(second, ReadAllAvailable()) == second
    assert reader.latestOffset(start, ReadAllAvailable()) == second
    (tmp_path / "bb.ndjson").write_bytes(lines(3))
    with pytest.raises(ValueError, match="must come behind the old ones"):
        reader.latestOffset(second, limit)
    with pytest.raises(ValueError, match="a stream reads one folder"):
        source(tmp_path / "a.ndjson", type="sparked:Task").streamReader(own.schema())


def test_without_pyspark_the_error_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    import sys

    monkeypatch.setitem(sys.modules, "demat._spark.source", None)
    with pytest.raises(ImportError, match=r"pip install 'demat\[spark\]'"):
        demat.spark.register(None)
