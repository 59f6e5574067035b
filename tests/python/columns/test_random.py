"""Columns of random shapes hold the same values as objects, whichever library makes, accepts or returns them."""

from datetime import date, datetime, time, timedelta
from decimal import Decimal
from typing import Annotated, Any, Literal
from uuid import UUID

import demat
import duckdb
import formats
import polars as pl
import pyarrow as pa
from demat import Field, csv, json
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from trees import (
    DECIMALS,
    FLOATS,
    ZONES,
    Tree,
    built,
    dataclasses,
    dictionary,
    enums,
    fixed,
    optional,
    records,
    tagged,
    unfolded,
)

INTS = st.integers(-(1 << 63), (1 << 63) - 1)
LONG = timedelta(days=100_000_000)
# What has a column: ints and durations that fit 64 bits, datetimes of one sort.
SCALARS = [
    Tree(int, INTS, "int"),
    Tree(float, FLOATS, "float"),
    Tree(str, st.text(), "text"),
    Tree(bool, st.booleans(), "bool"),
    Tree(bytes, st.binary(), "text"),
    Tree(Decimal, DECIMALS, "number"),
    Tree(date, st.dates(), "text"),
    Tree(time, st.times().map(unfolded), "text"),
    Tree(Annotated[datetime, Field(tz=True)], st.datetimes(timezones=ZONES).map(unfolded), "text"),
    Tree(timedelta, st.timedeltas(-LONG, LONG), "text"),
    Tree(UUID, st.uuids(), "text"),
    Tree(Literal["a", "b"], st.sampled_from(["a", "b"]), "any"),
    Tree(Any, st.none() | st.booleans() | INTS | st.text() | st.lists(INTS), "any"),
]
SCALAR = st.sampled_from(SCALARS) | enums(INTS)
TEXT = Tree(str, st.text(), "text")


def extended(inner: st.SearchStrategy[Tree]) -> st.SearchStrategy[Tree]:
    """Types that are made of others."""
    return st.one_of(
        inner.map(optional),
        inner.map(lambda item: Tree(list[item.type], st.lists(item.values, max_size=4), "list")),
        inner.map(lambda item: Tree(tuple[item.type, ...], st.lists(item.values, max_size=4).map(tuple), "list")),
        st.lists(inner, max_size=4).map(fixed),
        inner.map(lambda value: dictionary((TEXT, value))),
        records(inner),
        records(inner),
        tagged(inner),
    )


TREES = st.recursive(SCALAR, extended, max_leaves=8)
# A cell does not say whether it is a text or a number.
CELLS = st.sampled_from([tree for tree in SCALARS if tree.type is not Any])
SLOW = settings(
    deadline=None, max_examples=60, suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large]
)


@st.composite
def rows(draw: st.DrawFn, trees: st.SearchStrategy[Tree] = TREES, least: int = 1) -> tuple[Any, list[Any]]:
    """A class, and objects of it."""
    cls, fields = draw(dataclasses(trees, least))
    return cls, draw(st.lists(built(cls, fields), max_size=6))


@SLOW
@given(rows(), st.integers(1, 4), st.integers(1, 50))
def test_columns_hold_what_objects_would(made: tuple[Any, list[Any]], batch: int, chunk: int) -> None:
    cls, objects = made
    # Messages have no unions but of classes, and no lists of lists.
    for module in formats.modules(nested=True, typed=False):
        data = module.encode(objects)
        assert module.columns(data, cls).records(cls) == objects
        chunks = (data[at : at + chunk] for at in range(0, len(data), chunk))
        stream = module.columns(chunks, cls, batch_size=batch)
        assert [one for columns in stream for one in columns.records(cls)] == objects
    assert demat.columns_of(objects, cls).records(cls) == objects


@SLOW
@given(rows(CELLS, 2))
def test_columns_of_cells_hold_what_objects_would(made: tuple[Any, list[Any]]) -> None:
    cls, objects = made
    data = csv.encode(objects, type=list[cls])
    assert csv.columns(data, cls).records(cls) == csv.decode(data, list[cls])


@SLOW
@given(rows())
def test_what_other_libraries_take_and_give_back(made: tuple[Any, list[Any]]) -> None:
    cls, objects = made
    columns = demat.columns_of(objects, cls)
    table = pa.table(columns)
    assert table.num_rows == len(objects)
    assert demat.columns_of(table).records(cls) == objects
    assert json.decode(json.encode(table), list[cls]) == json.decode(json.encode(columns), list[cls]) == objects


FLAT = [tree for tree in SCALARS if tree.type in (int, float, str, bool, date)]
FLAT_ROWS = rows(st.sampled_from(FLAT) | st.sampled_from(FLAT).map(optional))


@SLOW
@given(FLAT_ROWS)
def test_polars_gives_back_what_it_took(made: tuple[Any, list[Any]]) -> None:
    cls, objects = made
    frame = pl.DataFrame(demat.columns_of(objects, cls))
    assert frame.height == len(objects)
    assert demat.columns_of(frame).records(cls) == objects
    assert json.decode(json.encode(frame), list[cls]) == objects


@SLOW
@given(FLAT_ROWS)
def test_duckdb_gives_back_what_it_took(made: tuple[Any, list[Any]]) -> None:
    cls, objects = made
    columns = demat.columns_of(objects, cls)
    connection = duckdb.connect()
    connection.register("taken", pa.table(columns))
    # It lowers the case of no name, and takes those that differ by case for one.
    if len({name.lower() for name in columns.names}) == len(columns.names):
        assert demat.columns_of(connection.sql("from taken").to_arrow_table()).records(cls) == objects
