"""`demat.read`, `columns` and `write`: one verb for any place."""

import asyncio
import io
import sys
from collections.abc import AsyncIterator
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any

import demat
import pytest
from demat import Field
from own_stores import Tree


@dataclass
class Task:
    id: Annotated[int, Field(key=True)]
    title: str
    done: bool = False


TASKS = [Task(1, "write", True), Task(2, 'a "b", c'), Task(3, "ü\n")]

FILES = [
    "tasks.json",
    "tasks.ndjson",
    "tasks.csv",
    "tasks.tsv",
    "tasks.msgpack",
    "tasks.cbor",
    "tasks.yaml",
    "tasks.parquet",
    "tasks.arrow",
    "tasks.json.gz",
    "tasks.ndjson.zst",
    "tasks.db#tasks",
]


@pytest.mark.parametrize("name", FILES)
@pytest.mark.parametrize("named", [str, Path])
def test_what_is_written_is_read(name: str, named: Any, tmp_path: Path) -> None:
    place = named(tmp_path / name)
    assert demat.write(place, TASKS) == 3
    assert list(demat.read(place, Task)) == TASKS
    assert [dict(record)["title"] for record in demat.read(place)] == [task.title for task in TASKS]


@pytest.mark.parametrize("name", [name for name in FILES if "yaml" not in name])
def test_columns(name: str, tmp_path: Path) -> None:
    place = str(tmp_path / name)
    demat.write(place, TASKS)
    assert demat.columns(place, Task).numpy("id").tolist() == [1, 2, 3]


def test_statements(tmp_path: Path) -> None:
    place = str(tmp_path / "tasks.db")
    demat.write(f"{place}#tasks", TASKS)
    assert list(demat.read(f"{place}?select id, title, done from tasks where id > 1", Task)) == TASKS[1:]
    assert list(demat.read(f"{place}?select count(*) as n from tasks")) == [{"n": 3}]
    assert demat.columns(f"{place}?select sum(id) as s from tasks").numpy("s").tolist() == [6]


def test_collections(tmp_path: Path) -> None:
    with demat.lmdb.open(tmp_path) as environment:
        environment.collection("tasks", Task).put_all(TASKS)
    place = f"lmdb:{tmp_path}#tasks"
    assert list(demat.read(place, Task)) == TASKS
    assert [record.title for record in demat.read(place)] == [task.title for task in TASKS]
    assert demat.columns(place).numpy("id").tolist() == [1, 2, 3]


def test_places_without_a_name() -> None:
    data = demat.json.encode(TASKS)
    assert list(demat.read(data, Task, format="json")) == TASKS
    assert list(demat.read(io.BytesIO(data), Task, format="json")) == TASKS
    target = io.BytesIO()
    assert demat.write(target, TASKS, format="csv") == 3
    assert list(demat.read(target.getvalue(), Task, format="csv")) == TASKS


def test_open_files_say_their_format_by_their_names(tmp_path: Path) -> None:
    demat.write(tmp_path / "tasks.csv", TASKS)
    with (tmp_path / "tasks.csv").open("rb") as file:
        assert list(demat.read(file, Task)) == TASKS


def test_stores_and_schemes() -> None:
    kept = Tree({"tasks": demat.to_builtins(TASKS)})
    demat.scheme("kept", kept)
    try:
        for format in (None, "json"):
            assert list(demat.read("kept:/tasks", Task, format=format)) == TASKS
        assert demat.columns("kept:/tasks", Task).numpy("id").tolist() == [1, 2, 3]
        assert demat.write("kept:/new", TASKS[:1]) == 1
        assert list(demat.read("kept:/new", Task)) == TASKS[:1]
        assert list(demat.read(Tree(demat.to_builtins(TASKS)), Task)) == TASKS
    finally:
        demat.scheme("kept", None)


