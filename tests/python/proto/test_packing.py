"""Repeated numbers that come otherwise than they were declared: packed or one by one, or some of each."""

from __future__ import annotations

import struct
from dataclasses import dataclass, field, make_dataclass
from typing import Annotated, Any

import demat
import pytest
from demat import Field, proto
from google.protobuf import descriptor_pb2, descriptor_pool, message_factory
from hypothesis import given
from hypothesis import strategies as st

Proto = descriptor_pb2.FieldDescriptorProto
# Kind, values, and what it is in NumPy, where its width is fixed.
KINDS: dict[str, tuple[list[Any], str]] = {
    "int32": ([0, -1, 300, -(1 << 31)], ""),
    "int64": ([0, -129, 1 << 40], ""),
    "uint32": ([0, 127, 128, (1 << 32) - 1], ""),
    "uint64": ([1, (1 << 64) - 1], ""),
    "sint32": ([0, -1, 64, -(1 << 31)], ""),
    "sint64": ([-129, 1 << 62], ""),
    "fixed32": ([0, 1, (1 << 32) - 1], "uint32"),
    "fixed64": ([0, (1 << 64) - 1], "uint64"),
    "sfixed32": ([-1, 1], "int32"),
    "sfixed64": ([-1, 1 << 40], "int64"),
    "float": ([0.5, -2.0], "float32"),
    "double": ([0.1, -1e300], "float64"),
    "bool": ([True, False, True], ""),
}


def ours(kind: str, packed: bool) -> Any:
    kinds: dict[str, Any] = {"float": list[float], "double": list[float], "bool": list[bool]}
    values: Any = kinds.get(kind, list[int])
    annotated: Any = Annotated[values, Field(2, wire=kind if packed else f"{kind}, expanded")]
    fields: list[Any] = [
        ("id", Annotated[int, Field(1)], 0),
        ("values", annotated, field(default_factory=list)),
        ("name", Annotated[str, Field(3)], ""),
    ]
    return make_dataclass("Row", fields)


def google() -> dict[tuple[str, bool], Any]:
    file = descriptor_pb2.FileDescriptorProto(name="test_packing.proto", package="test_packing", syntax="proto3")
    for kind in KINDS:
        for packed in (True, False):
            made = file.message_type.add(name=f"{kind}_{packed}")
            made.field.add(name="id", number=1, type=Proto.TYPE_INT64, label=Proto.LABEL_OPTIONAL)
            own = made.field.add(name="values", number=2, type=getattr(Proto, f"TYPE_{kind.upper()}"))
            own.label = Proto.LABEL_REPEATED
            own.options.packed = packed
            made.field.add(name="name", number=3, type=Proto.TYPE_STRING, label=Proto.LABEL_OPTIONAL)
    descriptor_pool.Default().Add(file)
    found = descriptor_pool.Default().FindMessageTypeByName
    names = ((kind, packed) for kind in KINDS for packed in (True, False))
    return {name: message_factory.GetMessageClass(found(f"test_packing.{name[0]}_{name[1]}")) for name in names}


GOOGLE = google()


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("declared", [True, False])
@pytest.mark.parametrize("pieces", ["e", "p", "pe", "ep", "epe", "pnp", "ene", "pnenp"])
def test_each_kind_both_ways(kind: str, declared: bool, pieces: str):
    values, dtype = KINDS[kind]
    data, expected = b"", []
    for piece in pieces:
        if piece == "n":
            data += b"\x1a\x01n"
            continue
        data += GOOGLE[kind, piece == "p"](values=values).SerializeToString()
        expected += values
    theirs = GOOGLE[kind, declared].FromString(data)
    assert list(theirs.values) == expected
    cls = ours(kind, declared)
    assert proto.decode(data, cls).values == expected
    for ordered in (False, True):
        view = proto.decode(data, cls, lazy=True, ordered=ordered)
        if ordered and "n" in pieces:
            # That it is in order was promised, and is not so.
            continue
        assert (len(view.values), view.values[-1], list(view.values)) == (len(expected), expected[-1], expected)
        assert view.name == theirs.name
        assert proto.encode(view) == data
    if dtype:
        np = pytest.importorskip("numpy")
        array = np.asarray(proto.decode(data, cls, lazy=True).values)
        assert (str(array.dtype), array.tolist()) == (dtype, expected)
    view = proto.decode(data, cls, lazy=True)
    view.values.append(values[0])
    changed = proto.encode(view)
    assert list(GOOGLE[kind, declared].FromString(changed).values) == [*expected, values[0]]
    # What was changed is written as it was declared.
    once = GOOGLE[kind, declared](values=[*expected, values[0]]).SerializeToString()
    assert once in changed


@dataclass
class Wrong:
    values: Annotated[list[int], Field(1, wire="fixed32")] = field(default_factory=list)


@pytest.mark.parametrize(
    "data", [b"\x08\x01", b"\x09" + bytes(8), b"\x0a\x05" + bytes(5), b"\x0a\x08\x01", b"\x0d\x01", b"\x0b\x0c"]
)
def test_what_is_neither_is_refused(data: bytes):
    with pytest.raises(demat.DecodeError):
        proto.decode(data, Wrong)
    with pytest.raises(demat.DecodeError):
        list(proto.decode(data, Wrong, lazy=True).values)


@given(st.lists(st.tuples(st.booleans(), st.lists(st.integers(0, 1 << 31), max_size=3)), max_size=6))
def test_runs_of_any_length(runs: list[tuple[bool, list[int]]]):
    data = b""
    for packed, values in runs:
        if packed:
            data += b"\x0a" + bytes([4 * len(values)]) + struct.pack(f"<{len(values)}I", *values)
        else:
            data += b"".join(b"\x0d" + struct.pack("<I", value) for value in values)
    expected = [value for _, values in runs for value in values]
    assert proto.decode(data, Wrong).values == expected
    assert list(proto.decode(data, Wrong, lazy=True).values) == expected
