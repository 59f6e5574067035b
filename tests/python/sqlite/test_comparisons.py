"""Values are compared by what they are, and not by how SQLite stores them."""

import datetime as dt
from dataclasses import dataclass
from decimal import Decimal
from itertools import product
from pathlib import Path
from random import Random
from typing import Annotated, Any
from urllib.parse import quote
from urllib.request import Request, urlopen
from uuid import UUID

import demat
import pytest
from demat import json, sqlite

UTC = dt.UTC


@dataclass
class Row:
    id: Annotated[int, demat.Field(key=True)]
    dec: Decimal
    td: dt.timedelta
    at: dt.datetime
    tm: dt.time
    uid: UUID
    n: int
    f: float


CENTS = ["12345678901234567.01", "12345678901234567.02", "12345678901234567.99"]
DECIMALS = [
    *map(Decimal, ["0", "-0", "1.1", "1.10", "9", "10", "-5", "-10", "0.30", *CENTS]),
    Decimal("1E+400"),
]
SPANS = [dt.timedelta(seconds=seconds) for seconds in (0, 59, 120, -86400, 864000, 0.5)]
TIMES = [dt.time(1), dt.time(1, 0, 0, 500000), dt.time(23)]
INSTANTS = [
    dt.datetime(2020, 1, 1, tzinfo=UTC),
    dt.datetime(2020, 1, 1, 1, tzinfo=dt.timezone(dt.timedelta(hours=1))),
    dt.datetime(2019, 12, 31, 23, 30, tzinfo=UTC),
]
INTS = [0, 5, -3, 2**53, 2**53 + 1, 2**63 - 1, -(2**63)]
FLOATS = [0.0, -0.0, 0.1, 5.0, 2.0**53, 2.0**53 + 2, 1e300]
KINDS: dict[str, list[Any]] = {
    "dec": DECIMALS,
    "td": SPANS,
    "at": INSTANTS,
    "tm": TIMES,
    "uid": [UUID(int=10), UUID(int=0xAB)],
    "n": INTS,
    "f": FLOATS,
}


def rows(count: int, seed: int = 1) -> list[Row]:
    random = Random(seed)
    return [Row(id, **{name: random.choice(values) for name, values in KINDS.items()}) for id in range(count)]


@pytest.mark.parametrize("strict", [False, True])
def test_tables_find_and_sort_values(strict: bool) -> None:
    given = rows(60)
    with sqlite.open(":memory:") as database:
        table = database.table("rows", Row, strict=strict)
        table.insert(given)
        for name, values in KINDS.items():
            for value in values:
                wanted = [row.id for row in given if getattr(row, name) == value]
                assert sorted(row.id for row in table.select({name: value})) == wanted, (name, value)
                named = table.select("id >= :low", {"low": 0}, **{name: value})
                assert sorted(row.id for row in named) == wanted, (name, value)
            some = values[::2]
            wanted = [row.id for row in given if getattr(row, name) in some]
            assert sorted(row.id for row in table.select({name: some})) == wanted, name
            if name != "uid":
                found = [getattr(row, name) for row in table.select(order=name)]
                assert found == sorted(getattr(row, name) for row in given), name
                found = [getattr(row, name) for row in table.select(order=f"-{name}")]
                assert found == sorted((getattr(row, name) for row in given), reverse=True), name


def test_sql_of_ones_own_has_functions_for_it() -> None:
    given = rows(40)
    with sqlite.open(":memory:") as database:
        table = database.table("rows", Row)
        table.insert(given)
        found = table.select("demat_decimal(dec) > demat_decimal(?)", Decimal("9"))
        assert sorted(row.id for row in found) == [row.id for row in given if row.dec > 9]
        found = table.select("demat_duration(td) <= demat_duration(?)", dt.timedelta(minutes=1))
        assert sorted(row.id for row in found) == [row.id for row in given if row.td <= dt.timedelta(minutes=1)]


def test_what_is_no_value_of_the_column_is_an_error() -> None:
    with sqlite.open(":memory:") as database:
        table = database.table("rows", Row)
        table.insert(rows(1))
        for name in ("dec", "td", "at", "tm", "uid"):
            with pytest.raises(demat.StoreError, match="is compared with is none"):
                table.select({name: "?"}).all()


def test_keys_are_what_is_stored() -> None:
    @dataclass
    class Priced:
        price: Annotated[Decimal, demat.Field(key=True)]
        n: int = 0

    with sqlite.open(":memory:") as database:
        table = database.table("priced", Priced)
        table.upsert([Priced(Decimal("1.1")), Priced(Decimal("1.10"), 1)])
        assert len(table) == 2
        table.upsert([Priced(Decimal("1.10"), 2)])
        assert [row.n for row in table.select(price=Decimal("1.1"), order="n")] == [0, 2]


