"""`copy` of objects and columns to every format that a copy writes."""

import io
import sqlite3
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import UTC, date, datetime, time, timedelta
from decimal import Decimal
from pathlib import Path
from typing import Annotated, Any, NamedTuple
from uuid import UUID

import demat
import pytest
from demat import _native


@dataclass
class Task:
    id: int
    title: str
    due: str | None = None


TASKS = [Task(1, "a"), Task(2, "ü", "2024-02-29")]
ROWS = [{"id": 1, "title": "a", "due": None}, {"id": 2, "title": "ü", "due": "2024-02-29"}]
# What holds a list of such records.
FORMATS = [
    about["name"] for about in _native.describe_formats() if about["name"] not in ("mca", "toml", "txtpb", "sqlite")
]


def of_generator() -> Iterator[Task]:
    yield from TASKS


def sources() -> dict[str, Any]:
    return {
        "list": lambda: TASKS,
        "tuple": lambda: tuple(TASKS),
        "generator": of_generator,
        "columns": lambda: demat.columns_of(TASKS),
        "values": {1: TASKS[0], 2: TASKS[1]}.values,
    }


@pytest.mark.parametrize("format", FORMATS)
@pytest.mark.parametrize("source", sources())
def test_objects_go_to_every_format(source: str, format: str, tmp_path: Path) -> None:
    place, text = tmp_path / "out", io.BytesIO()
    assert demat.copy(sources()[source](), place, Task if source != "columns" else None, to=format).records == 2
    demat.copy(place, text, list[Task], from_=format, to="ndjson")
    assert [demat.json.decode(line) for line in text.getvalue().splitlines()] == ROWS


@pytest.mark.parametrize("source", [*sources(), "dicts"])
def test_objects_go_to_tables(source: str, tmp_path: Path) -> None:
    given = ROWS if source == "dicts" else sources()[source]()
    assert demat.copy(given, tmp_path / "a.db#tasks").records == 2
    with sqlite3.connect(tmp_path / "a.db") as database:
        assert database.execute("SELECT id, title, due FROM tasks").fetchall() == [tuple(row.values()) for row in ROWS]


def test_options_of_a_copy_hold_for_objects() -> None:
    out = io.BytesIO()
    done = demat.copy(TASKS, out, Task, to="csv", fields=["title"], first=1)
    assert (done.records, out.getvalue()) == (1, b"title\na\n")
    refused: list[bytes] = []
    out = io.BytesIO()
    done = demat.copy(
        [*ROWS, {"id": "x"}], out, Task, to="json", on_error="skip", rejects=lambda _, data: refused.append(data)
    )
    assert (done.records, done.rejected, len(refused)) == (2, 1, 1)
    with pytest.raises(ValueError, match="read= is about a place that is read, and these are objects"):
        demat.copy(TASKS, out, to="json", read={"depth": 3})
    # What has a format consists of bytes.
    with pytest.raises(TypeError, match="expected bytes or str"):
        demat.copy(TASKS, out, from_="json", to="json")
    with pytest.raises(ValueError, match="these are columns in memory, which need no format"):
        demat.copy(demat.columns_of(TASKS), out, from_="json", to="json")
    with pytest.raises(ValueError, match="can't be told by its name"):
        demat.copy(TASKS, out)


def test_pieces_of_bytes_are_a_place() -> None:
    for pieces in ([b"id,title\n", b"1,a\n"], iter(["id,title\n", "1,a\n"]), (b"id,title\n1,a\n" for _ in range(1))):
        out = io.BytesIO()
        demat.copy(pieces, out, from_="csv", to="json")
        assert out.getvalue() == b'[{"id":"1","title":"a"}]\n'


@pytest.mark.parametrize("given", [list, lambda: iter(()), lambda: (task for task in TASKS[:0])])
def test_no_objects(given: Any, tmp_path: Path) -> None:
    out = io.BytesIO()
    assert demat.copy(given(), out, to="json").records == 0
    assert demat.json.decode(out.getvalue()) == []
    for name in ("e.csv", "e.parquet", "e.arrow", "e.json", "e.db#e", "e.avro"):
        place = str(tmp_path / name)
        assert demat.write(place, given(), Task) == 0
        assert list(demat.read(place, Task)) == []
        assert demat.copy(given(), [place], Task).records == 0
    assert (tmp_path / "e.csv").read_text() == "id,title,due\n"


KINDS = {
    "decimal": Decimal("12345678901234567890.123456789"),
    "bytes": b"\0\xff",
    "date": date(2020, 1, 1),
    "at": datetime(2020, 1, 1, 2, tzinfo=UTC),
    "uuid": UUID(int=5),
    "big": 2**40,
}


