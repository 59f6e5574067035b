"""Random types, made on the fly, and values of them: records, unions, containers, constraints, within each other."""

import keyword
from collections import deque
from dataclasses import field, make_dataclass
from datetime import UTC, date, datetime, time, timedelta, timezone
from decimal import Decimal
from enum import Enum
from typing import Annotated, Any, Literal, NamedTuple, TypedDict
from uuid import UUID

import attrs
import demat
from demat import Field
from hypothesis import strategies as st


class Tree(NamedTuple):
    """A type, its values, and what stands in JSON for them: types that stand as one kind are not told apart."""

    type: Any
    values: st.SearchStrategy[Any]
    kind: str


FLOATS = st.floats(allow_nan=False, allow_infinity=False)
ZONES = st.just(UTC) | st.integers(-1439, 1439).map(lambda minutes: timezone(timedelta(minutes=minutes)))
DECIMALS = st.decimals(allow_nan=False, allow_infinity=False)


def unfolded(value: Any) -> Any:
    """Which of two equal hours of a night in autumn it was is nothing that text of ISO 8601 says."""
    return value.replace(fold=0)


SCALARS = [
    Tree(int, st.integers(), "int"),
    Tree(float, FLOATS, "float"),
    Tree(str, st.text(), "text"),
    Tree(bool, st.booleans(), "bool"),
    Tree(type(None), st.none(), "null"),
    Tree(bytes, st.binary(), "text"),
    Tree(Decimal, DECIMALS, "number"),
    Tree(date, st.dates(), "text"),
    Tree(time, st.times().map(unfolded), "text"),
    Tree(Annotated[datetime, Field(tz=False)], st.datetimes().map(unfolded), "text"),
    Tree(Annotated[datetime, Field(tz=True)], st.datetimes(timezones=ZONES).map(unfolded), "text"),
    Tree(timedelta, st.timedeltas(), "text"),
    Tree(UUID, st.uuids(), "text"),
    Tree(Literal["a", "b", 1], st.sampled_from(["a", "b", 1]), "any"),
    Tree(Annotated[int, Field(ge=-5, lt=100)], st.integers(-5, 99), "int"),
    Tree(Annotated[float, Field(gt=0)], st.floats(0, exclude_min=True, allow_infinity=False), "float"),
    Tree(Annotated[str, Field(min_length=1, max_length=5)], st.text(min_size=1, max_size=5), "text"),
    Tree(Annotated[int, Field(multiple_of=7)], st.integers().map(lambda number: number * 7), "int"),
]

NAMES = st.from_regex(r"[a-zé_][a-z0-9]{0,12}", fullmatch=True).filter(
    lambda name: not keyword.iskeyword(name) and not name.startswith("_")
)


ALL_INTS = st.integers()


@st.composite
def enums(draw: st.DrawFn, ints: st.SearchStrategy[int] = ALL_INTS) -> Tree:
    """Enums whose values are texts, such ints, or both."""
    names = draw(st.lists(NAMES.map(str.upper), min_size=1, max_size=4, unique=True))
    values = draw(st.lists(st.text() | ints, min_size=len(names), max_size=len(names), unique_by=repr))
    cls = Enum("Color", dict(zip([f"M{name}" for name in names], values, strict=True)))
    return Tree(cls, st.sampled_from(list(cls)), "any")


SCALAR = st.sampled_from(SCALARS) | enums()
# What may be in a set or be the key of a dict.
HASHED = SCALAR.filter(lambda tree: tree.type is not type(None))
KEYS = HASHED.filter(lambda tree: tree.type != Literal["a", "b", 1] and not isinstance(tree.type, type(Enum)))


def extended(inner: st.SearchStrategy[Tree]) -> st.SearchStrategy[Tree]:
    """Types that are made of others."""
    return st.one_of(
        inner.map(optional),
        inner.map(lambda item: Tree(list[item.type], st.lists(item.values, max_size=4), "list")),
        inner.map(lambda item: Tree(tuple[item.type, ...], st.lists(item.values, max_size=4).map(tuple), "list")),
        inner.map(lambda item: Tree(deque[item.type], st.lists(item.values, max_size=4).map(deque), "list")),
        HASHED.map(lambda item: Tree(set[item.type], st.sets(item.values, max_size=4), "list")),
        HASHED.map(lambda item: Tree(frozenset[item.type], st.frozensets(item.values, max_size=4), "list")),
        st.lists(inner, max_size=4).map(fixed),
        st.tuples(KEYS, inner).map(dictionary),
        records(inner),
        records(inner),
        unions(inner),
        tagged(inner),
    )


def optional(tree: Tree) -> Tree:
    return Tree(tree.type | None, st.none() | tree.values, "any")


def fixed(items: list[Tree]) -> Tree:
    tp = tuple[tuple(item.type for item in items)] if items else tuple[()]
    return Tree(tp, st.tuples(*(item.values for item in items)), "list")


