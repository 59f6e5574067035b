"""Numbers of lazy records as arrays and buffers, and what a list has besides."""

import ctypes
import gc
import sys
import weakref
from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated, Any

import numpy as np
import pytest
from demat import DecodeError, Field, proto
from steady import memory_stays, same_for_threads

FORMS = {
    "fixed32": ("<u4", [0, 1, 2**32 - 1]),
    "sfixed32": ("<i4", [0, -1, 2**31 - 1, -(2**31)]),
    "fixed64": ("<u8", [0, 1, 2**64 - 1]),
    "sfixed64": ("<i8", [0, -1, 2**63 - 1, -(2**63)]),
    "int32": ("<i4", [0, -1, 300, 2**31 - 1, -(2**31)]),
    "int64": ("<i8", [0, -1, 300, 2**63 - 1, -(2**63)]),
    "uint32": ("<u4", [0, 300, 2**32 - 1]),
    "uint64": ("<u8", [0, 300, 2**64 - 1]),
    "sint32": ("<i4", [0, -1, 300, 2**31 - 1, -(2**31)]),
    "sint64": ("<i8", [0, -1, 300, 2**63 - 1, -(2**63)]),
}
FIXED = ["fixed32", "sfixed32", "fixed64", "sfixed64"]


def class_of(form: str, item: Any = int) -> Any:
    @dataclass(slots=True)
    class Samples:
        values: Annotated[list[item], Field(wire=form)] = field(default_factory=list)
        name: str = ""

    return Samples


def values(form: str, given: list[Any], item: Any = int) -> Any:
    cls = class_of(form, item)
    return proto.decode(proto.encode(cls(given, "a name")), cls, lazy=True).values


@pytest.mark.parametrize("form", FORMS)
def test_ints_are_an_array_of_their_type(form: str):
    kind, numbers = FORMS[form]
    for given in (numbers, numbers * 100, []):
        array = values(form, given).numpy()
        assert (array.dtype, array.tolist(), array.ndim) == (np.dtype(kind), given, 1)
        assert type(array) is np.ndarray


@pytest.mark.parametrize(("form", "kind"), [("float", "<f4"), ("double", "<f8")])
def test_floats_are_an_array_of_their_type(form: str, kind: str):
    array = values(form, [0.5, -1.5], float).numpy()
    assert (array.dtype, array.tolist()) == (np.dtype(kind), [0.5, -1.5])


def test_bools_are_an_array_of_them():
    array = values("bool", [True, False, True], bool).numpy()
    assert (array.dtype, array.tolist()) == (np.dtype(bool), [True, False, True])


@pytest.mark.parametrize("form", FIXED)
def test_numbers_of_fixed_width_are_not_copied(form: str):
    own = values(form, [1, 2, 3])
    array, other = own.numpy(), np.asarray(own)
    assert not array.flags.owndata
    assert not array.flags.writeable
    assert np.shares_memory(array, other)
    assert (array.dtype, array.strides, array.tolist()) == (other.dtype, other.strides, other.tolist())
    with pytest.raises(ValueError, match="WRITEABLE"):
        array.flags.writeable = True


def test_an_array_keeps_the_bytes_and_nothing_else():
    cls = class_of("fixed32")
    data = proto.encode(cls(list(range(1000))))
    before = sys.getrefcount(data)
    view = proto.decode(data, cls, lazy=True)
    items = weakref.ref(view.values)
    array = view.values.numpy()
    del view
    gc.collect()
    assert items() is None
    assert sys.getrefcount(data) == before + 1
    del data
    assert array.sum() == 499_500
    array = array[5:7]
    assert array.tolist() == [5, 6]


def test_what_is_no_bytes_is_held_as_a_buffer():
    cls = class_of("fixed32")
    data = bytearray(proto.encode(cls([1, 2, 3])))
    array = proto.decode(data, cls, lazy=True).values.numpy()
    with pytest.raises(BufferError):
        data.append(0)
    assert array.tolist() == [1, 2, 3]
    del array
    gc.collect()
    data.append(0)


def test_a_file_stays_open_as_long_as_an_array_looks_at_it(tmp_path: Path):
    cls = class_of("fixed32")
    path = tmp_path / "samples.pb"
    proto.write(path, [cls([1, 2, 3])])
    reader = proto.read(path, cls, lazy=True)
    view = next(reader)
    array = view.values.numpy()
    with pytest.raises(BufferError, match="still looked at"):
        reader.close()
    assert array.tolist() == [1, 2, 3]
    del array
    gc.collect()
    own = view.values
    reader.close()
    for ask in (own.numpy, lambda: memoryview(own)):
        with pytest.raises(ValueError, match="was released"):
            ask()


def test_numbers_in_pieces_and_one_by_one_are_copied():
    cls = class_of("fixed32")
    one, two = (proto.encode(cls([number, number + 1])) for number in (1, 3))
    alone = b"\x0d\x05\x00\x00\x00"
    own = proto.decode(one + b"\x12\x01x" + two + alone, cls, lazy=True).values
    assert own.numpy().tolist() == list(own) == [1, 2, 3, 4, 5]
    assert np.asarray(own).tolist() == [1, 2, 3, 4, 5]


