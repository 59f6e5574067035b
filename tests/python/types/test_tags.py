"""Tags of CBOR that have no type of Demat's own."""

import io
from dataclasses import dataclass
from fractions import Fraction
from typing import Annotated, Any

import demat
import pytest
from demat import Field, Hook, cbor, json, msgpack, xml

URI = b"\xd8\x20\x65urn:a"


@dataclass
class Own:
    tag: Annotated[int, Field(cbor="tag")]
    value: Any


@dataclass
class Holder:
    before: int
    tag: cbor.Tag | None = None
    after: list[cbor.Tag] | None = None


@pytest.mark.parametrize("number", [6, 23, 24, 255, 256, 65_535, 65_536, 2**32, 2**64 - 1])
@pytest.mark.parametrize("value", [None, 1, "a", b"b", [1, [2]], {"x": {"y": 2}}, 1.5])
def test_tags_come_back(number: int, value: Any) -> None:
    tag = cbor.Tag(number, value)
    data = cbor.encode(tag)
    assert cbor.decode(data, cbor.Tag) == tag
    assert cbor.decode(data) == {"tag": number, "value": value}
    assert cbor.decode(data, Own) == Own(number, value)
    assert cbor.encode(Own(number, value)) == data
    assert cbor.decode(cbor.encode(tag, deterministic=True), cbor.Tag) == tag
    assert cbor.decode(data, unknown_tags="ignore") == value
    assert cbor.Decoder(list[cbor.Tag]).decode(b"\x82" + data * 2) == [tag, tag]
    with pytest.raises(demat.Error, match="found tag"):
        cbor.decode(data, unknown_tags="refuse")
    for length in range(len(data)):
        with pytest.raises(demat.Error):
            cbor.decode(data[:length])
        with pytest.raises(demat.Error):
            cbor.decode(data[:length], cbor.Tag)


def test_a_type_of_the_value_ignores_the_tag() -> None:
    assert cbor.decode(URI, str) == "urn:a"
    assert cbor.decode(b"\xd9\x01\x02\x82\x01\x02", set[int]) == {1, 2}
    tagged = b"\xd8\x20\xa1\x61a\x01"
    assert cbor.decode(tagged, dict[str, int], unknown_tags="ignore") == {"a": 1}
    assert cbor.decode(tagged, dict[str, Any]) == {"tag": 32, "value": {"a": 1}}

    @dataclass
    class Point:
        a: int

    assert cbor.decode(tagged, Point) == Point(1)


def test_fields_and_items_have_tags() -> None:
    holder = Holder(1, cbor.Tag(32, "urn:a"), [cbor.Tag(6, [cbor.Tag(7, 1)]), cbor.Tag(1000, {})])
    data = cbor.encode([holder] * 3)
    assert URI in data
    read = [Holder(1, cbor.Tag(32, "urn:a"), [cbor.Tag(6, [{"tag": 7, "value": 1}]), cbor.Tag(1000, {})])] * 3
    assert cbor.decode(data, list[Holder]) == read
    assert list(cbor.read(io.BytesIO(data), Holder)) == read


@pytest.mark.parametrize("data", [URI, b"\x9f" + URI + b"\xc6\xa1\x61a" + URI + b"\xff", b"\xc6" * 20 + b"\x80"])
def test_a_copy_without_a_type_keeps_them(data: bytes) -> None:
    out = io.BytesIO()
    demat.copy(io.BytesIO(data), out, from_="cbor", to="cbor")
    assert out.getvalue() == data
    # Through another format with a type it is what it was, too.
    out = io.BytesIO()
    demat.copy(io.BytesIO(data), out, from_="cbor", to="json")
    assert json.decode(out.getvalue()) == cbor.decode(data)


def test_other_formats_write_records() -> None:
    tag = cbor.Tag(32, "a")
    assert json.decode(json.encode(tag), cbor.Tag) == tag
    assert msgpack.decode(msgpack.encode(tag), cbor.Tag) == tag
    assert b"<tag>32</tag><value>a</value>" in xml.encode(tag)


def test_a_hook_maps_a_class_to_one() -> None:
    hooks = {
        Fraction: Hook(
            wire=cbor.Tag,
            decode=lambda tag: Fraction(*tag.value),
            encode=lambda value: cbor.Tag(30, [value.numerator, value.denominator]),
        )
    }
    data = b"\xd8\x1e\x82\x01\x03"
    assert cbor.encode(Fraction(1, 3), hooks=hooks) == data
    assert cbor.decode(data, Fraction, hooks=hooks) == Fraction(1, 3)
    assert cbor.decode(b"\x81" + data, list[Fraction], hooks=hooks) == [Fraction(1, 3)]


@pytest.mark.parametrize("number", [0, 1, 2, 3, 4, 5, 25, 29, 37, 100, 1004])
def test_tags_with_a_type_are_no_tags(number: int) -> None:
    with pytest.raises(demat.EncodeError, match=f"found tag {number}, which"):
        cbor.encode(cbor.Tag(number, 1))


def test_wrong_tags() -> None:
    with pytest.raises(demat.ValidationError):
        cbor.decode(b"\xc1\x00", cbor.Tag)
    with pytest.raises(demat.ValidationError):
        cbor.decode(b"\x01", cbor.Tag)
    with pytest.raises(ValueError, match="`other` is no note for cbor; its notes are tag"):
        Field(cbor="other")
    with pytest.raises(demat.LimitError):
        cbor.decode(b"\xc6" * 2000 + b"\x01")

    @dataclass
    class Elsewhere:
        a: Annotated[int, Field(cbor="tag")]

    with pytest.raises(demat.Error, match="`tag` is for the first field of a record of `tag` and `value`"):
        cbor.encode(Elsewhere(1))
