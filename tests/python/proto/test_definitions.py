"""Classes from `.proto` files, and `.proto` files from classes."""

import enum
import sys
from dataclasses import dataclass, field
from pathlib import Path
from types import ModuleType
from typing import Annotated, Any

import demat
import pytest
from demat import Field, proto
from demat._describe import describe
from google.protobuf import descriptor_pb2, descriptor_pool, message_factory

TASKS = """
syntax = "proto3";
package pkg;
import "google/protobuf/timestamp.proto";
import "kinds.proto";
message Task {
  message Sub { int32 a = 1; repeated Sub kids = 2; }
  int64 id = 1; sint32 small = 2; repeated fixed32 fixed = 3; repeated int32 loose = 4 [packed = false];
  optional string note = 5; Sub sub = 6; map<string, Sub> subs = 7; map<sfixed32, double> sizes = 15;
  oneof kind { string x = 8; sint64 y = 9; Sub z = 10; string w = 11; }
  Color color = 12; repeated Color colors = 13; google.protobuf.Timestamp at = 14; float weight = 16; uint64 big = 17;
  bytes class = 18;
}
message Other {}
"""
KINDS = 'syntax = "proto3"; package pkg; enum Color { RED = 0; GREEN = 5; }'


@pytest.fixture
def tasks(tmp_path: Path) -> Path:
    (tmp_path / "kinds.proto").write_text(KINDS)
    path = tmp_path / "tasks.proto"
    path.write_text(TASKS)
    return path


def test_a_message_is_a_dataclass(tasks: Path):
    task = demat.define(str(tasks), "pkg.Task")
    own = task()
    assert (task.__name__, task.__module__) == ("Task", __name__)
    assert proto.encode(own) == b""
    assert (own.id, own.fixed, own.note, own.sub, own.subs, own.x, own.class_) == (0, [], None, None, {}, None, b"")
    assert isinstance(own.color, enum.IntEnum)
    assert own.color.name == "RED"
    own.y, own.small, own.loose, own.color = -129, -1, [1, 2], 5
    data = proto.encode(own)
    assert data == b"\x10\x01\x20\x01\x20\x02\x48\x81\x02\x60\x05"
    assert proto.decode(data, task).color.name == "GREEN"
    assert proto.decode(b"\x60\x07", task).color == 7
    assert proto.decode(data, task, lazy=True) == proto.decode(data, task)


def test_names_that_are_enough(tasks: Path):
    assert demat.define(tasks, "Task").__name__ == "Task"
    assert demat.define(tasks, "Sub").__name__ == "Sub"
    assert demat.define(tasks, "Task", name="Job").__name__ == "Job"
    assert demat.define(KINDS + "message Only { Color c = 1; }", format="proto").__name__ == "Only"
    with pytest.raises(demat.Error, match="there are several messages"):
        demat.define(tasks)
    with pytest.raises(demat.Error, match="no message `Nobody`"):
        demat.define(tasks, "Nobody")
    with pytest.raises(TypeError, match="a message is one of a"):
        demat.define("id: int", "Task")


def test_imports_are_looked_for(tmp_path: Path, tasks: Path):
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    moved = elsewhere / "tasks.proto"
    moved.write_text(TASKS)
    with pytest.raises(demat.Error, match=r"kinds\.proto"):
        demat.define(moved, "Task")
    assert demat.define(moved, "Task", includes=[tmp_path]).__name__ == "Task"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("message A { int32 a = 1; int32 b = 1; }", "1"),
        ("message A { int32 a = 19000; }", "19000"),
        ("message A { int32 a = 0; }", "0"),
        ("message A { B b = 1; }", "B"),
        ("message A { int32 }", "line 1"),
    ],
)
def test_what_is_wrong_is_said(text: str, message: str):
    with pytest.raises(demat.Error, match=message):
        demat.define(f'syntax = "proto3"; {text}', "A", format="proto")


def test_the_source_of_it_is_the_same(tasks: Path):
    task = demat.define(tasks, "pkg.Task")
    text = demat.source(task)
    module = ModuleType("written")
    sys.modules["written"] = module
    try:
        exec(compile(text, "written", "exec"), module.__dict__)
        again: Any = module.__dict__["Task"]
        assert demat.schema(again, to="proto") == demat.schema(task, to="proto")
        data = proto.encode(task(id=3, y=4, color=5))
        assert proto.encode(proto.decode(data, again)) == data
    finally:
        del sys.modules["written"]


