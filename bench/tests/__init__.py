"""Tests of the harness: python -m unittest discover -t . -s tests, in the environment of the peers."""

import os
import sys
from pathlib import Path

# What is measured in a test is nobody's figure (python/clock.py).
os.environ["DEMAT_BENCH_CALLS"] = "few"

BENCH = Path(__file__).resolve().parent.parent
sys.path += [str(BENCH), str(BENCH / "python"), str(BENCH / "target" / "python")]
