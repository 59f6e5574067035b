"""What the types promise, as mypy and pyright see it: read beside a program that uses the package, not run."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable
from functools import cache
from pathlib import Path

import pytest

HERE = Path(__file__).parent
ACCEPTED = ["accepted.py", "accepted_root.py"]
REFUSED = "refused.py"

Fault = tuple[str, int, str]
Checker = Callable[[], list[Fault]]


@cache
def mypy() -> list[Fault]:
    """The errors that mypy sees in all programs, each with its file and line."""
    told = run("mypy", "--config-file", "mypy.ini", "--cache-dir", os.devnull, "--output", "json", *ACCEPTED, REFUSED)
    faults = [json.loads(line) for line in told.splitlines() if line]
    return [(fault["file"], fault["line"], fault["message"]) for fault in faults if fault["severity"] == "error"]


@cache
def pyright() -> list[Fault]:
    """The errors that pyright sees in all programs."""
    told = json.loads(run("pyright", "--project", ".", "--outputjson"))
    faults = [fault for fault in told["generalDiagnostics"] if fault["severity"] == "error"]
    assert told["summary"]["filesAnalyzed"] == len(ACCEPTED) + 1
    return [(Path(fault["file"]).name, fault["range"]["start"]["line"] + 1, fault["message"]) for fault in faults]


def run(checker: str, *arguments: str) -> str:
    # The package is found where the interpreter finds it; pyright asks the first one that is on the path.
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    command = [sys.executable, "-m", checker, *arguments]
    done = subprocess.run(command, cwd=HERE, env={**os.environ, "PATH": path}, capture_output=True, text=True)
    assert done.returncode in (0, 1), done.stderr + done.stdout
    return done.stdout


@pytest.mark.parametrize("checker", [mypy, pyright])
def test_right_programs_are_accepted(checker: Checker) -> None:
    assert [fault for fault in checker() if fault[0] != REFUSED] == []


@pytest.mark.parametrize("checker", [mypy, pyright])
def test_wrong_programs_are_refused(checker: Checker) -> None:
    text = (HERE / REFUSED).read_text("utf-8").splitlines()
    wrong = {number for number, line in enumerate(text, 1) if line.endswith("# refused")}
    assert len(wrong) > 50
    faults = [fault for fault in checker() if fault[0] == REFUSED]
    refused = {line for _, line, _ in faults}
    accepted = [f"{number}: {text[number - 1]}" for number in sorted(wrong - refused)]
    assert accepted == [], "not seen"
    assert [fault for fault in faults if fault[1] not in wrong] == [], "errors in correct lines"


def test_every_public_name_has_a_type() -> None:
    told = json.loads(run("pyright", "--verifytypes", "demat", "--ignoreexternal", "--outputjson"))
    report = told["typeCompleteness"]
    unknown = [symbol["name"] for symbol in report["symbols"] if symbol["isExported"] and not symbol["isTypeKnown"]]
    assert unknown == []
    assert report["completenessScore"] == 1
    assert len(report["symbols"]) > 40
