"""Dates with times, with an offset and without: whatever was inferred of them can be copied to every place."""

from __future__ import annotations

import csv
import datetime as dt
import http.client
import io
import itertools
import json
import sqlite3
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any

import demat
import formats
import pytest
from demat import Error, Field, sqlite
from hypothesis import given, settings
from hypothesis import strategies as st

UTC = dt.UTC
# The cells of a column, and the shape that is inferred of them.
COLUMNS: dict[str, tuple[list[str], str]] = {
    "naive": (["2024-05-06 07:08:09", "2024-05-06T07:08:09.250", "0001-01-01 00:00:00"], "datetime"),
    "aware": (["2024-05-06T07:08:09Z", "2024-05-06 07:08:09.5+02:00", "1999-12-31T23:59:59-09:30"], "instant"),
    "mixed": (["2024-05-06 07:08:09", "2024-05-06T07:08:09Z", "2024-05-06T07:08:09+02:00"], "text"),
    "gaps": (["2024-05-06 07:08:09", "", "2024-05-06T07:08:10"], "datetime?"),
    "zoned": (["", "2024-05-06T07:08:09Z", ""], "instant?"),
    "days": (["2024-05-06", "2024-05-06", "2024-05-07"], "date"),
    "either": (["2024-05-06", "2024-05-06 07:08:09", "2024-05-07"], "text"),
}


def moment(text: Any) -> Any:
    """Returns what a cell means, whichever way a format writes that."""
    if text in ("", None):
        return None
    if isinstance(text, str):
        text = dt.date.fromisoformat(text) if len(text) == 10 else dt.datetime.fromisoformat(text)
    return text.astimezone(UTC) if isinstance(text, dt.datetime) and text.tzinfo else text


def expected() -> list[dict[str, Any]]:
    return [{name: moment(cells[at]) for name, (cells, _) in COLUMNS.items()} for at in range(3)]


