"""Messages as dataclasses: how fields are numbered and written, and what is refused."""

import datetime
import decimal
import enum
import io
import uuid
from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated, Any, Literal, NamedTuple, TypedDict

import demat
import pytest
from demat import Field, proto


class Color(enum.Enum):
    RED = 0
    GREEN = 5


class Name(enum.Enum):
    A = "a"
    B = "b"


@dataclass
class Circle:
    radius: float


@dataclass
class Square:
    side: float


def round_trip(value: Any, type_: Any = None) -> bytes:
    data = proto.encode(value)
    assert proto.decode(data, type_ or type(value)) == value
    return data


def test_numbers_are_positions_unless_they_are_said():
    @dataclass
    class Task:
        id: int
        title: Annotated[str, Field(7)]
        done: bool
        tags: Annotated[list[str], Field(number=2000)]

    assert round_trip(Task(1, "a", True, ["b"])) == b"\x08\x01\x3a\x01a\x18\x01\x82\x7d\x01b"


@pytest.mark.parametrize(
    ("type_", "value", "data"),
    [
        (int, 150, b"\x08\x96\x01"),
        (int, -1, b"\x08" + b"\xff" * 9 + b"\x01"),
        (Annotated[int, Field(1, wire="sint32")], -129, b"\x08\x81\x02"),
        (Annotated[int, Field(1, wire="sint64")], -129, b"\x08\x81\x02"),
        (Annotated[int, Field(1, wire="fixed32")], 1, b"\x0d\x01\x00\x00\x00"),
        (Annotated[int, Field(1, wire="sfixed64")], -2, b"\x09\xfe" + b"\xff" * 7),
        (Annotated[int, Field(1, wire="uint64")], (1 << 64) - 1, b"\x08" + b"\xff" * 9 + b"\x01"),
        (float, 1.5, b"\x09\x00\x00\x00\x00\x00\x00\xf8\x3f"),
        (Annotated[float, Field(wire="float")], 1.5, b"\x0d\x00\x00\xc0\x3f"),
        (bool, True, b"\x08\x01"),
        (str, "ü", b"\x0a\x02\xc3\xbc"),
        (bytes, b"\x00", b"\x0a\x01\x00"),
        (bytearray, bytearray(b"\x00"), b"\x0a\x01\x00"),
        (Color, Color.GREEN, b"\x08\x05"),
        (Name, Name.B, b"\x08\x01"),
        (Color | int, 7, b"\x08\x07"),
        (Color | int, Color.GREEN, b"\x08\x05"),
        (
            datetime.datetime,
            datetime.datetime(1970, 1, 1, 0, 0, 1, 5, datetime.UTC),
            b"\x0a\x05\x08\x01\x10\x88\x27",
        ),
        (datetime.timedelta, datetime.timedelta(seconds=-1), b"\x0a\x0b\x08" + b"\xff" * 9 + b"\x01"),
        (datetime.date, datetime.date(2024, 1, 2), b"\x0a\x0a2024-01-02"),
        (decimal.Decimal, decimal.Decimal("1.50"), b"\x0a\x041.50"),
        (uuid.UUID, uuid.UUID(int=1), b"\x0a\x2400000000-0000-0000-0000-000000000001"),
        (Annotated[uuid.UUID, Field(wire="bytes")], uuid.UUID(int=1), b"\x0a\x10" + bytes(15) + b"\x01"),
        (list[int], [1, 300], b"\x0a\x03\x01\xac\x02"),
        (Annotated[list[int], Field(wire="expanded")], [1, 300], b"\x08\x01\x08\xac\x02"),
        (Annotated[list[int], Field(wire="sint32, expanded")], [-1], b"\x08\x01"),
        (tuple[int, ...], (1, 2), b"\x0a\x02\x01\x02"),
        (tuple[str, str], ("a", "b"), b"\x0a\x01a\x0a\x01b"),
        (set[int], {1}, b"\x0a\x01\x01"),
        (dict[str, int], {"a": 1}, b"\x0a\x05\x0a\x01a\x10\x01"),
        (
            Annotated[dict[int, int], Field(wire="key fixed32, sint32")],
            {1: -1},
            b"\x0a\x07\x0d\x01\x00\x00\x00\x10\x01",
        ),
        (Circle, Circle(1.0), b"\x0a\x09\x09\x00\x00\x00\x00\x00\x00\xf0\x3f"),
        (Annotated[Circle, Field(wire="group")], Circle(1.0), b"\x0b\x09\x00\x00\x00\x00\x00\x00\xf0\x3f\x0c"),
        (Circle | Square, Square(1.0), b"\x0a\x0b\x12\x09\x09\x00\x00\x00\x00\x00\x00\xf0\x3f"),
        (
            Annotated[Circle | Square | None, Field(wire="oneof 3 4")],
            Square(1.0),
            b"\x22\x09\x09\x00\x00\x00\x00\x00\x00\xf0\x3f",
        ),
        (Annotated[int | str | None, Field(wire="oneof 3 4")], "a", b"\x22\x01a"),
        (int | str, "a", b"\x0a\x03\x12\x01a"),
        (Literal["a", "b"], "b", b"\x0a\x01b"),
        (Literal[1, 2], 2, b"\x08\x02"),
        (
            Any,
            {"a": [None, True]},
            b"\x0a\x13\x2a\x11\x0a\x0f\x0a\x01a\x12\x0a\x32\x08\x0a\x02\x08\x00\x0a\x02\x20\x01",
        ),
        (int | None, 0, b"\x08\x00"),
        (int | None, None, b""),
        (int, 0, b""),
        (list[Circle], [], b""),
        (float, -0.0, b"\x09" + bytes(7) + b"\x80"),
    ],
)
def test_each_type_as_it_is_written(type_: Any, value: Any, data: bytes):
    @dataclass
    class One:
        value: type_

    assert proto.encode(One(value)) == data
    found = proto.decode(data, One)
    assert found == One(value)
    assert type(found.value) is type(value)
    lazy = proto.decode(data, One, lazy=True)
    assert lazy == One(value)
    assert proto.encode(lazy) == data
    lazy.value = value
    assert proto.decode(proto.encode(lazy), One) == One(value)


