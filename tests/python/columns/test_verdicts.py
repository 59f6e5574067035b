"""Columns and copies accept exactly the values that `decode` accepts."""

import datetime
import enum
import functools
import io
import json as stdlib
from dataclasses import make_dataclass
from decimal import Decimal
from typing import Literal

import demat
import pyarrow
import pytest
from demat import json

TYPES = {"date": datetime.date, "time": datetime.time, "instant": datetime.datetime}
TEXTS = {
    "date": [
        "0000-01-01", "0001-01-01", "9999-12-31", "2023-02-29", "2024-02-29", "10000-01-01", "-001-01-01", "2024-1-1",
        "20240101", "",
    ],
    "time": ["00:00:00", "23:59:59.999999", "24:00:00", "23:59:60", "12:00", "12:00:00.5", "1:00:00", ""],
    "instant": [
        "0000-12-31T23:59:59Z", "0001-01-01T00:00:00Z", "9999-12-31T23:59:59Z", "2024-01-01T24:00:00Z",
        "2024-01-01T23:59:60Z", "2024-01-01t00:00:00z", "2024-01-01 00:00:00Z", "2024-01-01", "",
    ],
}  # fmt: skip


def accepts(run):
    try:
        run()
    except demat.Error:
        return False
    return True


def verdict(data, row, table):
    """Returns whether `decode` accepts the document, and checks that every other verb agrees."""
    verdicts = {
        "decode": accepts(lambda: json.decode(data, list[row])),
        "columns": accepts(lambda: json.columns(data, row)),
        "sqlite": accepts(lambda: demat.copy(data, table, row, from_="json")),
    }
    for to in ("json", "arrow", "parquet", "csv"):
        verdicts[to] = accepts(functools.partial(demat.copy, data, io.BytesIO(), row, from_="json", to=to))
    assert len(set(verdicts.values())) == 1, (data, verdicts)
    return verdicts["decode"]


@pytest.mark.parametrize("kind", TYPES)
def test_dates_and_times(kind, tmp_path):
    row = make_dataclass("Row", [("a", TYPES[kind])])
    seen = set()
    for text in TEXTS[kind]:
        seen.add(verdict(stdlib.dumps([{"a": text}]).encode(), row, f"{tmp_path}/all.db#t"))
    assert seen == {True, False}


def test_a_record_where_a_list_of_them_is_expected_is_refused():
    row = make_dataclass("Row", [("a", int)])
    for run in (
        lambda: json.decode(b'{"a":1}', list[row]),
        lambda: list(json.read(io.BytesIO(b'{"a":1}'), row)),
        lambda: json.columns(b'{"a":1}', row),
        lambda: json.columns(b'{"a":1}'),
        lambda: list(json.columns(b'{"a":1}', row, batch_size=10)),
        lambda: list(json.columns(io.BytesIO(b'{"a":1}'), row, batch_size=10)),
    ):
        with pytest.raises(demat.ValidationError, match="list"):
            run()


def test_a_shape_that_is_given_projects_and_one_that_is_inferred_refuses(tmp_path):
    data = b'{"a":1}\n{"a":2,"b":3}\n'
    out = io.BytesIO()
    demat.copy(data, out, "a: int", from_="ndjson", to="csv")
    assert out.getvalue() == b"a\n1\n2\n"
    for options in ({"type": "a: int, !"}, {"infer": True, "sample": 1}, {"sample": 1}):
        with pytest.raises(demat.ValidationError, match="`?b`?"):
            demat.copy(data, io.BytesIO(), from_="ndjson", to="csv", **options)


class Mixed(enum.Enum):
    NUMBER = 1
    TEXT = "é"


@pytest.mark.parametrize("type_", [Mixed | None, Literal[1, "a"] | None, Literal["a", 1] | None, list[Mixed | None]])
def test_null_is_one_of_the_values_where_it_may_be(type_):
    row = make_dataclass("Row", [("a", type_)])
    objects = [row([None] if type_ == list[Mixed | None] else None)]
    data = json.encode(objects)
    assert json.columns(data, row).records(row) == json.decode(data, list[row]) == objects
    required = make_dataclass("Row", [("a", Mixed)])
    for refused in (b'[{"a":null}]', b'[{"a":2}]'):
        with pytest.raises(demat.ValidationError):
            json.columns(refused, required)


def test_what_is_json_in_a_column_keeps_every_digit():
    one = make_tagged("one", Decimal)
    row = make_dataclass(
        "Row", [("a", one | make_tagged("two", int)), ("b", dict[str, one | make_tagged("three", int)])]
    )
    value = one(Decimal("0.0000074069728509864162"))
    objects = [row(value, {"": value})]
    columns = demat.columns_of(objects, row)
    for taken in (columns, pyarrow.table(columns)):
        assert json.decode(json.encode(taken), list[row]) == objects


def make_tagged(name, type_):
    cls = make_dataclass(name, [("value", type_)])
    demat.configure(cls, tag="kind", tag_value=name)
    return cls
