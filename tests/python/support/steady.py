"""What has to hold whatever is viewed: threads see the same, and memory stays."""

from __future__ import annotations

import gc
import sys
import threading
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable


def same_for_threads(is_right: Callable[[], bool], times: int) -> None:
    """Checks that four threads, which call `is_right` `times` times each, always get True."""
    wrong: list[bool] = []

    def ask() -> None:
        wrong.extend(True for _ in range(times) if not is_right())

    threads = [threading.Thread(target=ask) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert wrong == []


def memory_stays(work: Callable[[], object], times: int) -> None:
    """Checks that repeated work allocates no more memory after a few rounds."""
    blocks = []
    for _ in range(4):
        for _ in range(times):
            work()
        gc.collect()
        blocks.append(sys.getallocatedblocks())
    assert blocks[-1] - blocks[1] < 500
