"""Values of stores as places of every verb that takes one."""

from __future__ import annotations

import asyncio
import pickle
from collections.abc import AsyncIterator, Callable, Iterator
from dataclasses import dataclass
from pathlib import Path as FilePath
from typing import Any

import demat
import formats
import pytest
from demat import StoreError, json, store
from own_stores import Tree


@dataclass
class Task:
    id: int
    title: str


TASKS = [Task(1, "write"), Task(2, "rest"), Task(3, "play")]
ROWS = [{"id": task.id, "title": task.title} for task in TASKS]


@pytest.fixture
def todo() -> Iterator[Tree]:
    own = Tree({"tasks": [dict(row) for row in ROWS]})
    demat.scheme("todo", own)
    yield own
    demat.scheme("todo", None)


@formats.each(nested=True, texts=False)
def test_formats_read_and_write_values(todo: Tree, module: Any) -> None:
    if formats.is_typed(formats.name(module)):
        pytest.skip("the store has no types")
    assert list(module.read("todo:/tasks", Task)) == TASKS
    assert list(module.read("todo:/tasks?id.gt=1", Task, batch=5)) == [TASKS[1:]]
    assert list(module.read(store.memory(ROWS), Task)) == list(module.read(Tree(ROWS), Task)) == TASKS
    assert module.columns("todo:/tasks", Task).records(Task) == TASKS
    assert module.columns("todo:/tasks?id=3", Task, fields=["title"]).names == ("title",)
    todo.calls.clear()
    assert module.write("todo:/new", TASKS, Task) == 3
    assert todo.calls == [("put", ("new",))]
    assert list(module.read("todo:/new", Task)) == TASKS


@pytest.mark.parametrize("module", [demat.arrow, demat.parquet])
def test_columns_are_made_of_values(todo: Tree, module: Any, tmp_path: FilePath) -> None:
    assert list(module.read("todo:/tasks", Task)) == TASKS
    assert list(module.read(store.memory(ROWS), Task, batch=2)) == [TASKS[:2], TASKS[2:]]
    assert module.columns("todo:/tasks?id.gt=1").records() == ROWS[1:]
    assert [batch.records() for batch in module.columns("todo:/tasks", Task, batch_size=2)] == [ROWS[:2], ROWS[2:]]
    assert module.write("todo:/new", TASKS) == 3
    assert todo.root["new"] == ROWS


def test_a_class_is_defined_by_a_value(todo: Tree) -> None:
    made = demat.define("todo:/tasks")
    assert made.__name__ == "Tasks"
    assert made(id=1, title="a") == json.decode(b'{"id": 1, "title": "a"}', made)
    assert demat.define(store.memory(ROWS)).__name__ == "Record"
    assert demat.source(demat.define("todo:/tasks", name="Task", format="json")).count("title: str") == 1
    # It is a Shape as before: a reference begins with a slash.
    assert set(demat.define("todo: int").__annotations__) == {"todo"}


def test_an_async_iterable_is_written(todo: Tree) -> None:
    async def tasks(broken: bool) -> AsyncIterator[Task]:
        for task in TASKS:
            yield task
        if broken:
            raise KeyError

    async def write(broken: bool) -> int:
        return await json.write("todo:/new", tasks(broken), Task)

    with pytest.raises(KeyError):
        asyncio.run(write(True))
    assert "new" not in todo.root
    assert asyncio.run(write(False)) == 3
    assert todo.root["new"] == ROWS


def test_a_value_stays_where_writing_fails(todo: Tree) -> None:
    for place in ("todo:/tasks", "todo:/other"):
        with pytest.raises(demat.EncodeError, match=r"\$\[1\]"):
            json.write(place, [1, object()])
    assert todo.root == {"tasks": ROWS}


REFUSED: dict[str, tuple[Callable[[], Any], type[Exception], str]] = {
    "nothing": (lambda: json.read("todo:/nothing"), demat.NotFound, "`/nothing`: not found"),
    "query": (lambda: json.write("todo:/x?limit=1", TASKS), StoreError, "a query says what is read"),
    "packed": (lambda: json.read("todo:/tasks", compression="gzip"), ValueError, "not compressed"),
    "packing": (lambda: json.write("todo:/x", TASKS, compression="zstd"), ValueError, "not compressed"),
    "workers": (lambda: demat.copy("todo:/tasks", "x.json", workers=2), ValueError, "read by one process"),
    "edit": (lambda: demat.edit("todo:/tasks", Task, print), ValueError, "todo:/tasks is a value of a store"),
    "edit to": (lambda: demat.edit("x.json", Task, print, to="todo:/x"), ValueError, "value of a store"),
    "edit store": (lambda: demat.edit(Tree(), Task, print), ValueError, "value of a store"),  # type: ignore[arg-type]
    "type": (lambda: list(json.read("todo:/tasks", int)), demat.ValidationError, "expected `int`, found `dict`"),
}


@pytest.mark.parametrize("case", REFUSED)
def test_what_is_refused(todo: Tree, case: str) -> None:
    act, error, why = REFUSED[case]
    with pytest.raises(error, match=why):
        act()
    assert todo.root == {"tasks": ROWS}


def test_other_places_are_as_before(tmp_path: FilePath, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "a:b").write_text("[1]")
    assert list(json.read("a:b")) == list(json.read(b"[1]")) == [1]
    assert json.write("c:d", [2]) == 1
    assert (tmp_path / "c:d").read_text() == "[2]\n"
    with pytest.raises(FileNotFoundError):
        json.read("nowhere:/a")
    with pytest.raises(TypeError, match="expected a place to read"):
        json.read(5)  # type: ignore[call-overload]
    for verb in (json.read, json.write, json.columns):
        with pytest.raises(TypeError, match="missing"):
            verb()  # type: ignore[call-overload]
        assert pickle.loads(pickle.dumps(verb)) is verb


@pytest.mark.parametrize("name", ["postgres", "postgresql", "lmdb"])
def test_names_of_other_places_are_taken(name: str) -> None:
    with pytest.raises(ValueError, match="something else"):
        demat.scheme(name, store.memory())


def test_bytes_that_look_packed_are_not() -> None:
    whole = store.memory()
    value = {"\x1f": "x"}
    whole.put("/", value)
    assert list(demat.msgpack.read(whole, at="$")) == [value]
