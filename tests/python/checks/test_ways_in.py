"""All entry points validate values against the class, with the same result and the same error path.

Register a new entry point in `WAYS` to test it.
"""

from __future__ import annotations

import io
import random
from collections.abc import Callable
from dataclasses import dataclass, make_dataclass
from datetime import UTC, date, datetime, timedelta
from decimal import Decimal
from enum import Enum, IntEnum
from pathlib import Path
from typing import Annotated, Any, Literal

import demat
import pytest
from demat import Field, csv, json, ndjson, sqlite
from requested import ask


class Colour(Enum):
    RED = "red"
    BLUE = "blue"


class Level(IntEnum):
    LOW = 1
    HIGH = 2


class Even:
    """A class with its own decoding hook."""

    def __init__(self, value: int) -> None:
        self.value = value

    @classmethod
    def __demat_decode__(cls, value: int) -> Even:
        if value % 2:
            raise ValueError("odd")
        return cls(value)

    def __demat_encode__(self) -> int:
        return self.value


@dataclass
class Kind:
    """A field's type, with valid values, and invalid values with the error's path within the field."""

    type: Any
    good: list[Any]
    bad: list[tuple[Any, str]]
    # Whether a CSV cell can hold the values.
    cell: bool = True


def bad(*values: Any, at: str = "") -> list[tuple[Any, str]]:
    return [(value, at) for value in values]


KINDS = {
    "int_ge": Kind(Annotated[int, Field(ge=0)], [0, 7], bad(-1, -5)),
    "int_gt_lt": Kind(Annotated[int, Field(gt=0, lt=10)], [1, 9], bad(0, 10)),
    "int_half": Kind(Annotated[int, Field(ge=0.5, le=2.5)], [1, 2], bad(0, 3)),
    "int_multiple": Kind(Annotated[int, Field(multiple_of=3)], [0, -9, 12], bad(1, 10)),
    "float_bounds": Kind(Annotated[float, Field(ge=0.1, lt=1)], [0.1, 0.5], bad(0.09, 1.0, 2.5)),
    "float_multiple": Kind(Annotated[float, Field(multiple_of=0.01)], [19.99, 0.3], bad(19.995)),
    "float_decimal": Kind(Annotated[float, Field(le=Decimal("0.1"))], [0.05], bad(0.1, 0.2)),
    "decimal": Kind(
        Annotated[Decimal, Field(ge=Decimal("0.1"), le=Decimal("0.3"))], ["0.1", "0.30"], bad("0.05", "0.31")
    ),
    "decimal_multiple": Kind(Annotated[Decimal, Field(multiple_of=Decimal("0.25"))], ["0.75", "10"], bad("0.3")),
    "text_length": Kind(Annotated[str, Field(min_length=2, max_length=3)], ["ab", "é€😀"], bad("a", "abcd", "é")),
    "text_pattern": Kind(Annotated[str, Field(pattern=r"^[a-z]\d+(?!x)")], ["a1", "b22"], bad("A1", "a")),
    "bytes_length": Kind(
        Annotated[bytes, Field(min_length=2, max_length=3)], ["AAE=", "AAEC"], bad("AA==", "AAECAw==")
    ),
    "date": Kind(Annotated[date, Field(ge=date(2020, 1, 1))], ["2020-01-01"], bad("2019-12-31")),
    "aware": Kind(Annotated[datetime, Field(tz=True)], ["2020-01-01T00:00:00Z"], bad("2020-01-01T00:00:00")),
    "naive": Kind(Annotated[datetime, Field(tz=False)], ["2020-01-01T00:00:00"], bad("2020-01-01T00:00:00Z")),
    "aware_bound": Kind(
        Annotated[datetime, Field(tz=True, lt=datetime(2020, 1, 1, tzinfo=UTC))],
        ["2019-12-31T23:59:59Z"],
        bad("2020-01-01T00:30:00Z"),
    ),
    "duration": Kind(Annotated[timedelta, Field(gt=timedelta(0), le=timedelta(days=2))], ["PT1S"], bad("PT0S", "P3D")),
    "literal": Kind(Literal["a", "b"], ["a", "b"], bad("c")),
    "literal_ints": Kind(Literal[1, 2], [1, 2], bad(3)),
    "enum": Kind(Colour, ["red"], bad("green")),
    "enum_ints": Kind(Level, [1, 2], bad(3)),
    "optional": Kind(Annotated[int | None, Field(le=3)], [None, 3], bad(4)),
    "list_length": Kind(
        Annotated[list[int], Field(min_length=1, max_length=2)], [[1], [1, 2]], bad([], [1, 2, 3]), False
    ),
    "list_items": Kind(list[Annotated[int, Field(ge=0)]], [[], [0, 1]], bad([3, -1], at="[1]"), False),
    "list_patterns": Kind(list[Annotated[str, Field(pattern="^x")]], [["x", "xy"]], bad(["x", "y"], at="[1]"), False),
    "lists": Kind(list[list[Annotated[int, Field(lt=5)]]], [[[1], []]], bad([[1], [2, 6]], at="[1][1]"), False),
    "tuple": Kind(tuple[int, Annotated[str, Field(max_length=1)]], [[1, "a"]], bad([1, "ab"], at="[1]"), False),
    "dict_length": Kind(Annotated[dict[str, int], Field(min_length=1)], [{"a": 1}], bad({}), False),
    "dict_values": Kind(dict[str, Annotated[int, Field(ge=0)]], [{"a": 1}], bad({"a": 1, "b": -1}, at=".b"), False),
    "set_length": Kind(Annotated[set[int], Field(max_length=1)], [[1]], bad([1, 2]), False),
    "hook": Kind(Even, [2, 4], bad(3)),
}