def test_what_has_a_default_other_than_zero_is_written():
    @dataclass
    class Task:
        size: int = 3
        name: str = ""
        color: Color = Color.RED
        other: Color = Color.GREEN

    assert round_trip(Task(0, "", Color.RED, Color.RED)) == b"\x08\x00\x20\x00"
    assert proto.decode(b"", Task) == Task()


def test_what_has_no_zero_must_come():
    @dataclass
    class Task:
        circle: Circle
        literal: Literal["a"]

    with pytest.raises(demat.ValidationError, match="field `circle`"):
        proto.decode(b"", Task)


def test_tags_are_numbers():
    @demat.configure(tag="kind")
    @dataclass
    class Cat:
        name: str

    @demat.configure(tag="kind")
    @dataclass
    class Dog:
        name: str

    @dataclass
    class House:
        pet: Cat | Dog
        pets: list[Cat | Dog]

    assert round_trip(House(Dog("a"), [Cat("b")])) == b"\x0a\x05\x12\x03\x0a\x01a\x12\x05\x0a\x03\x0a\x01b"


def test_tuples_and_dicts_with_names_are_messages():
    class Pair(NamedTuple):
        a: int
        b: str

    class Row(TypedDict):
        a: int
        b: str

    @dataclass
    class Box:
        pair: Pair
        row: Row

    data = round_trip(Box(Pair(1, "x"), {"a": 2, "b": "y"}))
    assert data == b"\x0a\x05\x08\x01\x12\x01x\x12\x05\x08\x02\x12\x01y"
    assert proto.decode(b"\x08\x01", Pair) == Pair(1, "")
    assert proto.encode(Pair(1, "x")) == b"\x08\x01\x12\x01x"
    assert proto.decode(b"\x08\x01", Row) == {"a": 1, "b": ""}


