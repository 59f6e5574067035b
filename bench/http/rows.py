"""The rows that the peers written in Python serve."""

import sqlite3
from pathlib import Path

TITLES = ("Check Twitter", "Clean Room")


def filled(file: str, rows: int) -> None:
    """Makes a database with so many tasks."""
    Path(file).unlink(missing_ok=True)
    connection = sqlite3.connect(file)
    connection.execute("PRAGMA journal_mode = WAL")
    connection.execute("CREATE TABLE tasks(id INTEGER PRIMARY KEY, done INTEGER NOT NULL, title TEXT NOT NULL)")
    tasks = ((number, number % 2, TITLES[number % 2]) for number in range(1, rows + 1))
    connection.executemany("INSERT INTO tasks VALUES (?, ?, ?)", tasks)
    connection.commit()
    connection.close()
