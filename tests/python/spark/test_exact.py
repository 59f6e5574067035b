"""That the data source neither loses a row nor invents one."""

import os
import pickle
from pathlib import Path
from typing import Any

import pyarrow
import pytest
from sparked_source import source, table

api = pytest.importorskip("pyspark.sql.datasource", reason="pyspark is not installed: make spark")
from pyspark.sql import types  # noqa: E402

CONVERTED = (
    b'{"id":1,"more":"abc","either":"7","host":"0:0:0:0:0:0:0:1","price":1.50,"code":"ff"}\n{"id":2,"more":null}\n'
)
LEFT = [
    api.EqualTo(("more",), '"abc"'),
    api.EqualTo(("more",), "abc"),
    api.IsNull(("more",)),
    api.EqualTo(("either",), '"7"'),
    api.IsNotNull(("either",)),
    api.EqualTo(("host",), "::1"),
    api.EqualTo(("price",), "1.50"),
    api.EqualTo(("code",), 255),
]


@pytest.mark.parametrize("filter", LEFT, ids=lambda value: str(value)[:40])
def test_filters_on_columns_that_are_converted_are_left_to_spark(tmp_path: Path, filter: Any) -> None:
    path = tmp_path / "in.ndjson"
    path.write_bytes(CONVERTED)
    read, left, _ = table(path, [filter, api.LessThan(("id",), 2)], type="sparked:Converted")
    assert (read.num_rows, left) == (1, [filter])


def test_a_class_that_changes_its_fields_has_all_filters_left(tmp_path: Path) -> None:
    path = tmp_path / "in.ndjson"
    path.write_bytes(b'{"id":1,"title":"ADA"}\n')
    filters = [api.EqualTo(("title",), "ada"), api.EqualTo(("id",), 1), api.IsNotNull(("title",))]
    read, left, _ = table(path, filters, type="sparked:Lower")
    assert (read.to_pylist(), left) == ([{"id": 1, "title": "ada"}], filters)


@pytest.mark.parametrize("where", [None, f"id in ({', '.join(map(str, range(100)))})"])
def test_filters_of_more_values_than_a_condition_may_have_are_left(tmp_path: Path, where: str | None) -> None:
    path = tmp_path / "in.ndjson"
    path.write_bytes(b'{"id":1,"title":"a"}\n')
    few, many = api.In(("id",), (1, 2)), api.In(("id",), tuple(range(300)))
    options = {"type": "sparked:Task", **({} if where is None else {"where": where})}
    read, left, _ = table(path, [many, few], **options)
    assert (read.num_rows, left) == (1, [many])
    several = [api.In(("id",), tuple(range(i, i + 60))) for i in range(-50, 0)]
    read, left, _ = table(path, several, **options)
    assert read.num_rows == 1
    assert left == (several[3:] if where is None else several)


@pytest.mark.parametrize("header", [b"title,id\r", b'title,"id" \n', b"\n" * (1 << 20) + b"title,id\n"])
def test_a_table_whose_header_is_not_found_is_one_partition(tmp_path: Path, header: bytes) -> None:
    path = tmp_path / "in.csv"
    path.write_bytes(header + b"".join(b"Rest,%d\n" % i for i in range(50)))
    options = {"type": "sparked:Task", "multiLine": "false", "maxPartitionBytes": 100}
    try:
        expected, _, _ = table(path, type="sparked:Task")
    except ValueError as error:
        with pytest.raises(type(error)):
            table(path, **options)
        return
    read, _, partitions = table(path, **options)
    assert (read.num_rows, partitions) == (50, 1)
    assert read == expected


def test_refused_records_are_rows_also_without_their_column(tmp_path: Path) -> None:
    path = tmp_path / "in.ndjson"
    path.write_bytes(b'{"id":"x","title":"a"}\n{"id":1,"title":"b"}\n')
    schema = types.StructType([types.StructField("id", types.LongType())])
    read, _, _ = table(path, schema=schema, type="sparked:Task", mode="PERMISSIVE")
    assert sorted(read.column("id").to_pylist(), key=str) == [1, None]


def batch(*ids: int) -> Any:
    return pyarrow.record_batch({"id": list(ids), "title": ["a"] * len(ids)})


def kept(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in folder.iterdir()}


