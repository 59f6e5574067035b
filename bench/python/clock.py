"""Times one call again and again, in the process that it has to itself."""

import gc
import mmap
import os
from collections.abc import Callable, Iterator
from itertools import islice, repeat
from time import perf_counter_ns, process_time_ns, thread_time_ns
from typing import Any

# How much is measured: `all` in a full run, `some` in a quick one, `few` in the tests of the harness.
CALLS = os.environ.get("DEMAT_BENCH_CALLS", "all")
# In each kind of memory calls are made until they have taken so many seconds together, but no more than so many.
ENOUGH, MOST = {"all": (0.3, 15), "some": (0.03, 4), "few": (0.001, 1)}[CALLS]
# Loops of small calls: so many, each of so many nanoseconds.
LOOPS, LOOP = {"all": (15, 20_000_000), "some": (5, 4_000_000), "few": (2, 100_000)}[CALLS]


def leaves(value: Any) -> Iterator[Any]:
    """The objects of a result that hold no others."""
    if isinstance(value, list):
        for item in value:
            yield from leaves(item)
    elif isinstance(value, dict):
        for item in value.values():
            yield from leaves(item)
    else:
        yield value


def sample(result: Any) -> list[Any]:
    """One object in 500 of a result, if it holds objects."""
    return list(islice(leaves(result), 0, None, 500)) if isinstance(result, list | dict) else []


# A virtual machine may give free memory back to its host, seconds after the last use of it. More than any job fills.
HOSTED = {"all": 512, "some": 64, "few": 1}[CALLS] << 20


def hosted(size: int = HOSTED) -> None:
    """Has the host give this machine memory, so that no engine pays for what another machine did with it meanwhile."""
    if not hasattr(mmap, "MAP_PRIVATE"):
        return
    with mmap.mmap(-1, size, flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS) as memory:
        # Large pages are what is given back.
        if hasattr(mmap, "MADV_HUGEPAGE"):
            memory.madvise(mmap.MADV_HUGEPAGE)
        memory[:: mmap.PAGESIZE] = bytes(size // mmap.PAGESIZE)


def bulk(call: Callable[[Any], Any], given: Any, check: Callable[[Any], None]) -> dict[str, list[float]]:
    """Seconds of each call: first in fresh memory, then in memory that was used before.

    An interpreter returns an arena to the system when nothing is left in it, so whoever drops a whole result pays for
    fresh pages once more at the next call. That is the first kind. For the second, `kept`, one object in 500 of a
    result is held on to: the arenas stay mapped, as in a program that lives on with things all over its memory.

    Fresh is what is fresh to the process: pages that the kernel has to clear and hand out. The machine itself has them.

    Processor time is that of all threads, as some engines work in threads of their own.

    The collector is enabled, as users have it. What it owes when the call is over (a decoder that pauses it leaves all
    new objects in the youngest generation) is timed as `after`: one collection of that generation. The result is
    dropped and everything collected before the next call, so that each begins alike.
    """
    taken: dict[str, list[float]] = {"seconds": [], "cpu": [], "after": [], "kept": [], "kept_cpu": []}
    held: list[Any] = []
    result = None
    for kind, cpu in (("seconds", "cpu"), ("kept", "kept_cpu")):
        while sum(taken[kind]) < ENOUGH and len(taken[kind]) < MOST:
            result = None
            gc.collect()
            hosted()
            cpu_start, start = process_time_ns(), perf_counter_ns()
            result = call(given)
            end, cpu_end = perf_counter_ns(), process_time_ns()
            gc.collect(0)
            after = perf_counter_ns()
            taken[kind].append((end - start) / 1e9)
            taken[cpu].append((cpu_end - cpu_start) / 1e9)
            if kind == "seconds":
                taken["after"].append((after - end) / 1e9)
            # A check may take longer than the call: the first and the last result are looked at.
            if len(taken[kind]) == 1:
                check(result)
        check(result)
        # Held to the end of the function; what matters is that nothing is held during the first kind.
        held = held or sample(result)
    return taken


def small(
    loop: Callable[[Iterator[None], Any], Any], given: Any, check: Callable[[Any], None]
) -> dict[str, list[float]]:
    """Seconds of one call, taken from loops of thousands; the loop itself, a few nanoseconds a turn, is counted too."""
    turns, taken = 1, 0
    while taken < LOOP:
        turns *= 2
        start = perf_counter_ns()
        check(loop(repeat(None, turns), given))
        taken = perf_counter_ns() - start
    seconds, cpu = [], []
    for _ in range(LOOPS):
        gc.collect()
        cpu_start, start = thread_time_ns(), perf_counter_ns()
        last = loop(repeat(None, turns), given)
        end, cpu_end = perf_counter_ns(), thread_time_ns()
        seconds.append((end - start) / turns / 1e9)
        cpu.append((cpu_end - cpu_start) / turns / 1e9)
        check(last)
    return {"seconds": seconds, "cpu": cpu, "after": [], "kept": [], "kept_cpu": []}
