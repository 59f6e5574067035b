"""Arrow and Parquet files of other writers, also damaged ones: correct values or a `demat.Error`, never a crash."""

import datetime
import decimal
import io
import json as stdlib
import struct
import textwrap
from dataclasses import dataclass

import demat
import formats
import hostile
import pyarrow
import pytest
from pyarrow import ipc, parquet

UTC = datetime.UTC


def arrow_file(table, **options):
    file = io.BytesIO()
    with ipc.new_file(file, table.schema, options=ipc.IpcWriteOptions(**options)) as writer:
        writer.write_table(table)
    return file.getvalue()


def arrow_stream(table, **options):
    file = io.BytesIO()
    with ipc.new_stream(file, table.schema, options=ipc.IpcWriteOptions(**options)) as writer:
        writer.write_table(table)
    return file.getvalue()


def parquet_file(table, **options):
    file = io.BytesIO()
    parquet.write_table(table, file, **options)
    return file.getvalue()


def copied(data, from_):
    out = io.BytesIO()
    demat.copy(data, out, from_=from_, to="json")
    return stdlib.loads(out.getvalue())


COLUMNS = {
    "large text": (pyarrow.array(["a", None], pyarrow.large_string()), ["a", None]),
    "text view": (
        pyarrow.array(["a", "longer than twelve bytes"], pyarrow.string_view()),
        ["a", "longer than twelve bytes"],
    ),
    "list": (pyarrow.array([[1, None], []], pyarrow.list_(pyarrow.int8())), [[1, None], []]),
    "large list": (pyarrow.array([[1], None], pyarrow.large_list(pyarrow.int8())), [[1], None]),
    "list view": (pyarrow.array([[1, 2], [3]], pyarrow.list_view(pyarrow.int8())), [[1, 2], [3]]),
    "list of fixed size": (pyarrow.array([[1, 2], [3, 4]], pyarrow.list_(pyarrow.int8(), 2)), [[1, 2], [3, 4]]),
    "map": (pyarrow.array([[("k", 1)], []], pyarrow.map_(pyarrow.string(), pyarrow.int8())), [{"k": 1}, {}]),
    "record": (pyarrow.array([{"x": 1}, {"x": None}]), [{"x": 1}, {"x": None}]),
    "dictionary": (pyarrow.array(["a", None]).dictionary_encode(), ["a", None]),
    "runs": (pyarrow.RunEndEncodedArray.from_arrays([1, 2], ["a", "b"]), ["a", "b"]),
    "decimal32": (pyarrow.array([decimal.Decimal("1.5"), None], pyarrow.decimal32(3, 1)), [1.5, None]),
    "decimal64": (pyarrow.array([decimal.Decimal("-1.5"), None], pyarrow.decimal64(12, 1)), [-1.5, None]),
    "decimal256": (pyarrow.array([decimal.Decimal("1.5"), None], pyarrow.decimal256(50, 1)), [1.5, None]),
    "half": (pyarrow.array([1.5, None], pyarrow.float16()), [1.5, None]),
    "seconds": (pyarrow.array([0, 1], pyarrow.timestamp("s")), ["1970-01-01T00:00:00", "1970-01-01T00:00:01"]),
    "zone": (
        pyarrow.array([0, 1], pyarrow.timestamp("s", "+02:00")),
        ["1970-01-01T02:00:00+02:00", "1970-01-01T02:00:01+02:00"],
    ),
    "time": (pyarrow.array([0, 1], pyarrow.time32("s")), ["00:00:00", "00:00:01"]),
    "null": (pyarrow.nulls(2), [None, None]),
}


@pytest.mark.parametrize("name", COLUMNS)
def test_every_type_is_read_as_what_it_is(name):
    column, expected = COLUMNS[name]
    table = pyarrow.table({"a": column})
    for data in (
        arrow_file(table),
        arrow_stream(table),
        arrow_file(table, compression="zstd"),
        arrow_stream(table, compression="lz4"),
    ):
        assert copied(data, "arrow") == [{"a": value} for value in expected]


@pytest.mark.parametrize(
    "column",
    [
        pyarrow.array([(1, 2, 3)], pyarrow.month_day_nano_interval()),
        pyarrow.UnionArray.from_dense(
            pyarrow.array([0], pyarrow.int8()), pyarrow.array([0], pyarrow.int32()), [pyarrow.array([1])]
        ),
    ],
)
def test_a_type_without_a_kind_is_refused_by_the_path_of_its_column(column):
    table = pyarrow.table({"a": column})
    for data in (arrow_file(table), arrow_stream(table)):
        for to in ("json", "csv", "parquet"):
            with pytest.raises(demat.EncodeError) as raised:
                demat.copy(data, io.BytesIO(), from_="arrow", to=to)
            assert raised.value.path == "$.a", to


