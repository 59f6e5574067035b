"""Objects as columns, with no text in between: the same as by way of the text."""

from collections import namedtuple
from dataclasses import dataclass, field
from datetime import datetime
from decimal import Decimal
from typing import Any, Literal, NamedTuple, TypedDict

import demat
import polars as pl
import pyarrow as pa
import pytest
from demat import json
from every_column import TASKS as COLUMNED
from every_column import Owner
from every_column import Task as Columned


@dataclass
class Task(Columned):
    kind: Literal["a", "b"] = "a"
    rest: dict[str, int] = field(default_factory=dict)
    other: Any = None


_PLAIN, _FULL = (vars(task) for task in COLUMNED)
TASKS = [
    Task(**_PLAIN, other={"x": [1, None]}),
    Task(**_FULL, kind="b", rest={"a": 1}, other="text"),
]


@pytest.mark.parametrize("times", [1, 100, 5000])
def test_columns_of_objects_are_those_of_their_text(times):
    tasks = TASKS * times
    columns = demat.columns_of(tasks)
    assert columns.records(Task) == tasks
    table = pa.table(json.columns(json.encode(tasks), Task)).combine_chunks()
    # What has a default need not come in a text, and is nullable there.
    assert pa.table(columns).cast(table.schema).equals(table)
    assert demat.columns_of(tuple(tasks)).records(Task) == tasks
    assert demat.columns_of(iter(tasks), Task).records(Task) == tasks


def test_other_classes_are_records_too():
    class Point(NamedTuple):
        x: int
        y: float = 0.5

    class Row(TypedDict):
        x: int

    assert demat.columns_of([Point(1), Point(2, 3.0)]).records() == [{"x": 1, "y": 0.5}, {"x": 2, "y": 3.0}]
    assert demat.columns_of([{"x": 1}, {"x": 2}], Row).numpy("x").tolist() == [1, 2]
    untyped = namedtuple("untyped", "x")  # noqa: PYI024 - fields without types are what this is about
    assert demat.columns_of([untyped(1), untyped("a")]).records() == [{"x": 1}, {"x": "a"}]


def test_no_objects():
    assert len(demat.columns_of([], Task)) == 0
    assert demat.columns_of([], Owner).names == ("name", "age")
    with pytest.raises(ValueError, match="type="):
        demat.columns_of([])


def test_options():
    @dataclass
    class Price:
        price: Decimal
        at: datetime

    prices = [Price(Decimal("1.25"), datetime(2026, 1, 2))]
    schema = pa.table(demat.columns_of(prices, naive=True, decimals=(10, 2))).schema
    assert schema.field("price").type == pa.decimal128(10, 2)
    assert schema.field("at").type == pa.timestamp("us")
    with pytest.raises(demat.ValidationError, match=r"\$\[0\].at"):
        demat.columns_of(prices)
    with pytest.raises(demat.ValidationError, match=r"\$\[0\].price"):
        demat.columns_of(prices, naive=True, decimals=(10, 1))


def test_what_is_not_of_the_type_is_an_error_with_its_place():
    for objects, of in (([Owner("a"), Owner(5)], None), ([Owner("a"), Owner(5)], Owner)):
        with pytest.raises(demat.Error) as caught:
            demat.columns_of(objects, of)
        assert caught.value.path == "$[1].name"
    with pytest.raises(demat.Error, match=r"\$\[1\]"):
        demat.columns_of([Owner("a"), 5])
    with pytest.raises(demat.ValidationError, match=r"\$\[0\].age"):
        demat.columns_of([Owner("a", 1 << 70)])
    with pytest.raises(demat.Error):
        demat.columns_of([1, 2])
    with pytest.raises(TypeError):
        demat.columns_of(5)


def test_what_the_objects_raise_is_raised():
    def broken():
        yield Owner("a")
        raise RuntimeError("no more")

    with pytest.raises(RuntimeError, match="no more"):
        demat.columns_of(broken())


def test_columns_of_others_pass():
    frame = pl.DataFrame({"x": [1, 2]})
    assert demat.columns_of(frame).records() == [{"x": 1}, {"x": 2}]
    assert demat.columns_of(demat.columns_of([Owner("a")])).names == ("name", "age")


def test_the_schema_of_a_class_and_the_class_of_a_schema():
    schema = pa.schema(demat.schema(Task, to="arrow"))
    assert schema == pa.schema(demat.columns_of([], Task))
    defined = demat.define(schema, name="Task")
    # An enum's own name is nothing that columns know.
    assert demat.schema(defined, to="shape") == demat.schema(Task, to="shape").replace("enum Colour(", "enum(")
    # Others' columns, which know of no shapes, and those that are handed out once.
    assert demat.schema(demat.define(pl.DataFrame({"a": [1], "b": ["x"]})), to="shape") == "Record{a:int?, b:text?}"
    batches = pa.RecordBatchReader.from_batches(pa.schema([("n", pa.int32())]), [])
    assert demat.schema(demat.define(batches), to="shape") == "Record{n:int?}"
    with pytest.raises(demat.Error):
        demat.define(pa.schema([("a", pa.month_day_nano_interval())]))
    with pytest.raises(TypeError, match="record"):
        demat.schema(int, to="arrow")
