"""The description of a server says of values what their class demands, as `demat.schema` does of the class."""

from __future__ import annotations

import enum
from dataclasses import dataclass, field
from datetime import date, datetime, time, timedelta
from decimal import Decimal
from typing import TYPE_CHECKING, Annotated, Any
from uuid import UUID

import demat
import jsonschema
import pytest
from demat import Field
from requested import ask

if TYPE_CHECKING:
    from pathlib import Path


class Color(enum.Enum):
    RED = "red"
    BLUE = "blue"


@dataclass
class Inner:
    a: Annotated[int, Field(gt=3)]


@dataclass
class Everything:
    title: Annotated[str, Field(min_length=1, max_length=220, pattern='^[a-z" ]+$')]
    count: Annotated[int, Field(ge=0, le=99)]
    share: Annotated[float, Field(gt=-0.5, lt=1.5)]
    even: Annotated[int | None, Field(multiple_of=2, ge=-10)]
    raw: Annotated[bytes, Field(min_length=1, max_length=4)]
    price: Annotated[Decimal, Field(ge=Decimal("0.5"))]
    tags: Annotated[list[str], Field(min_length=1, max_length=3)]
    names: Annotated[dict[str, int], Field(max_length=2)]
    color: Color
    inner: Inner
    day: Annotated[date | None, Field(ge=date(2020, 1, 1))] = None
    at: datetime | None = None
    hour: time | None = None
    long: timedelta | None = None
    by: UUID | None = None
    more: list[Inner] = field(default_factory=list)


GOOD: dict[str, Any] = {
    "title": "a b", "count": 5, "share": 0.5, "even": -4, "raw": "AAE=", "price": 1.5, "tags": ["x"], "names": {},
    "color": "red", "inner": {"a": 4}, "day": "2026-01-02",
}  # fmt: skip
BAD: list[tuple[str, Any]] = [
    ("title", ""), ("title", "A"), ("title", "a" * 221), ("count", -1), ("count", 100), ("share", -0.5),
    ("share", 1.5), ("even", 3), ("even", -12), ("raw", ""), ("raw", "AAAAAAAAAAAA"), ("price", 0.25),
    ("tags", []), ("tags", ["x"] * 4), ("names", {"a": 1, "b": 2, "c": 3}), ("color", "green"), ("inner", {"a": 3}),
]  # fmt: skip


def of_objects() -> dict[str, Any]:
    with demat.serve({"/all": ([], Everything)}, port=0, background=True) as server:
        document: dict[str, Any] = ask(server.url, "GET", "/openapi.json").json()
        return document


def test_both_schemas_accept_and_refuse_the_same() -> None:
    """One is written of the class and what it is called in Python, the other of the shape that is served."""
    schemas = of_objects()["components"]["schemas"]
    for schema in (schemas["Everything"], demat.schema(Everything)):
        validator = jsonschema.Draft202012Validator(schema, format_checker=jsonschema.FormatChecker())
        validator.validate(GOOD)
        for name, value in BAD:
            assert not validator.is_valid(GOOD | {name: value}), (name, value)


def test_what_is_told_in_the_place_of_a_value_is_described() -> None:
    """By parameters, and by what is answered then; also where a field is called as they are."""
    with demat.serve({"/all": ([Everything(**GOOD)], Everything)}, port=0, background=True) as server:
        document = ask(server.url, "GET", "/openapi.json").json()
        told = [ask(server.url, "GET", f"/all?{query}").json() for query in ("count", "count=&limit=0", "children")]
        of_one = ask(server.url, "GET", "/all/0?children").json()
    assert told == [{"count": 1}, {"count": 0}, {"children": ["0"]}]
    for path, answers in (("/all", told), ("/all/{key}", [of_one])):
        operation = document["paths"][path]["get"]
        names = {parameter["name"] for parameter in operation.get("parameters", [])}
        # `children` excludes all other parameters, which OpenAPI can't describe.
        assert names & {"count", "children"} == ({"count"} if path == "/all" else {"children"})
        schema = operation["responses"]["200"]["content"]["application/json"]["schema"]
        validator = jsonschema.Draft202012Validator(schema | {"components": document["components"]})
        for answer in answers:
            validator.validate(answer)
        assert not validator.is_valid({"children": [1]})
        assert not validator.is_valid({"count": "1"})


def test_formats_are_said() -> None:
    properties = of_objects()["components"]["schemas"]["Everything"]["properties"]
    formats = {
        name: said["anyOf"][0]["format"] for name, said in properties.items() if "anyOf" in said and name != "even"
    }
    assert formats == {"day": "date", "at": "date-time", "hour": "time", "long": "duration", "by": "uuid"}


@pytest.mark.parametrize("key", [["id"], ["a", "b"], []])
def test_the_key_of_a_table_is_said(key: list[str], tmp_path: Path) -> None:
    columns = ", ".join(f"{name} integer not null" for name in ("id", "a", "b"))
    primary = f", primary key ({', '.join(key)})" if key else ""
    with demat.sqlite.open(tmp_path / "tasks.db") as database:
        database.execute(f"create table tasks ({columns}{primary})")
        with demat.serve({"/": database}, port=0, background=True) as server:
            schemas = ask(server.url, "GET", "/openapi.json").json()["components"]["schemas"]
    assert schemas["tasks"].get("x-key", []) == key
    assert schemas["tasksRow"].get("x-key", []) == key
    # At a key, the path says it.
    assert set(schemas["tasksPart"]["properties"]) == {"id", "a", "b"} - set(key)
