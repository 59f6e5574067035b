"""A database of others: the sample called Chinook, through every path."""

from __future__ import annotations

import sqlite3
from decimal import Decimal
from pathlib import Path

import demat
import pytest
from demat import json, sqlite
from suites import files

CHINOOK = pytest.mark.parametrize("chinook", files("sqlite", "chinook.db"))


@CHINOOK
def test_all_tables(chinook: Path, tmp_path: Path) -> None:
    stock = sqlite3.connect(f"file:{chinook}?mode=ro", uri=True)
    target = sqlite.open(tmp_path / "copy.db")
    loaded = sqlite.open(tmp_path / "loaded.db")
    with sqlite.open(chinook, readonly=True) as database:
        assert len(database.tables) == 11
        for name in database.tables:
            table = database.table(name)
            count = stock.execute(f"select count(*) from {name}").fetchone()[0]
            rows = table.select().all()
            assert len(rows) == len(table) == count
            # What is read is what the stock library reads.
            first = stock.execute(f"select * from {name}").fetchone()
            assert len(first) == len(table.columns)
            assert json.decode(table.encode("json"), list[table.type]) == rows  # type: ignore[name-defined]
            # The class makes the table, and holds for the one that is there.
            target.execute("pragma foreign_keys = off")
            copy = target.table(name, table.type)
            assert copy.insert(rows) == count
            assert copy.select().all() == rows
            assert "class" in demat.source(table.type)
            database.table(name, table.type)
    assert target.query("pragma foreign_key_check").all() == []
    assert target.query("pragma integrity_check").all() == [{"integrity_check": "ok"}]
    for database in (target, loaded):
        database.close()
    stock.close()


@CHINOOK
def test_counts(chinook: Path) -> None:
    with sqlite.open(chinook, readonly=True) as database:
        assert len(database.table("artists")) == 275
        assert len(database.table("tracks")) == 3503
        tracks = database.table("tracks")
        assert tracks.select(TrackId=1).first().Name == "For Those About To Rock (We Salute You)"
        assert sum(track.UnitPrice for track in tracks) == Decimal("3680.97")


@CHINOOK
def test_define(chinook: Path) -> None:
    album = demat.define(f"{chinook}#albums", name="Album")
    with sqlite.open(chinook, readonly=True) as database:
        albums = database.table("albums", album)
        assert albums.type is album
        assert albums.select(AlbumId=1).all() == [
            album(AlbumId=1, Title="For Those About To Rock We Salute You", ArtistId=1)
        ]
