"""Some fields of a class: the others are skipped and left unset."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Annotated, Any, NamedTuple, TypedDict

import attrs
import msgspec
import pydantic
import pytest
from demat import DecodeError, Field, ValidationError, configure, csv, json, ndjson


@dataclass(slots=True)
class Slots:
    a: int
    b: str
    c: int = 7


@dataclass
class Plain:
    a: int
    b: str
    c: int = 7


@attrs.define
class Attrs:
    a: int
    b: str
    c: int = 7


class Struct(msgspec.Struct):
    a: int
    b: str
    c: int = 7


ROWS = [{"a": 1, "b": "x", "c": 3}, {"c": 4, "b": "y", "a": 2}, {"a": 5, "b": 0, "more": [{}]}]
DATA = json.encode(ROWS)


@pytest.mark.parametrize("cls", [Slots, Plain, Attrs, Struct])
@pytest.mark.parametrize("recycle", [False, True])
def test_what_is_not_wanted_is_unset(cls: type[Any], recycle: bool) -> None:
    for names in (["a"], ("a",), {"a"}, iter(["a", "a"])):
        seen = []
        for record in json.read(DATA, cls, fields=names, recycle=recycle):
            assert type(record) is cls
            seen.append(record.a)
            with pytest.raises(AttributeError):
                _ = record.b
            if cls is Plain:
                assert record.c == 7
                assert "c" not in vars(record)
            else:
                with pytest.raises(AttributeError):
                    _ = record.c
        assert seen == [1, 2, 5]


@pytest.mark.parametrize("cls", [Slots, Plain, Attrs, Struct])
def test_what_is_wanted_has_its_default(cls: type[Any]) -> None:
    assert [(record.a, record.c) for record in json.read(DATA, cls, fields=["c", "a"])] == [(1, 3), (2, 4), (5, 7)]


def test_what_is_wanted_must_be_there_and_what_is_not_is_json_all_the_same() -> None:
    with pytest.raises(ValidationError, match="expected field `b`"):
        list(json.read(b'[{"a": 1}]', Slots, fields=["b"]))
    with pytest.raises(ValidationError) as raised:
        list(json.read(DATA, Slots, fields=["b"]))
    assert (raised.value.path, raised.value.record) == ("$[2].b", 3)
    with pytest.raises(DecodeError):
        list(json.read(b'[{"a": 1, "b": [1,]}]', Slots, fields=["a"]))


class Row(TypedDict):
    a: int
    b: str


def test_dicts_have_the_keys_that_are_wanted() -> None:
    assert list(json.read(DATA, Row, fields=["a"])) == [{"a": 1}, {"a": 2}, {"a": 5}]
    assert list(json.read(DATA, fields=["a", "more", "never"])) == [{"a": 1}, {"a": 2}, {"a": 5, "more": [{}]}]
    assert list(json.read(DATA, Any, fields=["c"])) == [{"c": 3}, {"c": 4}, {}]
    with pytest.raises(ValidationError, match="expected `dict`, found `int`"):
        list(json.read(b"[1]", fields=["a"]))


def test_other_formats_and_verbs() -> None:
    rows = [{"a": 1, "b": "x", "c": 3}, {"a": 2, "b": "y", "c": 4}]
    assert [row.c for row in ndjson.read(ndjson.encode(rows), Slots, fields=["c"])] == [3, 4]
    assert [row.c for row in csv.read(csv.encode(rows), Slots, fields=["c"])] == [3, 4]
    assert list(csv.read(csv.encode(rows), fields=["b"])) == [{"b": "x"}, {"b": "y"}]
    assert [row.a for row in json.decode(DATA, list[Slots], fields=["a"])] == [1, 2, 5]
    assert [row.a for row in json.Decoder(list[Slots], fields=["a"]).decode(DATA)] == [1, 2, 5]
    assert json.decode(b'{"a": 1, "b": 2}', fields=["a"]) == {"a": 1}


class Point(NamedTuple):
    x: int


class Model(pydantic.BaseModel):
    x: int


@dataclass
class Made:
    x: int

    def __init__(self, x: int) -> None:
        self.x = x


@pytest.mark.parametrize("cls", [Point, Model, Made])
def test_classes_that_make_their_instances_themselves_are_refused(cls: type[Any]) -> None:
    with pytest.raises(TypeError, match="makes its instances itself.*use a smaller class"):
        json.read(b"[]", cls, fields=["x"])


def test_names_that_are_no_fields() -> None:
    with pytest.raises(ValueError, match="`Slots` has no field 'd'; its fields are a, b, c"):
        json.read(b"[]", Slots, fields=["a", "d"])
    for fields in ("a", 3, [3], []):
        with pytest.raises(TypeError, match="fields is a list of the names of attributes"):
            json.read(b"[]", Slots, fields=fields)  # type: ignore[call-overload]
    for other in (int, dict[int, int], int | str):
        with pytest.raises(TypeError, match="`fields` wants a class with fields"):
            json.read(b"[]", other, fields=["a"])


def test_keys_of_dicts() -> None:
    assert list(json.read(b'[{"a": 1, "b": "x"}, {"b": 2}]', dict[str, int], fields=["a"])) == [{"a": 1}, {}]
    assert csv.decode("a,b\n1,x\n", list[dict[str, str]], fields=["b"]) == [{"b": "x"}]
    with pytest.raises(ValidationError, match=r'expected `int`, found `str` "x" at `\$.b`'):
        json.decode('{"a": 1, "b": "x"}', dict[str, int], fields=["b"])


@configure(unknown="forbid")
@dataclass
class Strict:
    a: int
    b: int = 0


@dataclass
class Keeps:
    a: int
    b: int = 0
    rest: Annotated[dict[str, Any], Field(rest=True)] = field(default_factory=dict)


def test_what_is_not_wanted_is_known() -> None:
    assert [vars(one) for one in json.read(b'[{"b": 2, "a": 1}]', Strict, fields=["a"])] == [{"a": 1}]
    with pytest.raises(ValidationError, match="unknown field `c`"):
        list(json.read(b'[{"a": 1, "c": 1}]', Strict, fields=["a"]))
    data = b'[{"b": 2, "x": 3, "a": 1}]'
    assert [vars(one) for one in json.read(data, Keeps, fields=["a"])] == [{"a": 1}]
    assert [vars(one) for one in json.read(data, Keeps, fields=["a", "rest"])] == [{"a": 1, "rest": {"x": 3}}]


def test_a_class_within_itself_is_whole_inside() -> None:
    @dataclass
    class Tree:
        name: str
        size: int
        parts: list[Tree] = field(default_factory=list)

    Tree.__annotations__["parts"] = list[Tree]
    (tree,) = json.read(b'[{"name": "a", "size": 1, "parts": [{"name": "b", "size": 2}]}]', Tree, fields=["parts"])
    assert not hasattr(tree, "name")
    assert tree.parts == [Tree("b", 2)]
