"""SQLite: tables from classes, classes from tables, rows to and from objects with nothing in between.

>>> from dataclasses import dataclass
>>> from typing import Annotated
>>> from demat import Field, sqlite
>>> @dataclass
... class Task:
...     id: Annotated[int | None, Field(key=True)]
...     title: Annotated[str, Field(min_length=1)]
...     done: bool = False
>>> with sqlite.open(":memory:") as database:
...     tasks = database.table("tasks", Task)
...     tasks.insert(Task(None, title) for title in ["write", "test", "rest"])
...     tasks.select(done=False, order="-id", limit=1).all()
...     tasks.encode("json", title="write")
3
[Task(id=3, title='rest', done=False)]
b'[{"id":1,"title":"write","done":false}]'

How values are kept, and read again:

- bool as 0 and 1; int as a whole number of 64 bits (a larger one is refused; a field with `sql="TEXT"` keeps it as
  text)
- float as a float; NaN is refused, since SQLite would keep NULL in its place
- str, and enums by their values, as text; bytes as bytes
- Decimal, date, time, datetime, timedelta and UUID as text, as JSON has them
- lists, tuples, sets, dicts and classes as JSON text
- None as NULL
"""

from ._sqlite.build import build
from ._sqlite.database import Database, open
from ._sqlite.migration import Migration
from ._sqlite.rows import Rows
from ._sqlite.table import Table

__all__ = ["Database", "Migration", "Rows", "Table", "build", "open"]
