"""Members of a `oneof` in lazy records: the last in the bytes counts, and setting one clears the others."""

from __future__ import annotations

import copy
import io
import itertools
import json
from dataclasses import dataclass, field
from typing import Annotated, Any

import demat
import pytest
from demat import Field, proto
from google.protobuf import descriptor_pb2, descriptor_pool, message_factory
from hypothesis import given
from hypothesis import strategies as st


@dataclass
class Point:
    x: int = 0
    y: int = 0


@dataclass
class Mail:
    id: int = 0
    text: Annotated[str | None, Field(2, oneof="body")] = None
    at: Annotated[Point | None, Field(3, oneof="body")] = None
    size: Annotated[int | None, Field(4, oneof="body")] = None
    tags: Annotated[list[str], Field(5)] = field(default_factory=list)
    other: Annotated[bool | None, Field(6, oneof="second")] = None
    more: Annotated[bytes | None, Field(7, oneof="second")] = None


Proto = descriptor_pb2.FieldDescriptorProto
_file = descriptor_pb2.FileDescriptorProto(name="test_oneof.proto", package="test_oneof", syntax="proto3")
_point = _file.message_type.add(name="Point")
_point.field.add(name="x", number=1, type=Proto.TYPE_INT64, label=Proto.LABEL_OPTIONAL)
_point.field.add(name="y", number=2, type=Proto.TYPE_INT64, label=Proto.LABEL_OPTIONAL)
_mail = _file.message_type.add(name="Mail")
_mail.oneof_decl.add(name="body")
_mail.oneof_decl.add(name="second")
for _number, (_name, _type, _group) in enumerate(
    [
        ("id", Proto.TYPE_INT64, None),
        ("text", Proto.TYPE_STRING, 0),
        ("at", Proto.TYPE_MESSAGE, 0),
        ("size", Proto.TYPE_INT64, 0),
        ("tags", Proto.TYPE_STRING, None),
        ("other", Proto.TYPE_BOOL, 1),
        ("more", Proto.TYPE_BYTES, 1),
    ],
    1,
):
    _own = _mail.field.add(name=_name, number=_number, type=_type)
    _own.label = Proto.LABEL_REPEATED if _name == "tags" else Proto.LABEL_OPTIONAL
    if _group is not None:
        _own.oneof_index = _group
    if _type == Proto.TYPE_MESSAGE:
        _own.type_name = ".test_oneof.Point"
descriptor_pool.Default().Add(_file)
Google: Any = message_factory.GetMessageClass(descriptor_pool.Default().FindMessageTypeByName("test_oneof.Mail"))


def view(data: bytes) -> Mail:
    return proto.decode(data, Mail, lazy=True)


def same(own: Mail, google: Any) -> None:
    """A lazy record has what Google's message has."""
    for name in ("text", "size", "other", "more"):
        assert getattr(own, name) == (getattr(google, name) if google.HasField(name) else None), name
    assert own.at == (Point(google.at.x, google.at.y) if google.HasField("at") else None)
    assert (own.id, list(own.tags)) == (google.id, list(google.tags))


BODY = {"text": "a", "at": Point(1, 2), "size": 0}


@pytest.mark.parametrize(("first", "second"), list(itertools.permutations(BODY, 2)))
@pytest.mark.parametrize("looked", [False, True])
def test_setting_one_clears_the_others(first: str, second: str, looked: bool):
    own = view(proto.encode(Mail(5, **{first: BODY[first]}, tags=["x"], other=True)))
    if looked:
        assert getattr(own, first) == BODY[first]
    setattr(own, second, BODY[second])
    expected = Mail(5, **{second: BODY[second]}, tags=["x"], other=True)
    assert own == expected
    assert proto.decode(proto.encode(own), Mail) == expected
    setattr(own, first, BODY[first])
    assert own == Mail(5, **{first: BODY[first]}, tags=["x"], other=True)
    written = Google.FromString(proto.encode(own))
    same(own, written)


PARTS = [{"text": "a"}, {"at": Point(1, 2)}, {"size": 7}, {"size": 8}, {"other": True}, {"more": b"b"}, {"id": 5}]


@given(st.lists(st.sampled_from(PARTS), max_size=8))
def test_a_copy_tells_of_the_member_that_counts(parts: list[dict[str, Any]]):
    data = b"".join(proto.encode(Mail(**part)) for part in parts)
    google = Google.FromString(data)
    for target in ("json", "proto"):
        file = io.BytesIO()
        demat.copy(data, file, Mail, from_="proto", to=target)
        # What is not told is no key in JSON.
        copied = getattr(demat, target).decode(file.getvalue(), Mail)
        same(copied, google)
    same(proto.decode(data, Mail), google)
    listed = bytes([len(data)]) + data
    same(proto.columns(listed, Mail).records(Mail)[0], google)


def test_a_copy_to_json_has_one_member():
    a, b = proto.encode(Mail(text="a")), proto.encode(Mail(size=7))
    for data, body in ((a + b, b'"size":7'), (b + a + b, b'"size":7'), (a + b + a, b'"text":"a"'), (a, b'"text":"a"')):
        file = io.BytesIO()
        demat.copy(data, file, Mail, from_="proto", to="json")
        told = json.loads(file.getvalue())
        assert {key: value for key, value in told.items() if key in BODY and value is not None} == json.loads(
            b"{" + body + b"}"
        )


def test_none_clears_one():
    own = view(proto.encode(Mail(text="a")) + proto.encode(Mail(size=3)))
    assert (own.text, own.size) == (None, 3)
    own.text = None
    assert own.size == 3
    own.size = None
    assert own == Mail()
    # And what stood before it in the bytes does not come again.
    assert proto.encode(own) == b""


