"""Tests of the harness: python -m unittest discover -t . -s tests, in the environment of the peers."""

import sys
from pathlib import Path

BENCH = Path(__file__).resolve().parent.parent
sys.path += [str(BENCH), str(BENCH / "python"), str(BENCH / "target" / "python")]
