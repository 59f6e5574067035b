"""JSON Schema: valid by the metaschema, accepts what Demat would read, refuses what it would not."""

# What is tested is each way that a type can be written in.
# ruff: noqa: UP007, PYI061

import collections
import dataclasses
import datetime
import decimal
import enum
import uuid
from dataclasses import dataclass, field
from typing import Annotated, Any, Literal, NamedTuple, TypedDict, Union

import demat
import jsonschema
import pydantic
import pytest
from demat import Field, Hook, schema

Json = Union[None, bool, float, str, list["Json"], dict[str, "Json"]]


class Color(enum.Enum):
    """What it looks like."""

    RED = "red"
    BLUE = "blue"


class Rights(enum.IntFlag):
    READ = 1
    WRITE = 2


@dataclass
class Task:
    """Something to do.

    And more about it.
    """

    id: Annotated[int, Field(ge=0, name="ID")]
    title: Annotated[str, Field(min_length=1, pattern="^[a-z]", title="Title", description="In short", examples=["a"])]
    done: bool = False
    due: datetime.date | None = None
    tags: list[str] = field(default_factory=list)
    made: int = field(default=1, init=False)


@demat.configure(unknown="forbid")
@dataclass
class Strict:
    a: Annotated[int, Field(read=("a", "b"))]


@dataclass
class Keeps:
    a: int
    rest: Annotated[dict[str, int], Field(rest=True)]


@dataclass
class Tree:
    left: "Tree | None" = None
    json: Json = None


@dataclass
class Cat:
    lives: int


@demat.configure(unknown="forbid")
@dataclass
class Dog:
    legs: int


@demat.configure(tag="type")
@dataclass
class Base:
    pass


@dataclass
class Left(Base):
    x: int


@dataclass
class Right(Base):
    x: int


class Movie(TypedDict, total=False):
    kind: Literal["movie"]
    year: int


class Song(TypedDict):
    kind: Literal["song", "hymn"]


class Point(NamedTuple):
    x: int
    y: int = 0


@demat.configure(array_like=True)
@dataclass
class Array:
    x: int
    y: str = ""


@demat.configure(unknown="forbid")
@dataclass
class Exact(Array):
    pass


@demat.configure(array_like=True, tag="op")
@dataclass
class Get:
    key: int


@demat.configure(array_like=True, tag="op", tag_value="put")
@dataclass
class Put:
    value: list[Array] = field(default_factory=lambda: [Array(1)])


@demat.configure(array_like=True)
@dataclass
class Unknown:
    op: str
    count: int = 0


class Model(pydantic.BaseModel):
    a: int = pydantic.Field(alias="A", ge=3, description="of a")
    url: pydantic.HttpUrl | None = None


PETS = Annotated[Cat | Dog, Field(tag="kind")]
KINDS = Annotated[Movie | Song, Field(tag="kind")]

CASES: list[tuple[Any, list[Any], list[Any]]] = [
    (Any, [1, None, {"a": []}], []),
    (None, [None], [0, False]),
    (bool, [True], [1, None]),
    (int, [1, -5, 10**30], ["1", 1.5, True]),
    (float, [1, 1.5], ["1"]),
    (str, ["", "a"], [1]),
    (bytes, ["AAE="], [1]),
    (decimal.Decimal, [1.5, "1.50"], [None]),
    (datetime.datetime, ["2020-01-01T00:00:00Z"], [5]),
    (datetime.timedelta, ["P1D"], [5]),
    (uuid.UUID, ["12345678-1234-5678-1234-567812345678"], [5]),
    (Color, ["red"], ["green", 1]),
    (Rights, [3], ["READ"]),
    (Literal["a", 1, None], ["a", 1, None], ["b", 2]),
    (Literal["a"], ["a"], ["b"]),
    (int | None, [1, None], ["a"]),
    (int | str, [1, "a"], [None, []]),
    (list[int], [[], [1, 2]], [["a"], {}]),
    (set[int], [[1, 1]], [["a"]]),
    (tuple[int, str], [[1, "a"]], [[1], [1, "a", 2], ["a", 1]]),
    (tuple[()], [[]], [[1]]),
    (dict, [{"a": None}], [[]]),
    (dict[str, int], [{}, {"a": 1}], [{"a": "b"}]),
    (dict[int, str], [{"-1": "a", "0": "b"}], [{"x": "a"}, {"01": "a"}]),
    (dict[bool, int], [{"true": 1}], [{"True": 1}]),
    (dict[Color, int], [{"red": 1}], [{"green": 1}]),
    (dict[Literal["a", 1], int], [{"a": 1, "1": 2}], [{"b": 1}]),
    (dict[Annotated[str, Field(min_length=2)], int], [{"ab": 1}], [{"a": 1}]),
    (collections.Counter[str], [{"a": 1}], [{"a": "b"}]),
    (Annotated[int, Field(gt=1, lt=5, multiple_of=2)], [2, 4], [1, 5, 3]),
    (Annotated[int, Field(ge=decimal.Decimal("1"), le=decimal.Decimal("2.5"))], [1, 2], [0, 3]),
    (Annotated[float, Field(ge=float("-inf"), le=1)], [-1e300, 1], [1.5]),
    (Annotated[list[int], Field(min_length=1, max_length=2)], [[1]], [[], [1, 2, 3]]),
    (Annotated[dict[str, int], Field(max_length=1)], [{"a": 1}], [{"a": 1, "b": 2}]),
    (Annotated[bytes, Field(min_length=2, max_length=3)], ["AAA=", "AAAA"], ["", "AAAAAA=="]),
    (Annotated[datetime.date, Field(ge=datetime.date.min)], ["2020-01-01"], [1]),
    (
        Task,
        [{"ID": 1, "title": "a"}, {"ID": 1, "title": "a", "due": None, "x": 1}],
        [{"id": 1, "title": "a"}, {"ID": -1, "title": "a"}, {"ID": 1, "title": "A"}, {"ID": 1}, []],
    ),
    (Strict, [{"a": 1}, {"b": 1}], [{}, {"a": 1, "c": 1}]),
    (Keeps, [{"a": 1, "b": 2}], [{"a": 1, "b": "c"}]),
    (
        Tree,
        [{}, {"left": {"left": None}}, {"json": {"a": [1, "b", {"c": None}]}}],
        [{"left": {"left": 1}}],
    ),
    (PETS, [{"kind": "Cat", "lives": 9}, {"kind": "Dog", "legs": 4}], [{"lives": 9}, {"kind": "Dog", "lives": 9}]),
    (list[PETS | Cat], [[{"lives": 1}]], [[{"legs": 1}]]),
    (Left | Right, [{"type": "Left", "x": 1}], [{"x": 1}, {"type": "Base", "x": 1}]),
    (Left, [{"x": 1}, {"type": "Left", "x": 1}], [{"type": "Right", "x": 1}]),
    (KINDS, [{"kind": "movie"}, {"kind": "hymn"}], [{"kind": "book"}, {"kind": "movie", "year": "x"}]),
    (Point, [{"x": 1}, {"x": 1, "y": 2}, [1], [1, 2]], [{"y": 2}, [], [1, 2, 3], ["a"], 5]),
    (Model, [{"A": 3}, {"A": 3, "url": "x"}], [{"A": 2}, {"a": 3}]),
    (Annotated[complex, Hook(wire=list[float], decode=complex, encode=list)], [[1, 2]], ["1"]),
]


