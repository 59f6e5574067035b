"""Tables of a PostgreSQL server as stores, and over HTTP."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, date, datetime, time
from decimal import Decimal
from http.client import HTTPConnection
from threading import Thread
from typing import Annotated, Any
from urllib.parse import quote

import demat
import pytest
from demat import Field, StoreError, postgres, store
from demat.postgres import Database, Table
from postgres_server import schema
from requested import ask


@dataclass
class Task:
    title: str
    id: Annotated[int | None, Field(key=True)] = None
    done: bool = False
    due: date | None = None

    def __post_init__(self) -> None:
        if self.title == "forbidden":
            raise ValueError("forbidden")


ROWS = [Task("b", 1), Task("a", 2, True), Task("Ä", 3), Task("a", 4, due=date(2024, 2, 29))]


@pytest.fixture
def database() -> Iterator[Database]:
    with postgres.connect(schema()) as database:
        yield database


@pytest.fixture
def tasks(database: Database) -> Table[Task]:
    tasks = database.table("tasks", Task)
    tasks.insert(ROWS)
    database.execute("select setval(pg_get_serial_sequence('tasks', 'id'), 10)")
    return tasks


@pytest.fixture
def url(tasks: Table[Task]) -> Iterator[str]:
    with demat.serve({"/tasks": demat.route(tasks, bulk=True)}, port=0, background=True) as server:
        yield server.url


def ids(url: str, query: str) -> Any:
    answer = ask(url, "GET", f"/tasks?fields=id&{query}")
    return [row["id"] for row in answer.json()] if answer.status == 200 else answer.status


def test_rows_are_filtered_sorted_and_paged(url: str) -> None:
    assert ids(url, "") == [1, 2, 3, 4]
    assert ids(url, "done=true") == [2]
    assert ids(url, "title=a&id.gt=2") == [4]
    assert ids(url, "title.in=a,b&order=-title") == [1, 2, 4]
    assert ids(url, "order=title") == [2, 4, 1, 3]
    assert ids(url, "order=-due,-id") == [4, 3, 2, 1]
    assert ids(url, "order=due&limit=2") == [1, 2]
    assert ids(url, "limit=2&offset=1&order=-id") == [3, 2]
    assert ids(url, "where=title+contains+%27A%27+and+not+done") == [4]
    assert ids(url, "where=due+is+null+and+id+in+(1,3)") == [1, 3]
    assert ids(url, "due.null=false") == [4]
    assert ids(url, "title.like=%25") == [1, 2, 3, 4]
    for query in ("none=1", "order=none", "id=x", "done.like=t", "where=none+%3D+1", "search=x", "after=[]&limit=1"):
        assert ids(url, query) == 400, query
    assert ask(url, "GET", "/tasks?count&done=false").json() == {"count": 3}
    assert ask(url, "GET", "/tasks?facet=title").json()["facet"][0] == {"value": "a", "count": 2}


@pytest.mark.parametrize("order", ["", "order=title", "order=-title", "order=due", "order=-due,title", "order=-id"])
@pytest.mark.parametrize("size", [1, 2, 3])
def test_pages_follow_each_other(url: str, order: str, size: int) -> None:
    whole = ids(url, order)
    seen: list[int] = []
    page = ask(url, "GET", f"/tasks?fields=id&{order}&limit={size}&after=")
    while True:
        seen += [row["id"] for row in page.json()]
        link = page.headers.get("link")
        if link is None or 'rel="next"' not in link:
            break
        path = link.split("<")[1].split(">")[0]
        page = ask(url, "GET", path.removeprefix(url))
    assert seen == whole


@dataclass
class Measured:
    id: Annotated[int | None, Field(key=True)] = None
    day: date | None = None
    at: datetime | None = None
    clock: time | None = None
    number: float | None = None
    exact: Decimal | None = None
    some: int | None = None


MEASURED = [
    Measured(1, date(2024, 2, 29), datetime(2024, 2, 29, 1, 2, 3, tzinfo=UTC), time(1, 2, 3), 1.0, Decimal("1.50"), 12),
    Measured(
        2, date(1024, 12, 31), datetime(2024, 2, 1, 1, 2, 3, 250_000, UTC), time(1, 2, 3, 40), -2.5, Decimal(20), 21
    ),
    Measured(3),
]


@pytest.mark.parametrize("of", ["postgres", "sqlite"])
def test_dates_and_numbers_are_searched_as_text(database: Database, of: str) -> None:
    with demat.sqlite.open(":memory:") as own:
        table: Any = (database if of == "postgres" else own).table("measured", Measured)
        table.insert(MEASURED)
        place = store.of(table)

        def found(query: str) -> list[int]:
            return [row["id"] for row in place.get("/", query=f"{query}&order=id")]

        for query, wanted in {
            "day.like=2024-%25": [1],
            "day.like=%25-12-31": [2],
            "day.contains=24-": [1, 2],
            "at.like=2024-02-29T%25": [1],
            "at.contains=:03.250Z": [2],
            "at.like=%25:03Z": [1],
            "clock.like=01:02:03": [1],
            "clock.like=01:02:03.%25": [2],
            "number.like=1.0": [1],
            "number.contains=-2": [2],
            "exact.like=1.5%25": [1],
            "some.like=%251": [2],
            "some.like=1%25": [1],
        }.items():
            assert found(query) == wanted, query


def test_a_row_of_defaults(database: Database) -> None:
    database.execute("create table plain (id int generated always as identity primary key, n int not null default 7)")
    database.execute("create table keyless (n int not null default 7)")
    place = store.of(database)
    with demat.serve({"/": place}, port=0, background=True) as server:
        assert ask(server.url, "POST", "/plain", {}).status == 201
        assert ask(server.url, "POST", "/plain", [{}, {"n": 8}, {}, {}]).status in (201, 204)
        assert ask(server.url, "GET", "/plain?order=id").json() == [
            {"id": id, "n": n} for id, n in enumerate([7, 7, 8, 7, 7], 1)
        ]
        assert ask(server.url, "POST", "/keyless", {}).status in (201, 204)
        assert ask(server.url, "GET", "/keyless").json() == [{"n": 7}]
        assert ask(server.url, "PATCH", "/plain/1", {}).status in (200, 204)


def test_rows_are_changed(url: str, tasks: Table[Task]) -> None:
    made = ask(url, "POST", "/tasks", {"title": "new"})
    assert (made.status, made.headers["location"]) == (201, f"{url}/tasks/11")
    assert tasks.select(id=11).all() == [Task("new", 11)]
    assert ask(url, "POST", "/tasks", [{"title": "x"}, {"title": "y"}]).status in (201, 204)
    assert ask(url, "PUT", "/tasks/1", {"title": "put"}).status in (200, 204)
    assert tasks.select(id=1).first() == Task("put", 1)
    assert ask(url, "PUT", "/tasks/50", {"title": "fifty"}).status == 201
    assert ask(url, "PATCH", "/tasks/50", {"due": "2026-01-02", "done": True}).status in (200, 204)
    assert tasks.select(id=50).first() == Task("fifty", 50, True, date(2026, 1, 2))
    assert ask(url, "PATCH", "/tasks/50", {"due": None}).status in (200, 204)
    assert tasks.select(id=50).first() == Task("fifty", 50, True)
    assert ask(url, "PUT", "/tasks/50/title", "other").status in (200, 204)
    assert ask(url, "GET", "/tasks/50/title").json() == "other"
    assert ask(url, "DELETE", "/tasks/50").status == 204
    assert ask(url, "GET", "/tasks/50").status == 404
    assert ask(url, "DELETE", "/tasks/50").status == 404
    assert ask(url, "PATCH", "/tasks/50", {"done": True}).status == 404
    assert ask(url, "PATCH", "/tasks?title=a", {"done": True}).status in (200, 204)
    assert tasks.count("done") == 2
    assert ask(url, "DELETE", "/tasks?done=true").status in (200, 204)
    assert tasks.count("done") == 0
    assert ask(url, "PUT", "/tasks", [{"id": 7, "title": "only"}]).status in (200, 204)
    assert tasks.select().all() == [Task("only", 7)]


def test_what_does_not_fit_is_refused(url: str, tasks: Table[Task]) -> None:
    before = tasks.select(order="id").all()
    for method, path, body, status in [
        ("POST", "/tasks", {"title": "forbidden"}, 422),
        ("POST", "/tasks", {"title": 5}, 422),
        ("POST", "/tasks", {}, 422),
        ("POST", "/tasks", {"title": "a", "other": 1}, None),
        ("POST", "/tasks", {"title": "a", "id": 1}, 409),
        ("POST", "/tasks", [{"title": "a", "id": 90}, {"title": "forbidden"}], 422),
        ("POST", "/tasks", [{"title": "a", "id": 90}, {"title": "a", "id": 1}], 409),
        ("POST", "/tasks", {"title": "a\0"}, 422),
        ("PUT", "/tasks/1", {"title": "a", "id": 2}, 422),
        ("PUT", "/tasks/01", {"title": "a"}, 404),
        ("PUT", "/tasks/x", {"title": "a"}, 404),
        ("PATCH", "/tasks/1", {"title": "forbidden"}, 422),
        ("PATCH", "/tasks", {"title": "a"}, 409),
        ("PUT", "/tasks/1/none", 1, 404),
        ("DELETE", "/tasks/1/title", None, 405),
    ]:
        answer = ask(url, method, path, body)
        if status is None:
            tasks.delete(title="a", id=int(answer.headers["location"].rsplit("/", 1)[1]))
        else:
            assert answer.status == status, (method, path, body, answer.status, answer.json())
    assert tasks.select(order="id").all() == before


def test_versions_are_those_of_rows(url: str, tasks: Table[Task]) -> None:
    tag = ask(url, "GET", "/tasks/1").headers["etag"]
    assert ask(url, "GET", "/tasks/1", if_none_match=tag).status == 304
    # Another row changes.
    tasks.update([{"id": 2, "done": False}])
    assert ask(url, "GET", "/tasks/1", if_none_match=tag).status == 304
    whole = ask(url, "GET", "/tasks").headers["etag"]
    assert ask(url, "GET", "/tasks", if_none_match=whole).status == 304
    tasks.update([{"id": 1, "title": "changed"}])
    assert ask(url, "GET", "/tasks", if_none_match=whole).status == 200
    assert ask(url, "PUT", "/tasks/1", {"title": "z"}, if_match=tag).status == 412
    assert ask(url, "POST", "/tasks", {"title": "z"}, if_match=whole).status == 412
    tag, whole = (ask(url, "GET", path).headers["etag"] for path in ("/tasks/1", "/tasks"))
    assert ask(url, "POST", "/tasks", {"title": "z"}, if_match=whole).status == 201
    assert ask(url, "PUT", "/tasks/1", {"title": "z"}, if_match=tag).status in (200, 204)
    assert ask(url, "PUT", "/tasks/60", {"title": "z"}, if_none_match="*").status == 201
    assert ask(url, "PUT", "/tasks/60", {"title": "z"}, if_none_match="*").status == 412


def test_one_of_two_conditional_changes_wins(url: str) -> None:
    tag = ask(url, "GET", "/tasks/1").headers["etag"]
    done: list[int] = []

    def put(title: str) -> None:
        done.append(ask(url, "PUT", "/tasks/1", {"title": title}, if_match=tag).status)

    threads = [Thread(target=put, args=(f"title {number}",)) for number in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(done)[:1] in ([200], [204])
    assert sorted(done)[1:] == [412] * 7


def test_keys_of_many_types(database: Database) -> None:
    database.execute("create type mood as enum ('a', 'b,c')")
    database.execute(
        "create table keys (t text, d date, e mood, u uuid, x bytea, ok bool, n numeric, n2 int, "
        "primary key (t, d, e, u, x, ok, n))"
    )
    database.execute(
        "insert into keys values ('a,\\b/', '2024-02-29', 'b,c', '00000000-0000-0000-0000-000000000001', '\\x00ff', "
        "true, 1.50, 5)"
    )
    keys = store.of(database.table("keys"))
    (name,) = keys.children("/")
    (row,) = keys.get("/")
    assert name == "a\\,\\\\b/,2024-02-29,b\\,c,00000000-0000-0000-0000-000000000001,AP8=,true,1.50"
    at = f"/{quote(name, safe='')}"
    assert keys.get(at) == row
    keys.put(f"{at}/n2", 6)
    assert database.query("select n2 from keys").all() == [{"n2": 6}]
    for other in (name.replace("1.50", "1.5"), name.replace("true", "1"), name + ",", f"\\{name}", ""):
        with pytest.raises(demat.NotFound):
            keys.get(f"/{quote(other, safe='') or '~'}")
    keys.delete(at)
    assert keys.children("/") == []


def test_a_text_key_is_one_name(database: Database) -> None:
    database.execute("create collation loose (provider = icu, locale = 'und-u-ks-level1', deterministic = false)")
    database.execute("create table names (name text collate loose primary key, n int)")
    database.execute("insert into names values ('a', 1)")
    names = store.of(database.table("names"))
    assert names.get("/a/n") == 1
    with pytest.raises(demat.NotFound):
        names.get("/A/n")
    with pytest.raises(StoreError):
        names.put("/A", {"n": 2})


def test_tables_without_keys_and_views(database: Database) -> None:
    database.execute("create table plain (n int)")
    database.execute("create table unique_one (n int unique not null, t text)")
    database.execute("create view seen as select * from plain")
    everything = store.of(database)
    assert everything.get("/") == ["plain", "seen", "unique_one"]
    assert everything.post("/plain", {"n": 1}) == "/plain"
    assert everything.get("/seen") == [{"n": 1}]
    assert everything.children("/plain") == []
    assert everything.post("/unique_one", {"n": 7}) == "/unique_one/7"
    assert everything.get("/unique_one/7") == {"n": 7, "t": None}
    for act in (
        lambda: everything.post("/seen", {"n": 2}),
        lambda: everything.delete("/seen"),
        lambda: everything.get("/plain/1"),
    ):
        with pytest.raises(StoreError):
            act()
    everything.delete("/plain")
    assert everything.get("/seen") == []
    assert str(everything).startswith("database postgresql://")


def test_computed_columns_and_defaults(database: Database) -> None:
    database.execute(
        "create table t (id int generated always as identity primary key, a int, twice int generated always as (a * 2) "
        "stored, at timestamptz not null default '2000-01-01T00:00:00Z')"
    )
    t = store.of(database.table("t"))
    assert t.post("/", {"a": 2}) == "/1"
    assert t.get("/1/twice") == 4
    t.put("/1", {**t.get("/1"), "a": 3})
    assert t.get("/1/twice") == 6
    with pytest.raises(demat.Error, match="computed"):
        t.patch("/1", {"twice": 1})
    with pytest.raises(demat.Error):
        t.put("/1", {"a": 1})


@dataclass
class Less:
    """A class without all columns, which refuses others."""

    id: Annotated[int, Field(key=True)]
    title: str


demat.configure(Less, unknown="forbid")


def test_a_class_may_have_less_than_the_table(database: Database, tasks: Table[Task]) -> None:
    less = store.of(Table(database, "tasks", Less))
    assert less.get("/1") == {"id": 1, "title": "b"}
    assert less.get("/", query="title=a&limit=1") == [{"id": 2, "title": "a"}]
    less.put("/2", {"title": "put"})
    assert tasks.select(id=2).first() == Task("put", 2, True)


def test_layers_stand_over_a_table(tasks: Table[Task]) -> None:
    own = store.of(tasks)
    cached = store.cache(own)
    assert cached.get("/1/title") == "b"
    tasks.update([{"id": 1, "title": "changed"}])
    assert cached.get("/1/title") == "changed"
    with pytest.raises(StoreError):
        store.read_only(own).delete("/1")
    switched = store.switch({"tasks": own, "more": store.memory([])})
    assert switched.get("/tasks/1", Task) == Task("changed", 1)
    assert switched.encode("/tasks", "csv", query="fields=id&limit=2") == b"id\n1\n2\n"
    assert own.encode("/", "arrow")


def test_a_server_that_ends_is_told(database: Database, tasks: Table[Task]) -> None:
    own = store.of(tasks)
    assert own.get("/1/title") == "b"
    database.execute(
        "select pg_terminate_backend(pid) from pg_stat_activity where pid <> pg_backend_pid() and datname is not null"
    )
    # The first use may see that the connection has ended, and the next one has another.
    with suppress(StoreError, OSError):
        own.get("/1/title")
    assert own.get("/1/title") == "b"


def events(url: str, path: str) -> tuple[Any, Any]:
    """An open stream of events, behind the first, which says that it has begun."""
    connection = HTTPConnection(url.removeprefix("http://"), timeout=20)
    connection.request("GET", path, headers={"Accept": "text/event-stream"})
    response = connection.getresponse()
    assert response.status == 200
    assert response.readline().startswith(b"event: hello")
    return connection, response


def changes_until(response: Any, wanted: dict[str, str]) -> list[dict[str, str]]:
    seen: list[dict[str, str]] = []
    while wanted not in seen:
        line = response.readline()
        assert line, seen
        if line.startswith(b"data: ") and line != b"data: {}\n":
            seen.append(demat.json.decode(line[6:]))
    return seen


def test_others_changes_are_told_to_pages(tasks: Table[Task]) -> None:
    with demat.serve({"/tasks": tasks}, port=0, background=True) as server:
        connection, response = events(server.url, "/tasks")
        tasks.update([{"id": 1, "title": "changed"}])
        # Without triggers it is seen that something has changed.
        changes_until(response, {"verb": "put", "at": "/tasks"})
        connection.close()
    tasks.notify()
    with demat.serve({"/tasks": tasks}, port=0, background=True) as server:
        connection, response = events(server.url, "/tasks")
        changes_until(response, {"verb": "put", "at": "/tasks"})
        tasks.update([{"id": 1, "title": "again"}])
        assert changes_until(response, {"verb": "put", "at": "/tasks/1"}) == [{"verb": "put", "at": "/tasks/1"}]
        tasks.delete(id=2)
        assert changes_until(response, {"verb": "delete", "at": "/tasks/2"}) == [{"verb": "delete", "at": "/tasks/2"}]
        # The server's own changes come once.
        ask(server.url, "PATCH", "/tasks/1", {"done": True})
        tasks.upsert([Task("last", 77)])
        seen = changes_until(response, {"verb": "put", "at": "/tasks/77"})
        assert seen == [{"verb": "patch", "at": "/tasks/1"}, {"verb": "put", "at": "/tasks/77"}]
        connection.close()
