"""Foreign databases: damaged, deleted while open, or no database at all. All errors are Demat's own.

`DEMAT_MUTATIONS` sets the number of damaged files of each kind; by default a few.
"""

from __future__ import annotations

import os
import shutil
import sqlite3
import subprocess
import sys
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from demat import Error, StoreError, sqlite
from hostile import run

MUTATIONS = int(os.environ.get("DEMAT_MUTATIONS", "60"))

# Runs every verb on damaged files. Each must return a value or raise a `demat.Error`.
PROGRAM = """
    import os, random, sqlite3, warnings
    from demat import Error, sqlite
    warnings.simplefilter("ignore")
    path, other = {path!r}, {path!r} + "-changed"
    whole = open(path, "rb").read()
    size = int.from_bytes(whole[16:18], "big")
    chance = random.Random({seed})
    verbs = {{
        "tables": lambda database: [database.table(name).type for name in database.tables],
        "views": lambda database: database.table("v").select().all(),
        "rows": lambda database: database.table("t").select().all(),
        "dicts": lambda database: database.table("t").select(fields=["id", "b"]).all(),
        "keyed": lambda database: database.table("w").select().all(),
        "columns": lambda database: database.table("t").select().columns(),
        "plain": lambda database: database.table("t").select(fields=["id"]).columns(threads=2),
        "encode": lambda database: database.table("t").encode("json"),
        "csv": lambda database: database.table("t").select(order="-b").encode("csv"),
        "filter": lambda database: database.table("t").select(b="b7", at="2021-01-01 00:00:00").all(),
        "search": lambda database: database.table("f").select("f match ?", "x7").all(),
        "count": lambda database: database.table("t").count(),
        "insert": lambda database: database.table("t").insert([{{"a": 1, "b": "x" * 2000}}] * 20),
        "update": lambda database: database.table("t").update([{{"id": id, "b": "y"}} for id in range(9)]),
        "upsert": lambda database: database.table("w").upsert([{{"k": "k3", "v": 5}}]),
        "load": lambda database: database.table("e").load([{{"id": id, "a": "x" * id}} for id in range(90)]),
        "delete": lambda database: database.table("t").delete("id % 2"),
    }}
    for _ in range({count}):
        changed = bytearray(whole)
        for _ in range(chance.choice((1, 1, 2, 8))):
            at = chance.randrange(len(changed))
            # What stands at the beginning of a page, and of the file, matters most.
            at = chance.choice((at, at // size * size + at % 24, at % 100, at // size * size + at % size // 8))
            changed[at] = chance.choice((0, 1, 2, 5, 10, 13, 127, 128, 255, chance.randrange(256)))
        if chance.random() < 0.2:
            del changed[chance.randrange(len(changed)):]
        for suffix in ("-journal", "-wal", "-shm"):
            if os.path.exists(other + suffix):
                os.remove(other + suffix)
        with open(other, "wb") as file:
            file.write(changed)
        for verb in chance.sample(sorted(verbs), len(verbs)):
            try:
                with sqlite.open(other) as database:
                    verbs[verb](database)
            except Error as error:
                assert str(error)
    print("done")
"""


def made(path: Path, page_size: int) -> None:
    own = sqlite3.connect(path)
    own.executescript(f"""
        pragma page_size = {page_size};
        create table t (id integer primary key, a, b text, at datetime);
        create index b on t (b);
        create table w (k text primary key, v int) without rowid;
        create table e (id integer primary key, a text unique);
        create view v as select a, b from t where id > 3;
        create virtual table f using fts5(x);
    """)
    own.executemany(
        "insert into t values (?, ?, ?, '2021-01-01 00:00:00')",
        [(id, [id, id / 7, "text", b"bytes", None][id % 5], f"b{id}" * (1 if id % 9 else 400)) for id in range(60)],
    )
    own.executemany("insert into w values (?, ?)", [(f"k{id}", id) for id in range(60)])
    own.executemany("insert into f values (?)", [(f"x{id} y",) for id in range(9)])
    own.commit()
    own.close()


@pytest.mark.parametrize("page_size", [512, 4096])
@pytest.mark.parametrize("seed", [1, 2])
def test_damaged_files_end_in_typed_errors(tmp_path: Path, page_size: int, seed: int) -> None:
    made(tmp_path / "a.db", page_size)
    program = PROGRAM.format(path=str(tmp_path / "a.db"), seed=seed, count=MUTATIONS)
    assert run(program, seconds=60 + MUTATIONS) == "done\n"


