"""Loads ten million tasks into SQLite, and a hundred million, and says how many that are a minute.

python examples/taskbench.py
"""

import sys
import time
from dataclasses import dataclass
from itertools import chain, repeat
from typing import Annotated

from demat import Field, sqlite


@dataclass(slots=True)
class Task:
    """A row."""

    id: Annotated[int | None, Field(key=True)]
    title: Annotated[str, Field(sql="VARCHAR(220)")]
    done: int


tasks = [Task(None, title, done) for title, done in [("Clean Room", 0), ("Check Twitter", 1)] * 500_000]
for times in [int(given) for given in sys.argv[1:]] or [10, 100]:
    begun = time.perf_counter()
    rows = sqlite.build("tasks.db", {"tasks": (Task, chain.from_iterable(repeat(tasks, times)))}, replace=True)
    print(f"{rows:,} tasks: {rows / (time.perf_counter() - begun) * 60:,.0f} a minute")
