"""`make demo`, with a few rows, and `make serve`."""

from __future__ import annotations

import re
import signal
import subprocess
import sys
from itertools import pairwise
from pathlib import Path

import pytest
from programs import EXAMPLES
from requested import ask


@pytest.fixture(scope="module")
def shown(tmp_path_factory: pytest.TempPathFactory) -> str:
    command = tmp_path_factory.mktemp("demo") / "demat"
    command.write_text(f'#!/bin/sh\nexec {sys.executable} -m demat "$@"\n')
    command.chmod(0o755)
    demo = ["bash", EXAMPLES / "demo.sh", command, sys.executable, "1500"]
    run = subprocess.run(demo, capture_output=True, timeout=300, text=True, check=False)
    assert (run.returncode, run.stderr) == (0, "")
    return run.stdout


def test_nothing_is_lost_and_each_step_has_its_figures(shown: str) -> None:
    steps = re.findall(r"^  (\S+) +-> (\S+) .* MB in +\d+ ms +\d+ MB/s +\d+\.\d M rows/s$", shown, re.MULTILINE)
    places = ["trips.csv", "trips.parquet", "trips.db#trips", "trips.pb", "trips.ndjson.zst", "back.csv"]
    assert steps == list(pairwise(places))
    assert "  trips.csv and back.csv are the same to the byte.\n" in shown
    assert len(re.findall(r"^  \w+ = .* ms +\d+\.\d M rows/s$", shown, re.MULTILINE)) == 5
    last = r"trips\[-1\] is Trip\(id=1500, .* line='U7', fare=Decimal\('3.00'\), delay=5.125, note='late, \"again\"'\)"
    assert re.search(last, shown)


def test_bad_rows_are_told(shown: str) -> None:
    assert 'error: expected `decimal`, found `text` "free" at `$[1].fare` (' in shown
    assert '  rejected: {"record":2,"line":3,"column":27,' in shown
    assert 'demat.ValidationError: expected `Decimal`, found `str` "free" at `$[0].fare` (record 1, line 2,' in shown


def test_the_server_answers(shown: str) -> None:
    answers = shown[shown.index("  serving at http://127.0.0.1:") :].splitlines()
    found = [answers[number + 1].strip() for number in (1, 3, 5)]
    assert found[0].startswith('{"id":1000,"at":"2026-01-01T00:33:20Z","line":"U2","fare":7.00,')
    assert found[1] == '[{"id":39,"delay":9.875},{"id":156,"delay":9.125}]'
    assert found[2] == '{"count":1500}'
    assert answers[-2:] == ["  stopped", "  What the last request gave is trips.csv to the byte."]


def test_what_is_served_is_said(tmp_path: Path) -> None:
    page = tmp_path / "page"
    page.mkdir()
    (page / "index.html").write_text("<p>Tasks</p>")
    # The page may not have been built here.
    script = (
        (EXAMPLES / "tasks.py")
        .read_text()
        .replace('demat.page("todomvc")', f"__import__('pathlib').Path({str(page)!r})")
    )
    environment = {"PORT": "0", "TASKS_DB": str(tmp_path / "tasks.db"), "PYTHONPATH": ":".join(sys.path)}
    with subprocess.Popen(
        [sys.executable, "-c", script], env=environment, stdout=subprocess.PIPE, text=True
    ) as process:
        assert process.stdout is not None
        try:
            told = re.fullmatch(r"TodoMVC: (\S+)/   the tables: (\S+)/-/   until Ctrl-C\n", process.stdout.readline())
            assert told is not None
            assert told[1] == told[2]
            assert b"<p>Tasks</p>" in ask(told[1], "GET", "/").body
            assert ask(told[1], "GET", "/tasks").json() == []
            assert b"<html" in ask(told[1], "GET", "/-/").body
            process.send_signal(signal.SIGTERM)
            assert process.wait(timeout=30) == 0
        finally:
            process.kill()
