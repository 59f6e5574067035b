"""Tables of all kinds and names over HTTP: served, read-only, renamed or hidden, with a message in the log."""

from __future__ import annotations

import json
import logging
import sqlite3
from pathlib import Path
from typing import Any
from urllib.parse import quote

import demat
import pytest
from requested import ask

SQL = """
    create virtual table search using fts5(a, b);
    create virtual table areas using rtree(id, x0, x1);
    create virtual table words using fts5vocab('search', 'row');
    create table computed (id integer primary key, a int, b int as (a + 1) stored not null, c int as (a * 2));
    create table strict (id integer primary key, a any, t text) strict;
    create table keyed (k text primary key, v int) without rowid;
    create table counted (id integer primary key autoincrement, a int);
    create view doubled as select id, a * 2 as twice from computed;
    create view broken as select * from computed;
    insert into search values ('x', 'y');
    insert into areas values (1, 2, 3);
    insert into computed (a) values (1);
"""
ODD = (
    "health",
    "metrics",
    "openapi.json",
    "-",
    "",
    ".",
    "..",
    "~",
    "~health",
    "a/b",
    "%2F",
    "a?b",
    "#",
    "a b",
    "'",
    '"',
    "<b>",
    "é",
    "%",
    "\\",
    ":id",
    ",",
)


def made(path: Path) -> None:
    own = sqlite3.connect(path)
    own.executescript(SQL)
    for name in ODD:
        own.execute('create table "{}" (id integer primary key, a text)'.format(name.replace('"', '""')))
    own.execute("create table gone (x)")
    own.execute("create view broken_view as select * from gone")
    own.execute("drop table gone")
    own.close()


def served(name: str) -> str:
    return "~" + name if name.lstrip("~") in ("health", "metrics", "openapi.json", "-") else name


def segment(name: str) -> str:
    """Returns a name as a path segment, with a tilde if URLs can't express it."""
    return quote("~" + name if name.lstrip("~") in ("", ".", "..") else name, safe="")


def test_tables_that_are_not_served_or_read_only(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    made(tmp_path / "a.db")
    with caplog.at_level(logging.WARNING, "demat"), demat.sqlite.open(tmp_path / "a.db") as database:
        tables = {"search", "areas", "words", "computed", "strict", "keyed", "counted"}
        assert set(database.tables) == {*tables, *ODD}
        with demat.serve({"/": database}, port=0, background=True) as server:
            names = ask(server.url, "GET", "/").json()
            assert set(names) == {*tables, "doubled", "broken", *map(served, ODD)}
            for shadow in ("search_data", "areas_node", "broken_view", "sqlite_schema", "sqlite_sequence"):
                assert ask(server.url, "GET", f"/{shadow}").status == 404, shadow
            for name in names:
                assert ask(server.url, "GET", "/" + segment(name)).status == 200, name
            for name in ("doubled", "words"):
                for verb in ("POST", "PUT", "DELETE"):
                    got = ask(server.url, verb, f"/{name}", *([] if verb == "DELETE" else [{"id": 1}]))
                    assert got.status == 405, (name, verb, got)
            assert ask(server.url, "POST", "/search", {"a": "p", "b": "q"}).status == 201
            assert ask(server.url, "GET", "/search?a=p").json() == [{"a": "p", "b": "q"}]
            assert ask(server.url, "DELETE", "/search/2").status == 204
            assert ask(server.url, "POST", "/areas", {"id": 5, "x0": 1, "x1": 2}).status == 201
            assert ask(server.url, "PUT", "/keyed/a", {"v": 1}).status in (200, 201)
            assert ask(server.url, "POST", "/strict", {"a": [1]}).status == 422
            assert ask(server.url, "POST", "/counted", {"a": 1}).json() == {"id": 1, "a": 1}
    said = caplog.text
    for line in (
        "the table `health` is served as `~health`",
        "`broken_view` is not served",
        "the table `words` can only be read",
    ):
        assert line in said, said


def test_computed_columns(tmp_path: Path) -> None:
    made(tmp_path / "a.db")
    with (
        demat.sqlite.open(tmp_path / "a.db") as database,
        demat.serve({"/": database}, port=0, background=True) as server,
    ):
        assert ask(server.url, "POST", "/computed", {"a": 3}).json() == {"id": 2, "a": 3, "b": 4, "c": 6}
        row = ask(server.url, "GET", "/computed/2").json()
        assert ask(server.url, "PUT", "/computed/2", {**row, "a": 7}).json() == {"id": 2, "a": 7, "b": 8, "c": 14}
        for path, body in (("/computed/2", {"b": 5}), ("/computed/2/b", 5)):
            got = ask(server.url, "PATCH" if isinstance(body, dict) else "PUT", path, body)
            assert 400 <= got.status < 500, got
            assert b"computed" in got.body, got
        assert ask(server.url, "GET", "/computed/2").json()["b"] == 8


@pytest.mark.parametrize("name", ODD)
def test_any_name(tmp_path: Path, name: str) -> None:
    made(tmp_path / "a.db")
    with (
        demat.sqlite.open(tmp_path / "a.db") as database,
        demat.serve({"/": database}, port=0, background=True) as server,
    ):
        path = "/" + segment(served(name))
        made_row = ask(server.url, "POST", path, {"a": "x"})
        assert made_row.status == 201, made_row
        location = made_row.headers["location"]
        assert ask(server.url, "GET", location.removeprefix(server.url)).json() == {"id": 1, "a": "x"}
        assert ask(server.url, "PATCH", f"{path}/1", {"a": "y"}).json() == {"id": 1, "a": "y"}
        assert ask(server.url, "GET", f"{path}?a=y").json() == [{"id": 1, "a": "y"}]
        description: dict[str, Any] = ask(server.url, "GET", "/openapi.json").json()
        assert path in description["paths"], json.dumps(list(description["paths"]))
        assert ask(server.url, "GET", "/health").json() == {"status": "ok"}
        assert ask(server.url, "DELETE", f"{path}/1").status == 204
        assert database.table(name).count() == 0


def test_numbers_that_json_has_not(tmp_path: Path) -> None:
    """Where a row holds an infinity, what is embedded and what a change tells have null, as the row itself has."""
    own = sqlite3.connect(tmp_path / "a.db")
    own.executescript("""
        create table boxes (id integer primary key, weight real);
        create table items (id integer primary key, size real, box int references boxes (id));
        insert into boxes values (1, 9e999);
        insert into items values (1, -9e999, 1);
    """)
    own.close()
    with (
        demat.sqlite.open(tmp_path / "a.db") as database,
        demat.serve({"/": database}, port=0, background=True) as server,
    ):
        item = {"id": 1, "size": None, "box": 1}
        assert ask(server.url, "GET", "/items/1").json() == item
        embedded = ask(server.url, "GET", "/boxes?embed=items")
        assert (embedded.status, embedded.json()) == (200, [{"id": 1, "weight": None, "items": [item]}])
        changed = ask(server.url, "PATCH", "/items?id=1", {"box": None}, prefer="return=representation")
        assert (changed.status, changed.json()) == (200, [{**item, "box": None}])
