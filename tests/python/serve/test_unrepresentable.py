"""One unrepresentable value doesn't make a table unreadable: the server sends null, text or a refusal, and logs it."""

from __future__ import annotations

import io
import json
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass
from http.client import HTTPConnection, IncompleteRead
from pathlib import Path
from typing import Any, Literal
from urllib.error import HTTPError
from urllib.request import urlopen

import demat
import formats
import pytest

BAD = {
    "inf": ("x", "9e999"),
    "-inf": ("x", "-9e999"),
    "text in numbers": ("x", "'no number'"),
    "a blob in numbers": ("x", "x'00'"),
    "not utf-8": ("t", "cast(x'61ff62' as text)"),
    "a blob in text": ("t", "x'00ff'"),
    "text in ints": ("n", "'many'"),
    "no bool": ("b", "7"),
    "no date": ("d", "'yesterday'"),
    "no json": ("j", "'{'"),
    "a blob in json": ("j", "x'7b7d'"),
}
How = Literal["null", "text", "refuse"]


@pytest.fixture
def path(tmp_path: Path) -> Path:
    path = tmp_path / "bad.db"
    with closing(sqlite3.connect(path)) as database:
        for name in ("r", "keyless"):
            key = "integer primary key" if name == "r" else "integer"
            database.execute(
                f"create table {name} (id {key}, x real, t text not null, n integer, b boolean, d date, j json)"
            )
            database.executemany(
                f"insert into {name} values (?, 1.5, 't', 2, 1, '2026-01-01', '[1]')", [(1,), (2,), (3,)]
            )
        database.commit()
    return path


def spoil(path: Path, column: str, value: str, table: str = "r") -> None:
    with closing(sqlite3.connect(path)) as database:
        database.execute(f"update {table} set {column} = {value} where id = 2")
        database.commit()


@contextmanager
def served(path: Path, how: How = "null") -> Iterator[str]:
    with demat.serve({"/": demat.sqlite.open(path)}, port=0, background=True, unrepresentable=how) as server:
        yield server.url


def ask(url: str) -> bytes:
    with urlopen(url) as answer:
        body: bytes = answer.read()
    return body


def read(url: str, format: str) -> list[Any]:
    """Returns each row's id and the value of the requested column."""
    body = ask(f"{url}format={format}")
    if format == "json":
        return [tuple(row.values()) for row in json.loads(body)]
    if format == "ndjson":
        return [tuple(json.loads(line).values()) for line in body.splitlines()]
    if format in formats.CELLS:
        sign = "," if format == "csv" else "\t"
        return [tuple(line.split(sign)) for line in body.decode().splitlines()[1:]]
    if format in formats.names():
        return [tuple(row.values()) for row in getattr(demat, format).decode(body)]
    pyarrow = pytest.importorskip("pyarrow")
    if format == "arrow":
        table = pyarrow.ipc.open_stream(body).read_all()
    else:
        table = pytest.importorskip("pyarrow.parquet").read_table(io.BytesIO(body))
    return [tuple(row.values()) for row in table.to_pylist()]


# Where all values are text without a type, a null is left out.
@pytest.mark.parametrize(
    "format", [name for name in formats.STREAMED if not formats.is_typed(name) and not formats.is_text(name)]
)
@pytest.mark.parametrize("bad", BAD)
def test_the_other_rows_and_columns_are_told(path: Path, bad: str, format: str, capfd: Any) -> None:
    column, value = BAD[bad]
    if column == "j" and format in formats.CELLS:
        # CSV can't hold lists in any row, so no single row is reported.
        with served(path) as url, pytest.raises(HTTPError) as raised:
            ask(f"{url}/r?format={format}")
        raised.value.close()
        assert (raised.value.code, capfd.readouterr().err) == (406, "")
        return
    spoil(path, column, value)
    with served(path) as url:
        for query in ("r?", "r?id.gt=0&", "r?order=-id&limit=3&"):
            whole = read(f"{url}/{query}fields=id,{column}&", format)
            assert sorted(str(row[0]) for row in whole) == ["1", "2", "3"]
            (spoilt,) = [row for row in whole if str(row[0]) == "2"]
            (good,) = {repr(row[1:]) for row in whole if str(row[0]) != "2"}
            assert repr(spoilt[1:]) != good
            has_infinity = "inf" in bad and format not in ("json", "ndjson")
            told = str(spoilt[1]) if has_infinity else spoilt[1]
            assert told == (bad if has_infinity else "" if format in formats.CELLS else None)
        said = capfd.readouterr().err
        if has_infinity:
            assert said == ""
        else:
            assert said.count(f"r: id=2, column `{column}`: ") == 3


