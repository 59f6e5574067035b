"""One engine of a PostgreSQL job, in a process of its own: prints its answer, and the seconds and CPU seconds it took.

python engines.py JOB ENGINE URL FOLDER ROWS
"""

import contextlib
import gc
import json
import resource
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import psycopg
import pyarrow as pa
import pyarrow.compute as pc
from psycopg.rows import class_row

from tasks import SUMS, TABLE, Task, expected, sums, tasks, write_csv

COLUMNS = ("id", "title", "done", "score", "due")
TYPES = ("int8", "text", "bool", "float8", "timestamptz")
COPY_IN = "copy tasks from stdin (format binary)"
COPY_OUT = "copy tasks to stdout (format binary)"
# How much of a stream that was made before is sent at once.
PIECE = 1 << 18


def cpu() -> float:
    """Returns the processor time of this process and of those that it started and that have ended; not the server's."""
    used = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return sum(one.ru_utime + one.ru_stime for one in used)


def arrow_table(values: list[Task]) -> pa.Table:
    """Returns objects as columns, the fastest way that pyarrow has: a list for each."""
    types = (pa.int64(), pa.string(), pa.bool_(), pa.float64(), pa.timestamp("us", tz="UTC"))
    arrays = {
        name: pa.array([getattr(one, name) for one in values], kind) for name, kind in zip(COLUMNS, types, strict=True)
    }
    return pa.table(arrays)


def arrow_sums(table: pa.Table) -> list[float]:
    """Returns the sums of columns."""
    seconds = table["due"].cast(pa.timestamp("us", tz="UTC")).cast(pa.int64())
    return [
        table.num_rows,
        pc.sum(table["id"]).as_py(),
        pc.sum(pc.utf8_length(table["title"])).as_py(),
        pc.sum(table["done"]).as_py(),
        pc.sum(table["score"]).as_py(),
        pc.sum(pc.divide(seconds, 1_000_000)).as_py(),
    ]


def server_sums(url: str) -> list[float]:
    """Returns the sums of the table, by the server."""
    with psycopg.connect(url) as connection:
        return list(connection.execute(SUMS).fetchone() or ())


def emptied(url: str) -> None:
    """Makes the table anew."""
    with psycopg.connect(url) as connection:
        connection.execute("drop table if exists tasks")
        connection.execute(TABLE)


def copied_by_psycopg(url: str, values: list[Task]) -> None:
    """Writes objects by psycopg's binary COPY."""
    with psycopg.connect(url) as connection, connection.cursor() as cursor, cursor.copy(COPY_IN) as copy:
        copy.set_types(TYPES)
        write = copy.write_row
        for one in values:
            write((one.id, one.title, one.done, one.score, one.due))


def replayed(url: str, stream: bytes) -> None:
    """Sends a stream that was made before: the least that a client can do."""
    with psycopg.connect(url) as connection, connection.cursor() as cursor, cursor.copy(COPY_IN) as copy:
        for at in range(0, len(stream), PIECE):
            copy.write(stream[at : at + PIECE])


def drained(url: str) -> int:
    """Receives all rows and does nothing with them."""
    length = 0
    with psycopg.connect(url) as connection, connection.cursor() as cursor, cursor.copy(COPY_OUT) as copy:
        for piece in copy:
            length += len(piece)
    return length


def ingested(url: str, table: pa.Table) -> None:
    """Writes columns by ADBC."""
    import adbc_driver_postgresql.dbapi as adbc

    with adbc.connect(url) as connection, connection.cursor() as cursor:
        cursor.adbc_ingest("tasks", table, mode="append")
        connection.commit()


def fetched(url: str) -> pa.Table:
    """Reads columns by ADBC."""
    import adbc_driver_postgresql.dbapi as adbc

    with adbc.connect(url) as connection, connection.cursor() as cursor:
        cursor.execute("select * from tasks")
        return cursor.fetch_arrow_table()


def selected_by_psycopg(url: str) -> list[Task]:
    """Reads objects by psycopg, in the binary format."""
    with psycopg.connect(url) as connection, connection.cursor(row_factory=class_row(Task), binary=True) as cursor:
        return cursor.execute("select * from tasks").fetchall()