def test_the_schema_is_not_trusted(tmp_path: Path) -> None:
    path = tmp_path / "a.db"
    with sqlite3.connect(path) as own:
        own.create_function("demat_instant", 1, lambda value: value)
        own.execute("create table t (a)")
        own.execute("create view v as select demat_instant(a) as a from t")
        own.execute("create trigger g after insert on t begin select demat_instant(new.a); end")
    with sqlite.open(path) as database:
        assert database.query("pragma trusted_schema").all() == [{"trusted_schema": 0}]
        assert database.query("pragma cell_size_check").all() == [{"cell_size_check": 1}]
        for ask in (lambda: database.table("v").select().all(), lambda: database.table("t").insert([{"a": 1}])):
            with pytest.raises(StoreError, match="unsafe use of demat_instant"):
                ask()


def test_what_is_no_file_of_a_database(tmp_path: Path) -> None:
    (tmp_path / "folder").mkdir()
    with pytest.raises(StoreError):
        sqlite.open(tmp_path / "folder")
    with pytest.raises(StoreError):
        sqlite.open(tmp_path / "nowhere" / "a.db")
    # An empty file is a database without tables.
    (tmp_path / "empty.db").touch()
    with sqlite.open(tmp_path / "empty.db") as database:
        assert database.tables == []
        database.execute("create table t (a)")
    with sqlite.open(tmp_path / "empty.db") as database:
        assert database.tables == ["t"]
    for name in ("a.db\0", "\ud800"):
        with pytest.raises((Error, ValueError)):
            sqlite.open(tmp_path / name)


def verbs(database: sqlite.Database) -> dict[str, Any]:
    return {
        "insert": lambda: database.table("e").insert([{"id": 1, "a": "x"}]),
        "upsert": lambda: database.table("e").upsert([{"id": 1, "a": "x"}]),
        "load": lambda: database.table("e").load([{"id": 1, "a": "x"}]),
        "update": lambda: database.table("t").update([{"id": 1, "b": "x"}]),
        "delete": lambda: database.table("t").delete("true"),
        "create": lambda: database.execute("create table n (a)"),
    }


@pytest.mark.skipif(not hasattr(os, "geteuid"), reason="modes are those of Unix")
@pytest.mark.parametrize("verb", ["insert", "upsert", "load", "update", "delete", "create"])
def test_nothing_is_written_where_nothing_may_be(tmp_path: Path, verb: str) -> None:
    path = tmp_path / "a.db"
    made(path, 4096)
    before = path.read_bytes()
    with sqlite.open(path, readonly=True) as database:
        with pytest.raises(StoreError) as caught:
            verbs(database)[verb]()
        assert caught.value.sqlite_name.startswith("SQLITE_READONLY")
        assert len(database.table("t")) == 60
    assert path.read_bytes() == before
    assert [file.name for file in tmp_path.iterdir()] == ["a.db"]


def test_a_file_that_goes_while_it_is_open(tmp_path: Path) -> None:
    path = tmp_path / "a.db"
    for verb in ("insert", "upsert", "load", "update", "delete", "create"):
        made(path, 4096)
        with sqlite.open(path) as database:
            assert len(database.table("t")) == 60
            path.unlink()
            with suppress(Error):
                verbs(database)[verb]()
            assert len(database.table("t")) in (0, 60)
        assert not path.exists() or not path.stat().st_size
        path.unlink(missing_ok=True)


@pytest.mark.skipif(not shutil.which("strace"), reason="there is no strace")
@pytest.mark.parametrize("when", [1, 2, 3, 5, 8, 12])
@pytest.mark.parametrize("verb", ["insert", "load", "update"])
def test_a_disk_that_is_full_at_the_nth_write(tmp_path: Path, verb: str, when: int) -> None:
    path = tmp_path / "a.db"
    made(path, 4096)
    program = tmp_path / "program.py"
    program.write_text(f"""
from demat import Error, sqlite
import sys
try:
    with sqlite.open({str(path)!r}) as database:
        if {verb!r} == "update":
            database.table("t").update([{{"id": id, "b": "z" * 900}} for id in range(60)])
        else:
            database.table("e").{verb}([{{"id": id, "a": str(id) * 90}} for id in range(500)])
except Error as error:
    sys.exit(3)
""")
    inject = f"inject=pwrite64,write:error=ENOSPC:when={when}+"
    done = subprocess.run(
        [
            "strace",
            "-f",
            "-qq",
            "-o",
            str(tmp_path / "trace"),
            "-P",
            str(path),
            "-P",
            f"{path}-journal",
            "-e",
            inject,
            sys.executable,
            str(program),
        ],
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    if "ptrace" in done.stderr:
        pytest.skip("processes can't be traced here")
    assert done.returncode in (0, 3), done.stderr
    # After a crash and SQLite's recovery, all rows are there or none.
    with sqlite.open(path) as database:
        assert database.query("pragma integrity_check").all() == [{"integrity_check": "ok"}]
        if verb == "update":
            assert database.table("t").count("length(b) = 900") == (60 if done.returncode == 0 else 0)
        else:
            assert len(database.table("e")) == (500 if done.returncode == 0 else 0)
