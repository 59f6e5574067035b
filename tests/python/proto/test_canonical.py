"""Canonical JSON by `demat.copy`, against Google's own library."""

import io
import json as stdlib
from pathlib import Path
from typing import Any

import demat
import pytest
from google.protobuf import descriptor_pb2, json_format
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from messages import shapes, theirs

DEFINITION = """
syntax = "proto3";
package todo;
message Task {
  int64 id = 1;
  string due_title = 2;
  bytes data = 3;
  repeated Task parts = 4;
}
"""


def copied(data: bytes, type: Any, from_: str, to: str, **options: Any) -> bytes:
    file = io.BytesIO()
    demat.copy(data, file, type, from_=from_, to=to, mapping="canonical", **options)
    return file.getvalue()


def message_of(google: Any, folder: Path) -> str:
    """Google's class as the path of a message."""
    whole = descriptor_pb2.FileDescriptorSet()

    def add(file: Any) -> None:
        if all(own.name != file.name for own in whole.file):
            for imported in file.dependencies:
                add(imported)
            file.CopyToProto(whole.file.add())

    add(google.DESCRIPTOR.file)
    (folder / "own.protoset").write_bytes(whole.SerializeToString())
    return f"{folder / 'own.protoset'}:{google.DESCRIPTOR.full_name}"


@given(st.data())
@settings(max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_random_messages_both_ways(tmp_path: Path, data: st.DataObject):
    shape = data.draw(shapes())
    google = theirs(shape, data.draw(shape.values))
    message = message_of(shape.google, tmp_path)
    ours = copied(google.SerializeToString(), message, "proto", "json")
    assert json_format.Parse(ours, shape.google()) == google
    assert stdlib.loads(ours).keys() == json_format.MessageToDict(google).keys()
    back = copied(json_format.MessageToJson(google).encode(), message, "json", "proto")
    assert shape.google.FromString(back) == google


def test_names_numbers_and_bytes(tmp_path: Path):
    (tmp_path / "tasks.proto").write_text(DEFINITION)
    message = f"{tmp_path / 'tasks.proto'}:todo.Task"
    text = b'{"id":"9007199254740993","dueTitle":"now","data":"AP8=","parts":[{"id":"1"}]}'
    wire = copied(text, message, "json", "proto")
    assert copied(wire, message, "proto", "json").rstrip() == text
    assert copied(b'{"due_title":"now"}', message, "json", "proto") == b"\x12\x03now"
    # One after the other.
    lines = copied(b'{"id":"1"}\n{"id":2}\n', f"[{message}]", "ndjson", "proto")
    assert lines == b"\x02\x08\x01\x02\x08\x02"
    assert copied(lines, f"[{message}]", "proto", "ndjson") == b'{"id":"1"}\n{"id":"2"}\n'


MANY = """
syntax = "proto3";
package many;
import "google/protobuf/duration.proto";
import "google/protobuf/field_mask.proto";
import "google/protobuf/struct.proto";
import "google/protobuf/timestamp.proto";
import "google/protobuf/wrappers.proto";
enum Level { LOW = 0; HIGH = 1; }
message Task {
  Level level = 1;
  repeated Level levels = 2;
  google.protobuf.Struct extra = 3;
  google.protobuf.Int64Value size = 4;
  google.protobuf.StringValue note = 5;
  google.protobuf.FieldMask mask = 6;
  google.protobuf.Timestamp at = 7;
  google.protobuf.Duration took = 8;
  google.protobuf.ListValue list = 9;
  google.protobuf.Value any = 10;
  string title = 11 [json_name = "heading"];
  oneof who { fixed64 number = 12; string name = 13 [json_name = "called"]; }
}
"""
MANY_JSON = {
    "level": "HIGH",
    "levels": ["LOW", "HIGH", 7],
    "extra": {"a": [1.5, None, {"b": True}]},
    "size": "5",
    "note": "",
    "mask": "dueTitle,id",
    "at": "2026-01-02T03:04:05.500Z",
    "took": "1.500s",
    "list": ["x", [False]],
    "any": {"c": "d"},
    "heading": "t",
    "called": "n",
}


def test_a_class_has_what_its_definition_has(tmp_path: Path):
    (tmp_path / "many.proto").write_text(MANY)
    message = f"{tmp_path / 'many.proto'}:many.Task"
    text = stdlib.dumps(MANY_JSON).encode()
    wire = copied(text, message, "json", "proto")
    task = demat.define(tmp_path / "many.proto", "many.Task")
    made: dict[str, Any] = {}
    exec(demat.source(task), made)
    # And so has the definition that is made of the class again.
    (tmp_path / "again.proto").write_text(demat.schema(task, to="proto"))
    for type in (task, made["Task"], f"{tmp_path / 'again.proto'}:Task"):
        assert stdlib.loads(copied(wire, type, "proto", "json")) == MANY_JSON
        assert copied(text, type, "json", "proto") == wire
    assert demat.proto.encode(demat.proto.decode(wire, task)) == wire


def test_unknown_fields(tmp_path: Path):
    (tmp_path / "tasks.proto").write_text(DEFINITION)
    message = f"{tmp_path / 'tasks.proto'}:Task"
    with pytest.raises(demat.DecodeError, match="nobody"):
        copied(b'{"nobody":1}', message, "json", "proto")
    assert copied(b'{"nobody":1,"id":1}', message, "json", "proto", ignore_unknown=True) == b"\x08\x01"


def test_what_can_not_be_meant(tmp_path: Path):
    (tmp_path / "tasks.proto").write_text(DEFINITION)
    message = f"{tmp_path / 'tasks.proto'}:Task"
    with pytest.raises(TypeError, match="needs to know the message"):
        copied(b"{}", None, "json", "proto")
    with pytest.raises(ValueError, match="neither place has it"):
        copied(b"", message, "csv", "proto")
    with pytest.raises(ValueError, match="ignore_unknown is for JSON that is read"):
        copied(b"", message, "proto", "json", ignore_unknown=True)
    with pytest.raises(ValueError, match='mapping is "plain" or "canonical"'):
        demat.copy(b"{}", io.BytesIO(), from_="json", to="json", mapping="other")  # type: ignore[arg-type]
    with pytest.raises(demat.Error, match="none.proto"):
        copied(b"{}", f"{tmp_path / 'none.proto'}:Task", "json", "proto")


def test_messages_by_path_without_a_mapping(tmp_path: Path):
    (tmp_path / "tasks.proto").write_text(DEFINITION)
    file = io.BytesIO()
    demat.copy(b"\x08\x01", file, f"{tmp_path / 'tasks.proto'}:Task", from_="proto", to="json")
    assert stdlib.loads(file.getvalue())["id"] == 1