def dictionary(pair: tuple[Tree, Tree]) -> Tree:
    key, value = pair
    return Tree(dict[key.type, value.type], st.dictionaries(key.values, value.values, max_size=4), "map")


def fields_of(draw: st.DrawFn, inner: st.SearchStrategy[Tree], least: int = 0) -> dict[str, Tree]:
    return draw(st.dictionaries(NAMES, inner, min_size=least, max_size=5))


@st.composite
def dataclasses(draw: st.DrawFn, inner: st.SearchStrategy[Tree], least: int = 0) -> tuple[type, dict[str, Tree]]:
    """A dataclass of any make, some of its fields with names of their own outside."""
    fields = fields_of(draw, inner, least)
    members: list[Any] = []
    for index, (name, tree) in enumerate(fields.items()):
        tp = tree.type
        if draw(st.integers(0, 4)) == 0:
            tp = Annotated[tp, Field(name=draw(st.sampled_from(["@", 'q"', "é", "\n"])) + str(index))]
        members.append((name, tp, field(default=None)) if tp is type(None) else (name, tp))
    options = {option: draw(st.booleans()) for option in ("slots", "frozen")}
    return make_dataclass("Made", members, kw_only=True, **options), fields


def built(cls: Any, fields: dict[str, Tree]) -> st.SearchStrategy[Any]:
    return st.fixed_dictionaries({name: tree.values for name, tree in fields.items()}).map(lambda given: cls(**given))


@st.composite
def records(draw: st.DrawFn, inner: st.SearchStrategy[Tree]) -> Tree:
    """A record of any kind of class."""
    kind = draw(st.sampled_from(["dataclass", "dataclass", "attrs", "named tuple", "typed dict"]))
    if kind == "dataclass":
        cls, fields = draw(dataclasses(inner))
        return Tree(cls, built(cls, fields), "map")
    fields = fields_of(draw, inner)
    types = {name: tree.type for name, tree in fields.items()}
    if kind == "attrs":
        made: Any = attrs.make_class(
            "Made", {name: attrs.field(type=tp) for name, tp in types.items()}, slots=draw(st.booleans())
        )
        return Tree(made, built(made, fields), "map")
    if kind == "named tuple":
        made = NamedTuple("Made", list(types.items()))
        return Tree(made, built(made, fields), "list")
    made = TypedDict("Made", types)
    return Tree(made, built(dict, fields), "map")


@st.composite
def unions(draw: st.DrawFn, inner: st.SearchStrategy[Tree]) -> Tree:
    """A union of types that stand as different kinds."""
    trees = {tree.kind: tree for tree in draw(st.lists(inner | SCALAR, min_size=1, max_size=4))}
    trees.pop("any", None)
    if "number" in trees:
        trees = {kind: tree for kind, tree in trees.items() if kind not in ("int", "float", "text")}
    if "float" in trees:
        trees.pop("int", None)
    if not trees:
        return Tree(int, st.integers(), "int")
    first, *others = trees.values()
    tp = first.type
    for other in others:
        tp = tp | other.type
    return Tree(tp, st.one_of(*(tree.values for tree in trees.values())), "any" if others else first.kind)


@st.composite
def tagged(draw: st.DrawFn, inner: st.SearchStrategy[Tree]) -> Tree:
    """A union of classes that a tag tells apart."""
    made = [draw(dataclasses(inner)) for _ in range(draw(st.integers(2, 3)))]
    values = []
    key = draw(st.sampled_from(["kind", "type of it", "@"]))
    for index, (cls, fields) in enumerate(made):
        demat.configure(cls, tag=key, tag_value=draw(st.sampled_from([f"tag{index}", f"é{index}"])))
        values.append(built(cls, fields))
    tp = made[0][0]
    for cls, _ in made[1:]:
        tp = tp | cls
    return Tree(tp, st.one_of(*values), "map")


TREES = st.recursive(SCALAR, extended, max_leaves=8)

# Fields that a cell can hold: an empty one is None, so that text which may be None is never empty.
CELL = SCALAR.filter(lambda tree: tree.type is not type(None))
CELLS = CELL | CELL.map(
    lambda tree: Tree(tree.type | None, st.none() | tree.values.filter(lambda value: value not in ("", b"")), "")
)


@st.composite
def with_values(draw: st.DrawFn) -> tuple[Any, Any]:
    """A type and a value of it."""
    tree = draw(TREES)
    return tree.type, draw(tree.values)


@st.composite
def flat_rows(draw: st.DrawFn) -> tuple[Any, list[Any]]:
    """A class whose fields are cells, and some rows."""
    # A row of one cell that is empty is an empty line, which can't be told from none.
    cls, fields = draw(dataclasses(CELLS, 2))
    return cls, draw(st.lists(built(cls, fields), max_size=4))
