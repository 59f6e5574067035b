"""Datetimes with an offset and without one, in the columns that keep them."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Annotated, Any

import demat
import pytest
from demat import EncodeError, Field, postgres
from postgres_server import schema

NAIVE = datetime(1969, 7, 20, 20, 17, 40, 500000)
AWARE = NAIVE.replace(tzinfo=UTC)


@dataclass
class Event:
    at: datetime


@dataclass
class Local:
    at: Annotated[datetime, Field(tz=False)]


@pytest.fixture
def url() -> str:
    return schema()


def test_a_column_without_a_zone_has_naive_datetimes(url: str) -> None:
    with postgres.connect(url) as database:
        database.execute("create table events (at timestamp not null)")
        events = database.table("events", Event)
        assert events.insert([Event(NAIVE), Event(datetime.min), Event(datetime.max)]) == 3
        assert events.select(at=NAIVE).all() == [Event(NAIVE)]
        assert events.select(order="at").all() == [Event(datetime.min), Event(NAIVE), Event(datetime.max)]
        with pytest.raises(EncodeError, match=r"without an offset, for the type `timestamp without") as raised:
            events.insert([Event(NAIVE), Event(AWARE)])
        assert (raised.value.record, raised.value.path) == (2, "$[1].at")
        assert len(events) == 3
        assert database.query("select $1::timestamp as a", [NAIVE]).first() == {"a": NAIVE}


def test_a_class_that_has_no_zones_makes_such_a_column(url: str) -> None:
    with postgres.connect(url) as database:
        local = database.table("local", Local)
        assert database.query("select format_type(atttypid, atttypmod) as t from pg_attribute "
                              "where attrelid = 'local'::regclass and attname = 'at'").first() == {
            "t": "timestamp without time zone"
        }  # fmt: skip
        local.insert([Local(NAIVE)])
        assert database.table("local", Local).select().all() == [Local(NAIVE)]
        assert [row.at for row in database.table("local")] == [NAIVE]
        assert database.table("local", Event).select().all() == [Event(NAIVE)]


def test_an_instant_needs_an_offset(url: str) -> None:
    with postgres.connect(url) as database:
        events = database.table("events", Event)
        with pytest.raises(EncodeError, match=r"a datetime with an offset, for the type `timestamp with time zone`"):
            events.insert([Event(NAIVE)])
        events.insert([Event(AWARE)])
        assert events.select().all() == [Event(AWARE)]
        with pytest.raises(demat.StoreError, match="does not keep"):
            database.table("events", Local)


@pytest.mark.parametrize("suffix", ["json", "csv", "parquet"])
def test_copies_of_naive_datetimes(tmp_path: Path, url: str, suffix: str) -> None:
    file = f"{tmp_path}/a.{suffix}"
    options: Any = {"write": {"naive": True}} if suffix == "parquet" else {}
    with postgres.connect(url) as database:
        database.execute("create table events (at timestamp not null)")
        events = database.table("events", Event)
        events.insert([Event(NAIVE)])
        assert demat.copy(f"{url}#events", file, **options).records == 1
        events.delete("true")
        assert demat.copy(file, f"{url}#events").records == 1
        assert demat.copy(file, f"{url}#events", Event).records == 1
        assert events.select().all() == [Event(NAIVE)] * 2
