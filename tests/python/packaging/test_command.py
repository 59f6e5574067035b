"""The `demat` command of the package: it runs within Python, and nobody should be able to tell."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

DEMAT = Path(sys.executable).with_name("demat")


def demat(*arguments: str | bytes, cwd: Path, given: bytes = b"") -> subprocess.CompletedProcess[bytes]:
    return subprocess.run([DEMAT, *arguments], cwd=cwd, input=given, capture_output=True)


def waiting(cwd: Path, **options: object) -> subprocess.Popen[bytes]:
    """A copy that waits for more input, with its temporary file there."""
    command = [DEMAT, "copy", "-", "out.json", "--from", "ndjson"]
    process = subprocess.Popen(command, cwd=cwd, stdin=subprocess.PIPE, stderr=subprocess.PIPE, **options)
    process.stdin.write(b'{"id":1}\n')
    process.stdin.flush()
    until = time.monotonic() + 20
    while not any(path.suffix == ".demat-tmp" for path in cwd.iterdir()):
        assert time.monotonic() < until, process.poll()
        time.sleep(0.005)
    return process


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_signals_end_it_and_leave_nothing_behind(tmp_path: Path, number: signal.Signals) -> None:
    def listen() -> None:
        # What runs in the background is started with some of them ignored.
        signal.signal(number, signal.SIG_DFL)

    with waiting(tmp_path, preexec_fn=listen) as process:
        process.send_signal(number)
        assert process.wait(timeout=20) == -number
        assert process.stderr.read() == b""
    assert list(tmp_path.iterdir()) == []


def test_signals_that_are_ignored_stay_ignored(tmp_path: Path) -> None:
    def ignore() -> None:
        signal.signal(signal.SIGINT, signal.SIG_IGN)
        signal.signal(signal.SIGHUP, signal.SIG_IGN)

    with waiting(tmp_path, preexec_fn=ignore) as process:
        process.send_signal(signal.SIGINT)
        process.send_signal(signal.SIGHUP)
        time.sleep(0.1)
        process.stdin.close()
        assert process.wait(timeout=20) == 0
    assert (tmp_path / "out.json").read_text() == '[{"id":1}]\n'


def test_nobody_reads_on(tmp_path: Path) -> None:
    command = f"{DEMAT} copy - - --from ndjson --to json 2> told | head -c 3; echo ${{PIPESTATUS[0]}}"
    lines = b"1\n" * 1_000_000
    done = subprocess.run(["bash", "-c", command], cwd=tmp_path, input=lines, stdout=subprocess.PIPE)
    assert done.stdout == b"[1,141\n"
    assert (tmp_path / "told").read_bytes() == b""


@pytest.mark.parametrize(
    ("arguments", "given", "code"),
    [
        (["formats"], b"", 0),
        (["copy", "-", "-", "--from", "json", "--to", "json"], b"[1,", 1),
        (["copy", "--nonsense"], b"", 2),
        (["copy", "not-there.json", "a.csv"], b"", 3),
        (["copy", "-", "-", "--from", "json", "--to", "json", "--depth", "1"], b"[[1]]", 4),
    ],
)
def test_exit_codes(tmp_path: Path, arguments: list[str], given: bytes, code: int) -> None:
    done = demat(*arguments, cwd=tmp_path, given=given)
    assert done.returncode == code, done.stderr
    assert bool(done.stderr) == (code != 0)
    assert b"Traceback" not in done.stderr


def test_what_was_written_before_a_failure_is_there(tmp_path: Path) -> None:
    numbers = [b"%d" % number for number in range(20_000)]
    given = b"\n".join([*numbers, b"x"])
    done = demat("copy", "-", "-", "--from", "ndjson", "--to", "json", cwd=tmp_path, given=given)
    assert done.returncode == 1
    assert len(done.stdout) > 1_000
    assert (b"[" + b",".join(numbers)).startswith(done.stdout)


def test_it_calls_itself_by_its_name(tmp_path: Path) -> None:
    as_module = subprocess.run([sys.executable, "-m", "demat", "copy", "--help"], cwd=tmp_path, capture_output=True)
    assert b"Usage: demat copy [OPTIONS]" in as_module.stdout
    assert as_module.stdout == demat("copy", "--help", cwd=tmp_path).stdout


def test_names_that_are_no_text(tmp_path: Path) -> None:
    name = os.fsdecode(b"\xff.json")
    (tmp_path / name).write_text("[1]")
    done = demat("copy", os.fsencode(name), "-", "--from", "json", "--to", "ndjson", cwd=tmp_path)
    assert (done.returncode, done.stdout) == (0, b"1\n"), done.stderr


def test_closed_streams_are_not_taken_for_files(tmp_path: Path) -> None:
    """The first file that is opened gets the lowest number; an error message must not go into it."""
    command = f"{DEMAT} copy - out.json --from ndjson --on-error skip --rejects rejects.ndjson 2>&- >&-"
    done = subprocess.run(["bash", "-c", command], cwd=tmp_path, input=b"1\nx\n")
    assert done.returncode == 1
    assert (tmp_path / "out.json").read_bytes() == b"[1]\n"
    assert b"error:" not in (tmp_path / "rejects.ndjson").read_bytes()