def test_dictionaries_that_grow_and_change_are_followed():
    schema = pyarrow.schema([("a", pyarrow.dictionary(pyarrow.int8(), pyarrow.string()))])
    for deltas in (True, False):
        file = io.BytesIO()
        with ipc.new_stream(file, schema, options=ipc.IpcWriteOptions(emit_dictionary_deltas=deltas)) as writer:
            for names in (["x"], ["x", "y"], ["x", "y", "z"]):
                column = pyarrow.DictionaryArray.from_arrays(pyarrow.array([len(names) - 1], pyarrow.int8()), names)
                writer.write_batch(pyarrow.record_batch([column], schema=schema))
        assert copied(file.getvalue(), "arrow") == [{"a": "x"}, {"a": "y"}, {"a": "z"}], deltas


def big_endian(data):
    """Returns the stream with the schema's big-endian flag set: a field of value 1, like the fields' count."""
    message = data.index(b"\xff\xff\xff\xff") + 8

    def at(place):
        return place + struct.unpack_from("<I", data, place)[0]

    def entries(table):
        return table - struct.unpack_from("<i", data, table)[0] + 4

    def field(table, number):
        return table + struct.unpack_from("<H", data, entries(table) + 2 * number)[0]

    schema = at(field(at(message), 2))
    fields = at(field(schema, 1))
    assert struct.unpack_from("<I", data, fields) == (1,)
    changed = bytearray(data)
    struct.pack_into("<H", changed, entries(schema), fields - schema)
    return bytes(changed)


def test_big_endian_numbers_are_refused_and_not_misread():
    table = pyarrow.table({"a": pyarrow.array([2147483647], pyarrow.int32())})
    for data in (arrow_file(table), arrow_stream(table)):
        with pytest.raises(demat.DecodeError, match="big-endian"):
            copied(big_endian(data), "arrow")


@dataclass
class Mapped:
    m: dict[str, int]


def test_a_key_that_a_map_has_twice_is_not_lost():
    twice = pyarrow.array([[("k", 1), ("k", 2)]], pyarrow.map_(pyarrow.string(), pyarrow.int8()))
    table = pyarrow.table({"id": [1], "m": twice})
    for data, from_ in ((arrow_stream(table), "arrow"), (parquet_file(table), "parquet")):
        with pytest.raises(demat.ValidationError, match="each key once.*`k` again"):
            copied(data, from_)
    with pytest.raises(demat.Error, match="each key once"):
        demat.json.encode(table)
    with pytest.raises(demat.ValidationError, match="each key once"):
        demat.columns_of(table).records(Mapped)
    with pytest.raises(demat.ValidationError, match="each key once.*`k` again"):
        demat.columns_of(table).records()


def parquet_of_arrow(table):
    out = io.BytesIO()
    demat.copy(arrow_stream(table), out, from_="arrow", to="parquet")
    return parquet.ParquetFile(io.BytesIO(out.getvalue()))


LOGICAL = {
    "seconds": (pyarrow.array([1], pyarrow.timestamp("s")), "Timestamp", pyarrow.timestamp("ms")),
    "zone": (
        pyarrow.array([1], pyarrow.timestamp("s", "Europe/Paris")),
        "Timestamp",
        pyarrow.timestamp("ms", "Europe/Paris"),
    ),
    "nanoseconds": (pyarrow.array([1000], pyarrow.timestamp("ns")), "Timestamp", pyarrow.timestamp("ns")),
    "time32": (pyarrow.array([1], pyarrow.time32("s")), "Time", pyarrow.time32("ms")),
    "time64": (pyarrow.array([1000], pyarrow.time64("ns")), "Time", pyarrow.time64("ns")),
    "date64": (pyarrow.array([datetime.date(2026, 1, 2)], pyarrow.date64()), "Date", pyarrow.date32()),
    "decimal": (pyarrow.array([decimal.Decimal("1.50")]), "Decimal", pyarrow.decimal128(3, 2)),
    "uint16": (pyarrow.array([1], pyarrow.uint16()), "Int", pyarrow.uint16()),
    "dictionary": (
        pyarrow.array(["a"]).dictionary_encode(),
        "String",
        pyarrow.dictionary(pyarrow.int32(), pyarrow.string()),
    ),
    "duration": (pyarrow.array([1], pyarrow.duration("s")), "None", pyarrow.duration("s")),
    "uuid": (pyarrow.array([b"0123456789abcdef"], pyarrow.uuid()), "UUID", pyarrow.uuid()),
}


@pytest.mark.parametrize("name", LOGICAL)
def test_parquet_keeps_what_a_column_of_arrow_is(name):
    column, logical, expected = LOGICAL[name]
    for one in (column, pyarrow.ListArray.from_arrays([0, 1], column)):
        file = parquet_of_arrow(pyarrow.table({"a": one}))
        assert file.schema.column(0).logical_type.type.upper() == logical.upper()
        own = file.read().column("a")
        own = own.chunk(0).flatten() if one is not column else own.chunk(0)
        assert own.type == expected
        assert (
            own.cast(column.type).to_pylist() == column.to_pylist()
            if name != "dictionary"
            else own.to_pylist() == ["a"]
        )