@dataclass
class Case:
    """A class, a twin of it without constraints, and a record as JSON values."""

    cls: Any
    twin: Any
    record: dict[str, Any]
    judged: bool = False

    def instance(self) -> Any:
        loose = json.decode(json.encode(self.record), self.twin)
        made = object.__new__(self.cls)
        for name in self.record:
            setattr(made, name, getattr(loose, name))
        return made


def bare(tp: Any) -> Any:
    """Returns the type without its constraints."""
    import typing

    if typing.get_origin(tp) is Annotated:
        return bare(typing.get_args(tp)[0])
    origin, args = typing.get_origin(tp), typing.get_args(tp)
    if origin is Literal:
        return type(args[0])
    if tp is Colour:
        return str
    if tp in (Level, Even):
        return int
    if origin in (list, tuple, dict, set):
        return origin[tuple(map(bare, args))]
    return tp


def case(names: list[str], values: dict[str, Any], post_init: Any = None) -> Case:
    space = {"__post_init__": post_init} if post_init else {}
    fields = [(name, KINDS[name].type) for name in names]
    cls = make_dataclass("Row", [("id", Annotated[int, Field(key=True)]), *fields], namespace=space)
    twin = make_dataclass("Twin", [("id", int), *((name, bare(tp)) for name, tp in fields)])
    return Case(cls, twin, {"id": 1, **values}, post_init is not None)


class Refused(Exception):
    """The value was refused; the argument is the error's path."""


def held(act: Callable[[], Any]) -> None:
    try:
        act()
    except demat.Error as error:
        raise Refused(error.path) from error


# Entry points. Each takes a case, and raises `Refused` with the error's path.
WAYS: dict[str, Callable[[Case, Path], Any]] = {}


def way(act: Callable[[Case, Path], Any]) -> Callable[[Case, Path], Any]:
    WAYS[act.__name__] = act
    return act


@way
def decoded(case: Case, folder: Path) -> None:
    held(lambda: json.decode(json.encode([case.record]), list[case.cls]))


@way
def read(case: Case, folder: Path) -> None:
    held(lambda: list(ndjson.read(json.encode(case.record), case.cls)))


@way
def copied(case: Case, folder: Path) -> None:
    held(lambda: demat.copy(json.encode([case.record]), io.BytesIO(), case.cls, from_="json", to="ndjson"))


@way
def copied_to_a_table(case: Case, folder: Path) -> None:
    held(lambda: demat.copy(json.encode([case.record]), f"{folder}/copied.db#t", case.cls, from_="json"))


@way
def columns(case: Case, folder: Path) -> None:
    held(lambda: json.columns(json.encode([case.record]), case.cls))


@way
def columns_by_batch(case: Case, folder: Path) -> None:
    held(lambda: list(ndjson.columns(json.encode(case.record), case.cls, batch_size=1)))


def table(case: Case) -> sqlite.Table[Any]:
    return sqlite.open(":memory:").table("t", case.cls)


@way
def inserted(case: Case, folder: Path) -> None:
    if not case.judged and "hook" not in case.record:
        held(lambda: table(case).insert([case.instance()]))
    else:
        held(lambda: table(case).insert([case.record]))


@way
def inserted_as_a_dict(case: Case, folder: Path) -> None:
    values = json.decode(json.encode(case.record), case.twin)
    held(lambda: table(case).insert([{name: getattr(values, name) for name in case.record}]))


@way
def upserted(case: Case, folder: Path) -> None:
    values = json.decode(json.encode(case.record), case.twin)
    held(lambda: table(case).upsert([{name: getattr(values, name) for name in case.record}]))


@way
def loaded(case: Case, folder: Path) -> None:
    values = json.decode(json.encode(case.record), case.twin)
    held(lambda: table(case).load([{name: getattr(values, name) for name in case.record}]))


@way
def built(case: Case, folder: Path) -> None:
    values = json.decode(json.encode(case.record), case.twin)
    row = {name: getattr(values, name) for name in case.record}
    held(lambda: sqlite.build(folder / "built.db", {"t": (case.cls, [row])}, replace=True, durable=False))


