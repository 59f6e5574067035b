"""Where the fields of a class stand in XML, and records of a path."""

import io
from dataclasses import dataclass, field
from datetime import UTC, date, datetime
from typing import Annotated, Any, Literal

import demat
import pytest
from demat import Error, Field, xml


def written(value: Any, **options: Any) -> str:
    text: str = xml.encode(value, declaration=False, **options).decode()
    return text


@dataclass
class Author:
    name: str
    born: date | None = None


@dataclass
class Book:
    id: Annotated[int, Field(xml="attribute")]
    title: str
    authors: Annotated[list[Author], Field(name="author")]
    tags: Annotated[list[str], Field(xml="wrapped tag")] = field(default_factory=list)
    language: Annotated[str | None, Field(name="lang", xml="attribute")] = None
    price: float | None = None


BOOKS = [
    Book(1, "A <&> B", [Author("X", date(1900, 1, 2)), Author("Y")], ["p", "q"], "en", 2.5),
    Book(2, " two ", []),
]


def test_attributes_elements_and_lists():
    text = written(BOOKS[0])
    assert text == (
        '<Book id="1" lang="en"><title>A &lt;&amp;&gt; B</title><author><name>X</name><born>1900-01-02</born></author>'
        "<author><name>Y</name></author><tags><tag>p</tag><tag>q</tag></tags><price>2.5</price></Book>"
    )
    assert xml.decode(text, Book) == BOOKS[0]
    assert written(BOOKS[1]) == '<Book id="2"><title> two </title><tags/></Book>'
    for options in ({}, {"indent": 2}):
        data = xml.encode(BOOKS, **options)
        assert xml.decode(data, list[Book]) == BOOKS
        assert list(xml.read(io.BytesIO(data), Book)) == BOOKS
        assert list(xml.read(io.BytesIO(data), Book, at="root/Book")) == BOOKS


@dataclass
class Price:
    amount: Annotated[float, Field(xml="text")]
    currency: Annotated[str, Field(xml="attribute")] = "EUR"


@dataclass
class Note:
    text: Annotated[str | None, Field(xml="text")] = None
    sizes: Annotated[list[int], Field(xml="attribute")] = field(default_factory=list)


def test_text_and_words():
    assert written(Price(1.5)) == '<Price currency="EUR">1.5</Price>'
    assert xml.decode("<p currency='USD'> 2 </p>", Price) == Price(2.0, "USD")
    for note in (Note(), Note(""), Note(" x "), Note("x", [1, 2])):
        assert xml.decode(written(note), Note) == note
    assert written(Note(None, [1, 2])) == '<Note sizes="1 2"/>'


@dataclass
class Paragraph:
    content: Annotated[list[Any], Field(xml="mixed")]


def test_mixed_content():
    paragraph = xml.decode("<p>a <b>c</b> d<e f='1'/></p>", Paragraph)
    assert paragraph.content == ["a ", {"#name": "b", "#text": "c"}, " d", {"#name": "e", "@f": "1"}]
    assert written(paragraph, root="p") == '<p>a <b>c</b> d<e f="1"/></p>'
    with pytest.raises(Error, match="text after text"):
        xml.encode(Paragraph(["a", "b"]))


@dataclass
class Lists:
    rows: list[list[int]]
    maybe: list[int | None] | None = None
    pairs: dict[str, list[int]] = field(default_factory=dict)
    some: list[int] = field(default_factory=lambda: [1])
    either: int | list[int] = 0


@pytest.mark.parametrize(
    "value",
    [
        Lists([]),
        Lists([[], [1], [2, 3]]),
        Lists([], []),
        Lists([], [None]),
        Lists([], [None, 1]),
        Lists([], None, {"a": [], "b": [1], "c d": [1, 2]}),
        Lists([], some=[]),
        Lists([], either=[5]),
        Lists([], either=7),
    ],
)
def test_lists_come_back(value: Lists):
    assert xml.decode(xml.encode(value), Lists) == value
    assert xml.decode(xml.encode(value, indent=1), Lists) == value


@dataclass
class Link:
    href: Annotated[str, Field(name="xlink:href", xml="attribute, namespace http://www.w3.org/1999/xlink")]
    title: Annotated[str, Field(xml="namespace urn:t")]


def test_namespaces():
    text = written(Link("h", "t"))
    assert text == (
        '<Link xmlns:xlink="http://www.w3.org/1999/xlink" xlink:href="h"><title xmlns="urn:t">t</title></Link>'
    )
    other = '<l xmlns:x="http://www.w3.org/1999/xlink" xmlns:t="urn:t" x:href="h"><t:title>t</t:title></l>'
    assert xml.decode(text, Link) == xml.decode(other, Link) == Link("h", "t")
    with pytest.raises(Error, match="title"):
        xml.decode(other.replace("urn:t", "urn:u"), Link)


