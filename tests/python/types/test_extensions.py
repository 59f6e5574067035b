"""Extension types of MessagePack."""

import io
from dataclasses import dataclass
from fractions import Fraction
from typing import Annotated

import demat
import pytest
from demat import Field, Hook, json, msgpack

EXT = b"\xc7\x03\x051/3"


@dataclass
class Own:
    code: Annotated[int, Field(msgpack="ext")]
    data: bytes


@dataclass
class Holder:
    before: int
    ext: msgpack.Ext | None = None
    after: list[msgpack.Ext] | None = None


@pytest.mark.parametrize("size", [0, 1, 2, 4, 8, 16, 17, 255, 256, 65_535, 65_536])
@pytest.mark.parametrize("code", [-128, -2, 0, 5, 127])
def test_extension_types_come_back(code: int, size: int) -> None:
    ext = msgpack.Ext(code, b"x" * size)
    data = msgpack.encode(ext)
    assert msgpack.decode(data, msgpack.Ext) == ext
    assert msgpack.decode(data) == {"code": code, "data": ext.data}
    assert msgpack.decode(data, Own) == Own(code, ext.data)
    assert msgpack.encode(Own(code, ext.data)) == data


def test_fields_and_items_are_extension_types() -> None:
    holder = Holder(1, msgpack.Ext(5, b"1/3"), [msgpack.Ext(6, b""), msgpack.Ext(7, b"ab")])
    data = msgpack.encode([holder] * 3)
    assert EXT in data
    assert msgpack.decode(data, list[Holder]) == [holder] * 3
    assert list(msgpack.read(io.BytesIO(data), Holder)) == [holder] * 3


def test_a_copy_without_a_type_keeps_them() -> None:
    data = b"\x92" + EXT + b"\x81\xa1a" + EXT
    out = io.BytesIO()
    demat.copy(io.BytesIO(data), out, from_="msgpack", to="msgpack")
    assert out.getvalue() == data


def test_other_formats_write_records() -> None:
    assert json.decode(json.encode(msgpack.Ext(5, b"1/3")), msgpack.Ext) == msgpack.Ext(5, b"1/3")


def test_a_hook_maps_a_class_to_one() -> None:
    hooks = {
        Fraction: Hook(
            wire=msgpack.Ext,
            decode=lambda ext: Fraction(ext.data.decode()),
            encode=lambda value: msgpack.Ext(5, str(value).encode()),
        )
    }
    assert msgpack.encode(Fraction(1, 3), hooks=hooks) == EXT
    assert msgpack.decode(EXT, Fraction, hooks=hooks) == Fraction(1, 3)


def test_timestamps_are_no_extension_types() -> None:
    with pytest.raises(demat.EncodeError, match="extension type -1"):
        msgpack.encode(msgpack.Ext(-1, b"\0" * 4))
    with pytest.raises(demat.ValidationError, match="`Ext`, found `datetime`"):
        msgpack.decode(b"\xd6\xff\0\0\0\0", msgpack.Ext)
    with pytest.raises(ValueError, match="`other` is no note for msgpack; its notes are ext"):
        Field(msgpack="other")
