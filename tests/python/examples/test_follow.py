"""`examples/follow.py` behind a log that grows, and behind a pipe."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from queue import Queue
from threading import Thread
from typing import IO

from programs import EXAMPLES, ended

AT = "2026-03-01T00:00:00Z"


def line(path: str, status: int = 200, ms: float = 5.0) -> bytes:
    return json.dumps({"at": AT, "ip": "::1", "path": path, "status": status, "ms": ms}).encode() + b"\n"


def lines_of(stream: IO[bytes]) -> Queue[bytes]:
    """The lines of a stream, as they come."""
    queue: Queue[bytes] = Queue()

    def pump() -> None:
        for each in stream:
            queue.put(each)
        queue.put(b"")

    Thread(target=pump, daemon=True).start()
    return queue


def _heed() -> None:
    """The process of the tests may ignore Ctrl-C, and its children would inherit that."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)


@contextmanager
def following(place: str | Path) -> Iterator[tuple[subprocess.Popen[bytes], Queue[bytes], Queue[bytes]]]:
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
    # Users run Python with buffered output.
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONUNBUFFERED"}
    command = [sys.executable, EXAMPLES / "follow.py", place]
    with subprocess.Popen(command, preexec_fn=_heed, env=environment, **pipes) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        try:
            yield process, lines_of(process.stdout), lines_of(process.stderr)
        finally:
            process.kill()


def alarm(told: bytes) -> tuple[str, str, str]:
    found = json.loads(told)
    return found["at"], found["what"], found["path"]


def test_alarms_come_while_the_log_grows(tmp_path: Path) -> None:
    log = tmp_path / "access.ndjson"
    log.write_bytes(line("/old", 500) + line("/fine"))
    with following(log) as (process, out, err), log.open("ab", buffering=0) as growing:
        assert alarm(out.get(timeout=30)) == (AT, "failed with 500", "/old")
        slow = line("/slow", ms=2345.6)
        growing.write(slow[:20])
        assert out.empty()
        growing.write(slow[20:])
        assert alarm(out.get(timeout=30)) == (AT, "took 2.3 s", "/slow")
        growing.write(b'{"at": "soon"}\n')
        assert err.get(timeout=30).startswith(b"line 4 is no request: expected ")
        growing.write(line("/fine") + line("/down", 503))
        assert alarm(out.get(timeout=30)) == (AT, "failed with 503", "/down")
        assert out.empty()
        process.send_signal(signal.SIGINT)
        assert err.get(timeout=30) == b"5 requests, 1 other lines\n"
        assert process.wait(timeout=30) == 0
    assert out.get(timeout=30) == b""


def test_alarms_come_through_a_pipe_as_their_lines_do() -> None:
    with following("-") as (process, out, _):
        assert process.stdin is not None
        for number in range(3):
            os.write(process.stdin.fileno(), line("/fine") + line(f"/{number}", 500))
            assert alarm(out.get(timeout=30)) == (AT, "failed with 500", f"/{number}")
        process.stdin.close()
        assert out.get(timeout=30) == b""
        assert process.wait(timeout=30) == 0


def test_it_ends_with_its_input() -> None:
    run = ended("follow.py", "-", given=line("/a", 500) + b"no json\n" + line("/b", 599)[:-1])
    assert run.returncode == 0
    assert [alarm(each)[1:] for each in run.stdout.splitlines()] == [
        ("failed with 500", "/a"),
        ("failed with 599", "/b"),
    ]
    assert run.stderr == b"line 2 is no request: expected `null`, found `o`\n"
