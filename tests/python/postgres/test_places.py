"""Tables of a PostgreSQL server as places of a copy."""

from __future__ import annotations

import json
import subprocess
import sys
from dataclasses import dataclass
from io import BytesIO
from pathlib import Path
from typing import Annotated, Any

import demat
import pytest
from demat import Field, StoreError, postgres, sqlite
from postgres_server import schema


@dataclass
class Task:
    id: Annotated[int, Field(key=True)]
    title: str
    done: bool = False


TASKS = [Task(id, f"task {id}", id % 2 == 0) for id in range(-3, 3)]


@pytest.fixture
def url() -> str:
    return schema()


def demat_command(*arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run([sys.executable, "-m", "demat", *arguments], capture_output=True, text=True)


@pytest.mark.parametrize("suffix", ["json", "jsonl", "csv", "parquet", "arrow", "msgpack", "db#tasks"])
def test_copies_go_both_ways(tmp_path: Path, url: str, suffix: str) -> None:
    file = f"{tmp_path}/out.{suffix}"
    with postgres.connect(url) as database:
        tasks = database.table("tasks", Task)
        tasks.insert(TASKS)
        assert demat.copy(f"{url}#tasks", file).records == 6
        tasks.delete("true")
        assert demat.copy(file, f"{url}#tasks", Task).records == 6
        assert tasks.select(order="id").all() == TASKS
        # Into a table that there is not.
        assert demat.copy(file, f"{url}#made", infer=True).records == 6
        assert sorted(row.title for row in database.table("made")) == sorted(task.title for task in TASKS)


def test_the_verbs_of_any_place(url: str) -> None:
    place = f"{url}#tasks"
    with postgres.connect(url) as database:
        database.table("tasks", Task)
    assert demat.write(place, TASKS) == 6
    assert sorted(demat.read(place, Task), key=lambda task: task.id) == TASKS
    assert {row["title"] for row in demat.read(place)} == {task.title for task in TASKS}
    assert sorted(demat.columns(place).numpy("id").tolist()) == [task.id for task in TASKS]
    assert list(demat.read(f"{url}?select max(id) as most from tasks")) == [{"most": 2}]
    with pytest.raises(TypeError, match="use demat.postgres"):
        demat.read(place, Task, where="id = 1")


def test_a_database_of_sqlite_and_back(tmp_path: Path, url: str) -> None:
    path = tmp_path / "tasks.db"
    with sqlite.open(path) as database:
        database.execute(
            "create table tasks (id integer primary key, title varchar(20) not null, at datetime, price decimal text, "
            "data blob, n int default 3)"
        )
        database.execute("insert into tasks values (1, 'a', '2000-01-01T00:00:00Z', '1.50', x'00ff', null)")
    assert demat_command("copy", f"{path}#tasks", f"{url}#tasks").returncode == 0
    assert demat_command("copy", f"{url}#tasks", f"{tmp_path}/back.db#tasks").returncode == 0
    with sqlite.open(path) as one, sqlite.open(tmp_path / "back.db") as other:
        assert other.query("select * from tasks").all() == one.query("select * from tasks").all()


def test_a_copy_that_fails_leaves_nothing(url: str) -> None:
    place = f"{url}#tasks"
    rows = b'[{"id": 1, "title": "a"}, {"id": 2}]'
    with pytest.raises(demat.ValidationError):
        demat.copy(rows, place, Task, from_="json")
    with postgres.connect(url) as database:
        assert database.tables == []
        tasks = database.table("tasks", Task)
        tasks.insert([Task(7, "there")])
        with pytest.raises(demat.ValidationError):
            demat.copy(rows, place, Task, from_="json")
        assert [task.id for task in tasks] == [7]
        copied = demat.copy(rows, place, Task, from_="json", on_error="skip")
        assert (copied.records, copied.rejected) == (1, 1)
        assert sorted(task.id for task in tasks) == [1, 7]
        # The server's own refusal.
        with pytest.raises(StoreError) as raised:
            demat.copy(b'[{"id": 8, "title": "a"}, {"id": 7, "title": "b"}]', place, Task, from_="json")
        assert (raised.value.sqlstate, raised.value.record) == ("23505", 2)
        with pytest.raises(StoreError, match="does not keep"):
            demat.copy(b'[{"id": "x", "title": "b"}]', place, "[{id: text, title: text}]", from_="json")
        with pytest.raises(StoreError, match="no column `other`"):
            demat.copy(b'[{"other": 1}]', place, "[{other: int}]", from_="json")
        assert len(tasks) == 2


def test_what_is_read_changes_nothing(tmp_path: Path, url: str) -> None:
    with postgres.connect(url) as database:
        database.table("tasks", Task).insert(TASKS)
        out = f"{tmp_path}/out.json"
        assert demat.copy(f"{url}?select id, title from tasks where id > 0 order by id", out).records == 2
        assert json.loads(Path(out).read_bytes()) == [{"id": 1, "title": "task 1"}, {"id": 2, "title": "task 2"}]
        for sql in ("insert into tasks values (9, 'x', true) returning id", "delete from tasks", "select 1; select 2"):
            with pytest.raises(StoreError):
                demat.copy(f"{url}?{sql}", out)
        assert len(database.table("tasks")) == 6
        with pytest.raises(StoreError, match="into itself"):
            demat.copy(f"{url}#tasks", f"{url}#tasks")
        assert demat.copy(f"{url}#tasks", f"{url}#copied").records == 6
        assert demat.copy(f"{url}#tasks", out, where="done and id < 0", fields=["id"]).records == 1
        assert json.loads(Path(out).read_bytes()) == [{"id": -2}]


def test_the_command(tmp_path: Path, url: str) -> None:
    with postgres.connect(url) as database:
        database.table("tasks", Task).insert(TASKS)
    shown = demat_command("schema", url)
    assert shown.stdout.strip() == "tasks{id:int64 #sql:key, title:text, done:bool}"
    facts = json.loads(demat_command("info", f"{url}#tasks", "--to", "json").stdout)
    assert facts["tasks" if "tables" not in facts else "tables"]["tasks"]["records"] == 6
    head = demat_command("head", f"{url}#tasks", "-n", "1")
    assert "task" in head.stdout, head.stderr
    missing = demat_command("copy", f"{url}#nowhere", f"{tmp_path}/a.json")
    assert missing.returncode != 0
    assert "no table `nowhere`" in missing.stderr
    secret = url.replace("postgres@", "postgres:hunter2@", 1)
    failed = demat_command("copy", f"{secret}#nowhere", f"{tmp_path}/a.json")
    assert "hunter2" not in failed.stderr + failed.stdout


def test_records_of_other_types(url: str) -> None:
    rows: Any = '[{"id":1,"tags":["a",null],"at":"2000-01-01T00:00:00Z","nested":{"a":[1]}}]'
    shape = "[{id: int32, tags: [text?], at: instant, nested: {a: [int]}}]"
    demat.copy(rows.encode(), f"{url}#t", shape, from_="json")
    with postgres.connect(url) as database:
        # Other tests have tables of this name in other schemas.
        sql = (
            "select column_name::text, udt_name::text from information_schema.columns "
            "where table_name = 't' and table_schema = current_schema()"
        )
        types = {row["column_name"]: row["udt_name"] for row in database.query(sql)}
        assert types == {"id": "int4", "tags": "_text", "at": "timestamptz", "nested": "jsonb"}
        assert json.loads(database.table("t").encode()) == json.loads(rows)


def test_rows_whose_values_cannot_be_read_are_left_out() -> None:
    url = schema()
    with postgres.connect(url) as database:
        database.execute("create table t (id int, d date, n numeric, l date[], j jsonb)")
        database.execute(
            """insert into t values (1, 'infinity', 1, null, null), (2, '2024-01-01', 'NaN', null, '[1]'),"""
            """ (3, '2024-01-01', 2, '{2024-01-01}', '{"a": "b"}'), (4, null, null, '{-infinity}', '"x"'),"""
            " (5, null, 3, null, null)"
        )
    out = BytesIO()
    rejected: list[Any] = []
    done = demat.copy(f"{url}#t", out, to="json", on_error="collect", rejects=rejected)
    assert [row["id"] for row in json.loads(out.getvalue())] == [3, 5]
    assert done.rejected == 3
    kept = [json.loads(bytes) for _, bytes in rejected]
    assert [row["id"] for row in kept] == [1, 2, 4]
    assert (kept[0]["d"], kept[1]["n"], kept[1]["j"], kept[2]["j"]) == ("infinity", "NaN", [1], "x")
