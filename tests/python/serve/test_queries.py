"""Saved queries: SQL that the program names, run with the client's parameters."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date
from pathlib import Path
from typing import Annotated, Any

import demat
import pytest
from demat import json
from requested import ask


@dataclass
class Task:
    title: str
    due: date
    id: Annotated[int | None, demat.Field(key=True)] = None


ENDLESS = "with recursive n(i) as (select 1 union all select i + 1 from n) select max(i) as m from n"
QUERIES = {
    "late": "select title, due from tasks where due < :day order by due",
    "titles": "select title from tasks",
    "sum": "select cast(:a as int) + cast(:class as int) as sum",
    "many": "with recursive n(i) as (select 1 union all select i + 1 from n where i < 20) select i from n",
    "endless": ENDLESS,
    "broken": "select json_extract(:text, '$') as value",
    "twice": "select 1 as a, 2 as a",
    "bytes": "select x'00ff' as own, null as empty, 1.5 as number",
}


@pytest.fixture(scope="module")
def database(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
    with demat.sqlite.open(tmp_path_factory.mktemp("queries") / "tasks.db") as database:
        tasks = database.table("tasks", Task)
        tasks.insert([Task("one", date(2026, 1, 1)), Task("two", date(2026, 2, 1)), Task("three", date(2026, 3, 1))])
        yield database


@pytest.fixture(scope="module")
def url(database: Any) -> Iterator[str]:
    routes = {"/tasks": database.table("tasks", Task)}
    with demat.serve(routes, queries=QUERIES, query_timeout=1, query_rows=10, port=0, background=True) as server:
        yield server.url


def test_a_query_is_run_with_parameters(url: str) -> None:
    got = ask(url, "GET", "/-/queries/late?day=2026-02-15")
    assert got.json() == [{"title": "one", "due": "2026-01-01"}, {"title": "two", "due": "2026-02-01"}]
    assert "demat-truncated" not in got.headers
    assert ask(url, "GET", "/-/queries/late?day=2026-02-15", accept="text/csv").body == (
        b"title,due\none,2026-01-01\ntwo,2026-02-01\n"
    )
    assert ask(url, "GET", "/-/queries/titles", accept="application/x-ndjson").body.count(b"\n") == 3
    assert ask(url, "GET", "/-/queries/sum?a=40&class=2").json() == [{"sum": 42}]
    assert ask(url, "GET", "/-/queries/bytes").json() == [{"own": "AP8=", "empty": None, "number": 1.5}]


def test_parameters_are_values_and_no_sql(url: str) -> None:
    assert (
        ask(url, "GET", "/-/queries/late?day=x'%20or%201=1%20--").json()
        == ask(url, "GET", "/tasks?fields=title,due").json()
    )
    assert ask(url, "GET", "/-/queries/late?day=1'%20or%201=1%20--").json() == []
    assert ask(url, "GET", "/-/queries/late").status == 422
    assert ask(url, "GET", "/-/queries/late?day=1&more=2").status == 400
    assert ask(url, "GET", "/-/queries/late?day=1&day=2").status == 400
    assert ask(url, "POST", "/-/queries/late?day=1", {}).status == 405
    assert ask(url, "GET", "/-/queries/nothing").status == 404


def test_rows_are_limited(url: str) -> None:
    got = ask(url, "GET", "/-/queries/many")
    assert [row["i"] for row in got.json()] == list(range(1, 11))
    assert got.headers["demat-truncated"] == "10"


def test_time_is_limited(url: str) -> None:
    got = ask(url, "GET", "/-/queries/endless")
    assert (got.status, got.json()["error"]["message"]) == (503, "the query takes longer than 1 s")
    assert ask(url, "GET", "/-/queries/titles").status == 200


def test_errors_are_shown(url: str) -> None:
    got = ask(url, "GET", "/-/queries/broken?text=oops")
    assert got.status == 400
    assert "malformed JSON" in got.json()["error"]["message"]
    assert ask(url, "GET", "/-/queries/broken?text=1").json() == [{"value": 1}]
    got = ask(url, "GET", "/-/queries/twice")
    assert got.status == 400
    assert "`a`" in got.json()["error"]["message"]


def test_queries_see_what_others_write(database: Any, url: str) -> None:
    database.execute("insert into tasks (title, due) values ('four', '2026-04-01')")
    assert len(ask(url, "GET", "/-/queries/titles").json()) == 4
    database.execute("delete from tasks where title = 'four'")
    assert len(ask(url, "GET", "/-/queries/titles").json()) == 3


def test_they_are_described(url: str) -> None:
    described = ask(url, "GET", "/openapi.json").json()["paths"]["/-/queries/late"]["get"]
    assert [(own["name"], own["in"], own["required"]) for own in described["parameters"]] == [("day", "query", True)]
    assert "where due < :day" in described["description"]


@pytest.mark.parametrize(
    ("sql", "said"),
    [
        ("insert into tasks (title) values ('x')", "not authorized"),
        ("delete from tasks returning id", "not authorized"),
        ("attach ':memory:' as other", "not authorized"),
        ("pragma journal_mode = delete", "not authorized"),
        ("pragma query_only = off", "not authorized"),
        ("create temp table own (a)", "not authorized"),
        ("begin", "not authorized"),
        ("vacuum", "changes the database"),
        ("select load_extension('x')", "not authorized"),
        ("select * from missing", "no such table: missing"),
        ("selec 1", "syntax error"),
        ("select 1; select 2", "statement"),
        ("", "statement"),
        ("select ?", "a parameter has a name"),
        ("select @a", "a parameter has a name"),
    ],
)
def test_what_does_more_than_read_is_refused_at_once(database: Any, sql: str, said: str) -> None:
    with pytest.raises(ValueError, match="own") as raised:
        demat.serve({"/": database}, queries={"own": sql}, port=0, background=True)
    assert said in str(raised.value)


def test_the_database_must_be_known(database: Any, tmp_path: Path) -> None:
    sql = "select 1 as a"
    with demat.sqlite.open(":memory:") as memory, demat.sqlite.open(tmp_path / "other.db") as other:
        for routes, what, said in [
            ({"/rows": [1]}, sql, "no database is served"),
            ({"/one": database, "/two": other}, sql, "several databases are served"),
            ({"/": memory}, sql, "a database in memory has only one"),
            ({"/": database}, 1, "is SQL, or"),
        ]:
            with pytest.raises(TypeError, match=said):
                demat.serve(routes, queries={"own": what}, port=0, background=True)  # type: ignore[dict-item]
        routes = {"/one": demat.route(database, bulk=True), "/two": other}
        with demat.serve(routes, queries={"own": (other, sql)}, port=0, background=True) as server:
            assert ask(server.url, "GET", "/-/queries/own").json() == [{"a": 1}]
    for name in ("", "a/b", "a b", ":a", "."):
        with pytest.raises(ValueError, match="a query is called by"):
            demat.serve({"/": database}, queries={name: sql}, port=0, background=True)
    for options in ({"query_rows": 0}, {"query_timeout": 0}, {"query_timeout": float("nan")}):
        with pytest.raises(ValueError, match="query_"):
            demat.serve({"/": database}, queries={"own": sql}, port=0, background=True, **options)  # type: ignore[arg-type]


def test_a_token_is_needed_where_there_is_one(database: Any) -> None:
    with demat.serve({"/": database}, queries=QUERIES, token="s3cret", port=0, background=True) as server:
        assert ask(server.url, "GET", "/-/queries/titles").status == 401
        got = ask(server.url, "GET", "/-/queries/titles", authorization="Bearer s3cret")
        assert got.status == 200


def test_numbers_that_a_format_lacks_are_replaced_as_in_tables(
    database: Any, capfd: pytest.CaptureFixture[str]
) -> None:
    queries = {"odd": "select 1e999 as most, -1e999 as least, 0.5 as half, 'a' as text"}
    for how, most in (("null", None), ("text", "inf")):
        options: Any = {"unrepresentable": how, "port": 0, "background": True}
        with demat.serve({"/": database}, queries=queries, **options) as server:
            got = ask(server.url, "GET", "/-/queries/odd")
            least = None if most is None else "-inf"
            assert (got.status, got.json()) == (200, [{"most": most, "least": least, "half": 0.5, "text": "a"}])
            lines = ask(server.url, "GET", "/-/queries/odd", accept="application/x-ndjson")
            assert (lines.status, json.decode(lines.body)) == (200, got.json()[0])
            other = ask(server.url, "GET", "/-/queries/odd", accept="application/cbor")
            assert demat.cbor.decode(other.body)[0]["most"] == float("inf")
        assert f"/-/queries/odd: {how} instead of 2 numbers" in capfd.readouterr().err
    with demat.serve({"/": database}, queries=queries, unrepresentable="refuse", port=0, background=True) as server:
        assert ask(server.url, "GET", "/-/queries/odd").status == 500