# A shape has no items that may be missing, as these have; so a server describes them otherwise.
ARRAYS: list[tuple[Any, list[Any], list[Any]]] = [
    (Array, [[1], [1, "a"], [1, "a", None]], [[], ["a"], [1, 2], {"x": 1}]),
    (Exact, [[1], [1, "a"]], [[], [1, "a", None]]),
    (Get | Put, [["Get", 1], ["put"]], [[1], ["Get"], ["Get", "a"], ["Put"]]),
    (
        Annotated[Get | Put | Unknown, Field(tag="op", other=Unknown)],
        [["Get", 1], ["put"], ["cut", 1], ["cut"]],
        [["Get", "a"], ["cut", "a"], [1], [], ["put", 1]],
    ),
    (Annotated[Array | Exact, Field(tag="kind")], [["Array", 1], ["Exact", 1, "a"]], [[1, "a"], ["A", 1], ["Array"]]),
]


@pytest.mark.parametrize(("tp", "good", "bad"), CASES + ARRAYS)
def test_it_accepts_what_is_of_the_type_and_nothing_else(tp, good, bad):
    made = schema(tp)
    jsonschema.Draft202012Validator.check_schema(made)
    validator = jsonschema.Draft202012Validator(made)
    for instance in good:
        validator.validate(instance)
    for instance in bad:
        assert not validator.is_valid(instance), instance


def test_a_class_with_all_that_is_said_of_it():
    assert schema(Task) == {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "$ref": "#/$defs/Task",
        "$defs": {
            "Task": {
                "title": "Task",
                "description": "Something to do.\n\nAnd more about it.",
                "type": "object",
                "properties": {
                    "ID": {"type": "integer", "minimum": 0},
                    "title": {
                        "type": "string",
                        "minLength": 1,
                        "pattern": "^[a-z]",
                        "title": "Title",
                        "description": "In short",
                        "examples": ["a"],
                    },
                    "done": {"type": "boolean", "default": False},
                    "due": {"anyOf": [{"type": "string", "format": "date"}, {"type": "null"}], "default": None},
                    "tags": {"type": "array", "items": {"type": "string"}, "default": []},
                    "made": {"type": "integer", "default": 1, "readOnly": True},
                },
                "required": ["ID", "title"],
            }
        },
    }


def test_docstrings_are_told_and_signatures_are_not():
    assert schema(Color)["description"] == "What it looks like."
    for cls in (Cat, Point):
        assert "description" not in schema(cls)["$defs"][cls.__name__]


def test_notes_on_what_is_no_field():
    item = Annotated[int, Field(title="Item", examples=[1, "no int", 2])]
    assert schema(list[item])["items"] == {"type": "integer", "title": "Item", "examples": [1, 2]}
    assert schema(Model)["$defs"]["Model"]["properties"]["A"] == {
        "type": "integer",
        "minimum": 3,
        "description": "of a",
    }


def test_classes_of_one_name_are_told_apart():
    def made(tp):
        return dataclasses.make_dataclass("Same", [("x", tp)])

    found = schema(tuple[made(int), made(str), list[made(bool)]])
    assert list(found["$defs"]) == ["Same", "Same_2", "Same_3"]
    assert found["prefixItems"][1] == {"$ref": "#/$defs/Same_2"}


def test_options_are_those_of_decoding():
    assert "iD" not in str(schema(Cat))
    assert list(schema(Cat, rename="upper")["$defs"]["Cat"]["properties"]) == ["LIVES"]
    assert schema(Cat, unknown="forbid")["$defs"]["Cat"]["additionalProperties"] is False
    assert schema(Cat, hooks={Cat: Hook(wire=int, decode=Cat)})["type"] == "integer"


def test_other_words_are_refused():
    with pytest.raises(ValueError, match="to='xml' is none of 'json-schema', 'shape', 'sql'"):
        schema(int, to="xml")  # type: ignore[call-overload]
