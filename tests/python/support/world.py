"""A server target of each kind, for tests that try something on all of them."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any

import demat
from demat import postgres, store
from postgres_server import folder as folder_of_server
from postgres_server import schema


@dataclass
class Task:
    title: str
    id: Annotated[int | None, demat.Field(key=True)] = None
    done: bool = False


def rows() -> list[Task]:
    return [Task("a", 1), Task("b", 2, True), Task("c", 3)]


class World:
    """One server target of each kind, and its state."""

    def __init__(self, folder: Path) -> None:
        self.database = demat.sqlite.open(folder / "tasks.db")
        self.tasks = self.database.table("tasks", Task)
        self.tasks.insert(rows())
        self.environment = demat.lmdb.open(folder / "lmdb", sync="off")
        self.records = self.environment.collection("tasks", Task, key="id")
        self.records.put_all(rows())
        # Only where there is a server.
        self.server = postgres.connect(schema()) if folder_of_server() else None
        self.served_rows = self.server.table("tasks", Task) if self.server else None
        if self.served_rows is not None:
            self.served_rows.insert(rows())
        self.items = rows()
        self.notes: dict[str, Any] = {"a": {"x": 1}, "b": [1, 2]}
        self.memory = store.memory({"list": [{"id": 1}, {"id": 2}]})
        self.calls: list[str] = []
        (folder / "files").mkdir()
        (folder / "files" / "index.html").write_text("hello")
        (folder / "store").mkdir()
        (folder / "store" / "a.json").write_text("[1]")
        self.folder = folder
        below = store.of(self.tasks)

        def reads(name: str = "x") -> str:
            self.calls.append("reads")
            return name

        def writes(body: dict[str, int]) -> int:
            self.calls.append("writes")
            return len(body)

        self.routes: dict[str, Any] = {
            "/table": self.tasks,
            "/database": self.database,
            "/collection": self.records,
            "/collections": self.environment,
            "/list": (self.items, Task),
            "/dict": self.notes,
            "/instance": Task("one", 1),
            "/function": reads,
            "/taking": writes,
            "/files": folder / "files",
            "/folder": store.folder(folder / "store"),
            "/memory": self.memory,
            "/cache": store.cache(below),
            "/timed": store.timed(below),
            "/log": store.log(below, lambda _: None),
            "/relative": store.relative(store.of(self.database), "/tasks"),
            "/mapped": store.mapped(below),
            "/readonly": store.read_only(below),
            "/switch": store.switch({"tasks": below}),
            "/sequence": store.sequence(below, store.memory([])),
            "/merge": store.merge(self.memory, store.memory({})),
            "/template": store.template({"/:name": lambda name: name}),
            "/environment": store.environment("DEMAT_NOTHING_"),
            **({"/postgres": self.served_rows, "/server": self.server} if self.server else {}),
            "GET /seen": self.tasks,
            "GET /seen-list": (self.items, Task),
        }

    def state(self) -> object:
        files = {str(path): path.read_bytes() for path in self.folder.glob("*/*") if path.parent.name != "lmdb"}
        records = self.records.encode("json")
        served = self.served_rows.select(order="id").all() if self.served_rows is not None else None
        return self.tasks.select().all(), served, records, repr(self.items), repr(self.notes), self.memory.get(), files
