"""Times one call again and again, in the process that it has to itself."""

import gc
from collections.abc import Callable, Iterator
from itertools import islice, repeat
from time import perf_counter_ns, thread_time_ns
from typing import Any

# After the first call: at least so many more, until they have taken a second together, but no more than so many.
LEAST, MOST, ENOUGH = 3, 50, 1_000_000_000
# Loops of small calls: so many, each as long as this.
LOOPS, LOOP = 15, 20_000_000


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


def bulk(call: Callable[[Any], Any], given: Any, check: Callable[[Any], None]) -> dict[str, list[float]]:
    """Seconds of each call, the first one in fresh memory and the others in memory that was used before.

    An interpreter returns an arena when nothing is left in it. So that the later calls find their arenas mapped, as in
    a program that lives on, one object in 500 of the first result is kept.

    The collector is enabled, as users have it. What it owes when the call is over (a decoder that pauses it leaves all
    new objects in the youngest generation) is timed as `after`: one collection of that generation. The result is
    dropped and everything collected before the next call, so that each begins alike.
    """
    seconds, cpu, after, kept = [], [], [], None
    while len(seconds) <= LEAST or (len(seconds) <= MOST and sum(seconds[1:]) < ENOUGH / 1e9):
        gc.collect()
        cpu_start, start = thread_time_ns(), perf_counter_ns()
        result = call(given)
        end, cpu_end = perf_counter_ns(), thread_time_ns()
        gc.collect(0)
        after.append((perf_counter_ns() - end) / 1e9)
        seconds.append((end - start) / 1e9)
        cpu.append((cpu_end - cpu_start) / 1e9)
        check(result)
        if kept is None and isinstance(result, (list, dict)):
            kept = list(islice(leaves(result), 0, None, 500))
        del result
    return {"seconds": seconds, "cpu": cpu, "after": after}


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
    return {"seconds": seconds, "cpu": cpu, "after": []}
