"""Messages that come in pieces, at every place that one can have, against Google's own library."""

from __future__ import annotations

import io
from dataclasses import dataclass, field
from datetime import datetime
from typing import Annotated, Any

import demat
import pytest
from demat import Field, proto
from google.protobuf import descriptor_pb2, descriptor_pool, message_factory, struct_pb2, timestamp_pb2
from hypothesis import given, settings
from hypothesis import strategies as st


@dataclass
class Node:
    a: int = 0
    b: list[int] = field(default_factory=list)
    c: Node | None = None
    d: dict[int, Node] = field(default_factory=dict)
    e: list[Any] = field(default_factory=list)
    f: dict[int, Any] = field(default_factory=dict)
    g: dict[int, datetime] = field(default_factory=dict)
    h: Annotated[Node | None, Field(8, oneof="k")] = None
    i: Annotated[Any, Field(9, oneof="k")] = None
    j: Annotated[bool | None, Field(10, oneof="k")] = None


def _google() -> Any:
    kinds = descriptor_pb2.FieldDescriptorProto
    file = descriptor_pb2.FileDescriptorProto(name="test_pieces.proto", package="test_pieces", syntax="proto3")
    file.dependency.extend([struct_pb2.DESCRIPTOR.name, timestamp_pb2.DESCRIPTOR.name])
    node = file.message_type.add(name="Node")
    node.oneof_decl.add(name="k")
    own, value, time = ".test_pieces.Node", ".google.protobuf.Value", ".google.protobuf.Timestamp"

    def add(name: str, number: int, kind: int, type_name: str = "", **more: Any) -> None:
        named = {"type_name": type_name} if type_name else {}
        node.field.add(name=name, number=number, type=kind, **{"label": 1, **named, **more})

    def add_map(name: str, number: int, type_name: str) -> None:
        entry = node.nested_type.add(name=f"{name.upper()}Entry")
        entry.options.map_entry = True
        entry.field.add(name="key", number=1, type=kinds.TYPE_INT64, label=1)
        entry.field.add(name="value", number=2, type=kinds.TYPE_MESSAGE, type_name=type_name, label=1)
        add(name, number, kinds.TYPE_MESSAGE, f"{own}.{name.upper()}Entry", label=3)

    add("a", 1, kinds.TYPE_INT64)
    add("b", 2, kinds.TYPE_INT64, label=3)
    add("c", 3, kinds.TYPE_MESSAGE, own)
    add_map("d", 4, own)
    add("e", 5, kinds.TYPE_MESSAGE, value, label=3)
    add_map("f", 6, value)
    add_map("g", 7, time)
    add("h", 8, kinds.TYPE_MESSAGE, own, oneof_index=0)
    add("i", 9, kinds.TYPE_MESSAGE, value, oneof_index=0)
    add("j", 10, kinds.TYPE_BOOL, oneof_index=0)
    descriptor_pool.Default().AddSerializedFile(file.SerializeToString())
    return message_factory.GetMessageClass(descriptor_pool.Default().FindMessageTypeByName("test_pieces.Node"))


Google = _google()


def delimited(number: int, *content: bytes) -> bytes:
    joined, length = b"".join(content), bytearray()
    size = len(joined)
    while size > 127:
        length.append(size & 127 | 128)
        size >>= 7
    return bytes([number << 3 | 2]) + bytes([*length, size]) + joined


def varint(number: int, value: int) -> bytes:
    return bytes([number << 3, value])


small = st.integers(0, 3)
texts = st.builds(lambda n: delimited(3, b"x" * n), small)
bools = st.builds(lambda n: varint(4, n % 2), small)
values = st.recursive(
    st.lists(texts | bools, min_size=1, max_size=3).map(b"".join),
    lambda inner: st.lists(
        st.lists(inner.map(lambda value: delimited(1, value)), max_size=2).map(lambda items: delimited(6, *items))
        | st.builds(
            lambda n, value: delimited(5, delimited(1, delimited(1, b"k" * n), delimited(2, value))), small, inner
        )
        | texts,
        min_size=1,
        max_size=3,
    ).map(b"".join),
    max_leaves=4,
)
times = st.lists(st.builds(varint, st.just(1), small) | st.just(b"\x10\xe8\x07"), max_size=2).map(b"".join)


def entries(number: int, value: st.SearchStrategy[bytes], least: int) -> st.SearchStrategy[bytes]:
    """Entries of a map whose value comes in up to three pieces, and the key anywhere among them."""

    def entry(key: int, at: int, pieces: list[bytes]) -> bytes:
        parts = [delimited(2, piece) for piece in pieces]
        parts.insert(at, varint(1, key))
        return delimited(number, *parts)

    return st.builds(entry, small, small, st.lists(value, min_size=least, max_size=3))


def fields(node: st.SearchStrategy[bytes]) -> st.SearchStrategy[bytes]:
    return st.lists(
        st.one_of(
            st.builds(varint, st.just(1), small),
            st.builds(varint, st.just(2), small),
            node.map(lambda content: delimited(3, content)),
            entries(4, node, 0),
            values.map(lambda content: delimited(5, content)),
            entries(6, values, 1),
            entries(7, times, 0),
            node.map(lambda content: delimited(8, content)),
            values.map(lambda content: delimited(9, content)),
            st.builds(varint, st.just(10), st.integers(0, 1)),
        ),
        max_size=5,
    ).map(b"".join)


nodes = st.recursive(st.just(b""), fields, max_leaves=6)


@given(nodes)
@settings(max_examples=200)
def test_they_are_merged_as_google_merges_them(data: bytes):
    google = Google.FromString(data)
    mine = proto.decode(data, Node)
    assert Google.FromString(proto.encode(mine)) == google
    view = proto.decode(data, Node, lazy=True)
    assert view == mine
    assert Google.FromString(proto.encode(view)) == google
    copied = io.BytesIO()
    demat.copy(data, copied, Node, from_="proto", to="proto")
    assert Google.FromString(copied.getvalue()) == google
    assert proto.decode(data + data, Node) == proto.decode(proto.encode(proto.decode(data + data, Node)), Node)


@given(nodes, st.sampled_from("hij"))
@settings(max_examples=100)
def test_an_absent_member_that_is_set_to_none_changes_nothing(data: bytes, name: str):
    view = proto.decode(data, Node, lazy=True)
    if getattr(view, name) is None:
        setattr(view, name, None)
        assert proto.decode(proto.encode(view), Node) == proto.decode(data, Node)


@pytest.mark.parametrize("absent", ["i", "j"])
def test_a_part_that_does_not_count_does_not_come_back(absent: str):
    # `h` begins anew behind `j`. Without `j` between them, its parts would be merged.
    view = proto.decode(delimited(8, b"\x08\x01") + b"\x50\x01" + delimited(8), Node, lazy=True)
    setattr(view, absent, None)
    assert proto.decode(proto.encode(view), Node) == Node(h=Node())
    view.h = None
    assert proto.decode(proto.encode(view), Node) == Node()


def test_a_member_of_any_kind_that_is_none_is_not_written():
    assert proto.encode(Node(j=False)) == b"\x50\0"
    assert proto.encode(Node()) == b""
    copied = io.BytesIO()
    demat.copy(b"\x50\0", copied, Node, from_="proto", to="proto")
    assert copied.getvalue() == b"\x50\0"
    assert proto.decode(proto.encode(Node(i=[None, 0, False])), Node).i == [None, 0, False]
    assert [proto.decode(proto.encode(Node(i=each)), Node).i for each in (0, False, "", 1.5)] == [0, False, "", 1.5]
