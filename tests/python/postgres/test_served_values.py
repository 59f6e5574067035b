"""Values of served tables: how they compare, sort, are counted, and name rows."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Annotated, Any
from urllib.parse import quote

import demat
import pytest
from demat import Field, postgres
from demat.postgres import Database
from postgres_server import schema
from requested import ask


@pytest.fixture
def database() -> Iterator[Database]:
    with postgres.connect(schema()) as database:
        yield database


def chosen(url: str, query: str, key: str = "id") -> Any:
    answer = ask(url, "GET", f"/t?fields={key}&order={key}&{query}")
    return [row[key] for row in answer.json()] if answer.status == 200 else (answer.status, answer.json())


def test_numbers_that_a_column_cannot_have_compare(database: Database) -> None:
    database.execute("create table t (id int primary key, o oid, f float8, at timestamp)")
    database.execute(
        "insert into t values (1, 0, 'NaN', '2024-01-01 00:00:00.000001'), (2, 4294967295, 9007199254740992, null),"
        " (3, null, '-Infinity', '2024-01-01'), (4, 7, null, '9999-12-31 23:59:59.999999')"
    )
    with demat.serve({"/t": database.table("t")}, port=0, background=True) as server:
        for condition, expected in {
            "o > 1.5": [2, 4],
            "o <> 4294967296": [1, 2, 4],
            "o < 99999999999999999999": [1, 2, 4],
            "o > -1": [1, 2, 4],
            "f < 9007199254740993": [2, 3],
            "f > 9007199254740991": [2],
            "f >= 9007199254740993": [],
            "f = 9007199254740993": [],
            "f <> 9007199254740993": [1, 2, 3],
            "not f = 9007199254740993": [1, 2, 3],
            "at <= '2024-01-01T00:00:00.0000001'": [3],
            "at > '2024-01-01T00:00:00.0000009'": [1, 4],
            "at <> '2024-01-01T00:00:00.0000009'": [1, 3, 4],
        }.items():
            assert chosen(server.url, f"where={quote(condition)}") == expected, condition
        assert chosen(server.url, "f.gt=9007199254740993") == []
        assert chosen(server.url, "o.gt=inf") == []
        assert chosen(server.url, "o.lt=inf") == [1, 2, 4]


@dataclass
class Inner:
    f: float | None = None
    n: int | None = None


@dataclass
class Row:
    id: Annotated[int, Field(key=True)]
    by: Inner | None
    wide: Annotated[float | None, Field(sql="numeric")]


def test_exact_numbers_that_are_read_as_floats_compare_as_floats(database: Database) -> None:
    database.execute("create table t (id bigint primary key, by jsonb, wide numeric)")
    database.execute(
        """insert into t values (1, '{"f": 0.1}', 0.1), (2, '{"f": 0.1000000000000000055}', 0.10000000000000001),"""
        """ (3, '{"f": 1e-400}', 1e-400), (4, '{"f": 5e-324}', null), (5, null, -1.5), (6, '{"f": null}', 'NaN')"""
    )
    nearest = "0.1000000000000000055511151231257827"
    with demat.serve({"/t": database.table("t", Row, create=False)}, port=0, background=True) as server:
        for field in ("by.f", "wide"):
            for value in ("0.1", nearest):
                assert chosen(server.url, f"where={quote(f'{field} = {value}')}") == [1, 2]
                assert 1 not in chosen(server.url, f"where={quote(f'{field} < {value}')}")
        assert chosen(server.url, f"where={quote('by.f > 0')}") == [1, 2, 4]
        assert chosen(server.url, "wide=" + nearest) == [1, 2]
        assert chosen(server.url, f"where={quote('by.f = 0')}") == [3]
        assert chosen(server.url, f"where={quote('wide < 0.05')}") == [3, 5]
        # Numbers are like their text; there are none here.
        assert chosen(server.url, f"where={quote('by.n like 1')}") == []
        assert chosen(server.url, "where=" + quote("by.n like '1%'")) == []


def test_texts_of_a_fixed_length_are_compared_and_name_rows(database: Database) -> None:
    database.execute("create table t (code char(3) primary key, name text)")
    database.execute("insert into t values ('EUR', 'euro'), ('a', 'short'), ('eur', 'small')")
    with demat.serve({"/t": database.table("t")}, port=0, background=True) as server:
        url = server.url
        assert chosen(url, "code=EUR", "code") == ["EUR"]
        assert chosen(url, "code=a", "code") == []
        assert chosen(url, "code=a%20%20", "code") == ["a  "]
        assert chosen(url, "code.like=eu_", "code") == ["EUR", "eur"]
        assert chosen(url, "", "code") == ["EUR", "a  ", "eur"]
        assert ask(url, "GET", "/t/EUR").json()["name"] == "euro"
        assert ask(url, "GET", "/t/a%20%20").json()["name"] == "short"
        assert ask(url, "GET", "/t/a").status == 404
        made = ask(url, "PUT", "/t/USD", {"name": "dollar"})
        assert (made.status, made.json()) == (201, {"code": "USD", "name": "dollar"})
        assert ask(url, "DELETE", "/t/USD").status == 204
        page = ask(url, "GET", "/t?limit=1&order=-code&after=")
        assert (
            ask(url, "GET", page.headers["link"].split("<")[1].split(">")[0].removeprefix(url)).json()[0]["code"]
            == "a  "
        )


@pytest.mark.parametrize("declared", ["numeric", "numeric(8, 2)"])
def test_a_number_names_a_row_as_it_is_kept(database: Database, declared: str) -> None:
    database.execute(f"create table t (id {declared} primary key, v int)")
    with demat.serve({"/t": database.table("t")}, port=0, background=True) as server:
        kept = "1.50" if "8" in declared else "1.5"
        for name in ("1e3", "-0", "-0.00", "15e-1", "1.500", "1.5" if kept == "1.50" else "1.", "+1.50"):
            if name != kept and not (declared == "numeric" and name == "1.500"):
                assert ask(server.url, "PUT", f"/t/{name}", {"v": 1}).status == 404, name
        made = ask(server.url, "PUT", f"/t/{kept}", {"v": 1})
        assert (made.status, made.json()["v"]) == (201, 1)
        assert ask(server.url, "GET", made.headers["location"].removeprefix(server.url)).status == 200
        assert ask(server.url, "PUT", f"/t/{kept}", {"v": 2}).status == 200


def test_pages_are_in_no_order_that_a_cursor_cannot_hold(database: Database) -> None:
    database.execute("create table t (id int primary key, j jsonb, l int[])")
    database.execute("""insert into t values (1, 'null', '{1}'), (2, null, null), (3, '"a"', '{2}'), (4, '1', null)""")
    with demat.serve({"/t": database.table("t")}, port=0, background=True) as server:
        for name in ("j", "-j", "l", "-l"):
            for cursor in ("", quote('[null,"1"]')):
                got = ask(server.url, "GET", f"/t?order={name}&limit=1&after={cursor}")
                assert (got.status, "use `offset`" in got.json()["error"]["message"]) == (400, True), name
        assert ask(server.url, "GET", "/t?order=j&limit=4").status == 200


def test_values_that_a_collation_takes_for_one_are_counted_apart(database: Database) -> None:
    database.execute("create collation loose (provider = icu, locale = 'und-u-ks-level1', deterministic = false)")
    database.execute("create table t (id int primary key, name text collate loose, code char(2))")
    database.execute("insert into t values (1, 'a', 'x'), (2, 'A', 'x'), (3, 'a', 'X'), (4, null, null)")
    with demat.serve({"/t": database.table("t")}, port=0, background=True) as server:
        got = ask(server.url, "GET", "/t?facet=name").json()["facet"]
        assert got == [{"value": "a", "count": 2}, {"value": None, "count": 1}, {"value": "A", "count": 1}]
        got = ask(server.url, "GET", "/t?facet=code").json()["facet"]
        assert got == [{"value": "x ", "count": 2}, {"value": None, "count": 1}, {"value": "X ", "count": 1}]
