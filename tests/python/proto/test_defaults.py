"""Defaults in `.proto` files: absent fields get them, and fields that are set stay set."""

import math
from pathlib import Path
from typing import Any

import demat
import pytest
from demat import proto

NAMES = ("a", "s", "b", "e", "by", "f", "x")

ZEROS = """
syntax = "proto2";
package defaults;
enum E { ZERO = 0; TWO = 2; }
message M {
  optional int32 a = 1 [default = 0];
  optional string s = 2 [default = ""];
  optional bool b = 3 [default = false];
  optional E e = 4 [default = ZERO];
  optional bytes by = 5 [default = ""];
  optional double f = 6 [default = 0];
  oneof o { int32 x = 7 [default = 0]; string y = 8 [default = "other"]; }
  optional int32 five = 9 [default = 5];
}
"""


@pytest.mark.parametrize("lazy", [False, True])
def test_an_explicit_zero_is_written_again(lazy: bool):
    made: Any = demat.define(ZEROS, "defaults.M", format="proto")
    data = b"\x08\x00\x12\x00\x18\x00\x20\x00\x2a\x00\x31" + b"\x00" * 8 + b"\x38\x00\x48\x00"
    value = proto.decode(data, made, lazy=lazy)
    assert [getattr(value, name) for name in NAMES] == [0, "", False, 0, b"", 0.0, 0]
    assert (value.y, value.five) == (None, 0)
    assert proto.encode(value) == data


def test_what_is_absent_stays_absent():
    made: Any = demat.define(ZEROS, "defaults.M", format="proto")
    value = proto.decode(b"", made)
    assert [getattr(value, name) for name in NAMES] == [None] * 7
    assert value.five == 5
    assert proto.encode(value) == b"\x48\x05"


@pytest.mark.parametrize("member", ["x", "y"])
def test_a_member_that_is_set_is_the_only_one(member: str):
    made: Any = demat.define(ZEROS, "defaults.M", format="proto")
    set_ = {"x": 0, "y": ""}[member]
    back = proto.decode(proto.encode(made(**{member: set_})), made)
    assert {name: getattr(back, name) for name in "xy"} == {"x": None, "y": None, member: set_}


@pytest.mark.parametrize("head", ['syntax = "proto2";', 'edition = "2023";', 'edition = "2024";'])
@pytest.mark.parametrize(
    ("default", "value"),
    [
        ("inf", math.inf),
        ("-inf", -math.inf),
        ("- inf", -math.inf),
        ("nan", math.nan),
        ("-nan", math.nan),
        ("-0.0", -0.0),
        ("-1.5e3", -1500.0),
    ],
)
@pytest.mark.parametrize("kind", ["float", "double"])
def test_numbers_that_are_not_usual(head: str, default: str, value: float, kind: str):
    label = "optional " if "proto2" in head else ""
    text = f"{head} message M {{ {label}{kind} a = 1 [default = {default}, deprecated = true]; }}"
    made: Any = demat.define(text, format="proto")
    found = made().a
    assert math.copysign(1, found) == math.copysign(1, value) or math.isnan(value)
    assert found == value or (math.isnan(found) and math.isnan(value))
    # The class's generated source agrees.
    space: dict[str, Any] = {}
    exec(demat.source(made), space)
    again = space["M"]().a
    assert again == found or (math.isnan(again) and math.isnan(found))


@pytest.mark.parametrize("head", ['syntax = "proto2";', 'edition = "2023";', 'edition = "2024";'])
@pytest.mark.parametrize(
    "extensions",
    [
        'extensions 100 to 199 [declaration = {number: 100, full_name: ".t.x", type: ".t.X"}];',
        'extensions 100 to 199 [declaration = {number: 100 full_name: ".t.x" type: ".t.X" repeated: true}];',
        "extensions 4, 6 to 8 [declaration = {number: 4 reserved: true}, verification = DECLARATION];",
        "extensions 100 to max"
        " [declaration = {number: 100, reserved: true}, declaration = {number: 101 reserved: true}];",
    ],
)
def test_declared_extensions(head: str, extensions: str):
    label = "optional " if "proto2" in head else ""
    made: Any = demat.define(f"{head} message M {{ {label}int32 a = 1; {extensions} }}", format="proto")
    assert proto.decode(b"\x08\x05", made).a == 5


def test_a_descriptor_set_by_any_name(tmp_path: Path):
    from google.protobuf import descriptor_pb2

    file = descriptor_pb2.FileDescriptorProto(name="a.proto", syntax="proto3", package="p")
    file.message_type.add(name="A").field.add(name="a", number=3, type=5, label=1)
    data = descriptor_pb2.FileDescriptorSet(file=[file]).SerializeToString()
    path = tmp_path / "x.ds"
    path.write_bytes(data)
    for place in (str(path), path, data, path.open("rb")):
        made: Any = demat.define(place, "p.A", format="protoset")
        assert proto.encode(made(a=1)) == b"\x18\x01"
        if hasattr(place, "close"):
            place.close()


def test_a_definition_by_any_name(tmp_path: Path):
    text = 'syntax = "proto3"; message A { int32 a = 3; }'
    path = tmp_path / "definitions.txt"
    path.write_text(text)
    for place in (str(path), path, text, text.encode()):
        made: Any = demat.define(place, "A", format="proto")
        assert proto.encode(made(a=1)) == b"\x18\x01"
    with pytest.raises(demat.DecodeError, match="UTF-8"):
        demat.define(b"// \xff\n" + text.encode(), "A", format="proto")
