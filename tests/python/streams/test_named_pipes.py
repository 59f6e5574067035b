"""Named pipes as places: who waits for the other end keeps nobody else from working."""

import os
import signal
import subprocess
import sys
import threading
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import demat
import pytest

pytestmark = pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="there are no named pipes")


@dataclass
class Task:
    id: int


TASKS = [Task(1), Task(2)]


def write(place: Path) -> None:
    with demat.writer(place, Task) as writer:
        writer.write_all(TASKS)


def close(reader: Any) -> list[Task]:
    with reader:
        return list(reader)


READS = [
    lambda place: close(demat.csv.read(place, Task)),
    lambda place: demat.columns(place, Task).records(Task),
    lambda place: copied(place),
]
WRITES = [
    lambda place: demat.csv.write(place, TASKS, Task),
    write,
    lambda place: demat.copy(TASKS, place, Task, first=9),
]


def copied(place: Path) -> list[Task]:
    target = place.with_name("out.json")
    demat.copy(place, target, Task)
    return list(demat.read(target, Task))


@pytest.mark.parametrize("read", READS, ids=["read", "columns", "copy"])
@pytest.mark.parametrize("give", WRITES, ids=["write", "writer", "copy"])
def test_one_thread_reads_what_another_one_writes(tmp_path: Path, read: Any, give: Any) -> None:
    place = tmp_path / "tasks.csv"
    os.mkfifo(place)
    got: list[Any] = []
    thread = threading.Thread(target=lambda: got.append(read(place)), daemon=True)
    thread.start()
    # If the reader kept this thread from running, nobody would ever write.
    time.sleep(0.05)
    give(place)
    thread.join(10)
    assert got == [TASKS]


PROGRAM = """
import sys, demat
print("begun", flush=True)
try:
    {work}
except KeyboardInterrupt:
    print("interrupted", flush=True)
"""


@pytest.mark.parametrize(
    "work", ["demat.read(sys.argv[1])", "demat.write(sys.argv[1], [{}])", "demat.writer(sys.argv[1])"]
)
def test_waiting_for_the_other_end_ends_with_a_signal(tmp_path: Path, work: str) -> None:
    place = tmp_path / "tasks.csv"
    os.mkfifo(place)
    command = [sys.executable, "-c", PROGRAM.format(work=work), str(place)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "begun\n"
        time.sleep(0.2)
        process.send_signal(signal.SIGINT)
        try:
            assert process.communicate(timeout=10)[0] == "interrupted\n"
        finally:
            process.kill()


def test_a_pipe_that_may_not_be_opened_is_refused_as_a_file(tmp_path: Path) -> None:
    place = tmp_path / "tasks.csv"
    os.mkfifo(place)
    place.chmod(0)
    if os.access(place, os.R_OK):
        pytest.skip("this user may open all files")
    for call in (lambda: demat.read(place), lambda: demat.writer(place)):
        with pytest.raises(PermissionError) as raised:
            call()
        assert isinstance(raised.value, demat.StoreError)
