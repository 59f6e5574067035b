"""Random trees of types: each can be described, its schema is one, and its source defines the same."""

import collections
import dataclasses
import datetime
import decimal
import enum
import sys
import types
import uuid
from typing import Annotated, Any, Literal, NamedTuple, Union

import jsonschema
from alike import differences
from demat import Field, schema, source
from demat._describe import describe
from hypothesis import given, settings
from hypothesis import strategies as st


class Color(enum.Enum):
    RED = "red"
    BLUE = "blue"


class Point(NamedTuple):
    x: int
    y: float = 0.0


SCALARS = st.sampled_from(
    [
        bool, int, float, str, bytes, decimal.Decimal, datetime.date, datetime.datetime, datetime.time,
        datetime.timedelta, uuid.UUID, Any, Color, Point, Literal["a", 1], Annotated[int, Field(ge=0)],
        Annotated[str, Field(max_length=3)], Annotated[datetime.datetime, Field(tz=True)],
    ]
)  # fmt: skip
NAMES = st.lists(
    st.sampled_from(
        ["a", "b", "int", "list", "date", "datetime", "field", "Field", "Color", "x_y", "dataclass", "Any"]
    ),
    unique=True,
    min_size=1,
    max_size=5,
)
made = 0


def compound(types_: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    """Types of these types."""
    return st.one_of(
        types_.map(lambda tp: list[tp]),
        types_.map(lambda tp: tuple[tp, ...]),
        types_.map(lambda tp: collections.deque[tp]),
        types_.map(lambda tp: tp | None if tp is not Any else Any),
        types_.map(lambda tp: dict[str, tp]),
        st.lists(types_, max_size=3).map(lambda parts: tuple[tuple(parts)]),
        st.lists(types_, min_size=1, max_size=3).map(lambda parts: Union[tuple(parts)]),  # noqa: UP007
        types_.map(lambda tp: Annotated[list[tp], Field(min_length=1)]),
        classes(types_),
    )


@st.composite
def classes(draw: st.DrawFn, types_: st.SearchStrategy[Any]) -> Any:
    """Dataclasses with fields of these types."""
    global made
    made += 1
    fields = []
    for name in draw(NAMES):
        tp = draw(types_)
        if draw(st.booleans()):
            tp = Annotated[tp, Field(name=f"{name}!", number=None, title=draw(st.none() | st.just("title")))]
        default = draw(st.sampled_from([{}, {"default": None}, {"default_factory": list}]))
        fields.append((name, tp, dataclasses.field(kw_only=True, **default)))
    return dataclasses.make_dataclass(f"Made{made}", fields, slots=draw(st.booleans()), frozen=draw(st.booleans()))


@settings(max_examples=60, deadline=None)
@given(classes(st.recursive(SCALARS, compound, max_leaves=8)))
def test_any_tree_of_types(cls):
    description = describe(cls)
    jsonschema.Draft202012Validator.check_schema(schema(cls))
    text = source(cls)
    module = sys.modules["printed"] = types.ModuleType("printed")
    try:
        exec(compile(text, "printed.py", "exec", dont_inherit=True), vars(module))
        again = getattr(module, cls.__name__)
        assert differences(description, describe(again)) == []
        assert source(again) == text
    finally:
        del sys.modules["printed"]
