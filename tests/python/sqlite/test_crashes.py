"""Processes that are killed at whatever point leave all of what they said was done, and nothing of what was not.

`DEMAT_CRASHES` says how many are killed of each kind; a few where it is not set.
"""

import os
import random
import signal
import subprocess
import sys
import textwrap
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

import pytest
from demat import Field, sqlite

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="signals are those of Unix")

CRASHES = int(os.environ.get("DEMAT_CRASHES", "6"))


@dataclass
class Task:
    id: Annotated[int | None, Field(key=True)]
    title: Annotated[str, Field(index=True)]


# Each line of its output is a promise: this number of rows is durable.
WRITER = """
    import os, sys
    from dataclasses import dataclass
    from itertools import count
    from typing import Annotated
    from demat import Field, sqlite
    @dataclass
    class Task:
        id: Annotated[int | None, Field(key=True)]
        title: Annotated[str, Field(index=True)]
    verb, path = sys.argv[1:]
    print("begun", flush=True)
    for round in count(1):
        rows = [Task(None, f"{round} {number % 97}" * 9) for number in range(2000)]
        if verb == "build":
            sqlite.build(path, {"tasks": (Task, rows * round)}, replace=True)
            print(2000 * round, flush=True)
            continue
        with sqlite.open(path) as database:
            tasks = database.table("tasks", Task)
            if verb == "insert":
                tasks.insert(rows)
                print(2000 * round, flush=True)
            else:
                with database.transaction():
                    tasks.delete("true")
                print(0, flush=True)
                tasks.load(Task(None, row.title) for row in rows * round)
                print(2000 * round, flush=True)
"""


# A file that is built has no log.
CASES = [("insert", "delete"), ("load", "delete"), ("build", "delete"), ("insert", "wal"), ("load", "wal")]


@pytest.mark.parametrize(("verb", "journal"), CASES)
def test_killed(tmp_path: Path, verb: str, journal: str) -> None:
    seed = random.randrange(1 << 32)
    rng = random.Random(seed)
    for crash in range(CRASHES):
        folder = tmp_path / str(crash)
        folder.mkdir()
        path = folder / "a.db"
        if verb != "build":
            with sqlite.open(path) as database:
                database.query(f"PRAGMA journal_mode = {journal}").all()
        command = [sys.executable, "-c", textwrap.dedent(WRITER), verb, str(path)]
        with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
            assert process.stdout is not None
            assert process.stdout.readline() == "begun\n"
            time.sleep(rng.random() * 0.3)
            process.send_signal(signal.SIGKILL)
            said = [int(line) for line in process.stdout.read().split("\n")[:-1]]
        where = f"seed {seed}, crash {crash}"
        if verb == "build" and not path.exists():
            assert said == [], where
            continue
        with sqlite.open(path) as database:
            assert database.query("PRAGMA integrity_check").all() == [{"integrity_check": "ok"}], where
            count = database.query("SELECT count(*) AS n FROM sqlite_schema WHERE name = 'tasks'").first()
            count = len(database.table("tasks", Task)) if count == {"n": 1} else 0
        last = said[-1] if said else 0
        # What was under way is there as a whole, or not at all.
        after = {"insert": last + 2000, "build": last + 2000, "load": 0 if last else 2000 * (len(said) // 2 + 1)}[verb]
        assert count in (last, after), where
        if verb == "build":
            assert [file.name for file in folder.iterdir()] == ["a.db"], where
