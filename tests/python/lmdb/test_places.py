"""Collections as places of a copy."""

import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any

import demat
import pytest
from demat import Field, StoreError, lmdb


@dataclass
class Task:
    id: Annotated[int, Field(key=True)]
    title: str
    done: bool = False


TASKS = [Task(id, f"task {id}", id % 2 == 0) for id in range(-3, 3)]


@pytest.mark.parametrize("encoding", ["protobuf", "msgpack", "json"])
@pytest.mark.parametrize("suffix", ["json", "jsonl", "csv", "parquet", "arrow", "msgpack", "db#tasks"])
def test_copies_go_both_ways(tmp_path: Path, encoding: Any, suffix: str) -> None:
    place, file = f"lmdb:{tmp_path}/env#tasks", f"{tmp_path}/out.{suffix}"
    with lmdb.open(tmp_path / "env", sync="off") as env:
        tasks = env.collection("tasks", Task, encoding=encoding)
        tasks.put_all(TASKS)
        assert demat.copy(place, file).records == 6
        tasks.delete_range()
        assert demat.copy(file, place, Task).records == 6
        assert list(tasks) == TASKS
        # Without the class, into a collection that there is not.
        assert demat.copy(file, f"lmdb:{tmp_path}/env#new", infer=True, to="json").records == 6
        new = env.collection("new")
        assert new.definition["encoding"] == "json"
        assert sorted(task.title for task in new) == sorted(task.title for task in TASKS)


def test_a_copy_that_fails_leaves_nothing(tmp_path: Path) -> None:
    place = f"lmdb:{tmp_path}/env#tasks"
    with pytest.raises(demat.ValidationError):
        demat.copy(b'[{"id": 1, "title": "a"}, {"id": 2}]', place, Task, from_="json")
    with lmdb.open(tmp_path / "env", sync="off") as env:
        assert env.collections == []
        tasks = env.collection("tasks", Task)
        tasks.put(Task(7, "there"))
        with pytest.raises(demat.ValidationError):
            demat.copy(b'[{"id": 1, "title": "a"}, {"id": 2}]', place, Task, from_="json")
        assert list(tasks.scan(keys_only=True)) == [7]
        copied = demat.copy(b'[{"id": 1, "title": "a"}, {"id": 2}]', place, Task, from_="json", on_error="skip")
        assert (copied.records, copied.rejected) == (1, 1)
        assert list(tasks.scan(keys_only=True)) == [1, 7]
        with pytest.raises(StoreError, match="difference"):
            demat.copy(b'[{"id": 1, "title": 7}]', place, "[{id: int, title: int}]", from_="json")


def test_keys_of_a_function_need_the_function(tmp_path: Path) -> None:
    place = f"lmdb:{tmp_path}/env#tasks"
    with lmdb.open(tmp_path / "env", sync="off") as env:
        env.collection("tasks", Task, key=lambda task: task.title).put_all(TASKS)
        assert demat.copy(place, tmp_path / "out.json").records == 6
        with pytest.raises(StoreError, match="made by a function of a program"):
            demat.copy(tmp_path / "out.json", place)


def test_the_command(tmp_path: Path) -> None:
    def run(*arguments: str) -> str:
        command = [sys.executable, "-m", "demat", *arguments]
        return subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True, cwd=tmp_path).stdout

    (tmp_path / "tasks.json").write_text('[{"id":1,"title":"a"},{"id":2,"title":"b"}]')
    run("copy", "tasks.json", "lmdb:env")
    assert run("copy", "lmdb:env#tasks", "--to", "csv") == "id,title\n1,a\n2,b\n"
    assert "title" in run("schema", "lmdb:env")
    run("copy", "lmdb:env", "lmdb:other#copied")
    assert run("head", "lmdb:other", "--to", "ndjson").count("\n") == 2


def test_what_is_not_said(tmp_path: Path) -> None:
    with pytest.raises(StoreError):
        demat.copy(f"lmdb:{tmp_path}/none#tasks", tmp_path / "out.json")
    with lmdb.open(tmp_path / "env", sync="off") as env:
        with pytest.raises(StoreError, match="no collection in the environment"):
            demat.copy(f"lmdb:{tmp_path}/env", tmp_path / "out.json")
        env.collection("one", Task)
        env.collection("two", Task)
        with pytest.raises(StoreError, match="where NAME is one of one, two"):
            demat.copy(f"lmdb:{tmp_path}/env", tmp_path / "out.json")