def inserted(url: str, values: list[Task]) -> None:
    """Writes objects by Demat."""
    from demat import postgres

    with postgres.connect(url) as database:
        database.table("tasks", Task, create=False).insert(values)


def selected(url: str) -> list[Task]:
    """Reads objects by Demat."""
    from demat import postgres

    with postgres.connect(url) as database:
        return database.table("tasks", Task, create=False).select().all()


def columns(url: str) -> pa.Table:
    """Reads columns by Demat."""
    from demat import postgres

    with postgres.connect(url) as database:
        return pa.table(database.table("tasks", Task, create=False).select().columns())


def demat_copied(source: Any, url: str) -> None:
    """Copies a place to the table by Demat."""
    import demat

    demat.copy(source, f"{url}#tasks", Task)


def psql(url: str, path: Path) -> None:
    """Copies a CSV file to the table by psql."""
    command = f"\\copy tasks from '{path}' with (format csv, header true)"
    subprocess.run(["psql", "-q", "-X", "-v", "ON_ERROR_STOP=1", url, "-c", command], check=True)


def prepared(url: str, folder: Path, rows: int) -> None:
    """Makes the file and the stream, and leaves the rows in the table."""
    write_csv(folder / "tasks.csv", rows)
    emptied(url)
    copied_by_psycopg(url, tasks(rows))
    with psycopg.connect(url) as connection, connection.cursor() as cursor, cursor.copy(COPY_OUT) as copy:
        (folder / "tasks.copy").write_bytes(b"".join(copy))


def job_of(job: str, engine: str, url: str, folder: Path, rows: int) -> tuple[Callable[[], Any], Callable[[Any], Any]]:
    """Returns what is measured, and what makes its answer."""
    by_server = lambda _: server_sums(url)  # noqa: E731
    if job == "insert":
        values = [] if engine == "floor" else tasks(rows)
        stream = (folder / "tasks.copy").read_bytes() if engine == "floor" else b""
        return {
            "demat": lambda: inserted(url, values),
            "psycopg": lambda: copied_by_psycopg(url, values),
            "adbc": lambda: ingested(url, arrow_table(values)),
            "floor": lambda: replayed(url, stream),
        }[engine], by_server
    if job == "insert-arrow":
        table = arrow_table(tasks(rows))
        return {"demat": lambda: demat_copied(table, url), "adbc": lambda: ingested(url, table)}[engine], by_server
    if job == "csv":
        path = folder / "tasks.csv"
        return {"demat": lambda: demat_copied(path, url), "psql": lambda: psql(url, path)}[engine], by_server
    if engine == "floor":
        length = (folder / "tasks.copy").stat().st_size
        return lambda: drained(url), lambda got: expected(rows) if got == length else [got]
    if job == "select":
        return {"demat": lambda: selected(url), "psycopg": lambda: selected_by_psycopg(url)}[engine], sums
    if job == "select-arrow":
        return {"demat": lambda: columns(url), "adbc": lambda: fetched(url)}[engine], arrow_sums
    raise SystemExit(f"there is no job {job}")


def imported(engine: str) -> None:
    """Imports what an engine needs, so that no job waits for it."""
    with contextlib.suppress(ImportError):
        if engine == "demat":
            import demat
            from demat import postgres  # noqa: F401

            demat.json.decode(b"[]", list[int])
        elif engine == "adbc":
            import adbc_driver_postgresql.dbapi  # noqa: F401


def main() -> Iterator[str]:
    """Does one job once."""
    job, engine, url, folder, rows = sys.argv[1], sys.argv[2], sys.argv[3], Path(sys.argv[4]), int(sys.argv[5])
    if job == "prepare":
        prepared(url, folder, rows)
        return
    imported(engine)
    work, answer = job_of(job, engine, url, folder, rows)
    if not job.startswith("select"):
        emptied(url)
    gc.collect()
    gc.freeze()
    began, used = time.perf_counter(), cpu()
    got = work()
    took, used = time.perf_counter() - began, cpu() - used
    yield json.dumps({"answer": answer(got), "seconds": took, "cpu": used})


if __name__ == "__main__":
    for line in main():
        print(line)
