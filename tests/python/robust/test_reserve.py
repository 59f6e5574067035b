"""`demat.reserve`: the memory of dropped objects is kept, and given back on request."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import demat
import pytest

MIB = 1 << 20

# In a process of its own, as what is kept is the whole process's.
KEEPS = """
import gc
from dataclasses import dataclass
import demat
from demat import json

@dataclass(slots=True)
class Point:
    x: float
    y: float

def used():
    with open("/proc/self/statm") as file:
        return int(file.read().split()[1]) * 4096

data = json.encode([{"x": x / 3, "y": x / 7} for x in range(300_000)])
gc.collect()
assert demat.reserve() == 0
before = used()
assert demat.reserve(128 << 20) == 0
first = json.decode(data, list[Point])
full = used()
del first
gc.collect()
kept = demat.reserve()
print(kept, before, full, used())
# What was kept is used again, and little more than that is mapped.
second = json.decode(data, list[Point])
assert second[-1] == Point(299_999 / 3, 299_999 / 7)
assert demat.reserve() < kept
print(used())
del second
gc.collect()
# Less may be kept, and then nothing.
assert 0 < demat.reserve(4 << 20) <= 4 << 20
assert demat.reserve(0) == 0
print(used())
third = json.decode(data, list[Point])
del third
gc.collect()
assert demat.reserve() == 0
"""


def run(program: str, **environment: str) -> str:
    done = subprocess.run(
        [sys.executable, "-c", program],
        capture_output=True,
        text=True,
        check=False,
        env={**os.environ, **environment},
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.mark.skipif(not Path("/proc/self/statm").exists(), reason="the system does not say what a process uses")
def test_memory_is_kept_and_given_back() -> None:
    kept, before, full, after_drop, again, at_the_end = map(int, run(KEEPS).split())
    # Most of what the objects took is kept: a few arenas have others in them, and the list has memory of its own.
    assert 0 < kept <= 128 * MIB
    assert kept > (full - before) // 3
    assert after_drop >= before + kept // 2
    assert again < full + 8 * MIB
    assert at_the_end < after_drop - kept // 2


def test_without_arenas_it_is_refused() -> None:
    program = """
import demat
assert demat.reserve() == 0
try:
    demat.reserve(1 << 20)
except RuntimeError as error:
    print(error)
"""
    assert "without arenas" in run(program, PYTHONMALLOC="malloc")


def test_a_size_is_a_number_of_bytes() -> None:
    with pytest.raises(OverflowError):
        demat.reserve(-1)
    with pytest.raises(TypeError):
        demat.reserve("1 MiB")  # type: ignore[arg-type]
