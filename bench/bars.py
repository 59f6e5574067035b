"""Which bars Demat was held to in a job, and how it stands to each."""

from collections.abc import Iterator
from typing import Any

# A floor may take so much longer than a peer before it is no floor: two runs that differ by less do not differ.
TOLERANCE = 1.1


def peer(name: str) -> bool:
    """Whether an engine is neither Demat nor a floor."""
    return name.split("-")[0] not in ("demat", "floor")


def least(one: dict[str, Any]) -> float:
    """The time that a floor is compared by: processor time where it is known, as it waits for nobody."""
    return one.get("cpu_least") or one["min"]


def faster_than_floor(engines: dict[str, dict[str, Any]]) -> dict[str, float]:
    """The peers that take less time than the floor, with how many times the floor takes theirs."""
    if "floor" not in engines:
        return {}
    times = {name: least(engines["floor"]) / least(one) for name, one in engines.items() if peer(name)}
    return {name: time for name, time in times.items() if time > TOLERANCE}


def slow_floor(engines: dict[str, dict[str, Any]]) -> str | None:
    """A sentence where the floor takes longer than a peer: then it is no floor, and whatever leans on it is wrong."""
    for name, times in faster_than_floor(engines).items():
        return f"the floor takes {times:.2f}× the time of {name}"
    return None


def peers(result: dict[str, Any]) -> dict[str, dict[str, Any]]:
    """The engines that are neither Demat nor a floor."""
    return {name: one for name, one in result.get("engines", {}).items() if peer(name)}


def against(result: dict[str, Any]) -> Iterator[tuple[str, str, float]]:
    """The bars that compare: a sign, the engine, and how many times. One whose engine is missing is not known."""
    if result.get("bar") and "fastest" in result:
        yield "≥", result["fastest"], result["bar"]
    for name, times in (result.get("bars") or {}).items():
        if name in result["engines"]:
            yield "≥", name, times
    if result.get("over_floor") and "floor" in result["engines"]:
        yield "≤", "floor", result["over_floor"]


# What a bar's line shows: the first decides, the others stand beside it where they are known.
MEDIANS = {"found": "median", "cpu": "cpu_median", "kept": "kept_median", "kept_cpu": "kept_cpu_median"}


def compared(demat: dict[str, Any], sign: str, name: str, other: dict[str, Any], times: float) -> dict[str, Any]:
    """A bar against another engine."""
    over = sign == "≤"
    ratios = {
        shown: demat[kind] / other[kind] if over else other[kind] / demat[kind]
        for shown, kind in MEDIANS.items()
        if kind in demat and kind in other
    }
    return {
        "wanted": f"{sign} {times}{'× the time of' if over else '× the speed of'} {name}",
        "reached": ratios["found"] <= times if over else ratios["found"] >= times,
        **{shown: f"{ratio:.2f}×" for shown, ratio in ratios.items()},
    }


def found(result: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """Each bar with what was found."""
    demat = result["engines"]["demat"]
    for sign, name, times in against(result):
        yield compared(demat, sign, name, result["engines"][name], times)
    for key, unit, value in (
        ("speed", "MB/s", demat.get("mb_s")),
        ("peak", "MiB at the peak", demat.get("peak_kib", 0) / 1024),
        ("most_ms", "ms", demat["median"] * 1e3),
    ):
        if not result.get(key):
            continue
        reached = value >= result[key] if key == "speed" else value <= result[key]
        sign = "≥" if key == "speed" else "≤"
        bar = {"wanted": f"{sign} {result[key]} {unit}", "found": f"{value:.1f} {unit}", "reached": reached}
        if key == "most_ms" and "cpu_median" in demat:
            bar["cpu"] = f"{demat['cpu_median'] * 1e3:.1f} ms"
        yield bar