def test_unknown_fields_are_dropped_refused_or_kept():
    data = b"\x08\x01\x18\x02\x18\x03\x22\x01a"

    @dataclass
    class Task:
        id: int

    @dataclass
    class Keeping:
        id: int
        rest: Annotated[dict[str, bytes], Field(rest=True)] = field(default_factory=dict)

    assert proto.decode(data, Task) == Task(1)
    with pytest.raises(demat.ValidationError, match="unknown field `3`"):
        proto.decode(data, Task, unknown="forbid")
    kept = proto.decode(data, Keeping)
    assert kept == Keeping(1, {"3": b"\x18\x02\x18\x03", "4": b"\x22\x01a"})
    assert proto.encode(kept) == data
    lazy = proto.decode(data, Keeping, lazy=True)
    assert lazy.rest == kept.rest
    assert proto.encode(lazy) == data


def test_the_field_for_unknown_ones_has_no_number_of_its_own():
    @dataclass
    class Keeping:
        id: Annotated[int, Field(2)]
        rest: Annotated[dict[str, bytes], Field(rest=True)] = field(default_factory=dict)
        name: Annotated[str, Field(1)] = ""

    data = b"\x10\x01\x0a\x01a\x18\x05\x20\x06"
    kept = proto.decode(data, Keeping)
    assert kept == Keeping(1, {"3": b"\x18\x05", "4": b"\x20\x06"}, "a")
    assert proto.decode(proto.encode(kept), Keeping) == kept
    assert proto.decode(data, Keeping, lazy=True) == kept


@pytest.mark.parametrize(
    ("said", "type_", "message"),
    [
        ({"wire": "sint32"}, str, "`Task.value`: `sint32` does not suit the type: this is text"),
        ({"wire": "string"}, int, "`string` does not suit the type: this is an int"),
        ({"wire": "float"}, int, "`float` does not suit"),
        ({"wire": "packed"}, list[str], "`packed` is for lists of numbers"),
        ({"wire": "expanded"}, int, "`expanded` is for lists"),
        ({"wire": "key int32"}, int, "`key` is for dicts"),
        ({"wire": "key float"}, dict[int, int], "`float` does not suit the type: its key is an int"),
        ({"wire": "group"}, int, "`group` does not suit"),
        ({"wire": "nonsense"}, int, "`nonsense` is no way to write a field"),
        ({"wire": "oneof 2 3"}, int, "`oneof` is for unions"),
        ({"wire": "oneof 2"}, int | str, "`oneof` says 1 numbers, and the union has 2 variants"),
        ({"wire": "oneof"}, int | str, "`oneof` is followed by the numbers"),
        ({"wire": "oneof 2 19000"}, int | str, "`oneof` is followed by the numbers"),
        ({"wire": "oneof 2 2"}, int | str, "has the number 2, too"),
    ],
)
def test_what_does_not_suit_is_refused(said: Any, type_: Any, message: str):
    @dataclass
    class Task:
        value: Annotated[type_, Field(**said)]

    with pytest.raises(TypeError) as found:
        proto.decode(b"", Task)
    assert message in str(found.value)
    with pytest.raises(demat.EncodeError) as raised:
        proto.encode(Task(1))
    assert message in str(raised.value)


@pytest.mark.parametrize("number", [0, -1, 1 << 29, 19_000, 19_999])
def test_numbers_that_there_are_not(number: int):
    with pytest.raises(ValueError, match="number must"):
        Field(number)


def test_numbers_that_two_fields_have():
    @dataclass
    class Task:
        a: Annotated[int, Field(2)]
        b: int

    with pytest.raises(TypeError, match="`a` and `b` both have the number 2"):
        proto.decode(b"", Task)

    @dataclass
    class Other:
        a: int
        b: Annotated[int | str | None, Field(wire="oneof 1 3")]

    with pytest.raises(TypeError, match="has the number 1, too"):
        proto.decode(b"", Other)


@pytest.mark.parametrize("type_", [list[list[int]], list[int | None], demat.Raw])
def test_what_has_no_form(type_: Any):
    @dataclass
    class Task:
        value: type_

    values: dict[Any, Any] = {list[list[int]]: [[1]], list[int | None]: [None], demat.Raw: demat.Raw("1")}
    with pytest.raises(demat.EncodeError):
        proto.encode(Task(values[type_]))


