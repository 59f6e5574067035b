"""Measures one call in the process that it has to itself: memory first, then time."""

import ctypes
import gc
from collections.abc import Callable
from itertools import repeat
from pathlib import Path
from time import perf_counter_ns, process_time_ns
from typing import Any, NamedTuple

import clock

SMAPS, STATUS, CLEAR = Path("/proc/self/smaps_rollup"), Path("/proc/self/status"), Path("/proc/self/clear_refs")
# The least of calls that are slow, and the most of any.
SLOW, MOST = 2, 40
# More than a result fills: python/clock.py says why the host of a virtual machine is asked for it.
HOSTED = 64 << 20


class Limits(NamedTuple):
    """How long a cell may take."""

    calls: int
    """The least of calls that are measured."""
    enough: float
    """Calls are made until they have taken so many seconds together."""
    loop: float
    """A loop of small calls takes at least so many seconds."""


def trimmed() -> None:
    """Has malloc give back what is free, so that a result in one piece does not fit into what was there before."""
    trim = getattr(ctypes.CDLL(None), "malloc_trim", None)
    if trim is not None:
        trim(0)


def kib(path: Path, name: bytes) -> int | None:
    """One figure of the kernel's; None where this system has none."""
    try:
        found = path.read_bytes()
    except OSError:
        return None
    at = found.find(name)
    return int(found[at + len(name) :].split(None, 1)[0]) if at >= 0 else None


def more(taken: list[float], limits: Limits) -> bool:
    """Whether another call is wanted after those that took so long."""
    spent = sum(taken)
    if len(taken) < (SLOW if spent > 2 * limits.enough else limits.calls):
        return True
    return spent < limits.enough and len(taken) < MOST


def bulk(call: Callable[[Any], Any], given: Any, check: Callable[[Any], None], limits: Limits) -> dict[str, Any]:
    """`held_kib` and `peak_kib` of the first call, then `seconds` and `cpu` of those after it.

    Held is what the process has more of while the result is there; the peak is the most that it had during the call.
    Each result is dropped whole before the next call, so that each call pays for its pages.
    """
    gc.collect()
    trimmed()
    clock.hosted(HOSTED)
    measured: dict[str, Any] = {"seconds": [], "cpu": []}
    try:
        CLEAR.write_text("5")
    except OSError:
        before = None
    else:
        before = kib(SMAPS, b"Rss:")
    result = call(given)
    if before is not None:
        held, peak = kib(SMAPS, b"Rss:"), kib(STATUS, b"VmHWM:")
        measured |= {"held_kib": max(held - before, 0), "peak_kib": max(peak - before, held - before, 0)}
    check(result)
    result = None
    taken = measured["seconds"]
    while more(taken, limits):
        gc.collect()
        cpu_start, start = process_time_ns(), perf_counter_ns()
        result = call(given)
        end, cpu_end = perf_counter_ns(), process_time_ns()
        taken.append((end - start) / 1e9)
        measured["cpu"].append((cpu_end - cpu_start) / 1e9)
        result = None
    # A call that changes what it is given, or what it keeps, gives another answer by now.
    check(call(given))
    return measured


def loop(call: Callable[[Any], Any], given: Any, turns: int) -> Any:
    """Small calls in a row; the loop itself, a few nanoseconds a turn, is counted too."""
    for _ in repeat(None, turns):
        found = call(given)
    return found


def small(call: Callable[[Any], Any], given: Any, check: Callable[[Any], None], limits: Limits) -> dict[str, Any]:
    """Seconds of one call, taken from loops of many."""
    check(call(given))
    turns, taken = 1, 0.0
    while taken < limits.loop:
        turns *= 2
        start = perf_counter_ns()
        loop(call, given, turns)
        taken = (perf_counter_ns() - start) / 1e9
    measured: dict[str, Any] = {"seconds": [], "cpu": []}
    for _ in range(max(limits.calls, int(limits.enough / limits.loop))):
        gc.collect()
        cpu_start, start = process_time_ns(), perf_counter_ns()
        loop(call, given, turns)
        end, cpu_end = perf_counter_ns(), process_time_ns()
        measured["seconds"].append((end - start) / turns / 1e9)
        measured["cpu"].append((cpu_end - cpu_start) / turns / 1e9)
    check(call(given))
    return measured
