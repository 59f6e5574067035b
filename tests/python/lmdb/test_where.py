"""Conditions on fields: the filter of a scan against Python's own comparison."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import date
from typing import TYPE_CHECKING, Any

import pytest
from demat import StoreError, json, lmdb

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path


@dataclass
class Task:
    id: int
    title: str
    done: bool = False
    part: float | None = None
    due: date | None = None
    tags: list[str] = field(default_factory=list)


TASKS = [
    Task(
        n - 20,
        "abc"[n % 3] * (n % 4),
        n % 2 == 0,
        None if n % 5 == 0 else n / 4,
        None if n % 7 == 0 else date(2024, 1 + n % 12, 3),
        ["x"] * (n % 2),
    )
    for n in range(50)
]

CONDITIONS: dict[str, Callable[[Task], Any]] = {
    "id=0": lambda t: t.id == 0,
    "id.gt=-3&id.le=7": lambda t: -3 < t.id <= 7,
    "id.in=1,-1,900": lambda t: t.id in (1, -1, 900),
    "done=true": lambda t: t.done,
    "done.ne=true&title.ge=b": lambda t: not t.done and t.title >= "b",
    "title.contains=BB": lambda t: "bb" in t.title,
    "title.like=a%25": lambda t: t.title.startswith("a"),
    "part.lt=3.5": lambda t: t.part is not None and t.part < 3.5,
    "part.null": lambda t: t.part is None,
    "due.ge=2024-06-03": lambda t: t.due is not None and t.due >= date(2024, 6, 3),
    "due.null=false&done=0": lambda t: t.due is not None and not t.done,
    "tags.null": lambda t: False,
}


@pytest.fixture(params=["protobuf", "msgpack", "json", "packed"])
def tasks(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[lmdb.Collection[Task]]:
    with lmdb.open(tmp_path, sync="off") as env:
        packed = request.param == "packed"
        made = env.collection(
            "tasks",
            Task,
            key="id",
            encoding="json" if packed else request.param,
            compression="zstd" if packed else None,
        )
        made.put_all(TASKS)
        made.index("title", "title")
        yield made


@pytest.mark.parametrize("where", CONDITIONS)
def test_conditions_hold_as_python_says(tasks: lmdb.Collection[Task], where: str) -> None:
    wanted = [task.id for task in TASKS if CONDITIONS[where](task)]

    def check() -> None:
        assert [task.id for task in tasks.scan(where=where)] == wanted
        assert [task.id for task in tasks.scan(where=where, objects=True, reverse=True)] == wanted[::-1]
        assert list(tasks.scan(where=where, keys_only=True, limit=3)) == wanted[:3]
        assert tasks.count(where=where) == len(wanted)
        assert tasks.count(where=where, lo=0, limit=2) == len([id for id in wanted if id >= 0][:2])
        first, last = tasks.first(where=where), tasks.last(where=where)
        assert [first and first.id, last and last.id] == [wanted[0] if wanted else None, wanted[-1] if wanted else None]
        assert json.decode(tasks.encode("json", where=where), list[Task]) == [t for t in TASKS if t.id in wanted]
        assert tasks.columns(where=where, fields=["id"]).numpy("id").tolist() == wanted
        by_title = [(task.title, task.id) for task in tasks.index("title").scan(where=where)]
        assert by_title == sorted((task.title, task.id) for task in TASKS if task.id in wanted)

    check()
    with tasks._environment.begin():
        check()
    with tasks._environment.begin(write=True):
        check()
        assert tasks.delete_range(where=where) == len(wanted)
        assert tasks.count() == len(TASKS) - len(wanted)
        assert tasks.check() == []


@pytest.mark.parametrize(
    "where", ["none=1", "id=x", "done=perhaps", "due=x", "tags=x", "order=id", "limit=1", "id=1&fields=id", "id=%ff"]
)
def test_what_is_no_condition_is_refused(tasks: lmdb.Collection[Task], where: str) -> None:
    for work in (tasks.scan, tasks.count, tasks.columns, tasks.encode, tasks.first, tasks.delete_range):
        with pytest.raises(StoreError):
            work(where=where)
    assert tasks.count(where="") == len(TASKS)
