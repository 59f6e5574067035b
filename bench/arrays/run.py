"""NumPy arrays to JSON: Demat beside orjson's OPT_SERIALIZE_NUMPY, for every dtype that both write.

    python run.py [--items N] [--rounds N] [--dtypes PATTERN] [--json PATH]

Each dtype is written as one list, and as rows of a hundred. The engines take turns within a round; the median of the
thread's CPU times counts. Before the clock starts, both outputs are parsed and have to hold the array's own values. The
exit code is 1 where one does not. A build that is not optimised says nothing about speed; the first line names it.
"""

import argparse
import gc
import json
import math
import re
import sys
from collections.abc import Callable
from datetime import datetime
from pathlib import Path
from statistics import median
from time import thread_time
from typing import Any

import demat
import demat.json
import numpy
import orjson

WIDTH = 100
SEED = 20_260_801
# `complex`, `bytes`, `str` and `timedelta64` are not orjson's.
DTYPES = [
    *("bool", "int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64"),
    *("float16", "float32", "float64", "datetime64[s]", "datetime64[us]"),
]
ENGINES: dict[str, Callable[[Any], bytes]] = {
    "demat": demat.json.Encoder().encode,
    "orjson": lambda array: orjson.dumps(array, option=orjson.OPT_SERIALIZE_NUMPY),
}


def array_of(name: str, items: int) -> Any:
    """Random values over the range of the dtype; finite ones, as JSON has no others."""
    random, dtype = numpy.random.default_rng(SEED), numpy.dtype(name)
    match dtype.kind:
        case "b":
            return random.integers(0, 2, items).astype(dtype)
        case "i" | "u":
            about = numpy.iinfo(dtype)
            return random.integers(about.min, about.max, items, dtype, endpoint=True)
        case "f":
            return (random.standard_normal(items) * 1000).astype(dtype)
        case _:
            # From 1970 to 2096.
            units = numpy.datetime_data(dtype)[0]
            return random.integers(0, 4_000_000_000 * (1_000_000 if units == "us" else 1), items).astype(dtype)


def agrees(data: bytes, array: Any) -> bool:
    """Whether an output has the array's rows and values.

    A float may have more digits than its width needs, and a time more zeros: what they say is compared.
    """
    found = json.loads(data)
    if array.ndim == 2:
        if [len(row) for row in found] != [array.shape[1]] * array.shape[0]:
            return False
        found = [item for row in found for item in row]
    flat = array.ravel()
    match array.dtype.kind:
        case "f":
            return len(found) == len(flat) and bool((numpy.array(found).astype(array.dtype) == flat).all())
        case "M":
            return [datetime.fromisoformat(item).replace(tzinfo=None) for item in found] == flat.tolist()
        case _:
            return found == flat.tolist()


def medians(array: Any, rounds: int) -> dict[str, float]:
    """The CPU time of each engine in seconds."""
    times: dict[str, list[float]] = {name: [] for name in ENGINES}
    for turn in range(rounds):
        for name in sorted(ENGINES, reverse=bool(turn % 2)):
            encode = ENGINES[name]
            begin = thread_time()
            found = encode(array)
            times[name].append(thread_time() - begin)
            del found
    return {name: median(found) for name, found in times.items()}


def main() -> int:
    """All dtypes."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--items", type=int, default=1_000_000, help="in each array; a multiple of 100")
    parser.add_argument("--rounds", type=int, default=9)
    parser.add_argument("--dtypes", default="", help="a pattern; all that match")
    parser.add_argument("--json", type=Path, help="where to write the figures")
    given = parser.parse_args()
    if given.items % WIDTH:
        parser.error(f"--items is a multiple of {WIDTH}")
    print(f"demat {demat.__version__} of {Path(demat.__file__).parent}, orjson {orjson.__version__}", file=sys.stderr)
    good, figures = True, []
    gc.disable()
    for name in [name for name in DTYPES if re.search(given.dtypes, name)]:
        flat = array_of(name, given.items)
        for array in (flat, flat.reshape(-1, WIDTH)):
            for engine, encode in ENGINES.items():
                if not agrees(encode(array), array):
                    print(f"{name} {array.ndim}-d: {engine} wrote other values")
                    good = False
            times = medians(array, given.rounds)
            ratio = times["orjson"] / times["demat"]
            figures.append({"dtype": name, "dimensions": array.ndim, "ratio": ratio, **times})
            shown = "  ".join(f"{engine} {seconds * 1000:8.2f} ms" for engine, seconds in times.items())
            print(f"{name:15} {array.ndim}-d  {shown}  {ratio:5.2f} times orjson", flush=True)
    if figures:
        ratios = [own["ratio"] for own in figures]
        mean = math.exp(sum(map(math.log, ratios)) / len(ratios))
        print(f"geometric mean {mean:.2f} times orjson, worst {min(ratios):.2f}")
    if given.json:
        given.json.write_text(json.dumps(figures, indent=2) + "\n", encoding="utf-8")
    return int(not good)


if __name__ == "__main__":
    sys.exit(main())
