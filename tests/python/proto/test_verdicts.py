"""Invalid messages are refused even where their value is skipped, as in Google's library."""

import itertools
from typing import Any

import demat
import pytest
from demat import proto
from google.protobuf import descriptor_pb2, descriptor_pool, message_factory
from google.protobuf.message import DecodeError
from hypothesis import given
from hypothesis import strategies as st

TEXT = """
syntax = "proto3";
package verdicts;
message Sub { string text = 1; int32 number = 2; Sub sub = 3; }
message Mail {
  string text = 1;
  oneof body { Sub sub = 4; string plain = 5; int32 number = 6; bytes raw = 14; }
  map<string, string> names = 10;
  Sub last = 13;
}
"""
MAIL: Any = demat.define(TEXT, "verdicts.Mail", format="proto")


def _google() -> Any:
    field = descriptor_pb2.FieldDescriptorProto
    file = descriptor_pb2.FileDescriptorProto(name="verdicts.proto", package="verdicts", syntax="proto3")
    sub, mail = file.message_type.add(name="Sub"), file.message_type.add(name="Mail")
    mail.oneof_decl.add(name="body")

    def add(message: Any, name: str, number: int, kind: int, **other: Any) -> None:
        message.field.add(name=name, number=number, type=kind, **{"label": field.LABEL_OPTIONAL, **other})

    add(sub, "text", 1, field.TYPE_STRING)
    add(sub, "number", 2, field.TYPE_INT32)
    add(sub, "sub", 3, field.TYPE_MESSAGE, type_name=".verdicts.Sub")
    add(mail, "text", 1, field.TYPE_STRING)
    add(mail, "sub", 4, field.TYPE_MESSAGE, type_name=".verdicts.Sub", oneof_index=0)
    add(mail, "plain", 5, field.TYPE_STRING, oneof_index=0)
    add(mail, "number", 6, field.TYPE_INT32, oneof_index=0)
    add(mail, "raw", 14, field.TYPE_BYTES, oneof_index=0)
    entry = mail.nested_type.add(name="NamesEntry")
    entry.options.map_entry = True
    add(entry, "key", 1, field.TYPE_STRING)
    add(entry, "value", 2, field.TYPE_STRING)
    add(mail, "names", 10, field.TYPE_MESSAGE, type_name=".verdicts.Mail.NamesEntry", label=field.LABEL_REPEATED)
    add(mail, "last", 13, field.TYPE_MESSAGE, type_name=".verdicts.Sub")
    pool = descriptor_pool.DescriptorPool()
    pool.AddSerializedFile(file.SerializeToString())
    return message_factory.GetMessageClass(pool.FindMessageTypeByName("verdicts.Mail"))


GOOGLE = _google()


def part(number: int, content: bytes) -> bytes:
    return bytes([number << 3 | 2, len(content)]) + content


# Valid and invalid contents: UTF-8, lengths, tags, unclosed groups, truncated numbers, nested ones.
CONTENTS = [
    b"",
    part(1, b"ok"),
    part(1, b"\xff"),
    part(1, b"\xff") + part(1, b"ok"),
    b"\x10\x05",
    b"\x10",
    b"\x0a\x05a",
    part(3, part(1, b"\xfe")),
    part(3, part(3, b"\x10")),
    b"\x00",
    b"\x0b\x0c",
    b"\x0b",
    part(9, b"\xff"),
]
PARTS = [part(number, content) for number in (1, 4, 5, 13, 14) for content in CONTENTS]
PARTS += [part(10, part(1, b"a") + part(2, content)) for content in CONTENTS]
PARTS += [part(10, part(1, content) + part(1, b"b")) for content in CONTENTS]
PARTS += [b"\x30\x07", b"\x30" + b"\xff" * 11, b"\x1b\x1c", b"\x1c", b"\x07"]


def is_accepted_by_google(data: bytes) -> bool:
    try:
        GOOGLE.FromString(data)
    except DecodeError:
        return False
    return True


def is_accepted(data: bytes) -> bool:
    try:
        proto.decode(data, MAIL)
    except demat.Error:
        return False
    return True


@pytest.mark.parametrize("first", PARTS)
def test_pairs_of_fields(first: bytes):
    wrong = [first + second for second in PARTS if is_accepted(first + second) > is_accepted_by_google(first + second)]
    assert not wrong


@given(st.lists(st.sampled_from(PARTS), min_size=3, max_size=5).map(b"".join))
def test_several_fields(data: bytes):
    assert is_accepted_by_google(data) or not is_accepted(data)


def test_a_member_that_is_overruled_is_checked():
    bad, good = part(4, part(3, part(1, b"\xfe"))), part(5, b"text")
    assert proto.decode(good + part(4, b"") + good, MAIL).plain == "text"
    for data in (bad + good, good + bad + good, bad + bad + good):
        with pytest.raises(demat.Error, match="UTF-8"):
            proto.decode(data, MAIL)


def test_each_is_looked_at_once():
    # Many overridden members at every depth.
    inner = b""
    for _ in range(6):
        inner = part(3, inner[:100]) + part(1, b"ok")
    data = (part(4, inner) + part(5, b"text")) * 2_000
    assert proto.decode(data, MAIL).plain == "text"


def test_all_orders_of_members():
    members = [part(4, part(1, b"ok")), part(5, b"text"), b"\x30\x07", part(14, b"raw")]
    for order in itertools.permutations(members):
        google = GOOGLE.FromString(b"".join(order))
        mine = proto.decode(b"".join(order), MAIL)
        name = google.WhichOneof("body")
        assert [field for field in ("sub", "plain", "number", "raw") if getattr(mine, field) is not None] == [name]
