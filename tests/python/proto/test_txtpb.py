"""The text format: against Google's own library both ways, against the wire format, and what is refused."""

import re
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from decimal import Decimal
from enum import Enum
from pathlib import Path
from typing import Annotated, Any

import demat
import pytest
from demat import Field, proto, txtpb
from google.protobuf import text_format
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from messages import Shape, ours, shapes, theirs


@st.composite
def messages(draw: st.DrawFn) -> tuple[Shape, Any, Any]:
    made = draw(shapes())
    values = draw(made.values)
    return made, ours(made, values), theirs(made, values)


def kinds(shape: Shape) -> set[str]:
    inner = kinds(shape.inner) if shape.inner else set()
    return inner | {kind for kind, _ in shape.fields.values()}


@given(messages(), st.booleans())
@settings(max_examples=80)
def test_what_google_writes_is_read(given: tuple[Shape, Any, Any], one_line: bool):
    shape, mine, google = given
    text = text_format.MessageToString(google, as_one_line=one_line)
    # In a file of theirs, the names of enums begin with that of the message.
    text = re.sub(r"\bM\d+_(RED|GREEN|BLUE)\b", r"\1", text)
    assert txtpb.decode(text, shape.cls) == mine


@given(messages(), st.sampled_from([0, 2]))
@settings(max_examples=80)
def test_what_is_written_google_reads(given: tuple[Shape, Any, Any], indent: int):
    shape, mine, google = given
    assume("enum" not in kinds(shape))
    assert text_format.Parse(txtpb.encode(mine, indent=indent), shape.google()) == google


@given(messages())
@settings(max_examples=80)
def test_both_formats_hold_the_same(given: tuple[Shape, Any, Any]):
    shape, mine, _ = given
    again = txtpb.decode(txtpb.encode(mine), shape.cls)
    assert again == mine
    assert proto.encode(again) == proto.encode(mine)


class Colour(Enum):
    RED = "red"
    BLUE = "blue"


@dataclass
class Point:
    x: float
    y: float = 0.0


@dataclass
class Disc:
    centre: Point
    radius: float


@dataclass
class Everything:
    id: int
    when: datetime | None = None
    length: timedelta | None = None
    price: Decimal | None = None
    colour: Colour = Colour.RED
    shape: Disc | None = None
    data: bytes = b""
    points: dict[str, Point] = field(default_factory=dict)
    free: Any = None
    address: Annotated[str | None, Field(wire="ipv4")] = None


def test_each_kind_comes_back():
    value = Everything(
        -1,
        datetime(2026, 5, 1, 12, 30, 0, 5000, tzinfo=UTC),
        timedelta(days=-1, microseconds=5),
        Decimal("1.50"),
        Colour.BLUE,
        Disc(Point(1.0, -2.5), 3.0),
        b"\x00\xff'\"",
        {"a": Point(0.5), "": Point(-0.0)},
        {"a": [1, None, True, 0.5], "b": {}},
        "127.0.0.1",
    )
    for indent in (0, 2, 5):
        data = txtpb.encode(value, indent=indent)
        assert txtpb.decode(data, Everything) == value
        assert txtpb.decode(data.decode(), Everything) == value
    assert proto.encode(txtpb.decode(txtpb.encode(value), Everything)) == proto.encode(value)


def test_absent_fields_are_as_in_the_wire_format():
    assert txtpb.decode("", Everything) == proto.decode(b"", Everything)
    # A null is a value of `google.protobuf.Value`.
    assert txtpb.encode(Everything(0)) == b"free {\n  null_value: NULL_VALUE\n}\n"


@pytest.mark.parametrize(
    ("text", "line", "path"),
    [
        ("id: 1\nid: 2", 2, "$"),
        ("id: 'x'", 1, "$.id"),
        ("id: 1\npoints { key: 'a'\nvalue { x: yes } }", 3, "$.points"),
        ("id: 1\n\n}", 3, "$"),
    ],
)
def test_errors_say_where(text: str, line: int, path: str):
    with pytest.raises(demat.Error) as caught:
        txtpb.decode(text, Everything)
    assert caught.value.line == line
    assert str(caught.value.path).startswith(path)


