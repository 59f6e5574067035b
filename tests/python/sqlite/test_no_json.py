"""Columns that are declared JSON, and texts in them that are none."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

import demat
import pytest


@dataclass
class Own:
    id: int
    j: str | None


@pytest.fixture
def path(tmp_path: Path) -> Path:
    path = tmp_path / "own.db"
    with closing(sqlite3.connect(path)) as database:
        database.execute("create table t (id integer primary key, j JSON)")
        database.executemany("insert into t (j) values (?)", [('{"a":1}',), ("oops",), ("[1",), (None,)])
        database.commit()
    return path


def test_the_error_says_where_and_what_helps(path: Path) -> None:
    for read in (
        lambda: list(demat.read(f"{path}#t")),
        lambda: list(demat.sqlite.open(path, readonly=True).query("select * from t")),
        lambda: demat.sqlite.open(path, readonly=True).table("t").select().all(),
    ):
        with pytest.raises(demat.DecodeError) as raised:
            read()
        said = str(raised.value)
        assert "the column `j` is declared JSON, and this text is none" in said
        assert "a type whose field `j` is text reads it as it is" in said
        assert "`$[1].j` (record 2" in said


def test_text_that_is_cut_off_says_so_too(path: Path) -> None:
    with demat.sqlite.open(path, readonly=True) as database, pytest.raises(demat.DecodeError, match="column `j` is"):
        list(database.query("select * from t where id = 3"))


def test_what_helps_does(path: Path) -> None:
    assert list(demat.read(f"{path}#t", Own)) == [Own(1, '{"a":1}'), Own(2, "oops"), Own(3, "[1"), Own(4, None)]
