"""Tables that follow their class: each kind of step, what would be lost, and what stays."""

from __future__ import annotations

import datetime as dt
import enum
import sqlite3
import subprocess
import sys
from dataclasses import dataclass, make_dataclass
from pathlib import Path
from typing import Annotated, Any

import demat
import pytest
from demat import Field, StoreError, sqlite

Key = Annotated[int, Field(key=True)]


def made(*fields: Any) -> Any:
    """A class `Row` with a key and these fields."""
    return make_dataclass("Row", [("id", Key), *fields], kw_only=True)


def filled(sql: str, *rows: tuple[Any, ...]) -> sqlite.Database:
    """A database with the table `t`, which has these rows."""
    database = sqlite.open(":memory:")
    database.execute(sql)
    for row in rows:
        database.execute(f"insert into t values ({', '.join('?' * len(row))})", row)
    return database


def rows(database: sqlite.Database) -> list[tuple[Any, ...]]:
    return [tuple(row.values()) for row in database.query("select * from t").all()]


def schema(database: sqlite.Database) -> list[dict[str, Any]]:
    return database.query("select type, name, sql from sqlite_schema order by name").all()


def migrated(database: sqlite.Database, cls: Any, **options: Any) -> sqlite.Table[Any]:
    """Migrates, and checks that nothing is left to do."""
    table = database.table("t", cls, migrate=True, **options)
    options.pop("allow", None)
    again = database.migration("t", cls, **options)
    assert not again
    assert (again.steps, again.losses, str(again)) == ([], [], "")
    database.table("t", cls, **options)
    return table


def refused(database: sqlite.Database, cls: Any, **options: Any) -> str:
    """The reason why a migration is refused; nothing is changed."""
    before = rows(database), schema(database)
    with pytest.raises(StoreError) as caught:
        database.table("t", cls, migrate=True, **options)
    assert (rows(database), schema(database)) == before
    assert caught.value.reason is not None
    return caught.value.reason


def test_a_table_that_is_not_there_is_made() -> None:
    with sqlite.open(":memory:") as database:
        migration = database.migration("t", made(("a", str)))
        assert [step.what for step in migration.steps] == ["create the table `t`"]
        assert database.tables == []
        migrated(database, made(("a", str))).insert([{"id": 1, "a": "x"}])
        assert rows(database) == [(1, "x")]


def test_columns_are_added() -> None:
    with filled("create table t (id integer primary key)", (3,), (5,)) as database:
        cls = made(("a", str, "x"), ("b", dt.date | None, None), ("c", Annotated[int | None, Field(index=True)], None))
        table = migrated(database, cls)
        assert table.select().all() == [cls(id=3), cls(id=5)]
        assert any(row["name"] == "t_c" for row in schema(database))
        assert refused(database, made(("a", str, "x"), ("d", str)), allow={"drop"}) == (
            "the table `t` can't become the one of the type: the column `d` is new and required, and the rows that are "
            "there have no value for it: give its field a default"
        )
        database.execute("delete from t")
        migrated(database, made(("d", str), ("a", str, "x")), allow={"drop"})
        assert list(database.table("t").columns) == ["id", "a", "d"]


def test_columns_are_dropped_where_that_is_allowed() -> None:
    with filled("create table t (id integer primary key, a text unique, b int)", (1, "x", None)) as database:
        assert refused(database, made()) == (
            'the migration of `t` would lose what is not allowed: the column `a` with its 1 value (allow "drop"); '
            'the column `b` with its 0 values (allow "drop")'
        )
        assert '(allow "drop")' in refused(database, made(), allow={"narrow"})
        migration = database.migration("t", made())
        assert [loss.word for loss in migration.losses] == ["drop", "drop"]
        with pytest.raises(StoreError, match="would lose"):
            migration.apply()
        migrated(database, made(), allow="drop")
        assert rows(database) == [(1,)]


def test_columns_are_renamed() -> None:
    with filled("create table t (id integer primary key, name text, nick text)", (1, "x", "y")) as database:
        database.execute("create index by_name on t (name)")
        cls = made(
            ("title", Annotated[str | None, Field(was=("label", "name"))]),
            ("odd", Annotated[str | None, Field(name='an "odd" one', was="nick")]),
        )
        assert [step.what for step in database.migration("t", cls).steps] == [
            "rename the column `name` to `title`",
            'rename the column `nick` to `an "odd" one`',
        ]
        assert migrated(database, cls).select().all() == [cls(id=1, title="x", odd="y")]
        assert "title" in next(row["sql"] for row in schema(database) if row["name"] == "by_name")
        back = made(("title", str | None), ("nick", Annotated[str | None, Field(was='an "odd" one')]))
        migrated(database, back)
        assert rows(database) == [(1, "x", "y")]