def test_a_list_that_was_changed_is_an_array_of_what_it_is_now():
    own = values("fixed32", [1, 2])
    first = own.numpy()
    own.append(3)
    assert own.numpy().tolist() == [1, 2, 3]
    assert own.numpy().dtype == np.uint32
    assert first.tolist() == [1, 2]
    own.append(-1)
    with pytest.raises(OverflowError):
        own.numpy()


def test_a_field_that_did_not_come_is_an_empty_list_like_the_others():
    cls = class_of("fixed32")
    view = proto.decode(b"", cls, lazy=True)
    assert view.values == []
    assert view.values.numpy().tolist() == np.asarray(view.values).tolist() == []
    assert view.values.numpy().dtype == np.asarray(view.values).dtype == np.uint32
    assert proto.encode(view) == b""
    view.values.append(7)
    assert proto.encode(view) == proto.encode(cls([7]))


def test_what_is_no_number_is_no_array():
    own = values("string", ["a"], str)
    with pytest.raises(TypeError, match="field `values` are no numbers"):
        own.numpy()


def test_bad_numbers_are_the_decoders_error():
    cls = class_of("fixed32")
    own = proto.decode(b"\x0a\x03abc", cls, lazy=True).values
    for ask in (own.numpy, lambda: memoryview(own)):
        with pytest.raises(DecodeError, match=r"\$\.values"):
            ask()


@pytest.mark.parametrize("form", FIXED)
def test_a_buffer_says_what_it_is(form: str):
    own = values(form, [1, 2, 3])
    buffer = memoryview(own)
    width = np.dtype(FORMS[form][0]).itemsize
    assert (buffer.shape, buffer.strides, buffer.itemsize) == ((3,), (width,), width)
    assert (buffer.readonly, buffer.contiguous, buffer.nbytes) == (True, True, 3 * width)
    assert np.dtype(buffer.format) == np.dtype(FORMS[form][0])
    assert buffer.tolist() == [1, 2, 3]
    assert bytes(own) == bytes(buffer)
    with pytest.raises(BufferError, match="while a buffer"):
        own.append(1)
    buffer.release()
    own.append(1)
    with pytest.raises(BufferError, match="not changed"):
        memoryview(own)


def test_nobody_writes_to_it():
    own = values("fixed32", [1, 2, 3])
    with pytest.raises(BufferError, match="written to"):
        writable(own)


def writable(own: Any) -> None:
    """Asks for a buffer that can be written to."""
    buffer = (ctypes.c_char * 256)()
    get = ctypes.pythonapi.PyObject_GetBuffer
    get.argtypes = [ctypes.py_object, ctypes.c_void_p, ctypes.c_int]
    get(own, ctypes.addressof(buffer), 1)


@pytest.mark.parametrize(
    ("name", "arguments"),
    [
        ("append", (7,)),
        ("clear", ()),
        ("copy", ()),
        ("count", (2,)),
        ("extend", ([8, 9],)),
        ("index", (3,)),
        ("insert", (1, 5)),
        ("pop", ()),
        ("pop", (0,)),
        ("remove", (2,)),
        ("reverse", ()),
        ("sort", ()),
    ],
)
def test_methods_are_those_of_a_list(name: str, arguments: tuple[Any, ...]):
    for form in ("fixed32", "int64"):
        own, plain = values(form, [3, 2, 1, 2]), [3, 2, 1, 2]
        assert getattr(own, name)(*arguments) == getattr(plain, name)(*arguments)
        assert own == plain
        with pytest.raises(TypeError):
            getattr(own, name)(1, 2, 3, 4, 5)


def test_methods_take_names_and_look_without_a_change():
    own = values("fixed32", [3, 1, 2])
    own.sort(key=lambda number: -number, reverse=True)
    assert own == [1, 2, 3]
    own = values("fixed32", [3, 1, 2])
    with memoryview(own):
        assert (own.count(1), own.index(2), own.copy()) == (1, 2, [3, 1, 2])
    with pytest.raises(AttributeError):
        own.nothing  # noqa: B018


def test_memory_stays():
    cls = class_of("fixed32")
    data = proto.encode(cls(list(range(50))))
    decode = proto.Decoder(cls, lazy=True).decode

    def work() -> None:
        own = decode(data)
        assert own.values.numpy()[7] == 7
        assert np.asarray(own.values)[8] == 8
        weakref.ref(own.values)
        memoryview(own.values)
        own.values.append(1)
        decode(data).values.pop()
        decode(b"").values.numpy()

    before = sys.getrefcount(data), sys.getrefcount(type(decode(data)))
    memory_stays(work, 500)
    assert (sys.getrefcount(data), sys.getrefcount(type(decode(data)))) == before


def test_many_threads_ask_at_once():
    cls = class_of("fixed32")
    data = proto.encode(cls(list(range(50))))
    decode = proto.Decoder(cls, lazy=True).decode
    same_for_threads(lambda: decode(data).values.numpy().sum() == 1225, 2000)
