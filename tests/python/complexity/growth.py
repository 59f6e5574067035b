"""Measures how the time of a call grows when the input doubles."""

import gc
import os
import time
from collections.abc import Callable

Call = Callable[[], object]

# A ratio below 2 means constant costs, 2 is linear, 4 is quadratic.
MOST = 2.5
# `DEMAT_COMPLEXITY=8` measures with eight times the input as the tests usually do.
SCALE = int(os.environ.get("DEMAT_COMPLEXITY", "1"))


def seconds(call: Call, least: float, runs: int) -> float:
    """Returns the processor time of one call: the best of several runs, each of which takes at least `least`
    seconds."""
    calls, best = 1, float("inf")
    while True:
        begin = time.process_time()
        for _ in range(calls):
            call()
        took = time.process_time() - begin
        if took >= least:
            break
        calls = max(calls * 2, min(int(calls * least / max(took, 1e-6)) + 1, calls * 64))
    best = took / calls
    for _ in range(runs - 1):
        begin = time.process_time()
        for _ in range(calls):
            call()
        best = min(best, (time.process_time() - begin) / calls)
    return best


def growth(make: Callable[[int], Call], n: int, deepest: int | None = None) -> float:
    """Returns by how much the time grows when the input doubles.

    Repeats with longer runs and larger inputs while the ratio is above `MOST`: a cache that is too small, or a busy
    machine, can look so once. The last word has the mean of two doublings. `deepest` is the largest input there is.
    """
    largest = deepest or 16 * n
    sizes = [n, n, min(2 * n, largest // 2), min(4 * n, largest // 2)]
    for size, (least, runs) in zip(sizes, ((0.001, 2), (0.02, 5), (0.02, 5), (0.02, 5)), strict=True):
        ratio = over(make(2 * size), make(size), least, runs)
        if ratio < MOST:
            return ratio
    return over(make(largest), make(largest // 4), 0.02, 5) ** 0.5


def over(large: Call, small: Call, least: float, runs: int) -> float:
    """Returns the time of one call over that of another."""
    large(), small()
    gc.collect()
    gc.disable()
    try:
        return seconds(large, least, runs) / seconds(small, least, runs)
    finally:
        gc.enable()
