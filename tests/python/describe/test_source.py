"""`source`: what it prints defines classes of the same description."""

# What is tested is each way that a type can be written in, and defaults of each kind.
# ruff: noqa: E741, PYI061, RUF009

import collections
import copy
import datetime
import decimal
import enum
import functools
import sys
import types
import uuid
from dataclasses import dataclass, field
from typing import Annotated, Any, Generic, Literal, NamedTuple, NotRequired, TypedDict, TypeVar

import attrs
import demat
import msgspec
import pytest
import typing_extensions as te
from alike import differences
from demat import Field, Hook, source
from demat._describe import describe

T = TypeVar("T")
UTC = datetime.UTC


class Color(enum.Enum):
    RED = "red"
    BLUE = "blue"


class Size(enum.StrEnum):
    S = "s"
    L = "l l"


class Level(enum.IntEnum):
    LOW = 1


class Rights(enum.IntFlag):
    READ = 1
    WRITE = 2


class Old(str, enum.Enum):
    A = "a"


Odd = enum.Enum("Odd", [("with space", "x"), ("class", "y")])


@dataclass(frozen=True, slots=True)
class Point:
    x: int
    y: int = 0


@dataclass
class Scalars:
    """All kinds of values.

    With a "quoted" word, a back\\slash and three \"\"\".
    """

    a: bool
    b: int | None
    c: float
    d: str | int
    e: bytes
    f: bytearray
    g: memoryview
    h: decimal.Decimal
    i: Annotated[datetime.datetime, Field(tz=True)]
    j: datetime.date
    k: Annotated[datetime.time | None, Field(tz=False)]
    l: datetime.timedelta
    m: uuid.UUID
    n: Any
    o: None
    p: Color
    q: Size
    r: Level
    s: Rights
    t: Old
    u: Odd
    v: Literal["a", 1, True, None]
    w: Literal[Color.RED]


@dataclass
class Containers:
    a: list[int]
    b: tuple[int, ...]
    c: tuple[int, str]
    d: tuple[()]
    e: set[Annotated[int, Field(ge=0)]]
    f: frozenset[str]
    g: collections.deque[int]
    h: dict[str, list[Point | None]]
    i: collections.OrderedDict[int, int]
    j: collections.defaultdict[str, int]
    k: collections.Counter[str]
    l: list
    m: dict


@dataclass
class Defaults:
    a: float = float("inf")
    b: bytes = b"\x00"
    c: decimal.Decimal = decimal.Decimal("1.50")
    d: datetime.datetime = datetime.datetime(2020, 1, 2, tzinfo=UTC)
    e: datetime.timedelta = datetime.timedelta(days=1, microseconds=1)
    f: uuid.UUID = uuid.UUID(int=1)
    g: Color = Color.BLUE
    h: Rights = Rights.READ | Rights.WRITE
    i: tuple[int, ...] = (1,)
    j: Point = Point(1, 2)
    k: frozenset[int] = frozenset([1])
    l: list[int] = field(default_factory=list)
    m: collections.Counter[str] = field(default_factory=collections.Counter)
    n: list[Any] = field(default_factory=functools.partial(copy.deepcopy, [1, {"a": {2}}]))
    o: Any = datetime.time(1, 2, tzinfo=datetime.timezone(datetime.timedelta(hours=1)))
    p: Odd = Odd["with space"]
    q: tuple[Any, ...] = ()


@demat.configure(rename="camel", unknown="forbid", tag="type", tag_value="f", omit_default=True, gc=False)
@dataclass(kw_only=True, order=True)
class Fields:
    due_date: Annotated[int, Field(number=7, ge=1, le=9, multiple_of=2, title="T", description="D", examples=[1])]
    b: Annotated[str, Field(name="B", pattern="^a\\d", max_length=3)] = "a"
    c: Annotated[int, Field(read=("c", "C"), write="see")] = 0
    d: int = field(default=3, init=False)
    e: int = field(init=False)


@dataclass
class Keeps:
    a: int
    rest: Annotated[dict[str, Any], Field(rest=True)]


@dataclass
class Tree:
    left: "Tree | None"
    leaf: "Leaf"


@dataclass
class Leaf:
    tree: Tree | None
    trees: list[Tree] = field(default_factory=list)


@dataclass
class Cat:
    lives: int


@demat.configure(tag_value="dog")
@dataclass
class Dog:
    legs: int


@demat.configure(tag="t")
@dataclass
class One:
    a: int


@demat.configure(tag="t", tag_value=2)
@dataclass
class Two:
    a: int


@dataclass
class Unions:
    a: Annotated[Cat | Dog | None, Field(tag="kind")]
    b: One | Two | int
    c: Cat | One


class Row(NamedTuple):
    """A row."""

    a: int
    b: Annotated[str, Field(name="B")] = "x"


