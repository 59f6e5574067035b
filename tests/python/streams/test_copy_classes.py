"""Copies by a class: what a copy writes is what the formats' own verbs write and read, or it is refused."""

import io
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from decimal import Decimal
from enum import Enum, IntEnum
from typing import Annotated, Any, Literal

import demat
import formats
import pytest
from demat import Field, json


class Color(Enum):
    RED = "red"
    BLUE = "blue"


class Level(IntEnum):
    LOW = 5
    HIGH = 9


@dataclass
class Enums:
    color: Color
    level: Level
    levels: list[Level]


@dataclass
class Chosen:
    v: int | str


@dataclass
class Numbered:
    v: Annotated[int | str, Field(wire="oneof 3 4")]


@dataclass
class Wired:
    n: Annotated[int, Field(wire="fixed32")]
    at: datetime
    day: date
    span: timedelta
    price: Decimal
    kind: Literal["a", "b"]


@dataclass
class Attributes:
    id: Annotated[int, Field(xml="attribute")]
    title: str


@demat.configure(tag="kind")
@dataclass
class Shape:
    pass


@dataclass
class Circle(Shape):
    r: int = 0


@dataclass
class Square(Shape):
    side: int = 0


@dataclass
class Drawing:
    shape: Circle | Square


@dataclass
class Movie:
    kind: Literal["movie"]
    year: int


@dataclass
class Song:
    kind: Literal["song"]
    key: str


@dataclass
class Work:
    it: Annotated[Movie | Song, Field(tag="kind")]


VALUES = [
    Enums(Color.BLUE, Level.HIGH, [Level.LOW]),
    Chosen(5),
    Chosen("a"),
    Numbered(5),
    Numbered("a"),
    Wired(7, datetime(2020, 1, 2, tzinfo=UTC), date(2020, 1, 2), timedelta(1), Decimal("1.5"), "b"),
    Attributes(3, "t"),
    Drawing(Square(7)),
    Work(Song("song", "a")),
]
# All text is a `str` where a copy has a choice: see the conformance matrix.
AMBIGUOUS = {("Chosen", "xml"), ("Numbered", "xml")}


def copied(data: bytes, type_: Any, from_: str, to: str) -> bytes | None:
    """What a copy makes of a document; None where it refuses the class."""
    file = io.BytesIO()
    try:
        demat.copy(data, file, type_, from_=from_, to=to)  # type: ignore[arg-type]
    except TypeError as error:
        assert "is not copied" in str(error)
        return None
    return file.getvalue()


@pytest.mark.parametrize("value", VALUES, ids=lambda value: type(value).__name__)
@formats.each(lists=False, special=None, but=["avro", "mca", "nbt", "snbt", "plist", "toml", "raw"])
def test_a_copy_writes_and_reads_as_the_verbs_do(module, value):
    name, cls = formats.name(module), type(value)
    if (cls.__name__, name) in AMBIGUOUS:
        pytest.skip("all is text")
    own = module.encode(value)
    there = copied(json.encode(value), cls, "json", name)
    back = copied(own, cls, name, "json")
    assert (there is None) == (back is None)
    if there is not None and back is not None:
        assert module.decode(there, cls) == value
        assert json.decode(back, cls) == value
        if not formats.is_text(name):
            assert there.split() == own.split()


def test_what_differs_in_messages_is_refused():
    for value, format in [(Drawing(Circle(1)), "proto"), (Drawing(Circle(1)), "txtpb"), (Drawing(Circle(1)), "raw")]:
        with pytest.raises(TypeError, match=r"`Drawing` is not copied: .* the tags of its unions"):
            demat.copy(json.encode(value), io.BytesIO(), Drawing, from_="json", to=format)  # type: ignore[arg-type]
    with pytest.raises(TypeError, match=r"`Enums` is not copied: .* the names of its enums"):
        demat.copy(json.encode(VALUES[0]), io.BytesIO(), Enums, from_="json", to="txtpb")
    # Among messages they have one form.
    again = copied(demat.proto.encode(Drawing(Square(2))), Drawing, "proto", "proto")
    assert again == demat.proto.encode(Drawing(Square(2)))
    for value in (VALUES[0], Numbered("x")):
        text = copied(demat.proto.encode(value), type(value), "proto", "txtpb")
        assert text is not None
        assert demat.txtpb.decode(text, type(value)) == value
        again = copied(text, type(value), "txtpb", "proto")
        assert again is not None
        assert demat.proto.decode(again, type(value)) == value


def test_attributes_of_xml_are_read_and_written():
    document = b'<list><item id="1"><title>a</title></item><item id="2"><title>b</title></item></list>'
    assert copied(document, Attributes, "xml", "json") == b'[{"id":1,"title":"a"},{"id":2,"title":"b"}]\n'
    written = copied(b'[{"id":1,"title":"a"}]', Attributes, "json", "xml")
    assert written is not None
    assert b'id="1"' in written
    assert demat.xml.columns(document, Attributes)["id"].tolist() == [1, 2]  # type: ignore[attr-defined]
