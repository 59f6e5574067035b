"""Workers that are killed, and classes that they can or can't have."""

import io
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import demat
import pytest
from divided import Deadly, Row, left, small

small = small  # a fixture


def deadly(folder: Path, times: int) -> Path:
    """A file whose reader is killed so many times at one record."""
    rows = [b'{"id":%d,"title":"Rest"}' % i for i in range(60)]
    (folder / "mine").mkdir()
    for number in range(times):
        (folder / "mine" / str(number)).write_bytes(b"")
    rows[40] = b'{"id":40,"title":"%s"}' % os.fsencode(folder / "mine")
    src = folder / "in.ndjson"
    src.write_bytes(b"\n".join(rows))
    return src


@pytest.mark.usefixtures("small")
def test_a_worker_that_is_killed_is_told_and_another_one_goes_on(tmp_path: Path) -> None:
    src = deadly(tmp_path, 1)
    with pytest.warns(
        RuntimeWarning, match=r"a worker has ended by signal SIGKILL; another one copies bytes \d+ to \d+ of"
    ):
        copied = demat.copy(src, tmp_path / "out.json", Deadly, workers=2)
    demat.copy(src, tmp_path / "one.json", Deadly)
    assert copied == (60, 0, src.stat().st_size)
    assert (tmp_path / "out.json").read_bytes() == (tmp_path / "one.json").read_bytes()
    assert left(tmp_path) == []


@pytest.mark.usefixtures("small")
def test_a_part_that_kills_two_workers_is_named(tmp_path: Path) -> None:
    src, dst = deadly(tmp_path, 2), tmp_path / "out.json"
    dst.write_bytes(b"old")
    message = r"two workers have ended by signal SIGKILL while they copied bytes \d+ to"
    with pytest.warns(RuntimeWarning, match="a worker has ended"), pytest.raises(RuntimeError, match=message):
        demat.copy(src, dst, Deadly, workers=1)
    assert dst.read_bytes() == b"old"
    assert left(tmp_path) == []
    assert not running()


def running() -> bool:
    """Whether a worker of this process is still there."""
    found = subprocess.run(["ps", "--ppid", str(os.getpid()), "-o", "args"], capture_output=True, check=False).stdout
    return b"_parallel.worker" in found


@pytest.mark.usefixtures("small")
def test_an_error_ends_the_workers(tmp_path: Path) -> None:
    src = tmp_path / "in.ndjson"
    src.write_bytes(b'{"id":"x","title":"Rest"}\n' * 60)
    with pytest.raises(demat.ValidationError):
        demat.copy(src, tmp_path / "out.json", Deadly, workers=3)
    assert not running()


@pytest.mark.usefixtures("small")
def test_a_class_that_no_other_process_finds_is_refused(tmp_path: Path) -> None:
    @dataclass
    class Local:
        id: int

    src = tmp_path / "in.ndjson"
    src.write_bytes(b'{"id":1}\n' * 60)
    with pytest.raises(TypeError, match="a type that other processes can import"):
        demat.copy(src, io.BytesIO(), Local, to="json", workers=2)


PROGRAM = """
from dataclasses import dataclass
import demat
from demat._parallel import parts
parts._LEAST = parts._MOST = 100

@dataclass
class Own:
    id: int

def main():
    print(demat.copy("in.ndjson", "out.json", list[Own], workers=2).records)

{}
"""


@pytest.mark.parametrize(
    ("end", "code", "word"),
    [
        ("if __name__ == '__main__':\n    main()", 0, ""),
        ("main()", 1, "belongs under `if __name__ =="),
    ],
)
def test_a_class_of_the_program_itself(tmp_path: Path, end: str, code: int, word: str) -> None:
    (tmp_path / "in.ndjson").write_bytes(b'{"id":1}\n' * 60)
    (tmp_path / "program.py").write_text(PROGRAM.format(end))
    run = subprocess.run([sys.executable, "program.py"], cwd=tmp_path, capture_output=True, check=False, text=True)
    assert run.returncode == code, run.stderr
    assert word in run.stderr
    assert run.stdout == ("60\n" if not code else "")
    assert left(tmp_path) == []


def test_a_class_of_a_program_without_a_file_is_refused(tmp_path: Path) -> None:
    (tmp_path / "in.ndjson").write_bytes(b'{"id":1}\n' * 60)
    program = PROGRAM.format("main()")
    run = subprocess.run([sys.executable, "-c", program], cwd=tmp_path, capture_output=True, check=False, text=True)
    assert "it stands in the main module, which is no file" in run.stderr
    assert run.returncode == 1
    # Without such a class no file is needed, and no guard.
    run = subprocess.run(
        [sys.executable, "-c", program.replace("list[Own]", "'id: int'")],
        cwd=tmp_path,
        capture_output=True,
        check=False,
    )
    assert (run.stdout, run.returncode) == (b"60\n", 0)


