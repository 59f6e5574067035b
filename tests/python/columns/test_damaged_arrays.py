"""Arrow arrays in memory that are not what their type says: an error with the column's name, and never a crash."""

import struct

import demat
import pyarrow
import pytest
from demat import cbor, csv, json, msgpack, nbt, ndjson, plist, snbt, xml, yaml

BAD = b"\xf0\x9f\x98\xff\xf0"
WRITERS = [json, ndjson, csv, cbor, msgpack, nbt, snbt, plist, xml, yaml]


def of_buffers(data_type, length, *buffers, **options):
    buffers = [None if buffer is None else pyarrow.py_buffer(buffer) for buffer in buffers]
    return pyarrow.Array.from_buffers(data_type, length, buffers, **options)


def ints(code, *values):
    return struct.pack(f"<{len(values)}{code}", *values)


def view(text):
    if len(text) <= 12:
        return struct.pack("<I12s", len(text), text)
    return struct.pack("<I4sII", len(text), text[:4], 0, 0)


def text(data=BAD, data_type=None, code="i"):
    return of_buffers(data_type or pyarrow.string(), 3, None, ints(code, 0, 3, 4, 5), data)


def damaged():
    string = pyarrow.string()
    good = pyarrow.array(["a", "b"])
    yield "text", text()
    yield "text within", text("aé€".encode()[:5])
    yield "large text", text(data_type=pyarrow.large_string(), code="q")
    yield "short view", of_buffers(pyarrow.string_view(), 1, None, view(b"\xff"))
    yield "long view", of_buffers(pyarrow.string_view(), 1, None, view(b"twelve bytes\xff"), b"twelve bytes\xff")
    yield "view beyond", of_buffers(pyarrow.string_view(), 1, None, view(b"twelve bytes and more"), b"twelve")
    yield "binary view beyond", of_buffers(pyarrow.binary_view(), 1, None, view(b"twelve bytes and more"), b"twelve")
    yield "falling offsets", of_buffers(string, 3, None, ints("i", 0, 3, 1, 5), b"abcde")
    yield "falling offsets of bytes", of_buffers(pyarrow.binary(), 3, None, ints("i", 0, 3, 1, 5), b"abcde")
    yield "list", pyarrow.ListArray.from_arrays([0, 1, 3], text())
    yield "large list", pyarrow.LargeListArray.from_arrays([0, 1, 3], text())
    yield "fixed list", pyarrow.FixedSizeListArray.from_arrays(text(), 3)
    yield "falling list", of_buffers(pyarrow.list_(string), 2, None, ints("i", 0, 2, 1), children=[good])
    views = pyarrow.list_view(string)
    yield "list view beyond", of_buffers(views, 1, None, ints("i", 1), ints("i", 9), children=[good])
    yield "list view below", of_buffers(views, 1, None, ints("i", -1), ints("i", 1), children=[good])
    yield "map", pyarrow.MapArray.from_arrays([0, 1, 3], text(b"abcd\xff"), text())
    yield "map keys", pyarrow.MapArray.from_arrays([0, 1, 3], text(), text(b"abcde"))
    yield "record", pyarrow.StructArray.from_arrays([text()], ["t"])
    yield "dictionary", pyarrow.DictionaryArray.from_arrays(pyarrow.array([0, 1, 2], pyarrow.int8()), text())
    for key in (7, -1):
        keys = pyarrow.array([0, key], pyarrow.int8())
        yield f"key {key}", pyarrow.DictionaryArray.from_arrays(keys, good, safe=False)
    yield "runs", run_ends([1, 2, 3], 3, text())
    for ends in ([2, 1], [0, 2], [1, 1]):
        yield f"run ends {ends}", run_ends(ends, 1, good)


def run_ends(ends, length, values):
    children = [pyarrow.array(ends, pyarrow.int32()), values]
    data_type = pyarrow.run_end_encoded(pyarrow.int32(), values.type)
    return pyarrow.Array.from_buffers(data_type, length, [None], children=children)


DAMAGED = dict(damaged())


@pytest.mark.parametrize("name", DAMAGED)
def test_damaged_columns_are_refused_by_name(name, tmp_path):
    table = pyarrow.table({"ok": [1] * len(DAMAGED[name]), "bad column": DAMAGED[name]})
    for module in WRITERS:
        with pytest.raises(demat.EncodeError, match="Arrow") as raised:
            module.encode(table)
        assert "bad column" in raised.value.path, raised.value
        with pytest.raises(demat.EncodeError):
            module.encode({"rows": table})
        with pytest.raises(demat.EncodeError):
            module.encode(table["bad column"])
    for to in ("a.json", "a.parquet", "a.arrow", "a.arrows", "a.db#t", "a.csv"):
        for move in (demat.copy, lambda src, dst: demat.write(dst, src)):
            with pytest.raises(demat.Error):
                move(table, tmp_path / to if "#" not in to else f"{tmp_path}/{to}")
    with pytest.raises(demat.EncodeError):
        demat.columns_of(table)


def test_slices_and_nulls_of_damaged_columns_are_read():
    column = of_buffers(pyarrow.string(), 3, b"\x05", ints("i", 0, 1, 2, 3), b"a\xffb")
    assert json.encode(pyarrow.table({"a": column})) == b'[{"a":"a"},{"a":null},{"a":"b"}]'
    column = of_buffers(pyarrow.string(), 3, None, ints("i", 0, 1, 2, 3), b"a\xffb")
    assert json.encode(pyarrow.table({"a": column}).slice(2)) == b'[{"a":"b"}]'
    dictionary = pyarrow.DictionaryArray.from_arrays(
        pyarrow.array([1, None, 0], pyarrow.int8()), pyarrow.array(["é", "b"])
    )
    table = pyarrow.concat_tables([pyarrow.table({"a": dictionary})] * 3)
    assert json.encode(table).count("é".encode()) == 3


def test_columns_in_memory_that_are_not_damaged_are_read():
    for name, array in {
        "view": pyarrow.array(["a", None, "é of more than twelve bytes"], pyarrow.string_view()),
        "lists": pyarrow.array([["a"], None, []], pyarrow.list_view(pyarrow.string())),
        "runs": pyarrow.RunEndEncodedArray.from_arrays([2, 3], ["a", None]).slice(1),
        "map": pyarrow.array([[("k", "v")], None], pyarrow.map_(pyarrow.string(), pyarrow.string())),
        "nothing": pyarrow.array([], pyarrow.string()),
    }.items():
        rows = json.decode(json.encode(pyarrow.table({"a": array})))
        expected = [dict(row) if name == "map" and row else row for row in array.to_pylist()]
        assert [row["a"] for row in rows] == expected, name
