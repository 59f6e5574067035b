"""Tables of a PostgreSQL server, of classes."""

from __future__ import annotations

import enum
import threading
from dataclasses import dataclass, field
from datetime import UTC, date, datetime, time, timedelta, timezone
from decimal import Decimal
from typing import Annotated, Any
from uuid import UUID

import demat
import pytest
from demat import EncodeError, Field, StoreError, ValidationError, postgres
from postgres_server import schema


class Color(enum.Enum):
    RED = "red"
    BLUE = "blue"


@dataclass
class Inner:
    a: int
    b: list[str] = field(default_factory=list)


@dataclass
class Everything:
    id: Annotated[int, Field(key=True)]
    flag: bool
    number: float
    text: str
    data: bytes
    price: Decimal
    day: date
    clock: time
    at: datetime
    span: timedelta
    uuid: UUID
    color: Color
    numbers: list[int]
    table: list[list[float]]
    inner: Inner
    by_name: dict[str, int]
    maybe: str | None = None
    choice: int | str = 0


ONE = Everything(
    id=-(2**63),
    flag=True,
    number=-0.1,
    text="héllo 😀 'x' \\ \"",
    data=b"\x00\xff",
    price=Decimal("12345678901234567890.1234567890"),
    day=date(1, 1, 1),
    clock=time(23, 59, 59, 999999),
    at=datetime(9999, 12, 31, 23, 59, 59, 999999, tzinfo=UTC),
    span=timedelta(days=-400, microseconds=1),
    uuid=UUID("f81d4fae-7dec-11d0-a765-00a0c91e6bf6"),
    color=Color.BLUE,
    numbers=[1, -(2**63), 2**63 - 1],
    table=[[1.5, 2.5], [0.0, -1e300]],
    inner=Inner(1, ["x"]),
    by_name={"a": 1},
)
TWO = Everything(
    2**63 - 1, False, 1e-300, "", b"", Decimal(0), date(9999, 12, 31), time(0), datetime(1970, 1, 1, tzinfo=UTC),
    timedelta(0), UUID(int=0), Color.RED, [], [], Inner(-1), {}, "there", "text",
)  # fmt: skip


@pytest.fixture
def database() -> Any:
    with postgres.connect(schema()) as database:
        yield database


def test_objects_come_back(database: postgres.Database) -> None:
    table = database.table("everything", Everything)
    assert table.insert([ONE, TWO]) == 2
    assert table.select(order="id").all() == [ONE, TWO]
    # Not by COPY.
    assert table.select("id <> $1", 0, order="-id").all() == [TWO, ONE]
    # Again with the table that is there.
    assert database.table("everything", Everything).select(order="id").first() == ONE
    assert demat.json.decode(table.encode(id=ONE.id), list[Everything]) == [ONE]
    columns = table.select(order="id", fields=["id", "text", "numbers", "day"]).columns()
    assert len(columns) == 2


def test_instants_are_kept_in_utc(database: postgres.Database) -> None:
    database.execute("create table events (at timestamptz not null)")
    events = database.table("events")
    events.insert([{"at": datetime(2000, 1, 1, 12, tzinfo=timezone(timedelta(hours=2)))}])
    assert [row["at"] for row in database.query("select * from events")] == [datetime(2000, 1, 1, 10, tzinfo=UTC)]
    with pytest.raises(EncodeError, match="datetime"):
        events.insert([{"at": datetime(2000, 1, 1)}])


def test_a_table_says_what_its_rows_are(database: postgres.Database) -> None:
    database.execute("create type mood as enum ('sad', 'ok')")
    database.execute("create table t (id serial primary key, m mood, tags text[] not null, at inet, n numeric(6,2))")
    table = database.table("t")
    assert table.columns == ("id", "m", "tags", "at", "n")
    assert table.insert([{"m": "ok", "tags": ["a"], "at": "10.0.0.1/8", "n": Decimal("1.5")}, {"tags": []}]) == 2
    first, second = table.select(order="id")
    assert (first.id, first.tags, first.at, first.n) == (1, ["a"], "10.0.0.1/8", Decimal("1.50"))
    assert (second.id, second.m, second.tags) == (2, None, [])
    with pytest.raises(demat.Error, match="sad"):
        table.insert([{"m": "happy", "tags": []}])
    with pytest.raises(EncodeError, match="round"):
        table.insert([{"tags": [], "n": Decimal("1.005")}])


def test_drift_is_told(database: postgres.Database) -> None:
    database.execute("create table everything (id int)")
    with pytest.raises(StoreError, match=r"by \d+ differences: .*the column `flag` is missing"):
        database.table("everything", Everything)
    with pytest.raises(StoreError, match="there is no table `nowhere`"):
        database.table("nowhere", Everything, create=False)
    assert database.tables == ["everything"]