def test_options_reach_the_format(tmp_path: Path) -> None:
    place = tmp_path / "tasks.csv"
    demat.write(place, TASKS, delimiter=";")
    assert place.read_text("utf-8").startswith("id;title;done\n")
    assert list(demat.read(place, Task, delimiter=";")) == TASKS
    with pytest.raises(TypeError, match="unknown_option"):
        list(demat.read(place, Task, unknown_option=1))


def test_what_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match=r"the format of .*tasks\.unknown can't be told by its name: say format="):
        demat.read(tmp_path / "tasks.unknown", Task)
    with pytest.raises(ValueError, match="the format of bytes can't be told: say format="):
        demat.read(b"[]", Task)
    with pytest.raises(ValueError, match="the format of a `BytesIO` can't be told: say format="):
        demat.write(io.BytesIO(), TASKS)
    with pytest.raises(ValueError, match=r"a whole database: name a part of it, such as .*#tasks"):
        demat.read(str(tmp_path / "tasks.db"), Task)
    demat.write(str(tmp_path / "tasks.db#tasks"), TASKS)
    with pytest.raises(TypeError, match=r"takes no option `where` here: use demat\.sqlite"):
        demat.read(str(tmp_path / "tasks.db#tasks"), Task, where="id = 1")
    with pytest.raises(FileNotFoundError) as raised:
        demat.read(tmp_path / "none.csv", Task)
    assert isinstance(raised.value, demat.StoreError)
    with pytest.raises(demat.StoreError, match="unable to open"):
        list(demat.read(str(tmp_path / "other.db#tasks"), Task))
    assert not (tmp_path / "other.db").exists()


def test_an_error_leaves_a_table_as_it_was(tmp_path: Path) -> None:
    place = str(tmp_path / "tasks.db#tasks")
    demat.write(place, TASKS)

    def broken() -> Any:
        yield Task(7, "seven")
        raise RuntimeError("no more")

    with pytest.raises(RuntimeError, match="no more"):
        demat.write(place, broken())
    assert list(demat.read(place, Task)) == TASKS


def test_a_file_takes_precedence_over_what_its_name_would_mean(tmp_path: Path) -> None:
    """As it does for `copy`: a file may be called so, and then its format has to be said."""
    place = tmp_path / "odd.db#tasks"
    place.write_bytes(demat.json.encode(TASKS))
    assert list(demat.read(str(place), Task, format="json")) == TASKS
    with pytest.raises(ValueError, match="can't be told by its name"):
        demat.read(str(place), Task)