@pytest.fixture(scope="module")
def csv_path(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("sources") / "rows.csv"
    with path.open("w", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(COLUMNS)
        writer.writerows(zip(*(cells for cells, _ in COLUMNS.values()), strict=True))
    return path


@pytest.fixture(scope="module")
def db_path(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("sources") / "rows.db"
    declared = {"text": "TEXT"}
    with sqlite3.connect(path) as own:
        names = ", ".join(f"{name} {'DATE' if name == 'days' else declared.get(name, 'DATETIME')}" for name in COLUMNS)
        # A column that holds days among times is declared as what it is.
        own.execute(f"create table rows ({names.replace('either DATETIME', 'either TEXT')})")
        rows = zip(*([cell or None for cell in cells] for cells, _ in COLUMNS.values()), strict=True)
        own.executemany(f"insert into rows values ({', '.join('?' * len(COLUMNS))})", list(rows))
    return path


def read_back(path: Path, name: str, shape: str) -> list[dict[str, Any]]:
    """Reads what was copied, as what it was inferred to be."""
    if name == "sqlite":
        with sqlite3.connect(path) as own:
            own.row_factory = sqlite3.Row
            rows = [dict(row) for row in own.execute("select * from rows")]
    else:
        back = path.with_suffix(".back.ndjson")
        demat.copy(path, back, f"[{{{shape}}}]" if formats.is_typed(name) else None, from_=name)
        rows = [json.loads(line) for line in back.read_text().splitlines()]
    return [{key: moment(row.get(key)) for key in COLUMNS} for row in rows]


def test_the_shape_of_cells(csv_path: Path) -> None:
    file = io.BytesIO()
    demat.copy(csv_path, file, to="ndjson", infer=True)
    row = json.loads(file.getvalue().splitlines()[0])
    assert row == {
        "naive": "2024-05-06T07:08:09",
        "aware": "2024-05-06T07:08:09Z",
        "mixed": "2024-05-06 07:08:09",
        "gaps": "2024-05-06T07:08:09",
        "zoned": None,
        "days": "2024-05-06",
        "either": "2024-05-06",
    }
    shape = demat.schema(demat.define(csv_path, name="Row"), to="shape")
    assert shape.startswith("Row{" + ", ".join(f"{name}:{kind}" for name, (_, kind) in COLUMNS.items())), shape


SHAPE = ", ".join(f"{name}: {shape}" for name, (_, shape) in COLUMNS.items())


@pytest.mark.parametrize("target", formats.COPIED)
def test_inferred_cells_can_be_copied_to_each_place(csv_path: Path, tmp_path: Path, target: str) -> None:
    path = tmp_path / ("rows.db" if target == "sqlite" else f"rows.{target}")
    place = f"{path}#rows" if target == "sqlite" else path
    assert demat.copy(csv_path, place, infer=True, to=target).records == 3
    assert read_back(path, target, SHAPE) == expected()


@pytest.mark.parametrize("target", formats.COPIED)
def test_tables_of_other_programs_can_be_copied_to_each_place(db_path: Path, tmp_path: Path, target: str) -> None:
    path = tmp_path / ("copy.db" if target == "sqlite" else f"rows.{target}")
    place = f"{path}#rows" if target == "sqlite" else path
    assert demat.copy(f"{db_path}#rows", place, to=target).records == 3
    # Every column may be NULL.
    shape = ", ".join(f"{name}: {shape.rstrip('?')}?" for name, (_, shape) in COLUMNS.items())
    assert read_back(path, target, shape) == expected()


@pytest.mark.parametrize(("one", "other"), list(itertools.product(["arrow", "parquet", "sqlite"], repeat=2)))
def test_from_place_to_place(csv_path: Path, tmp_path: Path, one: str, other: str) -> None:
    def place(name: str, format: str) -> tuple[Path, Any]:
        path = tmp_path / f"{name}.{'db' if format == 'sqlite' else format}"
        return path, f"{path}#rows" if format == "sqlite" else path

    (_, first), (path, second) = place("first", one), place("second", other)
    demat.copy(csv_path, first, infer=True)
    demat.copy(first, second)
    assert read_back(path, other, SHAPE) == expected()


def test_columns_are_of_their_own_sorts(csv_path: Path, db_path: Path) -> None:
    pa = pytest.importorskip("pyarrow")
    types = {
        "naive": pa.timestamp("us"),
        "aware": pa.timestamp("us", "UTC"),
        "mixed": pa.string(),
        "gaps": pa.timestamp("us"),
        "zoned": pa.timestamp("us", "UTC"),
        "days": pa.date32(),
        "either": pa.string(),
    }
    found = [pa.table(demat.csv.columns(csv_path))]
    with sqlite.open(db_path) as database:
        found.append(pa.table(database.table("rows").select().columns()))
        found.append(pa.table(database.query("select * from rows where 1 = ?", [1]).columns()))
    for table in found:
        assert {field.name: field.type for field in table.schema} == types
        rows = [{key: moment(value) for key, value in row.items()} for row in table.to_pylist()]
        assert rows == expected()


@pytest.mark.parametrize("query", ["", "?order=naive&limit=3"])
def test_columns_over_http(db_path: Path, query: str) -> None:
    pa = pytest.importorskip("pyarrow")
    with sqlite.open(db_path) as database, demat.serve({"/": database}, port=0, background=True) as server:
        host = server.url.removeprefix("http://").rstrip("/")
        connection = http.client.HTTPConnection(host, timeout=20)
        connection.request("GET", f"/rows{query}", headers={"accept": "application/vnd.apache.arrow.stream"})
        answer = connection.getresponse()
        data = answer.read()
        connection.close()
        assert answer.status == 200, data
    table = pa.ipc.open_stream(data).read_all()
    assert table.schema.field("naive").type == pa.timestamp("us")
    rows = [{key: moment(value) for key, value in row.items()} for row in table.to_pylist()]
    assert sorted(rows, key=str) == sorted(expected(), key=str)


def test_numbers_among_times_stay_what_they_are(tmp_path: Path) -> None:
    pa = pytest.importorskip("pyarrow")
    with sqlite.open(tmp_path / "a.db") as database:
        database.execute("create table t (numbers datetime, both datetime)")
        database.execute("insert into t values (1609459200, '2021-01-01 00:00:00'), (2459215.5, 1609459200)")
        table = pa.table(database.table("t").select().columns())
        assert table.column("numbers").to_pylist() == [dt.datetime(2021, 1, 1, tzinfo=UTC)] * 2
        assert [json.loads(value) for value in table.column("both").to_pylist()] == ["2021-01-01 00:00:00", 1609459200]
        database.execute("insert into t values ('soon', null)")
        with pytest.raises(Error, match="soon"):
            database.table("t").select().columns()


def test_a_type_that_was_given_is_kept(tmp_path: Path) -> None:
    pa = pytest.importorskip("pyarrow")

    @dataclass
    class Row:
        id: Annotated[int, Field(key=True)]
        at: dt.datetime
        here: Annotated[dt.datetime, Field(tz=False)]

    naive, aware = dt.datetime(2024, 5, 6, 7, 8, 9), dt.datetime(2024, 5, 6, 7, 8, 9, tzinfo=UTC)
    with sqlite.open(tmp_path / "a.db") as database:
        table = database.table("t", Row)
        columns = database.query("SELECT name, type FROM pragma_table_info('t')")
        assert {row["name"]: row["type"] for row in columns} == {"id": "INTEGER", "at": "DATETIME", "here": "DATETIME"}
        table.insert([Row(1, aware, naive)])
        assert table.select().all() == [Row(1, aware, naive)]
        rows = pa.table(table.select().columns())
        assert rows.to_pylist() == [{"id": 1, "at": aware, "here": naive}]
        with pytest.raises(Error) as caught:
            table.insert([Row(2, aware, aware)])
        assert (caught.value.path, caught.value.record) == ("$[0].here", 1)
        table.insert([Row(3, naive, naive)])
        with pytest.raises(Error, match="an instant with an offset") as caught:
            table.select().columns()


@dataclass
class Both:
    here: Annotated[dt.datetime, Field(tz=False)]
    there: Annotated[dt.datetime, Field(tz=True)]
    either: dt.datetime
    more: list[Annotated[dt.datetime, Field(tz=False)]]


NAIVE, AWARE = dt.datetime(2024, 5, 6, 7, 8, 9, 250_000), dt.datetime(2024, 5, 6, 7, 8, 9, tzinfo=UTC)
EACH = [Both(NAIVE, AWARE, AWARE, [NAIVE]), Both(NAIVE, AWARE, AWARE, [])]


def test_a_class_with_both_has_columns_of_both(tmp_path: Path) -> None:
    pa = pytest.importorskip("pyarrow")
    parquet = tmp_path / "both.parquet"
    demat.copy(demat.json.encode(EACH), parquet, Both, from_="json")
    types = [pa.timestamp("us"), pa.timestamp("us", "UTC"), pa.timestamp("us", "UTC")]
    for columns in (
        demat.columns_of(EACH),
        demat.json.columns(demat.json.encode(EACH), Both),
        demat.schema(Both, to="arrow"),
    ):
        schema = pa.schema(columns)
        assert [schema.field(name).type for name in ("here", "there", "either")] == types
        assert schema.field("more").type.value_type == pa.timestamp("us")
    rows = pa.table(demat.columns_of(EACH)).to_pylist()
    assert rows[0] == {"here": NAIVE, "there": AWARE, "either": AWARE, "more": [NAIVE]}
    back = io.BytesIO()
    demat.copy(parquet, back, to="json")
    assert demat.json.decode(back.getvalue(), list[Both]) == EACH
    # With `naive` all of them are a clock's; then `there` refuses its own.
    schema = pa.schema(demat.columns_of([], Both, naive=True))
    assert {schema.field(name).type for name in ("here", "there", "either")} == {pa.timestamp("us")}


# Whole seconds, as some formats have no others.
BEYOND_UTC = [
    dt.datetime(1, 1, 1, tzinfo=dt.timezone(dt.timedelta(hours=14))),
    dt.datetime(9999, 12, 31, 23, 59, tzinfo=dt.timezone(dt.timedelta(hours=-12))),
]


def test_numpy_has_both() -> None:
    pytest.importorskip("numpy")
    columns = demat.columns_of(EACH)
    for name, value in (("here", NAIVE), ("there", AWARE.replace(tzinfo=None))):
        array = columns.numpy(name)
        assert array.dtype == "datetime64[us]"
        assert array.tolist() == [value] * 2


@pytest.mark.parametrize("format", formats.names())
def test_each_format_brings_both_back(format: str) -> None:
    @dataclass
    class Row:
        here: Annotated[dt.datetime, Field(tz=False)]
        there: Annotated[dt.datetime, Field(tz=True)]

    module = getattr(demat, format)
    rows = [Row(NAIVE, AWARE), Row(dt.datetime.min, AWARE), Row(dt.datetime.max, AWARE)]
    assert module.decode(module.encode(rows), list[Row]) == rows


@pytest.mark.parametrize("format", formats.names(special=None, but=("mca",)))
@pytest.mark.parametrize("at", BEYOND_UTC)
def test_an_instant_beyond_the_years_of_utc_is_kept_or_refused_when_it_is_written(format: str, at: dt.datetime) -> None:
    @dataclass
    class Row:
        at: dt.datetime

    module, row = getattr(demat, format), Row(at)
    value, root = (row, Row) if format in formats.SPECIAL else ([row], list[Row])
    try:
        data = module.encode(value, type=root)
    except demat.EncodeError as error:
        assert "the years 1 to 9999" in str(error)
    else:
        assert module.decode(data, root) == value


def test_canonical_json_and_proto_files() -> None:
    @dataclass
    class Row:
        here: Annotated[dt.datetime, Field(tz=False)]
        there: dt.datetime

    text = demat.schema(Row, to="proto")
    assert "string here = 1;" in text
    assert "google.protobuf.Timestamp there = 2;" in text
    row = Row(NAIVE, AWARE)
    canonical, back = io.BytesIO(), io.BytesIO()
    demat.copy(demat.proto.encode(row), canonical, Row, from_="proto", to="json", mapping="canonical")
    assert json.loads(canonical.getvalue()) == {"here": "2024-05-06T07:08:09.250", "there": "2024-05-06T07:08:09Z"}
    demat.copy(canonical.getvalue(), back, Row, from_="json", to="proto", mapping="canonical")
    assert demat.proto.decode(back.getvalue(), Row) == row


def test_the_wrong_sort_says_where_it_stands() -> None:
    @dataclass
    class Row:
        here: Annotated[dt.datetime, Field(tz=False)]
        there: Annotated[dt.datetime, Field(tz=True)]

    right = {"here": "2024-05-06T07:08:09", "there": "2024-05-06T07:08:09Z"}
    for name, wrong, said in (
        ("here", right["there"], ("a `datetime` without an offset", "one with")),
        ("there", right["here"], ("a `datetime` with an offset", "one without")),
    ):
        data = json.dumps([right, {**right, name: wrong}]).encode()
        with pytest.raises(demat.ValidationError) as caught:
            demat.json.decode(data, list[Row])
        error = caught.value
        assert (error.path, error.expected, error.found) == (f"$[1].{name}", *said)
        assert data[error.offset :].startswith(b'"' + wrong.encode())
    with pytest.raises(demat.Error) as caught:
        demat.copy(json.dumps([{**right, "here": right["there"]}]).encode(), io.BytesIO(), Row, from_="json", to="csv")
    assert caught.value.path == "$[0].here"
    assert "which has an offset" in str(caught.value)


def test_the_shape_of_types() -> None:
    shape = demat.schema(Both, to="shape")
    assert shape == "Both{here:datetime, there:instant, either:instant, more:[datetime]}"


@dataclass
class Pair:
    here: Annotated[dt.datetime, Field(tz=False)]
    there: Annotated[dt.datetime, Field(tz=True)]
    maybe: Annotated[dt.datetime, Field(tz=False)] | None = None


ZONES = [UTC, dt.timezone(dt.timedelta(hours=5, minutes=30)), dt.timezone(-dt.timedelta(hours=9, minutes=30))]
LEAST, MOST = dt.datetime(2, 1, 1), dt.datetime(9998, 12, 31)
PAIRS = st.builds(
    Pair,
    st.datetimes(allow_imaginary=False),
    st.datetimes(LEAST, MOST, timezones=st.sampled_from(ZONES)),
    st.none() | st.datetimes(),
)


@pytest.mark.parametrize("format", formats.STREAMED)
@settings(max_examples=30, deadline=None)
@given(st.lists(PAIRS, max_size=4))
def test_both_go_through_every_format(format: str, rows: list[Pair]) -> None:
    there, back = io.BytesIO(), io.BytesIO()
    demat.copy(demat.json.encode(rows), there, list[Pair], from_="json", to=format)
    demat.copy(there.getvalue(), back, list[Pair], from_=format, to="json")
    assert demat.json.decode(back.getvalue(), list[Pair]) == rows