# The server does not offer raw, which is not read without the type that it was written as.
@pytest.mark.parametrize("format", [name for name in formats.STREAMED if name != "raw"])
def test_the_table_can_be_read_whole(path: Path, format: str) -> None:
    for column, value in BAD.values():
        spoil(path, column, value)
    with served(path) as url:
        if format in formats.CELLS:
            # CSV can't hold the column of lists at all.
            assert len(ask(f"{url}/r?format={format}&fields=id,x,t,n,b,d").splitlines()) == 4
        else:
            assert ask(f"{url}/r?format={format}")
            assert ask(f"{url}/r/2?format={format}")
            assert ask(f"{url}/keyless?format={format}")


def test_text_where_the_format_takes_it(path: Path) -> None:
    for column, value in (("x", "-9e999"), ("t", "cast(x'61ff62' as text)"), ("n", "'many'"), ("j", "x'00ff'")):
        spoil(path, column, value)
    with served(path, "text") as url:
        told = json.loads(ask(f"{url}/r/2"))
        assert told == {"id": 2, "x": "-inf", "t": "a\ufffdb", "n": "many", "b": True, "d": "2026-01-01", "j": "AP8="}
        assert json.loads(ask(f"{url}/r/2/x")) == "-inf"
        assert json.loads(ask(f"{url}/r"))[1] == told
        # A column of numbers can't hold text in Arrow, so it is null.
        assert [row[1] for row in read(f"{url}/r?fields=id,n&", "arrow")] == [2, None, 2]
        assert [row[1] for row in read(f"{url}/r?fields=id,t&", "parquet")] == ["t", "a\ufffdb", "t"]


@pytest.mark.parametrize(("bad", "status"), [("inf", 406), ("not utf-8", 500), ("text in ints", 500)])
def test_refused_where_that_is_wanted(path: Path, bad: str, status: int, capfd: Any) -> None:
    spoil(path, *BAD[bad])
    with served(path, "refuse") as url:
        for what in ("r", "r/2", "r?limit=3"):
            with pytest.raises(HTTPError) as raised:
                ask(f"{url}/{what}")
            raised.value.close()
            assert raised.value.code == status
        assert json.loads(ask(f"{url}/r/1"))["id"] == 1
    # One line for each failure of the server, and none for one of the request.
    said = [line.split(": expected")[0] for line in capfd.readouterr().err.splitlines()]
    failures = ["GET /r 500", "GET /r/2 500", "GET /r?limit=3 500"]
    assert said == [f"demat: {failure}" for failure in failures if status == 500]


def test_a_program_is_told(path: Path) -> None:
    spoil(path, *BAD["not utf-8"])
    with pytest.raises(demat.Error):
        list(demat.sqlite.open(path).table("r"))


def test_rows_without_a_key_are_named_by_their_number(path: Path, capfd: Any) -> None:
    spoil(path, "x", "9e999", "keyless")
    with served(path) as url:
        ask(f"{url}/keyless")
    assert "keyless: rowid=2, column `x`: expected a finite number" in capfd.readouterr().err


