"""The peer: robyn over sqlite3; one process and one worker, as it comes.

`robyn_tasks.py`, with TASKS_ROWS, TASKS_PORT and TASKS_FILE in the environment, as robyn reads the arguments itself.
"""

import os
import sqlite3

from robyn import Request, Robyn, jsonify
from rows import filled

FILE = os.environ["TASKS_FILE"]
app = Robyn(__file__)
connection = sqlite3.connect(FILE, check_same_thread=False)
connection.row_factory = sqlite3.Row


@app.get("/tasks")
def tasks() -> str:
    """All of them."""
    return jsonify([dict(row) for row in connection.execute("SELECT id, done, title FROM tasks")])


@app.post("/tasks")
def add(request: Request) -> str:
    """One more."""
    task = request.json()
    cursor = connection.execute("INSERT INTO tasks(done, title) VALUES (?, ?)", (int(task["done"]), task["title"]))
    connection.commit()
    return jsonify({"id": cursor.lastrowid, **task})


if __name__ == "__main__":
    connection.close()
    filled(FILE, int(os.environ["TASKS_ROWS"]))
    connection = sqlite3.connect(FILE, check_same_thread=False)
    connection.row_factory = sqlite3.Row
    app.start(host="127.0.0.1", port=int(os.environ["TASKS_PORT"]))