def test_what_a_field_was_is_a_note() -> None:
    cls = made(("title", Annotated[str, Field(was=["name", 'old "name"'])]))
    text = demat.schema(cls, to="shape")
    again = demat.define(text)
    assert demat.schema(again, to="shape") == text
    assert "was=('name', 'old \"name\"')" in demat.source(again)
    assert Field(was="a") == Field(was=["a"])
    assert repr(Field(was="a")) == "Field(was=('a',))"
    for wrong, error in [((), ValueError), ("", ValueError), (3, TypeError), ([3], TypeError)]:
        with pytest.raises(error):
            Field(was=wrong)  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="`was` says something about a field of a class"):
        demat.schema(list[Annotated[int, Field(was="x")]])


@pytest.mark.parametrize(
    ("declared", "value", "type", "kept"),
    [
        ("INTEGER", 12, str, "12"),
        ("INTEGER", 12, float, 12.0),
        ("BOOLEAN", 1, str, "1"),
        ("REAL", 1.5, str, "1.5"),
        ("DATE", "2020-01-02", str, "2020-01-02"),
        ("TEXT", "é", bytes, "é".encode()),
    ],
)
def test_columns_are_widened(declared: str, value: Any, type: Any, kept: Any) -> None:
    with filled(f"create table t (id integer primary key, a {declared} not null)", (1, value)) as database:
        assert database.migration("t", made(("a", type))).losses == []
        assert migrated(database, made(("a", type))).select().all()[0].a == kept


@pytest.mark.parametrize(
    ("declared", "value", "type", "kept", "wrong"),
    [
        ("TEXT", "12", int, 12, "twelve"),
        ("TEXT", "1.5", float, 1.5, "1.5.2"),
        ("REAL", 3.0, int, 3, 3.5),
        ("INTEGER", "2020-01-02", dt.date, dt.date(2020, 1, 2), 20),
        ("TEXT", "1", bool, True, "yes"),
    ],
)
def test_columns_are_narrowed_where_that_is_allowed(
    declared: str, value: Any, type: Any, kept: Any, wrong: Any
) -> None:
    sql = f"create table t (id integer primary key, a {declared} not null)"
    cls = made(("a", type))
    with filled(sql, (1, value)) as database:
        assert '(allow "narrow")' in refused(database, cls, allow={"drop"})
        assert migrated(database, cls, allow={"narrow"}).select().all()[0].a == kept
    with filled(sql, (1, value), (7, wrong)) as database:
        assert "in the row id = 7, which is no" in refused(database, cls, allow={"narrow"})


def test_null() -> None:
    with filled("create table t (id integer primary key, a text)", (1, "x"), (2, None)) as database:
        assert "the row id = 2 has NULL there" in refused(database, made(("a", str)), allow={"narrow"})
        assert "has NULL in 1 row, which become 'y' (allow \"narrow\")" in refused(database, made(("a", str, "y")))
        migrated(database, made(("a", str, "y")), allow={"narrow"})
        assert rows(database) == [(1, "x"), (2, "y")]
        migrated(database, made(("a", str | None, None)))
        database.execute("insert into t (id, a) values (3, null)")
        database.execute("delete from t where a is null")
        # Nothing is lost where no row has NULL.
        migrated(database, made(("a", str)))


def test_rules_and_defaults_follow() -> None:
    class Few(enum.Enum):
        OPEN = "open"
        CLOSED = "closed"

    class More(enum.Enum):
        OPEN = "open"
        CLOSED = "closed"
        WAITING = "waiting"

    with sqlite.open(":memory:") as database:
        database.table("t", made(("state", Few, Few.OPEN))).insert([{"id": 1}])
        table = migrated(database, made(("state", More, More.WAITING)))
        table.insert([{"id": 2}])
        assert rows(database) == [(1, "open"), (2, "waiting")]
        said = refused(database, made(("state", Few, Few.OPEN)))
        assert "the column `state` has 'waiting' in the row id = 2, which breaks the rule" in said
        migrated(database, made(("state", str)))
        database.execute("insert into t (id, state) values (3, 'any')")


def test_keys_indexes_and_kinds() -> None:
    with filled("create table t (a text, b int)", ("x", 1), ("y", 2)) as database:

        @dataclass
        class ByA:
            a: Annotated[str, Field(key=True)]
            b: Annotated[int | None, Field(unique=True)]

        migrated(database, ByA, indexes=[("b", "a")])
        assert rows(database) == [("x", 1), ("y", 2)]
        # The index that is no longer said goes, since Demat made it.
        assert [step.sql for step in database.migration("t", ByA).steps] == ['DROP INDEX main."t_b_a"']
        migrated(database, ByA, strict=True, without_rowid=True)
        assert "STRICT, WITHOUT ROWID" in str(schema(database))

        @dataclass
        class ByBoth:
            a: Annotated[str, Field(key=True)]
            b: Annotated[int, Field(key=True)]

        migrated(database, ByBoth)
        with pytest.raises(StoreError, match="UNIQUE"):
            database.execute("insert into t values ('x', 1)")
        database.execute("insert into t values ('x', 2)")
        assert "several rows have 'x' there" in refused(database, ByA)