WAITING = """
import sys
from pathlib import Path
import demat
from divided import Waiting
files = [Path(name) for name in ("a.ndjson", "b.ndjson", "c.ndjson")]
try:
    demat.copy(files, "out.json", Waiting, workers=3)
except demat.Error as error:
    print(error.path)
"""


def until(met: Callable[[], bool]) -> None:
    end = time.monotonic() + 30
    while not met():
        assert time.monotonic() < end
        time.sleep(0.02)


def alive(process: int) -> bool:
    """Whether a process is there, and no zombie."""
    try:
        return Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


def waiting(folder: Path) -> tuple[subprocess.Popen[str], list[int]]:
    """Starts a program in which one worker has failed and two wait in their parts; returns it and these two."""
    title = folder / "go"
    for name, row in (
        ("a", f'{{"id":1,"title":"{title}"}}'),
        ("b", '{"id":"x"}'),
        ("c", f'{{"id":3,"title":"{title}"}}'),
    ):
        (folder / f"{name}.ndjson").write_text(row)
    path = os.pathsep.join(
        [str(Path(__file__).parents[1] / "support"), *os.environ.get("PYTHONPATH", "").split(os.pathsep)]
    )
    environment = {**os.environ, "PYTHONPATH": path.rstrip(os.pathsep)}
    program = subprocess.Popen(
        [sys.executable, "-W", "ignore", "-c", WAITING], cwd=folder, env=environment, stdout=subprocess.PIPE, text=True
    )
    until(lambda: len(list(folder.glob("go.*"))) == 2)
    return program, [int(path.suffix[1:]) for path in folder.glob("go.*")]


@pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="there is no /proc")
def test_workers_end_with_the_program(tmp_path: Path) -> None:
    program, workers = waiting(tmp_path)
    program.terminate()
    program.communicate()
    until(lambda: not any(map(alive, workers)))


@pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="there is no /proc")
def test_two_workers_that_die_at_once_behind_a_failure_are_no_endless_loop(tmp_path: Path) -> None:
    program, workers = waiting(tmp_path)
    # The error of the part between them has come by now, or it comes together with the deaths.
    program.send_signal(signal.SIGSTOP)
    for worker in workers:
        os.kill(worker, signal.SIGKILL)
    until(lambda: not any(map(alive, workers)))
    (tmp_path / "go").touch()
    program.send_signal(signal.SIGCONT)
    out, _ = program.communicate(timeout=60)
    assert out == "$[0].id\n"


def test_how_a_process_has_ended() -> None:
    from demat._parallel.pool import ended

    assert ended(3) == "with exit code 3"
    assert ended(-signal.SIGKILL) == "by signal SIGKILL"
    # A real-time signal between the first and the last has no name.
    assert ended(-40) == "by signal 40"


def test_a_python_that_does_not_know_its_program_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("a.ndjson", "b.ndjson"):
        (tmp_path / name).write_bytes(b'{"id":1,"title":"Rest"}')
    monkeypatch.setattr(sys, "executable", None)
    with pytest.raises(RuntimeError, match=r"sys\.executable is empty"):
        demat.copy(tmp_path, io.BytesIO(), Row, to="json", workers=2)


@pytest.mark.usefixtures("small")
def test_a_quote_that_is_never_closed_is_not_read_again_for_each_part(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from demat._parallel.pool import Pool

    begun: list[int] = []
    begin = Pool.begin
    monkeypatch.setattr(Pool, "begin", lambda pool, task: (begun.append(task.part.index), begin(pool, task)))
    src = tmp_path / "in.csv"
    src.write_bytes(b'id,title\n1,"open\n' + b"2,b\n" * 1600)
    with pytest.raises(demat.DecodeError, match="a closing quote"):
        demat.copy(src, io.BytesIO(), Row, to="ndjson", workers=1)
    # Behind it are 64 parts: it takes 1, 2, 4, … of them.
    assert begun.count(0) == 8


DECLARED = """
import demat
from divided import Row
from fractions import Fraction
demat.configure(Fraction, omit_none=True)
{}
print(demat.copy([__import__("pathlib").Path("in.ndjson")] * 2, "out.json", list[Row], workers=2).records)
"""


@pytest.mark.parametrize(
    ("declared", "word"),
    [
        ("", ""),
        ("demat.configure(Row, rename='upper')", "it is read another way here"),
        (
            "from datetime import date; demat.hook(date, wire=int, decode=date.fromordinal)",
            "it is read another way here",
        ),
    ],
)
def test_what_the_program_has_declared_is_refused_and_not_forgotten(tmp_path: Path, declared: str, word: str) -> None:
    (tmp_path / "in.ndjson").write_bytes(b'{"id":1,"title":"a"}\n')
    support = str(Path(__file__).parents[1] / "support")
    path = os.pathsep.join([support, *os.environ.get("PYTHONPATH", "").split(os.pathsep)])
    run = subprocess.run(
        [sys.executable, "-c", DECLARED.format(declared)],
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": path.rstrip(os.pathsep)},
        capture_output=True,
        check=False,
        text=True,
    )
    assert word in run.stderr
    assert run.stdout == ("" if word else "2\n"), run.stderr