def test_without_a_type_nothing_is_read_or_written():
    with pytest.raises(demat.Error):
        proto.decode(b"\x08\x01")
    for value in (1, "a", {"a": 1}, None):
        with pytest.raises(demat.EncodeError):
            proto.encode(value)


def test_numbers_that_do_not_fit():
    @dataclass
    class Task:
        a: Annotated[int, Field(wire="int32")] = 0
        b: Annotated[int, Field(wire="uint32")] = 0

    for task in (Task(1 << 31), Task(0, -1), Task(0, 1 << 32), Task(1 << 70)):
        with pytest.raises(demat.EncodeError, match=r"\$\.[ab]"):
            proto.encode(task)


def test_too_deep():
    @dataclass
    class Node:
        next: "Node | None" = None

    node = Node()
    for _ in range(99):
        node = Node(node)
    data = proto.encode(node)
    assert proto.decode(data, Node) == node
    with pytest.raises(demat.LimitError):
        proto.decode(proto.encode(Node(Node(node))), Node)
    assert proto.decode(proto.encode(Node(Node(node))), Node, depth=200) == Node(Node(node))
    bomb = b"\x0b" * 100_000
    for lazy in (True, False):
        with pytest.raises(demat.Error):
            repr(proto.decode(bomb, Node, lazy=lazy))


@pytest.mark.parametrize("length", [b"\xff\xff\xff\xff\x0f", b"\xff" * 9 + b"\x01", b"\x80" * 11 + b"\x01"])
def test_lengths_that_lie(length: bytes):
    @dataclass
    class Task:
        text: str = ""
        numbers: list[int] = field(default_factory=list)

    for tag in (b"\x0a", b"\x12", b"\x1a"):
        for lazy in (True, False):
            with pytest.raises(demat.DecodeError):
                repr(proto.decode(tag + length, Task, lazy=lazy))


def test_columns_and_copies():
    @dataclass
    class Row:
        id: Annotated[int, Field(5, wire="sint32")]
        name: str
        color: Color = Color.RED

    rows = [Row(-1, "a", Color.GREEN), Row(2, "b")]
    data = proto.encode(rows)
    columns = proto.columns(data, Row)
    assert list(columns.names) == ["id", "name", "color"]
    out = io.BytesIO()
    demat.copy(data, out, list[Row], from_="proto", to="ndjson")
    assert out.getvalue().splitlines()[0].startswith(b'{"id":-1,"name":"a"')
    with pytest.raises(demat.Error, match="do not say what their fields are"):
        proto.columns(data)


@pytest.mark.parametrize("slots", [True, False])
def test_of_a_group_the_last_one_counts(slots: bool):
    @dataclass(slots=slots)
    class Task:
        a: Annotated[int | None, Field(1, oneof="kind")] = None
        b: Annotated[str | None, Field(2, oneof="kind")] = None
        c: Annotated[int | None, Field(3, oneof="other")] = None

    data = b"\x08\x01\x18\x05\x12\x01a"
    assert proto.decode(data, Task) == Task(None, "a", 5)
    lazy = proto.decode(data, Task, lazy=True)
    assert (lazy.a, lazy.b, lazy.c) == (None, "a", 5)
    assert proto.encode(lazy) == data
    assert (
        proto.decode(data + b"\x08\x02", Task) == proto.decode(data + b"\x08\x02", Task, lazy=True) == Task(2, None, 5)
    )
    assert proto.decode(data + b"\x08\x02" + data, Task) == Task(None, "a", 5)


def test_a_file_of_messages_read_as_one_says_so(tmp_path: Path):
    path = tmp_path / "tasks.pb"
    demat.copy(b'{"id": 1, "title": "a"}\n{"id": 2, "title": "b"}\n', path, "id:int, title:text", from_="ndjson")
    with pytest.raises(demat.Error, match=r"read as one message; the shape of a file of messages.* is a list: \[...\]"):
        demat.copy(path, io.BytesIO(), "id:int, title:text", to="ndjson")
    back = io.BytesIO()
    demat.copy(path, back, "[{id:int, title:text}]", to="ndjson")
    assert back.getvalue() == b'{"id":1,"title":"a"}\n{"id":2,"title":"b"}\n'
