"""Measures how the time of a call grows when the input doubles."""

import gc
import os
import time
from collections.abc import Callable

Call = Callable[[], object]

# A ratio below 2 means constant costs, 2 is linear, 4 is quadratic.
MOST = 2.5
# `DEMAT_COMPLEXITY=8` measures with eight times the input.
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


def growth(make: Callable[[int], Call], n: int) -> float:
    """Returns the time for 2n over the time for n. Repeats with longer runs and larger inputs while it is above
    `MOST`."""
    ratio = 0.0
    for times, least, runs in ((1, 0.001, 2), (1, 0.02, 5), (2, 0.02, 5), (4, 0.02, 5)):
        once, twice = make(n * times), make(2 * n * times)
        once(), twice()
        gc.collect()
        gc.disable()
        try:
            ratio = seconds(twice, least, runs) / seconds(once, least, runs)
        finally:
            gc.enable()
        if ratio < MOST:
            break
    return ratio
