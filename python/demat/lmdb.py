"""LMDB: records of your classes in the order of their keys, read where the pages are mapped.

>>> import tempfile
>>> from dataclasses import dataclass
>>> from demat import lmdb
>>> @dataclass
... class Task:
...     id: int
...     title: str
...     done: bool = False
>>> folder = tempfile.TemporaryDirectory()
>>> with lmdb.open(folder.name) as env:
...     tasks = env.collection("tasks", Task, key="id")
...     with env.begin(write=True):
...         tasks.put_all(Task(id, f"task {id}") for id in range(1000))
...         tasks.put(Task(-1, "first of all", done=True))
...     [task.title for task in tasks.scan(hi=1)]
1000
-1
['first of all', 'task 0']
>>> folder.cleanup()

The keys' bytes, and what else stands in the file, are described in docs/lmdb.md.
"""

from ._lmdb.collection import Collection, Index
from ._lmdb.environment import Environment, Info, ReaderInfo, auto, open
from ._lmdb.transaction import Transaction

__all__ = ["Collection", "Environment", "Index", "Info", "ReaderInfo", "Transaction", "auto", "open"]