def test_a_scheme_has_places_of_any_name(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    kept = demat.store.memory({})
    demat.scheme("kept", kept)
    try:
        for name in ("a.db#x", "b.sqlite", "c.db%3Fx"):
            assert demat.write(f"kept:/{name}", TASKS) == 3
            assert list(demat.read(f"kept:/{name}", Task)) == TASKS
            assert demat.columns(f"kept:/{name}", Task).numpy("id").tolist() == [1, 2, 3]
            with demat.writer(f"kept:/{name}", Task) as writer:
                writer.write(TASKS[0])
            assert list(demat.read(f"kept:/{name}?id=1", Task)) == TASKS[:1]
        assert kept.children() == ["a.db#x", "b.sqlite", "c.db?x"]
        assert list(tmp_path.iterdir()) == []
    finally:
        demat.scheme("kept", None)


def test_a_statement_may_be_longer_than_a_name_of_a_file(tmp_path: Path) -> None:
    place = str(tmp_path / "tasks.db")
    demat.write(f"{place}#tasks", TASKS)
    wanted = ", ".join(map(str, range(2, 2000)))
    assert list(demat.read(f"{place}?select * from tasks where id in ({wanted})", Task)) == TASKS[1:]


def test_formats_have_the_names_that_a_copy_takes() -> None:
    for name in ("jsonl", "NDJSON", "ndjson"):
        assert list(demat.read(b'{"id":1}\n', format=name)) == [{"id": 1}]  # type: ignore[call-overload]
    target = io.BytesIO()
    for name in ("nope", "store", "net", "../x", "json.sub", "", "geojson"):
        for call in (
            lambda format: demat.read(b"", format=format),
            lambda format: demat.columns(b"", format=format),
            lambda format: demat.write(target, TASKS, format=format),
            lambda format: demat.writer(target, format=format),
        ):
            with pytest.raises(ValueError, match="no format is called"):
                call(name)


def test_what_is_in_a_database_has_no_format(tmp_path: Path) -> None:
    place = tmp_path / "tasks.db"
    demat.write(f"{place}#tasks", TASKS)
    assert list(demat.read(f"{place}#tasks", Task, format="sqlite")) == TASKS
    with place.open("rb") as file:
        for call in (
            lambda: demat.read(file, Task),
            lambda: demat.read(file, Task, format="sqlite"),
            lambda: demat.columns(b"", Task, format="sqlite"),
            lambda: demat.write(file, TASKS),
            lambda: demat.writer(file, Task),
            lambda: demat.write(str(tmp_path / "tasks.data"), TASKS, format="sqlite"),
        ):
            with pytest.raises(ValueError, match=r"a table is named by the path of its database: app\.db#tasks"):
                call()


@pytest.mark.skipif(sys.platform != "linux", reason="names of other systems are text")
def test_a_suffix_counts_whatever_is_before_it(tmp_path: Path) -> None:
    for name in ("\udcff.csv", "\udcff.json.gz", "\udcff.parquet"):
        place = str(tmp_path / name)
        assert demat.write(place, TASKS) == 3
        assert list(demat.read(place, Task)) == TASKS
        demat.copy(place, place, Task)
        with demat.writer(place, Task) as writer:
            writer.write_all(TASKS)
        assert list(demat.read(place, Task)) == TASKS
    with pytest.raises(ValueError, match="can't be told by its name"):
        demat.read("\udcff.unknown")


@pytest.mark.parametrize("name", ["out.csv", "out.parquet", "out.db#out", "out.arrow"])
def test_a_place_is_no_iterable_of_records(name: str, tmp_path: Path) -> None:
    source = tmp_path / "tasks.csv"
    demat.write(source, TASKS)
    given = (str(source), source.read_bytes(), {"id": 1}, memoryview(b"id"))
    for value in given:
        with pytest.raises(TypeError, match="is one value: put it into a list"):
            demat.write(str(tmp_path / name), value)
    if not name.endswith("csv"):
        with source.open("rb") as file:
            for place in (source, file):
                with pytest.raises(TypeError, match=r"is a place: `demat\.copy` moves it"):
                    demat.write(str(tmp_path / name), place)
    assert [path.name for path in tmp_path.iterdir()] == ["tasks.csv"]


@pytest.mark.parametrize("name", ["out.csv", "out.parquet", "out.arrow", "out.db#out", "kept:/out"])
def test_asynchronous_iterables_make_coroutines(name: str, tmp_path: Path) -> None:
    kept = demat.store.memory({})
    place = name if name.startswith("kept") else str(tmp_path / name)

    async def tasks() -> AsyncIterator[Task]:
        for task in TASKS:
            await asyncio.sleep(0)
            yield task

    async def broken() -> AsyncIterator[Task]:
        yield TASKS[0]
        raise RuntimeError("no more")

    demat.scheme("kept", kept)
    try:
        with pytest.raises(RuntimeError, match="no more"):
            asyncio.run(demat.write(place, broken(), Task))
        assert (list(tmp_path.iterdir()), kept.get()) == ([], {})
        assert asyncio.run(demat.write(place, tasks(), Task)) == 3
        assert list(demat.read(place, Task)) == TASKS
    finally:
        demat.scheme("kept", None)
    with demat.writer(tmp_path / "b.json") as writer, pytest.raises(TypeError, match="async for"):
        writer.write_all(tasks())  # type: ignore[arg-type]
