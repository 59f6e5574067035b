"""From seconds to ratios: each cell, the worst of them, and the geometric means."""

from collections.abc import Iterable
from math import exp, log
from statistics import median
from typing import Any

# A floor may be so much slower than a peer before it is no floor: two runs that differ by less do not differ.
TOLERANCE = 1.1


def peer(name: str) -> bool:
    """Whether an engine is neither Demat nor a floor."""
    return name.split("-")[0] not in ("demat", "floor")


def gathered(rounds: list[dict[str, Any]]) -> dict[str, Any]:
    """One engine's figures of a cell: the median of the rounds' medians, the least of all calls, the most memory."""
    one: dict[str, Any] = {
        "median": median(median(done["seconds"]) for done in rounds),
        "min": min(min(done["seconds"]) for done in rounds),
    }
    if all(done.get("cpu") for done in rounds):
        one["cpu"] = median(median(done["cpu"]) for done in rounds)
    for key in ("held_kib", "peak_kib"):
        if key in rounds[0]:
            one[key] = median(done[key] for done in rounds)
    return one


def ratio(engines: dict[str, dict[str, Any]], key: str = "median") -> float | None:
    """How many times the speed of the fastest peer Demat has; above 1 Demat is faster."""
    peers = [one[key] for name, one in engines.items() if peer(name) and one.get(key)]
    own = engines.get("demat", {}).get(key)
    return min(peers) / own if peers and own else None


def fastest(engines: dict[str, dict[str, Any]]) -> str | None:
    """The peer that the ratio is against."""
    peers = {name: one["median"] for name, one in engines.items() if peer(name)}
    return min(peers, key=lambda name: peers[name]) if peers else None


def slow_floor(engines: dict[str, dict[str, Any]]) -> str | None:
    """A sentence where a floor takes longer than a peer: then it is no floor. Least times decide."""
    for name, one in engines.items():
        if name != "floor":
            continue
        for other, its in engines.items():
            if peer(other) and one["min"] > its["min"] * TOLERANCE:
                return f"the floor takes {one['min'] / its['min']:.2f}× the time of {other}"
    return None


def geometric_mean(ratios: Iterable[float]) -> float | None:
    """The mean of ratios: that of 2 and 1/2 is 1."""
    logs = [log(one) for one in ratios]
    return exp(sum(logs) / len(logs)) if logs else None


def summary(cells: list[dict[str, Any]], key: str = "ratio") -> dict[str, Any]:
    """The worst cell and the geometric mean of all, and of each job."""
    counted = [cell for cell in cells if cell.get(key)]

    def of(some: list[dict[str, Any]]) -> dict[str, Any]:
        worst = min(some, key=lambda cell: cell[key])
        return {
            "cells": len(some),
            "slower": sum(cell[key] < 1 for cell in some),
            "geometric_mean": geometric_mean(cell[key] for cell in some),
            "worst": {name: worst[name] for name in ("job", "kind", "fastest", key)},
        }

    jobs = dict.fromkeys(cell["job"] for cell in counted)
    families = {job: of([cell for cell in counted if cell["job"] == job]) for job in jobs}
    return {"overall": of(counted), "jobs": families} if counted else {"overall": None, "jobs": {}}
