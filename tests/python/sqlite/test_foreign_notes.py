"""What a stranger's file declares in its metadata does not become SQL."""

from __future__ import annotations

import sqlite3
import subprocess
import sys
from pathlib import Path

import demat
import pytest

pyarrow = pytest.importorskip("pyarrow")
parquet = pytest.importorskip("pyarrow.parquet")

NOTES = [
    "check 1)); CREATE TABLE own (a); --",
    "check a <> 'x'",
    "default 1); CREATE TABLE own (a); --",
    "type TEXT COLLATE NOCASE UNIQUE ON CONFLICT REPLACE",
    "type TEXT GENERATED ALWAYS AS (5)",
]


def write(file: Path, note: str) -> None:
    """Writes a file whose metadata declares a note."""
    shape = f'[{{id: int #sql:key, a: text #sql:"{note}"}}]'
    rows = b'{"id":1,"a":"x"}\n{"id":2,"a":"X"}\n'
    demat.copy(rows, file, shape, from_="ndjson")
    assert note in parquet.read_schema(file).metadata[b"demat.shape"].decode()


def check(path: Path) -> None:
    database = sqlite3.connect(path)
    with database:
        assert database.execute("select sql from sqlite_master").fetchall() == [
            ('CREATE TABLE "t" (\n  "id" INTEGER PRIMARY KEY,\n  "a" TEXT NOT NULL\n)',)
        ]
        assert database.execute("select * from t order by id").fetchall() == [(1, "x"), (2, "X")]
    database.close()


@pytest.mark.parametrize("note", NOTES)
def test_a_copy_runs_no_notes(tmp_path: Path, note: str) -> None:
    file = tmp_path / "t.parquet"
    write(file, note)
    demat.copy(file, f"{tmp_path}/one.db#t")
    check(tmp_path / "one.db")
    # Columns in memory.
    demat.copy(parquet.read_table(file), f"{tmp_path}/two.db#t")
    check(tmp_path / "two.db")
    command = [sys.executable, "-m", "demat", "copy", str(file), f"{tmp_path}/three.db#t"]
    assert subprocess.run(command, capture_output=True, text=True).returncode == 0
    check(tmp_path / "three.db")


def test_what_the_caller_declares_is_kept(tmp_path: Path) -> None:
    file = tmp_path / "t.parquet"
    parquet.write_table(pyarrow.table({"id": [1], "a": ["x"]}), file)
    demat.copy(file, f"{tmp_path}/a.db#t", "[{id: int #sql:key, a: text #sql:\"check a <> 'y'\"}]")
    database = sqlite3.connect(tmp_path / "a.db")
    [(sql,)] = database.execute("select sql from sqlite_master").fetchall()
    database.close()
    assert "CHECK (a <> 'y')" in sql
