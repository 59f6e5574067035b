"""The peer: FastAPI over sqlite3, as its tutorial writes it; uvicorn with one worker.

`fastapi_tasks.py ROWS PORT FILE`
"""

import sqlite3
import sys
from collections.abc import Iterator
from typing import Annotated

import uvicorn
from fastapi import Depends, FastAPI
from pydantic import BaseModel
from rows import filled

ROWS, PORT, FILE = int(sys.argv[1]), int(sys.argv[2]), sys.argv[3]


class Task(BaseModel):
    """A task."""

    id: int | None = None
    done: int
    title: str


app = FastAPI()


def connected() -> Iterator[sqlite3.Connection]:
    """A connection for a request."""
    connection = sqlite3.connect(FILE, check_same_thread=False)
    connection.row_factory = sqlite3.Row
    try:
        yield connection
    finally:
        connection.close()


Connected = Annotated[sqlite3.Connection, Depends(connected)]


@app.get("/tasks")
def tasks(connection: Connected) -> list[Task]:
    """All of them."""
    return [Task(**row) for row in connection.execute("SELECT id, done, title FROM tasks")]


@app.post("/tasks", status_code=201)
def add(task: Task, connection: Connected) -> Task:
    """One more."""
    cursor = connection.execute("INSERT INTO tasks(done, title) VALUES (?, ?)", (task.done, task.title))
    connection.commit()
    return Task(id=cursor.lastrowid, done=task.done, title=task.title)


filled(FILE, ROWS)
uvicorn.run(app, port=PORT, log_level="warning", access_log=False)