def test_one_that_is_changed_in_place_leaves_no_others():
    data = proto.encode(Mail(at=Point(1))) + proto.encode(Mail(text="a")) + proto.encode(Mail(at=Point(0, 2)))
    own = view(data)
    assert own.at == Point(0, 2)
    assert own.text is None
    assert proto.encode(own) == data
    own.at.y = 3
    written = proto.encode(own)
    assert written == proto.encode(Mail(at=Point(0, 3)))


def test_a_message_that_was_cleared_is_nobodys():
    own = view(proto.encode(Mail(at=Point(1))))
    at = own.at
    assert at is not None
    own.text = "b"
    at.x = 7
    assert proto.encode(own) == proto.encode(Mail(text="b"))
    own.at = at
    assert own == Mail(at=Point(7))
    assert proto.decode(proto.encode(own), Mail) == Mail(at=Point(7))


def test_copies_have_what_was_set():
    own = view(proto.encode(Mail(text="a")))
    own.size = 4
    assert copy.copy(own) == copy.deepcopy(own) == Mail(size=4)


def test_views_that_are_used_again():
    data = proto.encode([Mail(id, text="a") for id in range(10)])
    seen = []
    for own in proto.read(data, Mail, lazy=True, recycle=True):
        assert (own.text, own.size) == ("a", None)
        own.size = own.id
        seen.append(proto.decode(proto.encode(own), Mail))
    assert seen == [Mail(id, size=id) for id in range(10)]


def test_a_union_is_one_field():
    @dataclass
    class Circle:
        radius: int

    @dataclass
    class Square:
        side: int

    @dataclass
    class Drawing:
        name: str
        shape: Annotated[Circle | Square | None, Field(wire="oneof 3 4")] = None

    data = proto.encode(Drawing("a", Square(1)))
    own = proto.decode(data, Drawing, lazy=True)
    own.shape = Circle(2)
    assert proto.encode(own) == proto.encode(Drawing("a", Circle(2)))
    own.shape = None
    assert proto.encode(own) == proto.encode(Drawing("a"))


def test_classes_that_were_defined():
    text = 'syntax = "proto3"; message Pick { int64 id = 1; oneof kind { string name = 2; string code = 3; } }'
    defined: Any = demat.define(text, "Pick", format="proto")
    own = proto.decode(proto.encode(defined(id=1, name="a")), defined, lazy=True)
    own.code = "b"
    assert (own.name, own.code) == (None, "b")
    assert proto.decode(proto.encode(own), defined) == defined(id=1, code="b")


PIECES = [
    Mail(id=7),
    Mail(text="a"),
    Mail(at=Point(1)),
    Mail(at=Point(0, 2)),
    Mail(size=0),
    Mail(tags=["t"]),
    Mail(other=True),
    Mail(more=b"m"),
]
CHANGES: list[tuple[str, Any]] = [
    ("text", "b"),
    ("size", 9),
    ("at", Point(3)),
    ("other", False),
    ("more", b"n"),
    ("text", None),
    ("size", None),
    ("at", None),
    ("other", None),
    ("id", 2),
    ("at.x", 5),
]


@given(st.lists(st.sampled_from(PIECES), max_size=7), st.lists(st.sampled_from(CHANGES), max_size=6), st.booleans())
def test_as_googles_messages(pieces: list[Mail], changes: list[tuple[str, Any]], between: bool):
    data = b"".join(proto.encode(piece) for piece in pieces)
    own, google = view(data), Google.FromString(data)
    same(view(data), google)
    for name, value in changes:
        if name == "at.x":
            if own.at is not None:
                own.at.x = value
                google.at.x = value
            continue
        setattr(own, name, value)
        if value is None:
            google.ClearField(name)
        elif isinstance(value, Point):
            google.at.CopyFrom(type(google.at)(x=value.x, y=value.y))
        else:
            setattr(google, name, value)
        if between:
            same(own, google)
    same(own, google)
    written = proto.encode(own)
    same(view(written), google)
    assert Google.FromString(written) == google


@dataclass
class Mark:
    z: int = 0


@dataclass
class Union:
    id: int = 0
    body: Annotated[str | Point | int | Mark | None, Field(wire="oneof 2 3 4 8")] = None


MEMBERS: dict[str | None, type] = {"text": str, "at": Point, "size": int}


@given(st.lists(st.sampled_from(PIECES[:5]), max_size=7))
def test_a_union_has_the_last_member_as_well(pieces: list[Mail]):
    data = b"".join(proto.encode(piece) for piece in pieces)
    google = Google.FromString(data)
    for own in (proto.decode(data, Mail), proto.decode(data, Mail, lazy=True)):
        same(own, google)
    name = google.WhichOneof("body")
    expected: Any = None if name is None else google.at if name == "at" else getattr(google, name)
    for lazy in (False, True):
        body = proto.decode(data, Union, lazy=lazy).body
        assert (None if body is None else type(body) if type(body) in (str, int) else Point) == MEMBERS.get(name)
        if isinstance(body, Point):
            assert (body.x, body.y) == (expected.x, expected.y)
        else:
            assert body == expected
        # Written and read again, it is that alone.
        written = proto.encode(proto.decode(data, Union, lazy=lazy))
        assert Google.FromString(written).WhichOneof("body") == name


def test_a_message_that_another_member_came_before_begins_anew():
    point, text = proto.encode(Mail(at=Point(1))), proto.encode(Mail(text="a"))
    data = point + text + proto.encode(Mail(at=Point(0, 2)))
    for lazy in (False, True):
        assert proto.decode(data, Mail, lazy=lazy).at == Point(0, 2)
        assert proto.decode(data, Union, lazy=lazy).body == Point(0, 2)
        assert proto.decode(point + data[:-4] + text, Union, lazy=lazy).body == "a"