def test_all_at_once(tmp_path: Path) -> None:
    path = tmp_path / "a.db"
    with sqlite.open(path) as database:
        database.execute("create table people (id integer primary key)")
        database.execute("insert into people values (1), (2)")
        database.execute(
            "create table t (id integer primary key autoincrement, name text not null collate nocase, age text, "
            "owner int, gone text)"
        )
        database.execute("create table child (t int references t (id) on delete cascade)")
        database.execute("create index by_lower on t (lower(name))")
        database.execute("create table log (name text)")
        database.execute("create trigger tr after insert on t begin insert into log values (new.name); end")
        database.execute("create view v as select id, name, age from t")
        database.execute("insert into t values (4, 'Ada', '36', 1, 'x'), (9, 'Bob', '7', 2, null)")
        database.execute("insert into child values (4), (9)")
        cls = made(
            ("title", Annotated[str, Field(was="name", min_length=1)]),
            ("age", int | None, None),
            ("owner", Annotated[int | None, Field(references="people(id) on delete set null")], None),
            ("done", bool, False),
        )
        migration = database.migration("t", cls)
        script = str(migration)
        assert [loss.word for loss in migration.losses] == ["drop", "narrow"]
        table = migrated(database, cls, allow={"drop", "narrow"})
        expected = [cls(id=4, title="Ada", age=36, owner=1), cls(id=9, title="Bob", age=7, owner=2)]
        assert table.select().all() == expected
        assert [row["t"] for row in database.query("select t from child").all()] == [4, 9]
        assert database.query("select * from v").all()[0] == {"id": 4, "title": "Ada", "age": 36}
        database.execute("insert into t (title) values ('Eve')")
        assert database.query("select max(id) as id from t").all() == [{"id": 10}]
        assert database.query("select count(*) as n from log").all() == [{"n": 3}]
        database.execute("delete from people where id = 1")
        assert table.select(id=4).all()[0].owner is None
        with pytest.raises(StoreError, match="FOREIGN KEY"):
            database.execute("update t set owner = 77 where id = 9")
        database.execute("delete from t where id = 4")
        assert [row["t"] for row in database.query("select t from child").all()] == [9]
        assert database.query("pragma integrity_check").all() == [{"integrity_check": "ok"}]
    # The text of the plan is a script that SQLite takes.
    stock = sqlite3.connect(":memory:")
    stock.isolation_level = None
    stock.executescript(
        "create table people (id integer primary key); create table t (id integer primary key autoincrement, name text "
        "not null collate nocase, age text, owner int, gone text); create index by_lower on t (lower(name)); "
        "create table log (name text); "
        "create trigger tr after insert on t begin insert into log values (new.name); end; "
        "insert into people values (1); insert into t values (4, 'Ada', '36', 1, 'x');" + script
    )
    assert stock.execute("select id, title, age, owner, done from t").fetchall() == [(4, "Ada", 36, 1, 0)]
    stock.close()


def test_failures_leave_the_file_as_it_was(tmp_path: Path) -> None:
    path = tmp_path / "a.db"
    with sqlite.open(path) as database:
        database.execute("create table p (id integer primary key)")
        database.execute("create table t (id integer primary key, p int, n text)")
        database.execute("insert into t values (1, 5, '1')")
        before = path.read_bytes()
        cls = made(("p", Annotated[int | None, Field(references="p(id)")]), ("n", int | None))
        # The rows are copied and the old table is gone when foreign keys are checked.
        assert refused(database, cls, allow={"narrow"}) == "the row 1 of `t` refers to no row of `p`"
        assert path.read_bytes() == before
        with pytest.raises(StoreError, match="FOREIGN KEY"):
            database.execute("create table q (a references p(id))")
            database.execute("insert into q values (7)")
        with database.transaction(), pytest.raises(StoreError, match="within a transaction"):
            database.table("t", cls, migrate=True, allow={"narrow"})


LOCKED = """
import sqlite3, sys
connection = sqlite3.connect(sys.argv[1], isolation_level=None)
connection.execute("begin immediate")
print("locked", flush=True)
sys.stdin.readline()
"""