def there(case: Case) -> sqlite.Table[Any]:
    """A table with a good row."""
    rows = table(case)
    rows.insert([json.decode(json.encode(good(case)), case.cls)])
    return rows


def good(case: Case) -> dict[str, Any]:
    return {"id": 1, **{name: KINDS[name].good[0] for name in case.record if name != "id"}}


@way
def updated(case: Case, folder: Path) -> None:
    values = json.decode(json.encode(case.record), case.twin)
    rows = there(case)
    held(lambda: rows.update([{name: getattr(values, name) for name in case.record}]))


def served(rows: Any, method: str, path: str, body: Any, **headers: str) -> None:
    with demat.serve({"/t": demat.route(rows, bulk=True)}, port=0, background=True) as server:
        got = ask(server.url, method, f"/t{path}", body, **headers)
        if got.status == 422:
            raise Refused(got.json()["error"].get("path", "$"))
        assert got.status in (200, 201, 204), (got.status, got.body)


@way
def posted(case: Case, folder: Path) -> None:
    served(table(case), "POST", "", case.record)


@way
def posted_as_a_list(case: Case, folder: Path) -> None:
    served(table(case), "POST", "", [case.record])


@way
def posted_as_ndjson(case: Case, folder: Path) -> None:
    served(table(case), "POST", "", json.encode(case.record), content_type="application/x-ndjson")


@way
def posted_as_csv(case: Case, folder: Path) -> None:
    if all(KINDS[name].cell for name in case.record if name != "id"):
        served(table(case), "POST", "", csv.encode([case.record]), content_type="text/csv")
    else:
        served(table(case), "POST", "", case.record)


@way
def put(case: Case, folder: Path) -> None:
    served(table(case), "PUT", "/1", case.record)


@way
def put_over(case: Case, folder: Path) -> None:
    served(there(case), "PUT", "/1", case.record)


@way
def put_all(case: Case, folder: Path) -> None:
    served(there(case), "PUT", "", [case.record])


@way
def patched(case: Case, folder: Path) -> None:
    served(there(case), "PATCH", "/1", {name: value for name, value in case.record.items() if name != "id"})


@way
def stored(case: Case, folder: Path) -> None:
    held(lambda: demat.store.of(table(case)).post("/", case.record))


@way
def stored_in_a_file(case: Case, folder: Path) -> None:
    store = demat.store.typed(demat.store.folder(folder, raw=True), "json", list[case.cls])
    held(lambda: store.put("/rows.json", [case.record]))


@way
def to_objects(case: Case, folder: Path) -> None:
    served(([], case.cls), "POST", "", case.record)


# For these ways, the object holds a plain value instead of an enum member. SQLite's CHECK refuses it, without a field's
# path.
ROWS = {"inserted", "inserted_as_a_dict", "upserted", "updated", "loaded", "built"}
# The error's message has the path, but its attribute doesn't.
PATHLESS = {"to_objects"}


def expected(way: str, name: str, at: str) -> str:
    return "" if way in PATHLESS or (way in ROWS and name == "enum") else f".{name}{at}"


def verdict(way: str, case: Case, folder: Path) -> str | None:
    """Returns the error's path within the record; None if the value was accepted."""
    try:
        WAYS[way](case, folder)
    except Refused as refused:
        path = str(refused)
        return path.removeprefix("$[0]").removeprefix("$")
    return None


@pytest.mark.parametrize("name", KINDS)
@pytest.mark.parametrize("way", WAYS)
def test_a_field(way: str, name: str, tmp_path: Path) -> None:
    kind = KINDS[name]
    for value in kind.good:
        assert verdict(way, case([name], {name: value}), tmp_path) is None, value
        for file in tmp_path.glob("*"):
            file.unlink()
    for value, at in kind.bad:
        assert verdict(way, case([name], {name: value}), tmp_path) == expected(way, name, at), value


def in_order(row: Any) -> None:
    if row.int_ge > 100:
        raise ValueError("too many")


@pytest.mark.parametrize("way", WAYS)
def test_what_the_class_itself_says(way: str, tmp_path: Path) -> None:
    for value, taken in ((7, True), (101, False)):
        own = case(["int_ge", "text_length"], {"int_ge": value, "text_length": "ab"}, in_order)
        assert (verdict(way, own, tmp_path) is None) is taken, value
        for file in tmp_path.glob("*"):
            file.unlink()


@pytest.mark.parametrize("way", WAYS)
def test_any_of_several(way: str, tmp_path: Path) -> None:
    chance = random.Random(way)
    for _ in range(6):
        names = chance.sample(list(KINDS), 4)
        values = {name: chance.choice(KINDS[name].good) for name in names}
        assert verdict(way, case(names, values), tmp_path) is None, values
        wrong = chance.choice(names)
        values[wrong], at = chance.choice(KINDS[wrong].bad)
        assert verdict(way, case(names, values), tmp_path) == expected(way, wrong, at), values
        for file in tmp_path.glob("*"):
            file.unlink()
