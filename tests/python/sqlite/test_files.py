"""Files that are locked, can't be written, are no databases; several threads; the disk full."""

from __future__ import annotations

import subprocess
import sys
import textwrap
import threading
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

import pytest
from demat import Field, StoreError, sqlite


@dataclass
class Task:
    id: Annotated[int | None, Field(key=True)]
    title: str


def test_locked(tmp_path: Path) -> None:
    path = tmp_path / "a.db"
    with sqlite.open(path) as one, sqlite.open(path, timeout=0.05) as other:
        tasks = one.table("tasks", Task)
        with one.transaction():
            tasks.insert([Task(None, "a")])
            with pytest.raises(StoreError, match="database is locked") as caught:
                other.table("tasks", Task).insert([Task(None, "b")])
            assert caught.value.sqlite_name == "SQLITE_BUSY"
        assert len(other.table("tasks")) == 1


def test_readonly(tmp_path: Path) -> None:
    path = tmp_path / "a.db"
    with pytest.raises(StoreError, match="unable to open database file"):
        sqlite.open(path, readonly=True)
    with pytest.raises(StoreError, match="unable to open database file"):
        sqlite.open(path, create=False)
    with sqlite.open(path) as database:
        database.table("tasks", Task).insert([Task(None, "a")])
    with sqlite.open(path, readonly=True) as database:
        tasks = database.table("tasks", Task)
        assert len(tasks) == 1
        with pytest.raises(StoreError, match="attempt to write a readonly database"):
            tasks.insert([Task(None, "b")])


def test_no_database(tmp_path: Path) -> None:
    path = tmp_path / "a.db"
    path.write_text("something else " * 100)
    with pytest.raises(StoreError, match="file is not a database") as caught:
        sqlite.open(path)
    assert caught.value.sqlite_code == 26
    with pytest.raises(StoreError):
        sqlite.open(tmp_path)


def test_build(tmp_path: Path) -> None:
    path = tmp_path / "a.db"
    rows = [Task(id, f"{id}") for id in range(20_000)]
    assert sqlite.build(path, {"a": (Task, rows), "b": (Task, iter(rows[:5]))}, page_size=1024) == 20_005
    with sqlite.open(path) as database:
        assert database.tables == ["a", "b"]
        assert database.table("a", Task).select().all() == rows
        assert database.query("pragma integrity_check").all() == [{"integrity_check": "ok"}]
        assert database.query("pragma page_size").first() == {"page_size": 1024}
    with pytest.raises(StoreError):
        sqlite.build(path, {"a": (Task, rows)})
    with pytest.raises(ZeroDivisionError):
        sqlite.build(tmp_path / "b.db", {"a": (Task, (Task(1 // 0, "") for _ in "a"))})
    assert [file.name for file in tmp_path.iterdir()] == ["a.db"]


def test_threads_take_turns(tmp_path: Path) -> None:
    with sqlite.open(tmp_path / "a.db") as database:
        tasks = database.table("tasks", Task)
        failed: list[BaseException] = []

        def work(number: int) -> None:
            try:
                for _ in range(20):
                    tasks.insert(Task(None, f"{number}") for _ in range(50))
                    assert tasks.count(title=f"{number}") % 50 == 0
                    assert all(task.title for task in tasks.select(limit=100))
            except BaseException as error:
                failed.append(error)

        threads = [threading.Thread(target=work, args=(number,)) for number in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert failed == []
        assert len(tasks) == 4 * 20 * 50


def test_others_run_while_sqlite_works() -> None:
    with sqlite.open(":memory:") as database:
        done = threading.Event()

        def work() -> None:
            sql = "with recursive n(i) as (select 1 union all select i + 1 from n limit 2000000) select sum(i) s from n"
            database.query(sql).all()
            done.set()

        thread = threading.Thread(target=work)
        thread.start()
        ticks = 0
        while not done.is_set() and ticks < 10:
            time.sleep(0.001)
            ticks += 1
        thread.join()
        assert ticks == 10


def test_interrupt() -> None:
    with sqlite.open(":memory:") as database:
        raised: list[BaseException] = []

        def work() -> None:
            try:
                database.query(
                    "with recursive n(i) as (select 1 union all select i + 1 from n) select sum(i) from n"
                ).all()
            except StoreError as error:
                raised.append(error)

        thread = threading.Thread(target=work)
        thread.start()
        while thread.is_alive():
            database.interrupt()
            time.sleep(0.01)
        assert [error.sqlite_name for error in raised if isinstance(error, StoreError)] == ["SQLITE_INTERRUPT"]


def run(code: str, *arguments: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-c", textwrap.dedent(code), *arguments]
    return subprocess.run(command, capture_output=True, text=True)


FULL = """
    import resource, signal, sys
    from dataclasses import dataclass
    from typing import Annotated
    from demat import Field, StoreError, sqlite
    @dataclass
    class Task:
        id: Annotated[int | None, Field(key=True)]
        title: str
    signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    database = sqlite.open(sys.argv[1])
    tasks = database.table("tasks", Task)
    resource.setrlimit(resource.RLIMIT_FSIZE, (1 << 20, 1 << 20))
    try:
        getattr(tasks, sys.argv[2])(Task(None, "x" * 200) for _ in range(50_000))
    except StoreError as error:
        print(error.sqlite_name or error)
    print(len(tasks))
    database.close()
"""


@pytest.mark.skipif(sys.platform == "win32", reason="limits are those of Unix")
@pytest.mark.parametrize("verb", ["insert", "load"])
def test_a_full_disk(tmp_path: Path, verb: str) -> None:
    path = tmp_path / "a.db"
    done = run(FULL, str(path), verb)
    assert done.returncode == 0, done.stderr
    said, left = done.stdout.splitlines()[-2:]
    assert said
    assert left == "0"
    with sqlite.open(path) as database:
        assert database.query("pragma integrity_check").all() == [{"integrity_check": "ok"}]
        assert len(database.table("tasks", Task)) == 0
    assert not {file.name for file in tmp_path.iterdir()} - {"a.db", "a.db-journal"}


KILLED = """
    import sys
    from dataclasses import dataclass
    from typing import Annotated
    from demat import Field, sqlite
    @dataclass
    class Task:
        id: Annotated[int | None, Field(key=True)]
        title: str
    def rows():
        for index in range(10_000_000):
            if index == 20_000:
                print("go", flush=True)
            yield Task(None, "x" * 50)
    with sqlite.open(sys.argv[1]) as database:
        database.table("tasks", Task).insert(rows(), batch=1000)
"""


@pytest.mark.skipif(sys.platform == "win32", reason="signals are those of Unix")
def test_a_process_that_is_killed_leaves_whole_batches(tmp_path: Path) -> None:
    path = tmp_path / "a.db"
    for _ in range(3):
        command = [sys.executable, "-c", textwrap.dedent(KILLED), str(path)]
        with subprocess.Popen(command, stdout=subprocess.PIPE) as process:
            assert process.stdout is not None
            process.stdout.readline()
            time.sleep(0.05)
            process.kill()
        with sqlite.open(path) as database:
            assert database.query("pragma integrity_check").all() == [{"integrity_check": "ok"}]
            count = len(database.table("tasks", Task))
            assert count >= 1000
            assert count % 1000 == 0