def test_a_refused_row_leaves_nothing(database: postgres.Database) -> None:
    @dataclass
    class Task:
        id: Annotated[int, Field(key=True)]
        title: Annotated[str, Field(min_length=2)]

    tasks = database.table("tasks", Task)
    tasks.insert([Task(0, "first")])
    with pytest.raises(ValidationError) as raised:
        tasks.insert([Task(1, "fine"), Task(2, "?")])
    assert raised.value.record == 2
    with pytest.raises(StoreError) as refused:
        tasks.insert(Task(id, "same") for id in (1, 0))
    assert (refused.value.sqlstate, refused.value.constraint, refused.value.record) == ("23505", "tasks_pkey", 2)
    with pytest.raises(ZeroDivisionError):
        tasks.insert(Task(id, "x" * (4 // (3 - id))) for id in range(1, 5))
    assert [task.id for task in tasks] == [0]
    assert tasks.upsert([Task(0, "new"), Task(1, "one"), Task(1, "last")]) == 2
    assert tasks.select(order="id").all() == [Task(0, "new"), Task(1, "last")]


def test_values_are_never_part_of_the_sql(database: postgres.Database) -> None:
    database.execute("create table t (id int, name text)")
    t = database.table("t")
    evil = "'; drop table t; --"
    t.insert([{"id": 1, "name": evil}, {"id": 2, "name": None}, {"id": 3, "name": "c"}])
    assert [row.id for row in t.select(name=evil)] == [1]
    assert [row.id for row in t.select(name=[evil, None], order="id")] == [1, 2]
    assert [row.id for row in t.select("id > $1", 1, name=None)] == [2]
    assert database.query("select $1::date as d, $2::jsonb as j", [date(2000, 1, 2), {"a": [1]}]).first() == {
        "d": date(2000, 1, 2),
        "j": {"a": [1]},
    }
    with pytest.raises(ValueError, match="1 parameters, and 0 values"):
        database.query("select $1::int as a").all()
    with pytest.raises(TypeError, match="list or a tuple"):
        database.query("select $1::text as a", "abc").all()
    with pytest.raises(EncodeError, match=r"`\$1`|\$1"):
        database.query("select $1::int as a", ["abc"]).all()
    with pytest.raises(TypeError, match="no column 'x'"):
        t.select(x=1)
    with pytest.raises(TypeError, match="no column"):
        t.select(order="id; drop table t")


def test_transactions_nest(database: postgres.Database) -> None:
    database.execute("create table t (id int primary key)")
    t = database.table("t")
    with database.transaction():
        t.insert([{"id": 1}])
        with pytest.raises(StoreError), database.transaction():
            t.insert([{"id": 2}, {"id": 2}])
        t.insert([{"id": 3}])
    assert sorted(row.id for row in t) == [1, 3]
    with pytest.raises(KeyError), database.transaction():
        t.delete("true")
        raise KeyError
    assert len(t) == 2
    # An error that was caught within does not make half of it final in silence.
    with pytest.raises(StoreError, match="aborted"), database.transaction():
        t.insert([{"id": 4}])
        with pytest.raises(StoreError):
            database.execute("select 1 / 0")
    assert len(t) == 2


def test_rows_stream(database: postgres.Database) -> None:
    rows = database.query("select i as id, i::text as name from generate_series(1, 5000) as i")
    assert next(rows) == {"id": 1, "name": "1"}
    with pytest.raises(StoreError, match="are being read"):
        database.execute("select 1")
    assert sum(1 for _ in rows) == 4999
    database.execute("select 1")
    rows = database.query("select generate_series(1, 100000) as i")
    next(rows)
    rows.close()
    assert database.query("select 1 as a").first() == {"a": 1}
    with pytest.raises(StoreError, match="division by zero"):
        database.query("select 1 / (2000 - i) as a from generate_series(1, 3000) as i").all()


def test_errors_of_rows_say_where(database: postgres.Database) -> None:
    with pytest.raises(ValidationError) as raised:
        database.query("select 1 as id, case when i = 3 then 'infinity'::date else '2000-01-01' end as d "
                       "from generate_series(1, 5) as i").all()  # fmt: skip
    assert (raised.value.record, raised.value.path) == (3, "$[2].d")
    assert "infinity" in str(raised.value)


def test_it_ends_and_is_interrupted(database: postgres.Database) -> None:
    timer = threading.Timer(0.3, database.interrupt)
    timer.start()
    with pytest.raises(StoreError, match="canceling statement") as raised:
        database.execute("select pg_sleep(30)::text")
    assert raised.value.sqlstate == "57014"
    timer.join()
    database.close()
    database.close()
    assert database.closed
    assert repr(database).startswith("<closed database 'postgresql://postgres@/")
    with pytest.raises(ValueError, match="closed"):
        database.execute("select 1")


def test_no_message_shows_the_password() -> None:
    for url in ("postgresql://a:hunter2@127.0.0.1:1/x?connect_timeout=1", "postgresql://a:hunter2@h/x?sslmode=maybe"):
        with pytest.raises(StoreError) as raised:
            postgres.connect(url)
        assert "hunter2" not in str(raised.value)