class Movie(TypedDict):
    year: int
    name: NotRequired[str]
    score: Annotated[NotRequired[int], Field(default=3)]


Dashed = demat.configure(TypedDict("Dashed", {"a-b": int, "class": "NotRequired[Movie]"}), unknown="forbid")


@dataclass
class Others:
    row: Row
    movie: Movie
    dashed: Dashed


@dataclass
class Page(Generic[T]):
    items: list[T]


@dataclass
class Pages:
    a: Page[int]
    b: Page[str]


@attrs.define
class Attrs:
    a: int
    b: "list[int]" = attrs.field(factory=list)


class Struct(msgspec.Struct, rename="camel", forbid_unknown_fields=True, omit_defaults=True):
    due_date: int
    tags: list[str] = []


@dataclass
class Shadows:
    int: "int" = 3
    list: "list[int]" = field(default_factory=list)
    datetime: "datetime.date | None" = None
    date: "datetime.date | None" = None
    field: "str" = ""
    Field: "Annotated[str, demat.Field(min_length=0)]" = ""
    Point: "Point | None" = None
    other: "Point | None" = None


@dataclass
class Empty:
    pass


Json = te.TypeAliasType("Json", "None | bool | str | list[Json] | dict[str, Json]")
Deep = te.TypeAliasType("Deep", "list[Deep]")


@dataclass
class Aliases:
    a: Json
    b: list[Json | int]
    c: Deep
    d: "Inner"


@dataclass
class Inner:
    e: Json = None


@pytest.mark.parametrize(
    "cls",
    [
        Scalars, Containers, Defaults, Fields, Keeps, Tree, Unions, Row, Movie, Dashed, Others, Page[int], Pages, Attrs,
        Struct, Shadows, Empty, Aliases, Point,
    ],
)  # fmt: skip
def test_what_it_prints_defines_the_same(cls):
    text = source(cls)
    module = sys.modules["printed"] = types.ModuleType("printed")
    try:
        exec(compile(text, "printed.py", "exec", dont_inherit=True), vars(module))
        name = getattr(cls, "__origin__", cls).__name__
        made = getattr(module, name)
        assert differences(describe(cls), describe(made)) == []
        # And of what was printed the same is printed.
        assert source(made) == text.replace(f"class {name}[", f"class {name}")
    finally:
        del sys.modules["printed"]


def test_options_of_dataclasses_stay():
    text = source(Point)
    assert "@dataclass(frozen=True, slots=True)" in text
    assert "@dataclass(order=True, kw_only=True)" in source(Fields)


def test_schemas_stay():
    text = source(Fields)
    module = sys.modules["printed"] = types.ModuleType("printed")
    try:
        exec(text, vars(module))
        assert demat.schema(module.Fields) == demat.schema(Fields)
    finally:
        del sys.modules["printed"]


def test_how_it_looks():
    assert source(Tree) == (
        "from dataclasses import dataclass, field\n"
        "\n\n"
        "@dataclass\n"
        "class Leaf:\n"
        "    tree: 'Tree | None'\n"
        "    trees: 'list[Tree]' = field(default_factory=list)\n"
        "\n\n"
        "@dataclass\n"
        "class Tree:\n"
        "    left: 'Tree | None'\n"
        "    leaf: Leaf\n"
    )


@dataclass
class Lambda:
    a: int = field(default_factory=lambda: 1)


@dataclass
class PostInit:
    a: int

    def __post_init__(self) -> None: ...


@dataclass
class Written:
    a: int

    def __init__(self, a: int) -> None: ...


class Tags(list[int]): ...


class Index(dict[str, int]): ...


@dataclass
class HasTags:
    tags: Tags


@dataclass
class HasIndex:
    index: Index


@dataclass
class Hooked:
    a: Annotated[int, Hook(decode=int, encode=str)]


@dataclass
class Strange:
    a: Any = object()


@dataclass
class StrangeMember:
    a: Any = Color.RED


@dataclass
class TwoTags:
    a: Annotated[Cat | One, Field(tag="t")]
    b: Annotated[Cat | Point, Field(tag="u")]


@pytest.mark.parametrize(
    ("cls", "message"),
    [
        (Lambda, "a factory can't be written as source"),
        (PostInit, "`PostInit` can't be written as source: it has a `__post_init__`"),
        (Written, "it has a say in how its instances are made"),
        (HasTags, "`Tags` can't be written as source: it is a list with a class of its own"),
        (HasIndex, "`Index` can't be written as source: it is a dict"),
        (Hooked, "a hook can't be written as source"),
        (Strange, "a default that is a object can't be written"),
        (StrangeMember, "nothing there is of its class"),
        (list[int], "source is for classes with fields, and a list is none"),
    ],
)
def test_what_source_can_not_say_is_refused(cls, message):
    with pytest.raises(TypeError, match=message):
        source(cls)
