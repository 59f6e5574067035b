"""The kinds of the zoo from dicts into classes and back, with no text between: `demat.convert` and `demat.to_builtins`
beside those of msgspec and of pydantic.

    python -m zoo.converted [--rows SHARE] [--kinds PATTERN] [--bars]

The dicts are those of `json`. Demat makes the kinds' own dataclasses, and each peer its own classes and the
dataclasses, of which the faster counts. Each answer is compared with the objects. Ratios are the processor time of the
peer divided by Demat's. A dash stands where the peer refuses the kind or answers something else. With `--bars` the exit
code is 1 where a geometric mean is below its bar.
"""

import argparse
import gc
import json
import re
import sys
import tempfile
from collections.abc import Callable
from datetime import date, datetime, time, timedelta
from decimal import Decimal
from math import exp, log
from pathlib import Path
from time import process_time
from typing import Any
from uuid import UUID

import demat
import msgspec
from pydantic import TypeAdapter

from zoo.definition import ZOO
from zoo.engines import msgspec as structs
from zoo.engines import pydantic as models
from zoo.engines.demat import root
from zoo.inputs import Inputs
from zoo.kinds import KINDS
from zoo.portrait import portrait

ROUNDS = 5
# The seconds that the calls of a round take at least, unless one call takes longer.
ENOUGH = 0.002
# A column, and the geometric mean that it has to reach.
BARS = {"msgspec": 1.2, "pydantic": 3.0, "msgspec back": 1.2, "pydantic back": 3.0}

# Demat keeps objects of these classes. msgspec keeps them with `builtin_types`; pydantic turns them into text.
KEPT = (bytes, date, datetime, time, timedelta, Decimal, UUID)

Call = Callable[[Any], Any]


def least(calls: dict[str, tuple[Call, Any]]) -> dict[str, float]:
    """The least processor time of each call, which take turns; a short one is called until some time is over."""
    best = dict.fromkeys(calls, float("inf"))
    for number in range(ROUNDS + 1):
        for name, (call, given) in calls.items():
            turns = 1 if number == 0 else max(1, int(ENOUGH / best[name]))
            gc.collect()
            start = process_time()
            for _ in range(turns):
                result = call(given)
            taken = (process_time() - start) / turns
            # The first call only says how many a round needs.
            best[name] = taken if number < 2 else min(best[name], taken)
            del result
    return best


def right(calls: dict[str, tuple[Call, Any]], answers: Callable[[Any], bool]) -> dict[str, tuple[Call, Any]]:
    """The calls that answer what they must. One of a peer that does not is left out; of Demat's that is an error."""
    found = {}
    for name, (call, given) in calls.items():
        try:
            fits = answers(call(given))
        except Exception:
            if name == "demat":
                raise
            continue
        if fits:
            found[name] = (call, given)
        elif name == "demat":
            raise AssertionError("Demat's answer is not the one expected")
    return found


def into(inputs: Inputs) -> dict[str, tuple[Call, Any]]:
    """Dicts into classes."""
    # `json` would make floats of decimals, and those are no decimals any more.
    kind, plain = inputs.kind, json.loads(inputs.texts["json"], parse_float=Decimal if inputs.exact else None)
    own = root(kind)
    calls: dict[str, tuple[Call, Any]] = {"demat": (lambda value: demat.convert(value, own), plain)}
    for each in ("struct", "dataclass"):
        wanted = structs.root(inputs, each)
        calls[f"msgspec {each}"] = (lambda value, wanted=wanted: msgspec.convert(value, wanted), plain)
    for each in ("model", "dataclass"):
        record = models.record(inputs, each)
        adapter = TypeAdapter(record if kind.single else list[record])
        calls[f"pydantic {each}"] = (adapter.validate_python, plain)
    return right(calls, lambda result: bool(portrait(kind.root)(result) == inputs.portrait))


def back(inputs: Inputs) -> dict[str, tuple[Call, Any]]:
    """Classes into dicts that `json` could write."""
    kind, text = inputs.kind, inputs.texts["json"]
    own = root(kind)
    calls: dict[str, tuple[Call, Any]] = {"demat": (demat.to_builtins, inputs.objects)}
    for each in ("struct", "dataclass"):
        made = msgspec.json.decode(text, type=structs.root(inputs, each)) if each == "struct" else inputs.objects
        calls[f"msgspec {each}"] = (lambda value: msgspec.to_builtins(value, builtin_types=KEPT), made)
    for each in ("model", "dataclass"):
        record = models.record(inputs, each)
        adapter = TypeAdapter(record if kind.single else list[record])
        made = adapter.validate_json(text) if each == "model" else inputs.objects
        calls[f"pydantic {each}"] = (lambda value, adapter=adapter: adapter.dump_python(value, mode="json"), made)
    # They differ in how they spell dates: what is read of them must be equal.
    return right(calls, lambda result: bool(demat.convert(tagged(result, inputs), own) == inputs.objects))


def tagged(result: Any, inputs: Inputs) -> Any:
    """The result, unless it is not made of dicts."""
    if not isinstance(result, dict if inputs.kind.single else list):
        raise TypeError(f"a {type(result).__name__} is no document")
    return result


def ratios(times: dict[str, float]) -> dict[str, float]:
    """How often the faster of each peer's ways takes Demat's time."""
    found: dict[str, float] = {}
    for peer in ("msgspec", "pydantic"):
        own = [taken for name, taken in times.items() if name.startswith(peer)]
        if own:
            found[peer] = min(own) / times["demat"]
    return found


def shown(found: dict[str, float]) -> str:
    """A column for each peer."""
    return " ".join(f"{found[peer]:>8.2f}" if peer in found else f"{'-':>8}" for peer in ("msgspec", "pydantic"))


def main() -> int:
    """Measures each kind, and prints a line for it; then the worst and the geometric means."""
    parser = argparse.ArgumentParser(prog="python -m zoo.converted", description=__doc__.splitlines()[0])
    parser.add_argument("--rows", type=float, default=0.05, help="the share of each kind's rows")
    parser.add_argument("--kinds", default="", metavar="PATTERN", help="a regular expression over the kinds' names")
    parser.add_argument("--bars", action="store_true", help="fail where a mean is below its bar")
    given = parser.parse_args()
    all_of: dict[str, list[tuple[float, str]]] = {}
    print(f"{'kind':<18} {'into us':>10} {'msgspec':>8} {'pydantic':>8} {'back us':>10} {'msgspec':>8} {'pydantic':>8}")
    for name, kind in KINDS.items():
        if not re.search(given.kinds, name):
            continue
        with tempfile.TemporaryDirectory() as folder:
            inputs = Inputs(kind, max(1, int(ZOO["kinds"][name]["rows"] * given.rows)), ["json"], Path(folder))
            line = f"{name:<18}"
            for way, prepare in (("", into), (" back", back)):
                times = least(prepare(inputs))
                found = ratios(times)
                line += f" {times['demat'] * 1e6:>10.0f} {shown(found)}"
                for peer, ratio in found.items():
                    all_of.setdefault(peer + way, []).append((ratio, name))
            print(line, flush=True)
    missed = False
    for column, cells in all_of.items():
        mean = exp(sum(log(ratio) for ratio, _ in cells) / len(cells))
        missed |= mean < BARS[column]
        print(f"{column}: worst {min(cells)[0]:.2f} ({min(cells)[1]}), geometric mean {mean:.2f}, bar {BARS[column]}")
    return int(missed and given.bars)


if __name__ == "__main__":
    sys.exit(main())
