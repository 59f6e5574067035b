"""Workers that are killed, and classes that they can or can't have."""

import io
import os
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

import demat
import pytest
from divided import Deadly, left, small

small = small  # a fixture


def deadly(folder: Path, times: int) -> Path:
    """A file whose reader is killed so many times at one record."""
    rows = [b'{"id":%d,"title":"Rest"}' % i for i in range(60)]
    (folder / "mine").mkdir()
    for time in range(times):
        (folder / "mine" / str(time)).write_bytes(b"")
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