def test_another_process_holds_the_lock(tmp_path: Path) -> None:
    path = tmp_path / "a.db"
    with sqlite.open(path, timeout=0.05) as database:
        database.execute("create table t (id integer primary key)")
        cls = made(("a", str, "x"))
        with subprocess.Popen(
            [sys.executable, "-c", LOCKED, str(path)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        ) as other:
            assert other.stdin is not None
            assert other.stdout is not None
            assert other.stdout.readline() == "locked\n"
            assert database.migration("t", cls)
            with pytest.raises(StoreError) as caught:
                database.table("t", cls, migrate=True)
            assert caught.value.sqlite_name == "SQLITE_BUSY"
            # What needs no change needs no lock.
            database.table("t", made(), migrate=True)
            other.stdin.write("\n")
            other.stdin.close()
        migrated(database, cls)


def test_a_large_table(tmp_path: Path) -> None:
    with sqlite.open(tmp_path / "a.db") as database:
        cls = made(("a", int), ("b", Annotated[str, Field(index=True)]))
        table = database.table("t", cls)
        table.insert(cls(id=id * 3, a=id, b=f"b{id % 100}") for id in range(100_000))
        new = made(("a", str), ("c", Annotated[str, Field(index=True, was="b")]), ("d", float, 0.5))
        table = migrated(database, new)
        assert len(table) == 100_000
        assert database.query("select sum(id) as s, sum(cast(a as int)) as a, sum(d) as d from t").all() == [
            {"s": 3 * 4_999_950_000, "a": 4_999_950_000, "d": 50_000.0}
        ]
        assert table.count(c="b7") == 1000
        assert table.select(id=299_997).all() == [new(id=299_997, a="99999", c="b99")]


def test_arguments() -> None:
    with filled("create table t (id integer primary key)") as database:
        with pytest.raises(ValueError, match="allow='all' is none of 'drop', 'narrow'"):
            database.table("t", made(), migrate=True, allow={"all"})
        with pytest.raises(ValueError, match="needs migrate=True"):
            database.table("t", made(), allow={"drop"})
        with pytest.raises(TypeError, match="needs the class"):
            database.table("t", migrate=True)  # type: ignore[call-overload]
        with pytest.raises(TypeError, match="a table is of a class with fields"):
            database.migration("t", int)
        assert repr(database.migration("t", made(("a", int | None)))) == "<migration of 't', 1 step>"
        with pytest.raises(StoreError, match="not the one of the type"):
            database.table("t", made(("a", int | None)))


def test_a_file_that_is_only_read(tmp_path: Path) -> None:
    path = tmp_path / "a.db"
    with sqlite.open(path) as database:
        database.execute("create table t (id integer primary key)")
    with sqlite.open(path, readonly=True) as database:
        database.table("t", made(), migrate=True)
        migration = database.migration("t", made(("a", int | None)))
        assert migration
        with pytest.raises(StoreError, match="readonly"):
            migration.apply()


def test_a_closed_database_is_not_migrated(tmp_path: Path) -> None:
    database = sqlite.open(tmp_path / "a.db")
    database.execute("create table t (id integer primary key)")
    migration = database.migration("t", made(("a", int | None)))
    database.close()
    with pytest.raises(ValueError, match="the database is closed"):
        migration.apply()
    with sqlite.open(tmp_path / "a.db") as database:
        assert list(database.table("t").columns) == ["id"]


def test_a_dropped_column_in_double_quotes_is_no_text() -> None:
    with filled("create table t (id integer primary key, a text)", (1, "x")) as database:
        database.execute('create view v as select "a" as a from t')
        assert 'the view `v` would fail: no such column: "a"' in refused(database, made(), allow={"drop"})
        assert database.query("select * from v").all() == [{"a": "x"}]


@pytest.mark.parametrize("action", ["ignore", "replace"])
def test_constraints_that_ignore_or_replace_lose_no_rows(action: str) -> None:
    sql = f"create table t (id integer primary key, a text unique on conflict {action})"
    with filled(sql, (1, "1"), (2, "1.0")) as database:
        assert "several rows have 1.0 there" in refused(database, made(("a", float | None)), allow={"narrow"})


def test_what_goes_with_a_dropped_column_is_said() -> None:
    with filled("create table t (id integer primary key, a text, b int, unique (a, b))") as database:
        database.execute("create index i on t (b) where a > 'x'")
        migration = database.migration("t", made(("b", int | None)))
        assert [loss.what for loss in migration.losses] == [
            "the column `a` with its 0 values",
            "the constraint `unique (a, b)`, which has a dropped column",
            "the index `i`, which has a dropped column",
        ]
        migrated(database, made(("b", int | None)), allow={"drop"})


def test_references_to_nothing_that_were_there() -> None:
    with sqlite.open(":memory:") as database:
        database.execute("pragma foreign_keys = off")
        database.execute("create table t (id integer primary key, p int references t (id), n int)")
        database.execute("insert into t values (1, 9, 3)")
        database.execute("pragma foreign_keys = on")
        migrated(database, made(("p", int | None), ("n", str | None)))
        assert rows(database) == [(1, 9, "3")]
