"""The rows of the PostgreSQL jobs: tasks, as objects, as a table and as a CSV file, and what they add up to."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path

TABLE = """create table tasks (id bigint not null, title text not null, done boolean not null,
    score double precision not null, due timestamptz not null)"""
# What the server says of a table.
SUMS = """select count(*)::int8, coalesce(sum(id), 0)::int8, coalesce(sum(length(title)), 0)::int8,
    count(*) filter (where done)::int8, coalesce(sum(score), 0)::float8,
    coalesce(sum(extract(epoch from due)::int8), 0)::int8 from tasks"""
BEGIN = datetime(2026, 1, 1, tzinfo=UTC)
# The seconds from a task to the next.
STEP = 37


@dataclass(slots=True)
class Task:
    """A task: some 60 bytes of values."""

    id: int
    title: str
    done: bool
    score: float
    due: datetime


def tasks(rows: int) -> list[Task]:
    """Returns the rows; no two are alike."""
    step = timedelta(seconds=STEP)
    return [Task(id, f"Clean the room {id:07}", id % 3 == 0, id * 0.25, BEGIN + id * step) for id in range(rows)]


def expected(rows: int) -> list[float]:
    """Returns what `SUMS` says of the rows, by arithmetic alone."""
    ids = rows * (rows - 1) // 2
    return [rows, ids, rows * 22, (rows + 2) // 3, ids * 0.25, rows * int(BEGIN.timestamp()) + ids * STEP]


def sums(values: Iterable[Task]) -> list[float]:
    """Returns the same of objects."""
    count = ids = titles = done = due = 0
    score = 0.0
    for task in values:
        count += 1
        ids += task.id
        titles += len(task.title)
        done += task.done
        score += task.score
        due += int(task.due.timestamp())
    return [count, ids, titles, done, score, due]


def write_csv(path: Path, rows: int) -> None:
    """Writes the rows as CSV, with a header."""
    step = timedelta(seconds=STEP)
    with path.open("w", encoding="ascii") as file:
        file.write("id,title,done,score,due\n")
        for id in range(rows):
            due = (BEGIN + id * step).isoformat().replace("+00:00", "Z")
            file.write(f"{id},Clean the room {id:07},{'true' if id % 3 == 0 else 'false'},{id * 0.25},{due}\n")