@dataclass
class Kinds:
    decimal: Decimal
    bytes: bytes
    date: date
    at: datetime
    uuid: UUID
    big: int
    time: time
    delta: timedelta


MORE = {**KINDS, "time": time(1, 2), "delta": timedelta(hours=1)}


@pytest.mark.parametrize("name", ["a.parquet", "a.arrow", "a.cbor"])
def test_values_stay_what_they_are(name: str, tmp_path: Path) -> None:
    place = str(tmp_path / name)
    for given in ([KINDS], iter([KINDS]), [dict(KINDS)] * 3):
        demat.write(place, given)
        assert next(demat.read(place)) == KINDS
    demat.copy([KINDS], [place, str(tmp_path / "b.cbor")], first=1)
    assert list(demat.read(place)) == list(demat.read(tmp_path / "b.cbor")) == [KINDS]


@pytest.mark.parametrize("name", ["a.parquet", "a.arrow", "a.db#a", "a.cbor"])
def test_objects_without_a_type_are_of_their_class(name: str, tmp_path: Path) -> None:
    place, value = str(tmp_path / name), Kinds(**MORE)  # type: ignore[arg-type]
    for given in ([value], iter([value])):
        demat.write(place, given)
        assert next(demat.read(place, Kinds)) == value
    demat.copy(iter([value]), [place, str(tmp_path / "b.cbor")])
    assert next(demat.read(tmp_path / "b.cbor", Kinds)) == value


@dataclass
class Counted:
    """A field that is written, and never read."""

    id: int
    twice: int = field(init=False, default=0)

    def __post_init__(self) -> None:
        self.twice = 2 * self.id


@pytest.mark.parametrize("name", ["a.parquet", "a.arrow", "a.db#a", "a.cbor"])
def test_fields_that_are_not_read_are_written(name: str, tmp_path: Path) -> None:
    place = str(tmp_path / name)
    with demat.writer(place, Counted) as writer:
        writer.write(Counted(1))
    assert list(demat.read(place)) == [{"id": 1, "twice": 2}]
    for given in ([Counted(1)], iter([Counted(1)])):
        demat.copy(given, str(tmp_path / f"b{name}"), Counted, first=1)
        assert list(demat.read(str(tmp_path / f"b{name}")))[-1] == {"id": 1, "twice": 2}


class Pair(NamedTuple):
    a: int
    b: str


@pytest.mark.parametrize("name", ["a.parquet", "a.arrow", "a.db#a", "a.csv"])
def test_named_tuples_without_a_type(name: str, tmp_path: Path) -> None:
    for at, given in enumerate(([Pair(1, "x")], iter([Pair(1, "x")]))):
        place = str(tmp_path / f"{at}{name}")
        assert demat.write(place, given) == 1
        assert list(demat.read(place, Pair)) == [Pair(1, "x")]


def test_an_error_of_many_objects_has_their_number(tmp_path: Path) -> None:
    tasks = [*(Task(at, "a") for at in range(1000)), Task("x", "b")]  # type: ignore[arg-type]
    for place in (str(tmp_path / "a.db#a"), str(tmp_path / "a.parquet")):
        with pytest.raises(demat.EncodeError, match=r"\$\[1000\]\.id"):
            demat.write(place, iter(tasks), Task)


def test_collections_hold_objects(tmp_path: Path) -> None:
    @dataclass
    class Keyed:
        id: Annotated[int, demat.Field(key=True)]
        name: str = "a"

    place = f"lmdb:{tmp_path}#tasks"
    assert demat.write(place, [Keyed(3), Keyed(2)]) == 2
    assert demat.write(place, iter([Keyed(1)])) == 1
    assert demat.copy([Keyed(5)], place).records == 1
    assert demat.copy([Keyed(6)], [place, str(tmp_path / "a.csv")]).records == 1
    assert list(demat.read(place, Keyed)) == [Keyed(1), Keyed(2), Keyed(3), Keyed(5), Keyed(6)]


def test_a_value_of_a_scheme_is_one_target(tmp_path: Path) -> None:
    demat.scheme("twice", demat.store.memory({}))
    try:
        for other in ("twice:/q", "twice:/q/", "twice:q"):
            with pytest.raises(ValueError, match="a place can't be two targets of one copy"):
                demat.copy(TASKS, ["twice:/q", other])
    finally:
        demat.scheme("twice", None)


def test_an_error_has_its_place(tmp_path: Path) -> None:
    for format in ("json", "parquet", "csv"):
        with pytest.raises(demat.Error) as raised:
            demat.copy([Task(1, "a"), Task("x", "b")], tmp_path / "out", Task, to=format)  # type: ignore[arg-type]
        assert "[1].id" in str(raised.value)
        assert not (tmp_path / "out").exists()