def literal(value: Any) -> str:
    if isinstance(value, (Decimal, int, float)):
        return str(value)
    return "'" + json.encode(value).decode().strip('"') + "'"


OPERATORS = {
    "=": lambda one, other: one == other,
    "<>": lambda one, other: one != other,
    "<": lambda one, other: one < other,
    ">=": lambda one, other: one >= other,
}


def test_conditions_hold_alike_in_all_places(tmp_path: Path) -> None:
    given = rows(40)
    places = [str(tmp_path / "rows.ndjson"), str(tmp_path / "rows.json"), f"{tmp_path}/rows.db#rows"]
    for place in places:
        demat.write(place, given)
    random = Random(2)
    for name, operator in product(KINDS, OPERATORS):
        for value in random.sample(KINDS[name], 2):
            if name == "uid" and operator not in ("=", "<>"):
                continue
            condition = f"{name} {operator} {literal(value)}"
            wanted = [row.id for row in given if OPERATORS[operator](getattr(row, name), value)]
            for place in places:
                target = tmp_path / "chosen.ndjson"
                demat.copy(place, str(target), Row, where=condition)
                assert [row.id for row in demat.read(target, Row)] == wanted, (place, condition)


def test_a_served_table_compares_and_deletes_exactly() -> None:
    given = rows(40)
    with sqlite.open(":memory:") as database:
        table = database.table("rows", Row)
        table.insert(given)
        with demat.serve({"/rows": table}, port=0, background=True) as server:

            def ids(query: str) -> list[int]:
                with urlopen(f"{server.url}/rows?fields=id&{query}") as answer:
                    return [row["id"] for row in json.decode(answer.read())]

            assert ids("dec.gt=9.5&order=dec,id") == [
                row.id for row in sorted(given, key=lambda row: (row.dec, row.id)) if row.dec > Decimal("9.5")
            ]
            assert ids("td=PT120S&order=id") == [row.id for row in given if row.td == dt.timedelta(minutes=2)]
            assert ids("order=td,id") == [row.id for row in sorted(given, key=lambda row: (row.td, row.id))]
            assert ids("order=id&where=" + quote("n > 9007199254740992.0")) == [
                row.id for row in given if row.n > 2**53
            ]
            cents = Decimal("12345678901234567.01")
            with urlopen(Request(f"{server.url}/rows?dec={cents}", method="DELETE")):
                pass
            assert ids("order=id") == [row.id for row in given if row.dec != cents]


def test_ints_beyond_64_bits_are_numbers(tmp_path: Path) -> None:
    pa = pytest.importorskip("pyarrow")
    numbers = [2**64 - 1, 2**64 - 2, 5, 2**63, 10, 0]
    place = f"{tmp_path}/ints.db#ints"
    demat.write(place, pa.table({"n": pa.array(numbers, pa.uint64()), "k": range(6)}))
    with sqlite.open(tmp_path / "ints.db") as database:
        table = database.table("ints")
        assert [row.n for row in table.select(order="n")] == sorted(numbers)
        assert [row.k for row in table.select(n=[5, 2**64 - 1], order="k")] == [0, 2]
        kinds = database.query("SELECT DISTINCT typeof(n) AS kind FROM ints WHERE n < ?", [2**62]).all()
        assert [row["kind"] for row in kinds] == ["integer"]
        with demat.serve({"/ints": table}, port=0, background=True) as server:

            def found(query: str) -> list[int]:
                with urlopen(f"{server.url}/ints?{query}") as answer:
                    return [row["n"] for row in json.decode(answer.read())]

            assert found("order=n") == sorted(numbers)
            assert sorted(found(f"n.lt={2**64 - 1}")) == sorted(numbers)[:-1]
            assert found(f"n={2**63}") == [2**63]
            assert found("where=n+%3D+5") == [5]
    target = tmp_path / "chosen.ndjson"
    demat.copy(place, str(target), where=f"n = {2**64 - 1} or n < 6")
    assert [row["n"] for row in demat.read(target)] == [2**64 - 1, 5, 0]
    demat.copy(place, str(tmp_path / "ints.parquet"))
    parquet = pytest.importorskip("pyarrow.parquet").read_table(tmp_path / "ints.parquet")
    assert parquet.column("n").type == pa.uint64()
    assert parquet.column("n").to_pylist() == numbers
