"""Stores as the source and the targets of `demat.copy`."""

from __future__ import annotations

import datetime
import io
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path as FilePath
from typing import Annotated, Any

import demat
import pytest
from demat import StoreError, store
from own_stores import Path, Plain, Tree


@dataclass
class Task:
    title: str
    id: Annotated[int | None, demat.Field(key=True)] = None


ROWS = [{"id": 1, "title": "write"}, {"id": 2, "title": "rest"}, {"id": 3, "title": "play"}]
TASKS = [Task(row["title"], row["id"]) for row in ROWS]  # type: ignore[arg-type]


def copied(src: Any, to: str, **options: Any) -> bytes:
    file = io.BytesIO()
    demat.copy(src, file, to=to, **options)  # type: ignore[arg-type]
    return file.getvalue()


def test_a_store_is_a_source_of_copy(tmp_path: FilePath) -> None:
    database = demat.sqlite.open(str(tmp_path / "a.db"))
    table = database.table("tasks", Task)
    table.insert(TASKS)
    for place in (store.of(table), store.memory(ROWS), store.cache(Tree(ROWS)), Tree(TASKS)):
        assert demat.json.decode(copied(place, "json"), list[Task]) == TASKS
        assert demat.csv.decode(copied(place, "csv", fields=["id", "title"]), list[Task]) == TASKS
        assert copied(place, "ndjson", where="id > 2", fields=["title"]) == b'{"title":"play"}\n'
        assert copied(place, "csv", first=1, fields=["id"], rename={"id": "n"}) == b"n\n1\n"
    demat.copy(Tree(ROWS), tmp_path / "tasks.parquet", Task)
    assert demat.parquet.columns(tmp_path / "tasks.parquet").records(Task) == TASKS
    demat.copy(Tree({"a": 1}), tmp_path / "one.json")
    assert (tmp_path / "one.json").read_bytes() == b'{"a":1}\n'


def test_a_store_is_a_target_of_copy(tmp_path: FilePath) -> None:
    (tmp_path / "tasks.csv").write_text("id,title\n1,write\n2,rest\n3,play\n")
    for place in (Tree(), store.memory(), store.cache(Tree(), write_back=True)):
        assert demat.copy(tmp_path / "tasks.csv", place, list[Task]).records == 3
        assert store.of(place).get("/", list[Task]) == TASKS
    table = demat.sqlite.open(":memory:").table("tasks", Task)
    table.insert([Task("old")])
    assert demat.copy(TASKS, store.of(table)).records == 3
    assert list(table) == TASKS
    first, second = Tree(), store.memory()
    assert demat.copy(ROWS, [first, second, tmp_path / "all.json"]).records == 3
    assert first.root == second.get() == demat.json.decode((tmp_path / "all.json").read_bytes()) == ROWS
    # From one to another, kinds are kept.
    day = {"day": datetime.date(2026, 1, 2), "raw": b"\x00\xff", "n": 2**70}
    into = Tree()
    demat.copy(Tree([day]), into)
    assert into.root == [day]


def test_a_copy_that_fails_leaves_the_value(tmp_path: FilePath) -> None:
    own = Tree(["old"])
    (tmp_path / "bad.csv").write_text("id,title\n1,a\nx,b\n")
    with pytest.raises(demat.DecodeError):
        demat.copy(tmp_path / "bad.csv", own, Task)
    with pytest.raises(demat.DecodeError):
        demat.copy(tmp_path / "bad.csv", own, Task, on_error="all")

    def objects() -> Iterator[Task]:
        yield Task("a")
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        demat.copy(objects(), own)
    assert own.root == ["old"]
    demat.copy(tmp_path / "bad.csv", own, Task, on_error="skip")
    assert own.root == [{"id": 1, "title": "a"}]

    class Refusing(Plain):
        error: BaseException = demat.ValidationError("that is too much")

        def put(self, path: Path, value: Any) -> None:
            raise self.error

    refusing = Refusing()
    for error in (demat.ValidationError("that is too much"), OverflowError("own")):
        refusing.error = error
        with pytest.raises(type(error), match=str(error)):
            demat.copy(ROWS, refusing)
    with pytest.raises(StoreError, match="can't put `/`: this store does not support it"):
        demat.copy(ROWS, store.read_only(own))
    refusing.error = KeyError("x")
    with pytest.raises(demat.NotFound):
        demat.copy(ROWS, refusing)


def test_what_a_source_raises_is_raised() -> None:
    class Broken(demat.Store):
        def get(self, path: Path) -> Any:
            raise OverflowError("own")

    with pytest.raises(OverflowError, match="own"):
        copied(Broken(), "json")
    with pytest.raises(demat.NotFound):
        copied(store.relative(Plain(), "/a"), "json")
    with pytest.raises(ValueError, match="two targets"):
        one = store.memory()
        demat.copy(ROWS, [one, one])


def test_options_that_a_store_can_not_honour_are_refused() -> None:
    for compression in ("gzip", "zstd"):
        with pytest.raises(ValueError, match="not compressed"):
            demat.copy(ROWS, store.memory(), compression=compression)
    with pytest.raises(ValueError, match="no format"):
        demat.copy(store.memory(ROWS), io.BytesIO(), from_="eggs", to="json")  # type: ignore[arg-type]
    own = Tree()
    demat.copy(ROWS, own, to="csv")
    assert own.root == [{"id": str(row["id"]), "title": row["title"]} for row in ROWS]
    assert copied(Tree(ROWS), "json", from_="ndjson") == demat.json.encode(ROWS) + b"\n"