def test_options():
    assert written({"a": 1}, root="r", namespace="urn:n") == '<r xmlns="urn:n"><a>1</a></r>'
    assert written([1, 2], root="ns", item="n") == "<ns><n>1</n><n>2</n></ns>"
    assert xml.decode("<a><b/></a>", empty="null") == {"b": None}
    assert xml.decode("<!DOCTYPE a [<!ELEMENT a ANY>]><a/>", doctype="skip") == ""
    declared = "<!DOCTYPE a [<!ENTITY r '<r><i>1</i></r>'><!ENTITY x SYSTEM 'x'>]><a>&r;<r><i>2</i></r>&r;</a>"
    assert [r["i"] for r in xml.read(io.BytesIO(declared.encode()), doctype="expand")] == ["1", "2", "1"]
    with pytest.raises(Error, match="the entity `&r;` is not read"):
        xml.decode(declared, doctype="skip")
    with pytest.raises(Error, match="the entity `&x;` is external"):
        xml.decode(declared.replace("&r;", "&x;"), doctype="expand")
    assert xml.decode("<?xml version='1.0' encoding='UTF-16'?><a>é</a>".encode("utf-16")) == "é"
    assert xml.decode("<a:b:c/>", namespaces=False) == ""
    with pytest.raises(Error, match="expected the root element `b`"):
        xml.decode("<a/>", root="b")
    with pytest.raises(Error, match="a document type declaration is refused"):
        xml.decode("<!DOCTYPE a><a/>")
    with pytest.raises((ValueError, TypeError)):
        xml.encode(1, root="a b")


def test_errors_say_where():
    with pytest.raises(Error) as raised:
        xml.decode("<r>\n<Book id='x'><title/></Book></r>", list[Book])
    assert (raised.value.path, raised.value.line, raised.value.column) == ("$[0].id", 2, 11)


def test_paths():
    data = b"<f><t>no</t><i><e><t>1</t></e><x><e/></x></i><i><e><t>2</t></e></i></f>"
    assert [one["t"] for one in xml.read(io.BytesIO(data), at="f/i/e")] == ["1", "2"]
    assert list(xml.read(io.BytesIO(data), at="/f/t")) == ["no"]
    assert list(xml.read(io.BytesIO(data), at="f/none")) == []
    with pytest.raises(Error, match="expected the root element `g`"):
        list(xml.read(io.BytesIO(data), at="g/e"))
    with pytest.raises(ValueError, match="catalog/book"):
        xml.read(io.BytesIO(data), at="$.f[*]")


def test_a_wrong_note_is_refused():
    with pytest.raises(ValueError, match="`attribut` is no note for xml"):
        Field(xml="attribut")
    with pytest.raises(ValueError, match="`text` and `attribute` exclude each other"):
        Field(xml="attribute, text")
    with pytest.raises(ValueError, match="`byte` and `long`|`long` and `byte`"):
        Field(nbt="long, byte")

    @dataclass
    class Wrong:
        a: Annotated[str, Field(xml="wrapped")]

    with pytest.raises(TypeError, match="`wrapped` is for lists, not for text"):
        xml.decode("<a/>", Wrong)

    @dataclass
    class Twice:
        a: Annotated[str, Field(xml="text")]
        b: Annotated[str, Field(xml="text")]

    with pytest.raises(demat.Error, match="2 fields are the text of one element"):
        xml.decode("<a/>", Twice)
    with pytest.raises(demat.Error, match="2 fields are the text of one element"):
        xml.encode(Twice("a", "b"))


def test_times_and_bytes():
    value = {"at": datetime(2026, 5, 1, tzinfo=UTC), "data": b"\x00\xff"}
    assert xml.decode(xml.encode(value), dict[str, datetime | bytes])["at"] == value["at"]


def test_unions_by_a_tag():
    @dataclass
    class Cat:
        kind: Literal["cat"]
        lives: int

    @dataclass
    class Dog:
        kind: Literal["dog"]
        tricks: list[str]

    pets: list[Cat | Dog] = [Cat("cat", 9), Dog("dog", ["sit"]), Dog("dog", [])]
    tagged = list[Annotated[Cat | Dog, Field(tag="kind")]]
    assert xml.decode(xml.encode(pets, type=tagged), tagged) == pets
