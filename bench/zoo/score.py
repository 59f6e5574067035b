"""From seconds to ratios: each cell, the worst of them, and the geometric means."""

from collections.abc import Iterable
from math import exp, log
from statistics import median
from typing import Any

from bars import TOLERANCE, peer


def gathered(rounds: list[dict[str, Any]]) -> dict[str, Any]:
    """One engine's figures of a cell: the median of the rounds' medians, the least of all calls, the most memory."""
    one: dict[str, Any] = {
        "median": median(median(done["seconds"]) for done in rounds),
        "min": min(min(done["seconds"]) for done in rounds),
    }
    if all(done.get("cpu") for done in rounds):
        one["cpu"] = median(median(done["cpu"]) for done in rounds)
        one["cpu_least"] = min(min(done["cpu"]) for done in rounds)
    for key in ("held_kib", "peak_kib"):
        if key in rounds[0]:
            one[key] = median(done[key] for done in rounds)
    return one


def ratio(engines: dict[str, dict[str, Any]], key: str = "median") -> float | None:
    """How many times the speed of the fastest peer Demat has; above 1 Demat is faster."""
    peers = [one[key] for name, one in engines.items() if peer(name) and one.get(key)]
    own = engines.get("demat", {}).get(key)
    return min(peers) / own if peers and own else None


def memory_ratio(job: str, engines: dict[str, dict[str, Any]]) -> float | None:
    """How many times less memory Demat takes than the peer with the least.

    That of the result; of reading, which leaves none, the peak. Of encoders it would be that of a buffer.
    """
    if "encode" in job:
        return None
    return ratio(engines, "peak_kib" if job.endswith("/read") else "held_kib")


def below_floor(engines: dict[str, dict[str, Any]]) -> float | None:
    """How many times as fast as the floor Demat is, where it is faster: it may have asked for memory ahead."""
    if {"floor", "demat"} <= engines.keys():
        found = engines["floor"]["min"] / engines["demat"]["min"]
        return found if found > TOLERANCE else None
    return None


def fastest(engines: dict[str, dict[str, Any]]) -> str | None:
    """The peer that the ratio is against."""
    peers = {name: one["median"] for name, one in engines.items() if peer(name)}
    return min(peers, key=lambda name: peers[name]) if peers else None


def beside(cells: list[dict[str, Any]], key: str = "cpu") -> dict[str, dict[str, dict[str, Any]]]:
    """Of each job and each peer, how many times its speed Demat has: in the worst cell, and as a geometric mean."""
    found: dict[str, dict[str, list[tuple[float, str]]]] = {}
    for cell in cells:
        own = cell["engines"].get("demat", {}).get(key)
        for name, one in cell["engines"].items():
            if own and peer(name) and one.get(key):
                found.setdefault(cell["job"], {}).setdefault(name, []).append((one[key] / own, cell["kind"]))
    return {
        job: {
            name: {
                "cells": len(pairs),
                "geometric_mean": geometric_mean(ratio for ratio, _ in pairs),
                "worst": dict(zip(("ratio", "kind"), min(pairs), strict=True)),
            }
            for name, pairs in peers.items()
        }
        for job, peers in found.items()
    }


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
