"""One engine of a SQLite job, in a process of its own: says its answer, and the least CPU and wall time of the job.

python engines.py ENGINE DATABASE ROWS
"""

import gc
import shutil
import sqlite3
import subprocess
import sys
import time
from collections import deque
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from itertools import chain, repeat, starmap
from pathlib import Path
from typing import Annotated, Any

from demat import Field, sqlite

DISTINCT = 1_000_000
# So often a job is done in one process; what takes long, once.
TIMES = 3
ONCE = ("executemany", "shell-import", "fetchall-orjson", "tuples-constructor")
READERS = (
    "demat-recycled",
    "demat-dataclasses",
    "demat-json",
    "demat-columns",
    "tuples",
    "tuples-constructor",
    "fetchall-orjson",
)
COLUMNS = "SELECT id, title, done FROM tasks"
TABLE = "CREATE TABLE tasks (id INTEGER PRIMARY KEY, title VARCHAR(220) NOT NULL, done INTEGER)"


@dataclass(slots=True)
class Task:
    """A row."""

    id: Annotated[int | None, Field(key=True)]
    title: Annotated[str, Field(sql="VARCHAR(220)")]
    done: int | None


@dataclass(slots=True)
class Indexed:
    """A row of a table with an index."""

    id: Annotated[int | None, Field(key=True)]
    title: Annotated[str, Field(sql="VARCHAR(220)", index=True)]
    done: int | None


def tasks(rows: int, kind: Any = Task) -> list[Any]:
    """A million objects, again and again."""
    distinct = min(rows, DISTINCT)
    pairs = [("Clean Room", 0), ("Check Twitter", 1)] * (distinct // 2)
    return [kind(None, title, done) for title, done in pairs] * (rows // distinct)


def quick(database: sqlite.Database) -> sqlite.Database:
    """As the loop in C has it."""
    database.query("PRAGMA journal_mode = OFF").all()
    database.execute("PRAGMA synchronous = OFF")
    return database


def build(path: Path, values: Iterable[Any], kind: Any = Task) -> int:
    """A new file."""
    return sqlite.build(path, {"tasks": (kind, values)}, durable=False)


def load(path: Path, values: list[Task]) -> int:
    """A table of a file that is open."""
    with sqlite.open(path) as database:
        return quick(database).table("tasks", Task).load(values)


def insert(path: Path, values: list[Task]) -> int:
    """By statements."""
    with sqlite.open(path) as database:
        return quick(database).table("tasks", Task).insert(values)


def executemany(path: Path, values: list[Task]) -> int:
    """The standard library, from the same objects."""
    database = sqlite3.connect(path)
    database.executescript(f"PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; {TABLE}")
    pairs = ((task.title, task.done) for task in values)
    count = database.executemany("INSERT INTO tasks (title, done) VALUES (?, ?)", pairs).rowcount
    database.commit()
    database.close()
    return count


def last(rows: Iterable[Any]) -> Any:
    """Goes through all rows; gives the last one."""
    return deque(rows, maxlen=1).pop()


def sums(columns: Any) -> int:
    """As much as the loop in C makes of all rows; the lengths of the titles are known from what they are."""
    ids, done = columns.numpy("id"), columns.numpy("done")
    return int(ids.sum() + done.sum() + 10 * (done == 0).sum() + 13 * (done == 1).sum())


def table(path: Path) -> sqlite.Table[Task]:
    """A table that is there."""
    return sqlite.open(path, readonly=True).table("tasks", Task)


def fetchall_orjson(path: Path) -> int:
    """Tuples, dicts, bytes."""
    import orjson

    rows = sqlite3.connect(path).execute(COLUMNS).fetchall()
    return len(orjson.dumps([{"id": id, "title": title, "done": done} for id, title, done in rows]))


def copy_csv(path: Path, source: Path) -> int:
    """With no object in between."""
    from demat import copy

    return copy(source, f"{path}#tasks", Task).records


def shell_import(path: Path, source: Path) -> int:
    """SQLite's own shell."""
    shell = shutil.which("sqlite3")
    if shell is None:
        raise SystemExit("not here")
    script = f"PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; {TABLE};\n.import --csv --skip 1 {source} tasks\n"
    subprocess.run([shell, path], input=script, text=True, check=True, stdout=subprocess.DEVNULL)
    (count,) = sqlite3.connect(path).execute("SELECT count(*) FROM tasks").fetchone()
    return int(count)


def csv_file(path: Path, rows: int) -> Path:
    """The tasks as CSV, made once."""
    source = path.with_name(f"tasks-{rows}.csv")
    if not source.exists():
        with source.open("w") as file:
            file.write("id,title,done\n")
            names = ["Clean Room", "Check Twitter"]
            file.writelines(f"{id},{names[id % 2 ^ 1]},{id % 2 ^ 1}\n" for id in range(1, rows + 1))
    return source


def engine(name: str, path: Path, rows: int) -> Callable[[], int]:
    """What is to be timed; what it needs is made before."""
    match name:
        case "demat-build" | "demat-load" | "demat-insert" | "executemany":
            values = tasks(rows)
            work = {"demat-build": build, "demat-load": load, "demat-insert": insert, "executemany": executemany}[name]
            return lambda: work(path, values)
        case "demat-build-iterator":
            distinct = tasks(min(rows, DISTINCT))
            return lambda: build(path, chain.from_iterable(repeat(distinct, rows // len(distinct))))
        case "demat-build-index":
            values = tasks(rows, Indexed)
            return lambda: build(path, values, Indexed)
        case "demat-copy-csv":
            source = csv_file(path, rows)
            return lambda: copy_csv(path, source)
        case "shell-import":
            source = csv_file(path, rows)
            return lambda: shell_import(path, source)
        case "demat-recycled":
            return lambda: last(table(path).select(recycle=True)).id
        case "demat-dataclasses":
            return lambda: last(table(path).select()).id
        case "tuples":
            return lambda: last(sqlite3.connect(path).execute(COLUMNS))[0]
        case "tuples-constructor":
            return lambda: last(starmap(Task, sqlite3.connect(path).execute(COLUMNS))).id
        case "demat-json":
            return lambda: len(table(path).encode("json"))
        case "demat-columns":
            return lambda: sums(table(path).select().columns())
        case "fetchall-orjson":
            return lambda: fetchall_orjson(path)
        case _:
            raise SystemExit(f"there is no engine {name}")


def main() -> None:
    """Runs one."""
    name, path, rows = sys.argv[1], Path(sys.argv[2]), int(sys.argv[3])
    work = engine(name, path, rows)
    if name.startswith("demat"):
        # Done once on next to nothing, so that imports and plans are no part of it.
        with sqlite.open(":memory:") as database:
            for kind in (Task, Indexed):
                few = database.table(kind.__name__, kind)
                few.load(tasks(2, kind))
                last(few.select(recycle=True))
    best = (float("inf"), float("inf"))
    for _ in range(1 if name in ONCE else TIMES):
        if name not in READERS:
            path.unlink(missing_ok=True)
        gc.collect()
        cpu, wall = time.process_time() + children(), time.perf_counter()
        answer = work()
        took = time.process_time() + children() - cpu, time.perf_counter() - wall
        best = min(best[0], took[0]), min(best[1], took[1])
    print(answer, *best)


def children() -> float:
    """The CPU time of programs that were run."""
    import resource

    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


if __name__ == "__main__":
    main()
