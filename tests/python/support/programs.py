"""The programs of `examples/`, run as its README says."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

EXAMPLES = Path(__file__).parents[3] / "examples"


def ended(
    program: str, *arguments: object, given: bytes = b"", folder: Path | None = None
) -> subprocess.CompletedProcess[bytes]:
    """Runs a program to its end."""
    command = [sys.executable, "-W", "error", EXAMPLES / program, *map(str, arguments)]
    return subprocess.run(command, input=given, capture_output=True, timeout=120, check=False, cwd=folder)


def said(program: str, *arguments: object, given: bytes = b"", folder: Path | None = None) -> str:
    """Returns the standard output of a program that succeeds without a word on standard error."""
    run = ended(program, *arguments, given=given, folder=folder)
    assert (run.returncode, run.stderr.decode()) == (0, "")
    return run.stdout.decode()
