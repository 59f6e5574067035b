"""A backend for tasks, and the page for it: `PORT` and `TASKS_DB` say where.

PORT=8000 TASKS_DB=tasks.db python examples/tasks.py
"""

import os
from dataclasses import dataclass
from typing import Annotated

import demat


@dataclass(slots=True)
class Task:
    """What is to be done."""

    title: str
    id: Annotated[int | None, demat.Field(key=True)] = None
    completed: bool = False
    order: int | None = None


database = demat.sqlite.open(os.environ.get("TASKS_DB", "tasks.db"))
# Todo-Backend clients delete all tasks with one request, which needs `bulk`.
routes = {"/": demat.page("todomvc"), "/tasks": demat.route(database.table("tasks", Task), bulk=True)}
port = int(os.environ.get("PORT", "8080"))
server = demat.serve(routes, port=port, cors="*", urls="url", title="Tasks", background=True)
print(f"TodoMVC: {server.url}/   the tables: {server.url}/-/   until Ctrl-C", flush=True)
server.wait()
