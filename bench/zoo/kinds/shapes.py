"""Kinds of structure: what is absent, wide, nested, listed, keyed or tagged."""

from dataclasses import dataclass, field, make_dataclass
from typing import Any, Literal

from typing_extensions import TypedDict

from zoo.kind import kind
from zoo.seeded import Seeded


@dataclass(slots=True)
class Flags:
    """Bools, and values that may be None."""

    a: bool
    b: bool
    c: bool
    count: int | None
    ratio: float | None
    name: str | None


@kind("bools", Flags)
def bools(seed: Seeded, number: int) -> Flags:
    """Half of the optional values are None."""
    bits = seed.word()
    return Flags(
        bool(bits & 1),
        bool(bits & 2),
        bool(bits & 4),
        number if bits & 8 else None,
        seed.below(1000) / 8 if bits & 16 else None,
        seed.text(8) if bits & 32 else None,
    )


OPTIONAL: list[tuple[str, Any]] = [
    ("int", int | None),
    ("float", float | None),
    ("text", str | None),
    ("bool", bool | None),
]
Optional16 = make_dataclass(
    "Optional16",
    [("id", int), *((f"{name}_{i}", kind_, None) for i in range(4) for name, kind_ in OPTIONAL)],
    slots=True,
    namespace={"__module__": __name__},
)
Optional16.__doc__ = "A number, and 16 fields that may be None."


def optional(seed: Seeded, number: int, one_in: int) -> Any:
    """A record in which one field of so many has a value."""
    values: list[Any] = []
    for _ in range(4):
        for make in (seed.integer, seed.real, lambda: seed.text(10), lambda: bool(seed.below(2))):
            values.append(make() if seed.below(one_in) == 0 else None)
    return Optional16(number, *values)


@kind("mostly-null", Optional16)
def mostly_null(seed: Seeded, number: int) -> Any:
    """Nine fields of ten are null."""
    return optional(seed, number, 10)


@kind("sparse", Optional16, spelling="sparse")
def sparse(seed: Seeded, number: int) -> Any:
    """Nine fields of ten are absent."""
    return optional(seed, number, 10)


SCALARS: tuple[type, ...] = (int, str, float, bool, int, str)
Wide = make_dataclass(
    "Wide", [(f"field_{i:02}", SCALARS[i % 6]) for i in range(30)], slots=True, namespace={"__module__": __name__}
)
Wide.__doc__ = "30 fields."


def scalars(seed: Seeded, count: int) -> list[Any]:
    """Values of the types above, in turn."""
    makers = (
        lambda: seed.below(100_000),
        lambda: seed.text(seed.between(4, 12)),
        lambda: seed.below(100_000) / 64,
        lambda: bool(seed.below(2)),
        seed.integer,
        lambda: seed.text(6),
    )
    return [makers[i % 6]() for i in range(count)]


@kind("wide-ordered", Wide)
def wide_ordered(seed: Seeded, number: int) -> Any:
    """Keys in the order of the class."""
    return Wide(*scalars(seed, 30))


@kind("wide-shuffled", Wide, spelling="shuffled")
def wide_shuffled(seed: Seeded, number: int) -> Any:
    """Keys in another order in each record."""
    return Wide(*scalars(seed, 30))


@dataclass(slots=True)
class Point:
    """Where."""

    lat: float
    lon: float


@dataclass(slots=True)
class Address:
    """Three levels down."""

    street: str
    number: int
    point: Point


@dataclass(slots=True)
class Person:
    """Two levels down."""

    name: str
    age: int
    address: Address


@dataclass(slots=True)
class Parcel:
    """Four levels."""

    id: int
    sender: Person
    receiver: Person


@kind("nested", Parcel)
def nested(seed: Seeded, number: int) -> Parcel:
    """Records within records within records."""

    def person() -> Person:
        point = Point(seed.below(180_000) / 1024, seed.below(360_000) / 1024)
        return Person(seed.text(12), seed.below(100), Address(seed.text(16), seed.below(300), point))

    return Parcel(number, person(), person())


@dataclass(slots=True)
class Link:
    """A linked list."""

    value: int
    next: "Link | None" = None


@kind("deep", Link)
def deep(seed: Seeded, number: int) -> Link:
    """50 levels."""
    link = Link(number)
    for _ in range(49):
        link = Link(seed.below(100_000), link)
    return link


@dataclass(slots=True)
class IntList:
    """A list of ints."""

    id: int
    values: list[int]


@kind("int-lists", IntList)
def int_lists(seed: Seeded, number: int) -> IntList:
    """10 to 50 of them."""
    return IntList(number, [seed.below(1 << seed.between(4, 40)) for _ in range(seed.between(10, 50))])


@dataclass(slots=True)
class FloatList:
    """A list of floats."""

    id: int
    values: list[float]


@kind("float-lists", FloatList)
def float_lists(seed: Seeded, number: int) -> FloatList:
    """10 to 50 of them, as coordinates and vectors have."""
    return FloatList(number, [seed.real() for _ in range(seed.between(10, 50))])


@dataclass(slots=True)
class TextList:
    """A list of texts."""

    id: int
    values: list[str]


@kind("text-lists", TextList)
def text_lists(seed: Seeded, number: int) -> TextList:
    """5 to 20 short ones."""
    return TextList(number, [seed.text(seed.between(3, 15)) for _ in range(seed.between(5, 20))])


@dataclass(slots=True)
class Counts:
    """A dict."""

    id: int
    counts: dict[str, int] = field(default_factory=dict)


@kind("dicts", Counts)
def dicts(seed: Seeded, number: int) -> Counts:
    """5 to 20 keys that no class knows."""
    return Counts(number, {seed.text(seed.between(4, 12)): seed.below(10_000) for _ in range(seed.between(5, 20))})


@dataclass(slots=True)
class Circle:
    """One member of the union."""

    radius: float
    label: str
    kind: Literal["circle"] = "circle"


@dataclass(slots=True)
class Square:
    """Another."""

    side: int
    kind: Literal["square"] = "square"


@dataclass(slots=True)
class Route:
    """A third, with a list."""

    points: list[int]
    closed: bool
    kind: Literal["route"] = "route"


@kind("unions", Circle | Square | Route, spelling="tag-first")
def unions(seed: Seeded, number: int) -> Circle | Square | Route:
    """The tag stands first."""
    match seed.below(3):
        case 0:
            return Circle(seed.below(10_000) / 16, seed.text(10))
        case 1:
            return Square(seed.below(10_000))
        case _:
            return Route([seed.below(1000) for _ in range(seed.between(2, 8))], bool(seed.below(2)))


class Person3(TypedDict):
    """A dict with known keys."""

    id: int
    name: str
    score: float


@kind("typed-dicts", Person3)
def typed_dicts(seed: Seeded, number: int) -> Person3:
    """The result is a plain dict."""
    return {"id": number, "name": seed.text(seed.between(6, 14)), "score": seed.below(100_000) / 128}


@kind("pretty", Parcel, spelling="pretty")
def pretty(seed: Seeded, number: int) -> Parcel:
    """The nested records, indented by two spaces."""
    return nested(seed, number)