def test_many_rows_are_told_of_in_few_lines(path: Path, capfd: Any) -> None:
    with closing(sqlite3.connect(path)) as database:
        numbers = "with recursive n(i) as (select 10 union all select i + 1 from n where i < 20000)"
        database.execute(f"{numbers} insert into r (id, x, t) select i, 9e999, 'some text or other' from n")
        database.commit()
    with served(path) as url:
        rows = json.loads(ask(f"{url}/r"))
    assert len(rows) == 19_994
    assert all(row["x"] is None for row in rows[3:])
    said = capfd.readouterr().err.splitlines()
    assert (len(said), said[-1]) == (21, "demat: GET /r: null instead of 19971 more values")


@pytest.mark.parametrize("packed", ["identity", "gzip"])
def test_an_answer_that_breaks_off_does_not_look_whole(path: Path, packed: str, capfd: Any) -> None:
    with closing(sqlite3.connect(path)) as database:
        numbers = "with recursive n(i) as (select 10 union all select i + 1 from n where i < 60000)"
        database.execute(f"{numbers} insert into r (id, x, t) select i, 1.5, hex(randomblob(20)) from n")
        database.execute("update r set x = 9e999 where id = 59000")
        database.commit()
    with served(path, "refuse") as url:
        connection = HTTPConnection(url.removeprefix("http://"))
        connection.request("GET", "/r", headers={"Accept-Encoding": packed})
        answer = connection.getresponse()
        assert answer.status == 200
        with pytest.raises(IncompleteRead):
            answer.read()
        connection.close()
    assert "GET /r: the answer broke off: expected a finite number" in capfd.readouterr().err


@dataclass
class Note:
    size: float
    text: str = "t"


@pytest.mark.parametrize("how", ["null", "text", "refuse"])
def test_objects(how: How, capfd: Any) -> None:
    notes = [Note(1.5), Note(float("inf")), Note(float("nan"), "a\ud800b")]
    routes = {"/notes": (notes, Note), "/values": {"a": [1, float("-inf")]}}
    with demat.serve(routes, port=0, background=True, unrepresentable=how) as server:
        if how == "refuse":
            with pytest.raises(HTTPError) as raised:
                ask(f"{server.url}/notes")
            raised.value.close()
            assert raised.value.code == 406
            return
        told = json.loads(ask(f"{server.url}/notes"))
        infinite, nan, text = ("inf", "nan", "a\ufffdb") if how == "text" else (None, None, None)
        expected = [{"size": 1.5, "text": "t"}, {"size": infinite, "text": "t"}, {"size": nan, "text": text}]
        assert told == expected
        assert json.loads(ask(f"{server.url}/notes?limit=1&offset=1")) == expected[1:2]
        assert json.loads(ask(f"{server.url}/values")) == {"a": [1, "-inf" if how == "text" else None]}
    assert f"demat: GET /: {how} instead of the value at '$[1].size'" in capfd.readouterr().err


def test_a_choice_that_is_none(path: Path) -> None:
    with pytest.raises(ValueError, match="unrepresentable: it is `null`, `text` or `refuse`, and not `nil`"):
        demat.serve({}, port=0, background=True, unrepresentable="nil")  # type: ignore[call-overload]


@pytest.mark.parametrize("rows", [10_000, 15_000, 200_000])
def test_parquet_of_many_rows(tmp_path: Path, rows: int) -> None:
    parquet = pytest.importorskip("pyarrow.parquet")
    path = tmp_path / "many.db"
    with closing(sqlite3.connect(path)) as database:
        database.execute("create table many (id integer primary key, x real, t text)")
        numbers = f"with recursive n(i) as (select 1 union all select i + 1 from n where i < {rows})"
        database.execute(f"{numbers} insert into many select i, i * 0.5, 'text ' || i from n")
        database.commit()
        expected = database.execute("select * from many order by id").fetchall()
    with served(path) as url:
        table = parquet.read_table(io.BytesIO(ask(f"{url}/many?format=parquet")))
    assert list(zip(*(table[name].to_pylist() for name in ("id", "x", "t")), strict=True)) == expected