def test_a_descriptor_set():
    file = descriptor_pb2.FileDescriptorProto(name="a.proto", syntax="proto2", package="p")
    message = file.message_type.add(name="A")
    message.field.add(name="a", number=3, type=descriptor_pb2.FieldDescriptorProto.TYPE_SINT32, label=2)
    message.field.add(name="b", number=4, type=5, label=1, default_value="7")
    data = descriptor_pb2.FileDescriptorSet(file=[file]).SerializeToString()
    made = demat.define(data, "p.A", format="protoset")
    assert proto.encode(made(a=-1)) == b"\x18\x01\x20\x07"
    assert proto.decode(b"\x18\x01", made) == made(a=-1, b=7)


class Color(enum.Enum):
    RED = 0
    GREEN = 5


@dataclass
class Point:
    x: Annotated[int, Field(wire="sint32")] = 0


def test_a_class_is_a_message():
    @dataclass
    class Task:
        id: Annotated[int, Field(3)]
        points: list[Point]
        color: Annotated[Color, Field(1)] = Color.RED
        size: Annotated[float | None, Field(9, wire="float")] = None
        a: Annotated[str | None, Field(10, oneof="kind")] = None
        b: Annotated[int | None, Field(11, oneof="kind", wire="fixed32")] = None
        loose: Annotated[list[int], Field(12, wire="expanded")] = field(default_factory=list)

    text = demat.schema(Task, to="proto", package="todo")
    assert (
        text
        == """\
syntax = "proto3";
package todo;

message Task {
  int64 id = 3;
  repeated Point points = 2;
  Color color = 1;
  optional float size = 9;
  oneof kind {
    string a = 10;
    fixed32 b = 11;
  }
  repeated int64 loose = 12 [packed = false];
}

message Point {
  sint32 x = 1;
}

enum Color {
  RED = 0;
  GREEN = 5;
}
"""
    )
    again = demat.define(text, "todo.Task", format="proto")
    data = proto.encode(Task(1, [Point(-1)], Color.GREEN, 0.5, None, 3, [1]))
    assert proto.decode(proto.encode(proto.decode(data, again)), Task) == proto.decode(data, Task)
    # Both ways it is the same.
    assert sorted(demat.schema(again, to="proto", package="todo").split("\n")) == sorted(text.split("\n"))


def test_what_a_message_can_not_be():
    with pytest.raises(TypeError, match="list in a list"):
        demat.schema(demat.define("a: [[int]]"), to="proto")
    with pytest.raises(TypeError, match="a message is a record"):
        demat.schema(int, to="proto")
    with pytest.raises(ValueError, match="'proto'"):
        demat.schema(int, to="nonsense")  # type: ignore[call-overload]


def test_wire_words_are_in_shapes():
    text = demat.schema(Point, to="shape")
    assert text == "Point{x?:int #proto:sint32}"
    again = demat.define(text)
    assert describe(again)[1][0]["fields"][0]["places"] == (("proto", "sint32"),)
    assert proto.encode(again(-1)) == b"\x08\x01"


def test_google_reads_what_a_class_says():
    pool = descriptor_pool.DescriptorPool()
    file = descriptor_pb2.FileDescriptorProto(name="p.proto", syntax="proto3")
    message = file.message_type.add(name="Point")
    message.field.add(name="x", number=1, type=17, label=1)
    pool.Add(file)
    made = message_factory.GetMessageClass(pool.FindMessageTypeByName("Point"))
    assert made.FromString(proto.encode(Point(-3))).x == -3


def test_members_of_enums_may_be_words_of_python():
    text = """syntax = "proto2";
    enum Kind { name = 0; class = 1; None = 2; value = 3; }
    message Row { optional Kind a = 1 [default = class]; optional Kind b = 2 [default = None]; }"""
    cls = demat.define(text, "Row", format="proto")
    row = proto.decode(b"", cls)
    assert (row.a.name, row.b.name) == ("class", "None")
    assert [proto.decode(bytes([8, number]), cls).a.name for number in range(4)] == ["name", "class", "None", "value"]
    again = {}
    exec(demat.source(cls), again)
    assert proto.decode(b"", again["Row"]).a == 1


@pytest.mark.parametrize("member", ["mro", "_order_", "__x__", "__new__", "_value_"])
def test_names_that_pythons_enums_keep_to_themselves_are_refused(member):
    text = f'syntax = "proto3"; enum Kind {{ A = 0; {member} = 1; }} message Row {{ Kind a = 1; }}'
    with pytest.raises(ValueError, match=f"the enum `Kind` can't have a member `{member}`"):
        demat.define(text, "Row", format="proto")
