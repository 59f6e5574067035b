"""Waiting for what will be so."""

from __future__ import annotations

import time
from collections.abc import Callable


def eventually(question: Callable[[], object], wanted: object) -> None:
    """Asks until the answer is the one that is wanted, for ten seconds."""
    until = time.monotonic() + 10
    while (answer := question()) != wanted:
        assert time.monotonic() < until, answer
        time.sleep(0.02)
    assert answer == wanted