@pytest.mark.parametrize("overwrite", [False, True])
@pytest.mark.parametrize("broken", ["a source is not there", "a rename fails", "the mark can't be written"])
def test_a_commit_that_fails_leaves_what_was_there(
    tmp_path: Path, broken: str, overwrite: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "out"
    first = source(folder, format="ndjson").writer(types.StructType(), False)
    first.commit([first.write(iter([batch(1)])), first.write(iter([batch(2)]))])
    before = kept(folder)
    assert len(before) == 3
    writer = source(folder, format="ndjson").writer(types.StructType(), overwrite)
    messages = [writer.write(iter([batch(3)])), writer.write(iter([batch(4)]))]
    with monkeypatch.context() as patched:
        if broken == "a source is not there":
            (Path(writer._aside) / messages[1].name).unlink()
        else:
            done: list[str] = []
            rename = os.rename

            def fails(one: str, other: str) -> None:
                done.append(other)
                if broken == "a rename fails" and len(done) == (4 if overwrite else 2):
                    raise OSError("the disk is gone")
                if broken != "a rename fails" and len(done) == 1:
                    # A folder of its name keeps the mark from being written.
                    (folder / "_SUCCESS").mkdir()
                rename(one, other)

            patched.setattr(os, "rename", fails)
        with pytest.raises(OSError):  # noqa: PT011 - of several kinds
            writer.commit(messages)
        if broken == "the mark can't be written":
            (folder / "_SUCCESS").rmdir()
            before.pop("_SUCCESS")
    writer.abort(messages)
    assert kept(folder) == before


def test_an_empty_frame_is_read_back(tmp_path: Path) -> None:
    folder = tmp_path / "out"
    writer = source(folder, format="ndjson").writer(types.StructType(), False)
    writer.commit([writer.write(iter([])), None])
    assert list(kept(folder)) == ["_SUCCESS"]
    read, _, partitions = table(folder, type="sparked:Task")
    assert (read.num_rows, partitions) == (0, 0)
    (folder / "_SUCCESS").unlink()
    with pytest.raises(ValueError, match="has no files"):
        table(folder, type="sparked:Task")


def test_a_stream_sees_a_file_that_comes_as_another_goes(tmp_path: Path) -> None:
    from pyspark.sql.streaming.datasource import ReadAllAvailable

    def put(name: str) -> None:
        (tmp_path / name).write_bytes(b'{"id":1,"title":"a"}\n')

    own = source(tmp_path, type="sparked:Task")
    reader = pickle.loads(pickle.dumps(own.streamReader(own.schema())))
    put("b.ndjson")
    put("d.ndjson")
    start = reader.initialOffset()
    end = reader.latestOffset(start, ReadAllAvailable())
    assert len(reader.partitions(start, end)) == 2
    (tmp_path / "b.ndjson").rename(tmp_path / "c.ndjson")
    for call in (lambda: reader.latestOffset(end, ReadAllAvailable()), lambda: reader.partitions(start, end)):
        with pytest.raises(ValueError, match="or others, when they were read"):
            call()
    (tmp_path / "c.ndjson").rename(tmp_path / "b.ndjson")
    put("da.ndjson")
    later = reader.latestOffset(end, ReadAllAvailable())
    assert len(reader.partitions(end, later)) == 1
    put("cc.ndjson")
    with pytest.raises(ValueError, match="must come behind the old ones"):
        reader.partitions(end, later)


def test_options_of_a_format_are_of_its_types(tmp_path: Path) -> None:
    path = tmp_path / "in.csv"
    path.write_bytes(b"id,title\n1,999\n2,true\n3,none\n")
    shape = "id: int, title: text?"
    for null, titles in (
        ("999", [None, "true", "none"]),
        ("true", ["999", None, "none"]),
        ("none", ["999", "true", None]),
    ):
        read, _, _ = table(path, shape=shape, read__null=null)
        assert read.column("title").to_pylist() == titles
    path.write_bytes(b'id,title\n1,"a"\n')
    assert table(path, shape=shape, read__quote="none")[0].column("title").to_pylist() == ['"a"']
    with pytest.raises(ValueError, match=r"option read\.header is true or false, not 'none'"):
        table(path, shape=shape, read__header="none")
    path = tmp_path / "in.ndjson"
    path.write_bytes(b"")
    with pytest.raises(ValueError, match=r"option read\.depth is a whole number, not 'deep'"):
        table(path, shape=shape, read__depth="deep")


def test_addresses_of_files_keep_all_of_their_characters() -> None:
    from demat._spark.options import Options

    for prefix in ("file://", "file:", "FILE://localhost", ""):
        for name, path in (("a#b.ndjson", "a#b.ndjson"), ("a?b", "a?b"), ("a%20b", "a b" if prefix else "a%20b")):
            assert Options({"path": f"{prefix}/data/{name}"}, writes=False).paths == [f"/data/{path}"]
