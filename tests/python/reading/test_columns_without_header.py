"""Tables without a header: columns are the fields in order, whichever of them are asked for."""

from __future__ import annotations

import io
import itertools
from dataclasses import dataclass, field
from typing import Annotated, Any

import demat
import pytest
from demat import csv, json

DATA = b"1,one,true\n2,two,false\n3,three,true\n"
ROWS = [
    {"id": 1, "title": "one", "done": True},
    {"id": 2, "title": "two", "done": False},
    {"id": 3, "title": "three", "done": True},
]


@dataclass
class Task:
    id: int
    title: str
    done: bool


@dataclass
class Strict:
    id: int
    title: str
    done: bool


demat.configure(Strict, unknown="forbid")

CHOICES = [list(names) for size in (1, 2, 3) for names in itertools.permutations(("id", "title", "done"), size)]


def chosen(names: list[str]) -> list[dict[str, Any]]:
    return [{name: row[name] for name in names} for row in ROWS]


def copied(type: Any, **options: Any) -> Any:
    file = io.BytesIO()
    demat.copy(DATA, file, type, from_="csv", to="json", read={"header": False}, **options)
    return json.decode(file.getvalue())


@pytest.mark.parametrize("names", CHOICES, ids=",".join)
def test_some_fields(names: list[str]) -> None:
    rows = chosen(names)
    assert copied(Task, fields=names) == rows
    assert copied("id: int, title: text, done: bool", fields=names) == rows
    assert csv.columns(DATA, Task, header=False, fields=names).records() == rows
    for type in (Task, Strict):
        given = [
            {name: getattr(task, name) for name in names} for task in csv.read(DATA, type, header=False, fields=names)
        ]
        assert given == rows
        decoded = csv.decode(DATA, list[type], header=False, fields=names)  # type: ignore[valid-type]
        assert [{name: getattr(task, name) for name in names} for task in decoded] == rows


@pytest.mark.parametrize(
    ("where", "ids"),
    [("title = 'two'", [2]), ("done", [1, 3]), ("done and id > 1", [3]), ("title like 't%' and not done", [2])],
)
@pytest.mark.parametrize("names", [None, ["id"], ["title", "id"]])
def test_conditions(where: str, ids: list[int], names: list[str] | None) -> None:
    rows = [row for row in chosen(names or ["id", "title", "done"]) if row["id"] in ids]
    assert copied(Task, where=where, fields=names) == rows
    assert copied("id: int, title: text, done: bool", where=where, fields=names) == rows


@dataclass
class Counted:
    id: int
    seen: int = field(default=7, init=False)
    title: str = ""


def test_a_field_that_is_not_given_has_its_column() -> None:
    values = [Counted(1, "one"), Counted(2, "two")]
    data = csv.encode(values, header=False)
    assert data == b"1,7,one\n2,7,two\n"
    assert csv.decode(data, list[Counted], header=False) == values
    assert [one.title for one in csv.read(data, Counted, header=False, fields=["title"])] == ["one", "two"]


@dataclass
class Kept:
    id: int
    more: Annotated[dict[str, Any], demat.Field(rest=True)] = field(default_factory=dict)
    title: str = ""


def test_the_field_for_unknown_ones_has_no_column() -> None:
    whole = csv.decode(b"1,one\n2,two\n", list[Kept], header=False)
    assert [(one.id, one.title, one.more) for one in whole] == [(1, "one", {}), (2, "two", {})]
    some = csv.decode(b"1,one\n2,two\n", list[Kept], header=False, fields=["title"])
    assert [one.title for one in some] == ["one", "two"]


def test_dicts_have_the_numbers_of_the_columns() -> None:
    assert csv.decode(DATA, list[dict[str, str]], header=False, fields=["2"]) == [
        {"2": "one"},
        {"2": "two"},
        {"2": "three"},
    ]
