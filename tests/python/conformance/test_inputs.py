"""What can be decoded: every object that lends its memory as bytes in a row, and str."""

import array
import io
import mmap

import formats
import numpy
import pytest
from demat import csv, json, ndjson

DATA = '[1, "é", {"a": null}]'.encode()
VALUE = [1, "é", {"a": None}]


class Text(str):
    __slots__ = ()


class Bytes(bytes):
    __slots__ = ()


def mapped() -> mmap.mmap:
    memory = mmap.mmap(-1, len(DATA))
    memory[:] = DATA
    return memory


BUFFERS = {
    "bytes": lambda: DATA,
    "bytearray": lambda: bytearray(DATA),
    "memoryview": lambda: memoryview(DATA),
    "memoryview of a part": lambda: memoryview(b"xx" + DATA + b"xx")[2:-2],
    "memoryview of a bytearray": lambda: memoryview(bytearray(DATA)),
    "memoryview of signed chars": lambda: memoryview(DATA).cast("b"),
    "mmap": mapped,
    "array": lambda: array.array("B", DATA),
    "numpy": lambda: numpy.frombuffer(DATA, numpy.uint8),
    "BytesIO's": lambda: io.BytesIO(DATA).getbuffer(),
    "str": DATA.decode,
    "subclass of str": lambda: Text(DATA.decode()),
    "subclass of bytes": lambda: Bytes(DATA),
}


@pytest.mark.parametrize("make", BUFFERS.values(), ids=BUFFERS)
def test_json_in_every_buffer(make):
    assert json.decode(make()) == VALUE
    assert json.decode(make(), list[int | str | dict[str, None]]) == VALUE
    assert json.Decoder().decode(make()) == VALUE
    assert ndjson.decode(make()) == [VALUE]


@pytest.mark.parametrize("make", BUFFERS.values(), ids=BUFFERS)
def test_csv_in_every_buffer(make):
    assert csv.decode(make(), header=False) == [["[1", ' "é"', ' {"a": null}]']]


@pytest.mark.parametrize("data", [None, 1, 1.5, ["1"], {"a": 1}, object(), io.BytesIO(DATA), int])
def test_what_has_no_bytes_is_refused(data):
    for decode in (json.decode, ndjson.decode, csv.decode, json.Decoder(int).decode):
        with pytest.raises(TypeError, match=r"^expected bytes, another buffer or str to decode, not "):
            decode(data)


def test_memory_that_is_not_in_a_row_is_refused_by_its_owner():
    with pytest.raises(BufferError):
        json.decode(memoryview(b"[1]xx")[::2])
    with pytest.raises(ValueError, match="released"):
        view = memoryview(b"1")
        view.release()
        json.decode(view)


# An empty list does not say what raw is to write.
@formats.each(but=["raw"])
def test_verbs_take_data_by_position_and_the_type_by_name_too(module):
    assert module.decode(module.encode([]), type=list[int]) == []
    with pytest.raises(TypeError):
        module.decode(data=b"")
    with pytest.raises(TypeError):
        module.decode()
    with pytest.raises(TypeError):
        module.decode(b"", list[int], True)
