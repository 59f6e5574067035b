"""Measures how the time of a call grows when the input doubles."""

import ctypes
import gc
import os
import time
from collections.abc import Callable

Call = Callable[[], object]

# A ratio below 2 means constant costs, 2 is linear, 4 is quadratic.
MOST = 2.5
# `DEMAT_COMPLEXITY=8` measures with eight times the input as the tests usually do.
SCALE = int(os.environ.get("DEMAT_COMPLEXITY", "1"))


def _keep_memory() -> None:
    """Makes glibc keep freed memory. It gives it back above a threshold that follows the largest block so far.

    A call whose blocks are about as large takes twice as long then, as the kernel clears its pages anew each time.
    Calls with smaller and with larger blocks do not, so that the time has a step that says nothing about the call.
    """
    mallopt = getattr(ctypes.CDLL(None), "mallopt", None)
    if mallopt is not None:
        trim, mmap = -1, -3
        mallopt(trim, 1 << 30)
        mallopt(mmap, 32 << 20)


_keep_memory()


def growth(make: Callable[[int], Call], n: int, deepest: int | None = None) -> float:
    """Returns by how much the time grows when the input doubles.

    Repeats with longer runs and larger inputs while the ratio is above `MOST`: a cache that is too small, or a busy
    machine, can look so once, but what takes quadratic time looks so always. The last word has the mean of two
    doublings, the best of several tries. `deepest` is the largest input there is.
    """
    largest = deepest or 16 * n
    sizes = [n, n, min(2 * n, largest // 2), min(4 * n, largest // 2)]
    for size, (least, runs) in zip(sizes, ((0.001, 2), (0.02, 5), (0.02, 5), (0.02, 5)), strict=True):
        ratio = over(make(2 * size), make(size), least, runs)
        if ratio < MOST:
            return ratio
    large, small = make(largest), make(largest // 4)
    for pause in (0, 0.5, 2, 5, 10):
        time.sleep(pause)
        ratio = min(ratio, over(large, small, 0.02, 7) ** 0.5)
        if ratio < MOST:
            break
    return ratio


def over(large: Call, small: Call, least: float, runs: int) -> float:
    """Returns the time of one call over that of another: the best of several runs of each, taken in turn, so that a
    machine that becomes slower or faster meanwhile does so for both."""
    many, few = calls_within(large, least), calls_within(small, least)
    gc.collect()
    gc.disable()
    try:
        pairs = [(seconds(large, many), seconds(small, few)) for _ in range(runs)]
    finally:
        gc.enable()
    return min(own for own, _ in pairs) / min(own for _, own in pairs)


def calls_within(call: Call, least: float) -> int:
    """Returns how many calls take at least `least` seconds."""
    calls = 1
    call()
    while (took := seconds(call, calls) * calls) < least:
        calls = max(calls * 2, min(int(calls * least / max(took, 1e-6)) + 1, calls * 64))
    return calls


def seconds(call: Call, calls: int) -> float:
    """Returns the processor time of one call, the mean of `calls` calls."""
    begin = time.process_time()
    for _ in range(calls):
        call()
    return (time.process_time() - begin) / calls
