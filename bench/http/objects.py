"""Demat over Python's own objects, encoded at each request: `objects.py ROWS PORT`."""

import sys
from dataclasses import dataclass

import demat
from rows import TITLES


@dataclass(slots=True)
class Task:
    """A task."""

    id: int
    done: int
    title: str


tasks = [Task(number, number % 2, TITLES[number % 2]) for number in range(1, int(sys.argv[1]) + 1)]
demat.serve({"/tasks": (tasks, Task)}, port=int(sys.argv[2]))
