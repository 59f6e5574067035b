"""Edge cases of statements: repeated names, values that SQLite can't hold, counts."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from decimal import Decimal
from pathlib import Path
from typing import Annotated, Any

import formats
import pytest
from demat import EncodeError, Field, StoreError, sqlite


@pytest.fixture
def database() -> Iterator[sqlite.Database]:
    with sqlite.open(":memory:") as database:
        yield database


@dataclass
class A:
    a: int


@dataclass
class C:
    c: int


TWICE = (
    "select 1 as a, 2 as a",
    "select 1 as a, 2 as b, 3 as a",
    "select x.a, y.a from t x join t y",
    "select *, a from t",
)
WAYS: dict[str, Callable[[sqlite.Rows[Any]], Any]] = {
    "all": lambda rows: rows.all(),
    "first": lambda rows: rows.first(),
    "next": next,
    **{name: lambda rows, name=name: rows.encode(name) for name in formats.names()},
    "columns": lambda rows: rows.columns(),
}


@pytest.mark.parametrize("way", WAYS.values(), ids=WAYS)
@pytest.mark.parametrize("sql", TWICE)
@pytest.mark.parametrize("type", [None, A, C])
def test_a_name_that_comes_twice_is_refused(database: sqlite.Database, way: Any, sql: str, type: Any) -> None:
    database.execute("create table t (a int)")
    database.execute("insert into t values (1)")
    with pytest.raises(StoreError, match="two columns are called `a`; give one of them another name with AS"):
        way(database.query(sql, type=type))


def test_names_that_differ(database: sqlite.Database) -> None:
    assert database.query('select 1 as a, 2 as "a:1", 3 as c', type=C).all() == [C(3)]
    assert database.query("select 1 as a, 2 as A").all() == [{"a": 1, "A": 2}]


def test_counts_are_of_the_rows_that_are_named(database: sqlite.Database) -> None:
    for sql in (
        "create table parents (id integer primary key)",
        "create table children (id integer primary key, parent references parents on delete cascade on update cascade)",
        "create table log (what)",
        "create trigger t after delete on parents begin insert into log values (1), (2); end",
    ):
        assert database.execute(sql) == 0
    parents = database.table("parents")
    assert parents.insert([{"id": id} for id in range(5)]) == 5
    assert database.table("children").insert([{"parent": id % 2} for id in range(10)]) == 10
    assert parents.delete(id=0) == 1
    assert database.execute("delete from parents where id < 3") == 2
    assert database.execute("delete from parents where id = 77") == 0
    # A statement that changes no rows returns 0, not the previous count.
    assert database.execute("create table more (a)") == 0
    assert len(database.table("children")) == 0
    assert len(database.table("log")) == 6


LARGE = (2**63, -(2**63) - 1, 2**64, 10**30)


@pytest.mark.parametrize("value", LARGE)
def test_an_int_that_is_too_large_is_refused(database: sqlite.Database, value: int) -> None:
    database.execute("create table t (id integer primary key, n int, digits text, free)")
    table = database.table("t")
    table.insert([{"id": 1, "n": 5, "digits": str(value), "free": 1}])
    for ask in (
        lambda: database.query("select ? as a", [value]).all(),
        lambda: database.query("select :a as a", {"a": value}).all(),
        lambda: database.execute("insert into t (n) values (?)", [value]),
        lambda: table.select(n=value).all(),
        lambda: table.select(n=[1, value]).all(),
        lambda: table.select("n > ?", value).all(),
        lambda: table.count(free=value),
        lambda: table.delete(n=value),
    ):
        with pytest.raises(EncodeError, match="more than 64 bits"):
            ask()
    # A column that keeps digits is compared as digits.
    assert table.select(digits=value, fields=["id"]).all() == [{"id": 1}]
    assert table.select(digits=[value, 7], fields=["id"]).all() == [{"id": 1}]
    assert table.select("id = :id", {"id": 1}, digits=value, fields=["id"]).all() == [{"id": 1}]


class Bytes(bytes):
    pass


class Text(str):
    __slots__ = ()


@pytest.mark.parametrize(
    ("value", "kept"),
    [
        (True, ("integer", 1)),
        (2**63 - 1, ("integer", 2**63 - 1)),
        (Bytes(b"x"), ("blob", b"x")),
        (bytearray(b"x"), ("blob", b"x")),
        (memoryview(b"x"), ("blob", b"x")),
        (Text("x"), ("text", "x")),
        (Decimal("1.50"), ("text", "1.50")),
        (float("inf"), ("real", float("inf"))),
        (None, ("null", None)),
    ],
)
def test_values_are_kept_as_they_are(database: sqlite.Database, value: Any, kept: tuple[str, Any]) -> None:
    assert tuple(database.query("select typeof(?1) as a, ?1 as b", [value]).all()[0].values()) == kept


@pytest.mark.parametrize("value", [float("nan"), "\ud800", Text("\ud800"), object(), Decimal("NaN")])
def test_values_that_there_are_no_places_for(database: sqlite.Database, value: Any) -> None:
    with pytest.raises(EncodeError):
        database.query("select ? as a", [value]).all()


class Failing:
    def __iter__(self) -> Any:
        raise KeyError("mine")


@pytest.mark.parametrize("values", ["ab", b"ab", 1, 1.5, object()])
def test_values_that_are_one_value_are_refused(database: sqlite.Database, values: Any) -> None:
    with pytest.raises(TypeError, match="a list, a tuple or a dict of them, not one value"):
        database.query("select ? as a, ? as b", values).all()
    with pytest.raises(TypeError, match="a list, a tuple or a dict of them, not one value"):
        database.execute("create table ab (a)", values)
    with pytest.raises(KeyError, match="mine"):
        database.execute("create table ab (a)", Failing())


def test_none_in_a_filter(database: sqlite.Database) -> None:
    database.execute("create table t (id integer primary key, n int)")
    table = database.table("t")
    table.insert([{"id": 1, "n": None}, {"id": 2, "n": 2}, {"id": 3, "n": 3}])

    def ids(**equal: Any) -> list[int]:
        return [row["id"] for row in table.select(**equal, fields=["id"], order="id")]

    assert ids(n=None) == [1]
    assert ids(n=[None, 2]) == [1, 2]
    assert ids(n=[None]) == [1]
    assert ids(n=[]) == []


def test_a_question_mark_in_a_name(database: sqlite.Database) -> None:
    database.execute('create table t (id integer primary key, "a?b" int)')
    table = database.table("t")
    table.insert([{"id": 1, "a?b": 2}])
    assert table.count({"a?b": 2}) == 1
    assert table.count("id = :id", {"id": 1}, **{"a?b": 2}) == 1


def test_ids_of_rows_that_are_inserted(database: sqlite.Database) -> None:
    @dataclass
    class Task:
        id: Annotated[int | None, Field(key=True)]
        title: str

    tasks = database.table("tasks", Task)
    assert tasks.insert([Task(None, "a"), Task(9, "b"), Task(None, "c")], ids=True) == [1, 9, 10]
    assert tasks.insert([{"title": "d"}], ids=True) == [11]
    assert tasks.insert([], ids=True) == []
    assert tasks.insert((Task(None, "e") for _ in range(5000)), ids=True, batch=700) == list(range(12, 5012))
    database.execute("create table log (a)")
    database.execute("create trigger t after insert on tasks begin insert into log values (1), (2); end")
    assert tasks.insert([Task(None, "f")], ids=True) == [5012]
    with pytest.raises(StoreError):
        tasks.insert([Task(None, "g"), Task(1, "h")], ids=True)
    assert len(tasks) == 5001 + 4
    for sql in ("create table k (name text primary key)", "create table w (id integer primary key) without rowid"):
        database.execute(sql)
    for name, row in (("k", {"name": "a"}), ("w", {"id": 1})):
        with pytest.raises(StoreError, match="they have their own key"):
            database.table(name).insert([row], ids=True)
        assert len(database.table(name)) == 0


def test_dicts_for_a_table_of_a_class(database: sqlite.Database) -> None:
    @dataclass
    class Task:
        id: Annotated[int | None, Field(key=True)]
        title: str
        done: bool = False

    tasks = database.table("tasks", Task)
    assert tasks.insert([{"title": "a"}, Task(None, "b", done=True)]) == 2
    assert tasks.update([{"id": 2, "title": "c"}, {"id": 7, "title": "none"}]) == 1
    assert tasks.upsert([{"id": 1, "done": True, "title": "a"}]) == 1
    assert tasks.select(order="id").all() == [Task(1, "a", True), Task(2, "c", True)]
    with pytest.raises(StoreError, match="no column `nope`"):
        tasks.update([{"id": 1, "nope": 1}])


def test_computed_columns_are_never_written(tmp_path: Path) -> None:
    path = tmp_path / "a.db"
    own = sqlite3.connect(path)
    own.execute("create table g (id integer primary key, a int, b int as (a + 1) stored not null, c int as (a * 2))")
    own.close()
    with sqlite.open(path) as database:
        table = database.table("g")
        assert table.insert([{"a": 1}]) == 1
        row = table.select().all()[0]
        assert (row.a, row.b, row.c) == (1, 2, 2)
        row.a = 5
        # A row that was read includes computed columns.
        assert table.update([row]) == 1
        row.id = 2
        assert table.insert([row]) == 1
        assert [(row.id, row.a, row.b, row.c) for row in table.select(order="id")] == [(1, 5, 6, 10), (2, 5, 6, 10)]
        with pytest.raises(StoreError, match="the column `b` is computed"):
            table.insert([{"a": 1, "b": 2}])
