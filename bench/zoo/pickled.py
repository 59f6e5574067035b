"""The kinds of the zoo through `raw` and `proto` of Demat, and through pickle: bytes, and processor time both ways.

    python -m zoo.pickled [--rows SHARE] [--kinds PATTERN]

The objects are the kinds' own dataclasses. Each answer is compared with the objects. Sizes and times are pickle's
divided by Demat's, so above 1 Demat is smaller or faster. A kind that a format can't hold has a dash.
"""

import argparse
import gc
import pickle
import re
import time
from collections.abc import Callable
from math import exp, log
from typing import Any, NamedTuple

import demat
import demat.proto
import demat.raw

from zoo.definition import ZOO
from zoo.engines.demat import root
from zoo.kinds import KINDS

ROUNDS = 5


class Cell(NamedTuple):
    """A kind in one format."""

    size: int
    encode: float
    decode: float


def least(call: Callable[[], Any]) -> float:
    """The least processor time of a call, with the garbage of the others collected before."""
    best = float("inf")
    for _ in range(ROUNDS):
        gc.collect()
        start = time.process_time()
        result = call()
        best = min(best, time.process_time() - start)
        del result
    return best


def measured(encode: Callable[[Any], bytes], decode: Callable[[bytes], Any], objects: Any) -> Cell:
    """A format's cell; raises AssertionError where the answer is wrong."""
    data = encode(objects)
    assert decode(data) == objects
    return Cell(len(data), least(lambda: encode(objects)), least(lambda: decode(data)))


def by(module: Any, type_: Any, objects: Any) -> Cell | None:
    """The cell of a format of Demat's; None if it can't hold such objects."""
    try:
        encoder, decoder = module.Encoder(type=type_), module.Decoder(type_)
        encoder.encode(objects)
    except (demat.EncodeError, TypeError, ValueError):
        return None
    return measured(encoder.encode, decoder.decode, objects)


def shown(mine: Cell | None, theirs: Cell) -> str:
    """The columns of a format: bytes, and three ratios."""
    if mine is None:
        return f"{'-':>12} {'-':>6} {'-':>6} {'-':>6}"
    ratios = (theirs.size / mine.size, theirs.encode / mine.encode, theirs.decode / mine.decode)
    return f"{mine.size:>12,} " + " ".join(f"{ratio:>6.2f}" for ratio in ratios)


def main() -> None:
    """Measures each kind, and prints a line for it; then the worst and the geometric means."""
    parser = argparse.ArgumentParser(prog="python -m zoo.pickled", description=__doc__.splitlines()[0])
    parser.add_argument("--rows", type=float, default=0.1, help="the share of each kind's rows")
    parser.add_argument("--kinds", default="", metavar="PATTERN", help="a regular expression over the kinds' names")
    given = parser.parse_args()
    ratios: dict[str, list[tuple[float, str]]] = {}
    print(
        f"{'kind':<16} {'pickle':>12} {'raw':>12} {'size':>6} {'encode':>6} {'decode':>6} {'proto':>12} {'size':>6} …"
    )
    for name, kind in KINDS.items():
        if not re.search(given.kinds, name):
            continue
        count = max(1, int(ZOO["kinds"][name]["rows"] * given.rows))
        values = kind.values(count)
        objects = values[0] if kind.single else values
        theirs = measured(lambda value: pickle.dumps(value, protocol=5), pickle.loads, objects)
        cells = {"raw": by(demat.raw, root(kind), objects), "proto": by(demat.proto, root(kind), objects)}
        print(
            f"{name:<16} {theirs.size:>12,} {shown(cells['raw'], theirs)} {shown(cells['proto'], theirs)}", flush=True
        )
        for form, mine in cells.items():
            if mine is not None:
                ratios.setdefault(f"{form} encode", []).append((theirs.encode / mine.encode, name))
                ratios.setdefault(f"{form} decode", []).append((theirs.decode / mine.decode, name))
                ratios.setdefault(f"{form} size", []).append((theirs.size / mine.size, name))
    for what, found in ratios.items():
        mean = exp(sum(log(ratio) for ratio, _ in found) / len(found))
        print(f"{what}: worst {min(found)[0]:.2f} ({min(found)[1]}), geometric mean {mean:.2f}")


if __name__ == "__main__":
    main()
