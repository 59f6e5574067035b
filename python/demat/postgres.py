"""PostgreSQL: tables from classes, classes from tables, rows to and from objects by binary `COPY`.

>>> from dataclasses import dataclass
>>> from typing import Annotated
>>> from demat import Field, postgres
>>> @dataclass
... class Task:
...     id: Annotated[int, Field(key=True)]
...     title: str
...     tags: list[str]
...     done: bool = False
>>> with postgres.connect(url) as database:
...     tasks = database.table("tasks", Task)
...     tasks.insert(Task(id, title, ["home"]) for id, title in enumerate(["write", "test", "rest"]))
...     tasks.select(done=False, order="-id", limit=1).all()
...     tasks.encode("json", title="write")
3
[Task(id=2, title='rest', tags=['home'], done=False)]
b'[{"id":0,"title":"write","tags":["home"],"done":false}]'

How values are kept, and read again:

- bool as `boolean`; int as `bigint`, or as what its width needs (`smallint`, `integer`, `numeric`)
- float as `double precision`; str, and enums by their values, as `text`; bytes as `bytea`
- Decimal as `numeric`, and UUID as `uuid`
- date, time, timedelta as `date`, `time`, `interval`; datetime as `timestamptz`, which
  refuses one without an offset. The server keeps the instant in UTC, and no nanoseconds: those are refused
- lists of these as arrays; other lists, dicts and classes as `jsonb`
- None as NULL

What a column would change is refused: a number that it would round, spaces that it would cut, the character U+0000.
"""

from ._postgres.database import Database, connect
from ._postgres.rows import Rows
from ._postgres.table import Table

__all__ = ["Database", "Rows", "Table", "connect"]