def test_a_date_within_a_day_is_refused_for_parquet():
    table = pyarrow.table({"a": pyarrow.array([1], pyarrow.int64()).view(pyarrow.date64())})
    with pytest.raises(demat.EncodeError, match="date64") as raised:
        parquet_of_arrow(table)
    assert raised.value.path == "$.a"


def with_rows(data, group, file):
    """Returns Parquet files whose footer has other row counts, which are Thrift varints of one byte each."""
    (length,) = struct.unpack_from("<I", data, len(data) - 8)
    start = len(data) - 8 - length
    footer = bytearray(data[start : len(data) - 8])
    # Field 3 of the file, an i64 behind the list of field 2: 0x16; 6 rows are 0x0C in zigzag.
    places = [at for at in range(len(footer) - 1) if footer[at : at + 2] == b"\x16\x0c"]
    return [data[:start] + changed + data[len(data) - 8 :] for changed in changes(bytes(footer), places, group, file)]


def changes(footer, places, group, file):
    for at in places:
        for rows in {group, file}:
            yield footer[: at + 1] + bytes([2 * rows]) + footer[at + 2 :]


def test_a_footer_that_contradicts_the_data_is_refused_or_nothing_is_lost():
    table = pyarrow.table({"a": pyarrow.array(range(6), pyarrow.int64()), "b": [[n] for n in range(6)]})
    data = parquet_file(table, use_dictionary=False, write_statistics=False)
    expected = [{"a": n, "b": [n]} for n in range(6)]
    assert copied(data, "parquet") == expected
    refused = 0
    for changed in with_rows(data, 0, 5):
        try:
            assert copied(changed, "parquet") == expected
        except demat.DecodeError:
            refused += 1
    assert refused >= 4


DAMAGE = """
    import io, random, sys
    import demat
    data, from_ = open({path!r}, "rb").read(), {from_!r}
    refused = 0
    for at in range({first}, len(data), {step}):
        for bits in (0xFF, 0x80, 0x01):
            bad = bytearray(data)
            bad[at] ^= bits
            for to in ("json", "arrow", "parquet"):
                try:
                    demat.copy(bytes(bad), io.BytesIO(), from_=from_, to=to)
                except demat.Error as error:
                    assert not isinstance(error, demat.InternalError), (at, bits, to, error)
                    refused += 1
    print(refused)
"""


@pytest.mark.parametrize("first", range(3))
@pytest.mark.parametrize("form", ["file", "stream", "packed", "parquet", "plain"])
def test_damaged_files_are_values_or_typed_errors(form, first, tmp_path):
    table = pyarrow.table({name: column.slice(0, 2) for name, (column, _) in COLUMNS.items() if name not in {"runs"}})
    flat = table.drop(["text view", "list view", "null", "half", "decimal32", "decimal64"])
    made = {
        "file": lambda: (arrow_file(table), "arrow"),
        "stream": lambda: (arrow_stream(table), "arrow"),
        "packed": lambda: (arrow_stream(table, compression="lz4"), "arrow"),
        "parquet": lambda: (parquet_file(flat), "parquet"),
        "plain": lambda: (parquet_file(flat, use_dictionary=False, compression="none"), "parquet"),
    }
    data, from_ = made[form]()
    path = tmp_path / "data"
    path.write_bytes(data)
    program = textwrap.dedent(DAMAGE).format(path=str(path), from_=from_, first=first * 7, step=31)
    assert int(hostile.run(program, RUST_BACKTRACE="1")) > 0


TRUNCATED = """
    import threading, demat
    from dataclasses import dataclass

    @dataclass
    class Row:
        id: int
        note: str

    rows = [Row(n, "x" * 50) for n in range(60_000)]
    module = demat.{format}
    path = {path!r}
    module.write(path, rows)
    size = __import__("os").stat(path).st_size
    done = threading.Event()

    def shorten():
        for part in range(1, 200):
            with open(path, "r+b") as file:
                file.truncate(size * (part % 7) // 7)
            with open(path, "r+b") as file:
                file.truncate(size)
            if done.wait(0.001):
                break

    thread = threading.Thread(target=shorten)
    thread.start()
    for _ in range(10):
        try:
            module.columns(path, Row)
            for _ in module.read(path, Row):
                pass
        except demat.Error:
            pass
    done.set()
    thread.join()
    print("alive")
"""


@pytest.mark.parametrize("format", formats.names())
def test_a_file_that_becomes_shorter_meanwhile_ends_no_process(format, tmp_path):
    program = textwrap.dedent(TRUNCATED).format(format=format, path=str(tmp_path / "rows"))
    assert hostile.run(program).strip() == "alive"
