"""Columns that are filled from the cells of rows are those that a sink makes of them, and so are their errors."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date, datetime, time, timedelta
from decimal import Decimal
from typing import TYPE_CHECKING, Any
from uuid import UUID

import demat
import pytest
from demat import postgres
from postgres_server import schema

if TYPE_CHECKING:
    from collections.abc import Iterator

pa = pytest.importorskip("pyarrow")

# Every scalar type that the server has, as some rows: with nulls in each column, and without.
VALUES = """select i % 3 = 0 as a_bool, i::int2 as b_int2, (i * 100000)::int4 as c_int4, i::int8 << 40 as d_int8,
    i::oid as e_oid, i / 7.0::float4 as f_float4, case i % 5 when 0 then 'NaN' when 1 then '-Infinity'
    else i / 3.0 end::float8 as g_float8, (i * 1.25)::numeric(12, 2) as h_numeric, repeat('é', i % 7) as i_text,
    'ab'::char(4) as j_char, decode(md5(i::text), 'hex') as k_bytes, date '2000-02-28' + (i - 200) * 3000 as l_date,
    time '00:00' + i * interval '1.000001 second' as m_time,
    timestamp '1999-12-31 23:59:59' + i * interval '61.000001 second' as n_timestamp,
    timestamptz '1999-12-31 23:59:59+02' + i * interval '61.000001 second' as o_instant,
    (i - 50) * interval '1 day 2.5 second' as p_interval, md5(i::text)::uuid as q_uuid
    from generate_series(0, 999) as i"""


@dataclass
class Every:
    a_bool: bool
    b_int2: int
    c_int4: int
    d_int8: int
    e_oid: int
    f_float4: float
    g_float8: float
    h_numeric: Decimal
    i_text: str
    j_char: str
    k_bytes: bytes
    l_date: date
    m_time: time
    o_instant: datetime
    p_interval: timedelta
    q_uuid: UUID


@dataclass
class Some:
    """In another order, with fewer columns, of which some may be null; a number becomes a float."""

    q_uuid: UUID | None
    i_text: str | None
    h_numeric: float | None
    l_date: date | None
    a_bool: bool | None
    d_int8: int | None


@pytest.fixture
def database() -> Iterator[postgres.Database]:
    with postgres.connect(schema()) as database:
        yield database


def both(database: postgres.Database, sql: str, type: Any = None) -> tuple[Any, Any]:
    """Returns the columns, and those that a sink makes: it is what knows `narrow`, which changes no type here."""
    query = lambda: database.query(sql, type=type) if type else database.query(sql)  # noqa: E731
    return pa.table(query().columns()), pa.table(query().columns(narrow=True))


def same(own: Any, other: Any) -> None:
    assert own.schema.equals(other.schema, check_metadata=True)
    own.validate(full=True)
    # NaN is no NaN to a comparison of tables.
    assert repr(own.to_pylist()) == repr(other.to_pylist())


def test_columns_of_all_types(database: postgres.Database) -> None:
    names = ", ".join(
        f"case when b_int2 % 4 > 0 then {name} end as {name}" for name in [*Every.__annotations__, "n_timestamp"]
    )
    nulls = f"select {names} from ({VALUES}) a"
    for sql, type in [
        (VALUES, None),
        (VALUES, Every),
        (VALUES, Some),
        (nulls, None),
        (nulls, Some),
        (f"select * from ({nulls}) a where b_int2 is null", None),
        (f"{VALUES} limit 0", None),
        # More than a batch.
        (f"select b_int2, i_text, q_uuid from ({nulls}) a, generate_series(1, 70) as n", None),
        ("select repeat('x', 500000) as t, i from generate_series(1, 300) i", None),
    ]:
        same(*both(database, sql, type))
    columns = database.query(VALUES, type=Every).columns()
    row = columns.records(Every)[52]
    assert (row.b_int2, row.j_char, row.p_interval) == (52, "ab  ", timedelta(days=2, seconds=5))
    assert row == database.query(VALUES, type=Every).all()[52]


@dataclass
class Row:
    id: int
    name: str
    day: date


def test_errors_are_those_of_a_sink(database: postgres.Database) -> None:
    """In the second batch, too."""
    good = "select i::int4 as id, 'a'::text as name, date '2026-01-01' as day from generate_series(1, 70000) as i"
    for bad in ("null, 'a', date '2026-01-01'", "1, null, date '2026-01-01'", "1, 'a', date 'infinity'"):
        said = []
        for narrow in (False, True):
            with pytest.raises(demat.Error) as raised:
                database.query(f"{good} union all select {bad}", type=Row).columns(narrow=narrow)
            said.append((type(raised.value), str(raised.value), getattr(raised.value, "record", None)))
        assert said[0] == said[1]
        assert "$[70000]." in said[0][1]
        assert said[0][2] == 70001
    said = []
    for narrow in (False, True):
        with pytest.raises(demat.StoreError, match="division by zero") as failed:
            database.query("select 1 / (70000 - i) as a from generate_series(1, 80000) as i").columns(narrow=narrow)
        said.append((type(failed.value), str(failed.value), None))
    assert said[0] == said[1]
    assert database.query("select 1 as a").all() == [{"a": 1}]
