"""Tagged unions: by configuration, by annotation, by a field that is a Literal."""

# What is tested is each way that a type can be written in.
# ruff: noqa: UP007

import enum
from dataclasses import dataclass
from typing import Annotated, Any, Generic, Literal, NamedTuple, TypedDict, TypeVar, Union

import demat
import pytest
from asked import node, record
from demat import Field
from demat._describe import describe

T = TypeVar("T")


@demat.configure(tag="type")
@dataclass
class Shape:
    name: str


@dataclass
class Circle(Shape):
    r: float


@demat.configure(tag_value="sq")
@dataclass
class Square(Shape):
    side: float


@dataclass
class Small(Square):
    pass


@dataclass
class Cat:
    lives: int


@dataclass
class Dog:
    legs: int


@demat.configure(tag_value=3)
@dataclass
class Cow:
    spots: int


def variants(tp: Any) -> dict[Any, str]:
    """The name of each variant's record by what stands at the tag."""
    (_, _, found), records = describe(tp)
    return {name: records[part[1]]["name"] for name, part in found}


def test_configured_classes_make_a_tagged_union():
    assert node(Circle | Square)[:2] == ("union", "type")
    assert variants(Circle | Square | Small) == {"Circle": "Circle", "sq": "Square", "Small": "Small"}


def test_a_configured_class_is_tagged_by_itself_too():
    assert record(Circle)["tag"] == ("type", "Circle")
    assert record(Square)["tag"] == ("type", "sq")


def test_none_stands_outside():
    assert node(Circle | Square | None)[0] == "optional"
    assert node(Circle | Square | None)[1][:2] == ("union", "type")


def test_an_annotation_tags_any_classes():
    tp = Annotated[Cat | Dog | Cow, Field(tag="kind")]
    assert node(tp)[:2] == ("union", "kind")
    assert variants(tp) == {"Cat": "Cat", "Dog": "Dog", 3: "Cow"}
    assert record(Cat)["tag"] is None
    assert node(Annotated[Cat | Dog | None, Field(tag="kind")])[0] == "optional"


def test_an_annotation_of_one_class_is_a_union_of_one():
    assert variants(Annotated[Cat, Field(tag="kind")]) == {"Cat": "Cat"}


def test_tagged_classes_among_others_are_one_variant():
    tp = Union[int, Circle, Cat, Square, list[int]]
    _, tag, found = node(tp)
    assert tag is None
    assert [part[0] for _, part in found] == ["int", "union", "record", "list"]
    assert [name for name, _ in found[1][1][2]] == ["Circle", "sq"]


def test_a_tagged_union_in_another():
    inner = Annotated[Cat | Dog, Field(tag="kind")]
    assert variants(Annotated[inner | Cow, Field(tag="kind")]) == {"Cat": "Cat", "Dog": "Dog", 3: "Cow"}
    assert [part[0] for _, part in node(inner | int)[2]] == ["union", "int"]


class Kind(enum.StrEnum):
    ADD = "add"
    SUB = "sub"


@dataclass
class Number:
    op: Literal["num"]
    value: float


@dataclass
class Sum:
    op: Literal[Kind.ADD, Kind.SUB]
    left: "Expression"
    right: "Expression"


Expression = Annotated[Number | Sum, Field(tag="op")]


def test_a_literal_field_is_the_tag():
    assert variants(Expression) == {"num": "Number", "add": "Sum", "sub": "Sum"}
    _, records = describe(Expression)
    # The field says it, so nothing else has to.
    assert [record["tag"] for record in records] == [None, None]
    assert {field["name"] for field in records[0]["fields"]} >= {"op"}


@demat.configure(tag="kind", tag_value="b")
@dataclass
class Fixed:
    kind: Literal["a", "b"]


def test_a_configured_tag_may_be_a_literal_field():
    assert record(Fixed)["tag"] is None
    assert variants(Annotated[Fixed | Cat, Field(tag="kind")]) == {"a": "Fixed", "b": "Fixed", "Cat": "Cat"}


class Movie(TypedDict):
    kind: Literal["movie"]
    year: int


class Song(TypedDict):
    kind: Literal["song"]
    bars: int


class Untold(TypedDict):
    x: int


class Point(NamedTuple):
    x: int


def test_typed_dicts_are_told_by_a_field_of_theirs():
    assert variants(Annotated[Movie | Song | Point, Field(tag="kind")]) == {
        "movie": "Movie",
        "song": "Song",
        "Point": "Point",
    }


@dataclass
class Box(Generic[T]):
    value: T


@dataclass
class Collides:
    kind: str


@demat.configure(tag="kind")
@dataclass
class CollidesToo:
    x: Annotated[int, Field(read=("x", "kind"))]


@demat.configure(tag="kind", tag_value="c")
@dataclass
class NeverThat:
    kind: Literal["a", "b"]


@pytest.mark.parametrize(
    ("tp", "message"),
    [
        (Annotated[Box[int] | Box[str], Field(tag="k")], r"`Box\[int\]` and `Box\[str\]` both have the tag 'Box'"),
        (Annotated[Cat | int, Field(tag="k")], "`int` can't say what it is by the field `k`"),
        (Annotated[int, Field(tag="k")], "`tag='k'` is for unions of classes"),
        (Annotated[Cat | Circle, Field(tag="k")], "is tagged by `k`, and `Circle` by `type`"),
        (Annotated[Cat | Collides, Field(tag="kind")], "`Collides.kind` stands where the tag `kind` should"),
        (CollidesToo, "`CollidesToo.x` stands where the tag"),
        (NeverThat, "`NeverThat` is tagged 'c', and its field `kind` can't be that"),
        (
            Annotated[Movie | Untold, Field(tag="kind")],
            "`Untold` is a dict at run time.*give it a field `kind: Literal",
        ),
    ],
)
def test_what_can_not_be_told_apart_is_refused(tp, message):
    with pytest.raises(TypeError, match=message):
        node(tp)


def test_the_place_of_a_union_is_said():
    @dataclass
    class Holder:
        pets: list[Annotated[Cat | int, Field(tag="k")]]

    with pytest.raises(TypeError, match=r"`Holder.pets\[\]`: `int` can't say"):
        node(Holder)