def test_the_whole_is_one_message():
    for value in ([Point(1.0)], 1, "x"):
        with pytest.raises(demat.Error):
            txtpb.encode(value)
    with pytest.raises(demat.Error, match="one message, which is the whole"):
        txtpb.decode("x: 1")


def test_files_are_read_and_copied(tmp_path: Path):
    path = tmp_path / "point.textproto"
    path.write_bytes(txtpb.encode(Point(1.0, 2.0)))
    assert path.read_text() == "x: 1.0\ny: 2.0\n"
    assert list(txtpb.read(path, Point)) == [Point(1.0, 2.0)]
    demat.copy(path, tmp_path / "point.json", Point)
    assert demat.json.decode((tmp_path / "point.json").read_bytes(), Point) == Point(1.0, 2.0)


@dataclass
class Circle:
    radius: float


@dataclass
class SquareShape:
    side: int


@dataclass
class Drawing:
    one: int | str
    many: list[Circle | SquareShape] = field(default_factory=list)
    inside: Annotated[Circle | SquareShape | None, Field(wire="oneof 8 9")] = None


def test_unions_without_a_tag_have_the_names_of_their_types():
    drawing = Drawing("x", [Circle(1.5), SquareShape(2)], SquareShape(3))
    text = txtpb.encode(drawing, indent=0)
    assert text == (
        b'one { str: "x" } many { circle { radius: 1.5 } } many { square_shape { side: 2 } } square_shape { side: 3 }\n'
    )
    assert txtpb.decode(text, Drawing) == drawing
    assert proto.decode(proto.encode(drawing), Drawing) == drawing
    assert txtpb.decode("one { int: 7 } circle { radius: 2 }", Drawing) == Drawing(7, [], Circle(2))
    # The names are those in a `.proto` file.
    definition = demat.schema(Drawing, to="proto")
    assert all(f" {name} = " in str(definition) for name in ("int", "str", "circle", "square_shape"))
    with pytest.raises(demat.ValidationError, match="`int` or `str`, found `bool`"):
        txtpb.decode("one { bool: true }", Drawing)
    with pytest.raises(demat.ValidationError, match="which is another"):
        txtpb.decode("one { int: 7 str: 'a' }", Drawing)


@dataclass
class AnyMessage:
    type_url: Annotated[str, Field(wire="json any")] = ""
    value: bytes = b""


@dataclass
class Event:
    detail: AnyMessage
    others: list[AnyMessage] = field(default_factory=list)


def test_any_is_expanded_to_the_classes_that_are_said():
    drawing, circle = Drawing(7), Circle(0.5)
    event = Event(
        AnyMessage("type.googleapis.com/pkg.Circle", proto.encode(circle)),
        [
            AnyMessage("example.com/Drawing", proto.encode(drawing)),
            AnyMessage("type.googleapis.com/a.Other", b"\x08\x01"),
        ],
    )
    said = Circle | Drawing
    text = txtpb.encode(event, messages=said, indent=0)
    assert text == (
        b"detail { [type.googleapis.com/pkg.Circle] { radius: 0.5 } } "
        b"others { [example.com/Drawing] { one { int: 7 } } } "
        b'others { type_url: "type.googleapis.com/a.Other" value: "\\010\\001" }\n'
    )
    assert txtpb.decode(text, Event, messages=said) == event
    assert txtpb.Decoder(Event, messages=said).decode(text) == event
    assert txtpb.Encoder(messages=said).encode(event) == txtpb.encode(event, messages=said)
    # Without the classes it has its bytes, and an expanded one is refused.
    assert txtpb.decode(txtpb.encode(event), Event) == event
    with pytest.raises(demat.ValidationError, match="names no message that is known"):
        txtpb.decode(text, Event)
    with pytest.raises(ValueError, match="`messages` are records with names"):
        txtpb.encode(event, messages=int)
