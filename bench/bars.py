"""Which bars Demat was held to in a job, and how it stands to each."""

from collections.abc import Iterator
from typing import Any


def peers(result: dict[str, Any]) -> dict[str, dict[str, Any]]:
    """The engines that are neither Demat nor a floor."""
    return {
        name: one for name, one in result.get("engines", {}).items() if name.split("-")[0] not in ("demat", "floor")
    }


def against(result: dict[str, Any]) -> Iterator[tuple[str, str, float]]:
    """The bars that compare: a sign, the engine, and how many times. One whose engine is missing is not known."""
    if result.get("bar") and "fastest" in result:
        yield "≥", result["fastest"], result["bar"]
    for name, times in (result.get("bars") or {}).items():
        if name in result["engines"]:
            yield "≥", name, times
    if result.get("over_floor") and "floor" in result["engines"]:
        yield "≤", "floor", result["over_floor"]


def found(result: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """Each bar with what was found: by medians, and beside it by medians in memory that was kept, where known."""
    demat = result["engines"]["demat"]
    for sign, name, times in against(result):
        other = result["engines"][name]

        def ratio(kind: str, over: bool = sign == "≤", other: dict[str, Any] = other) -> float | None:
            if kind not in demat or kind not in other:
                return None
            return demat[kind] / other[kind] if over else other[kind] / demat[kind]

        median = ratio("median")
        reached = median <= times if sign == "≤" else median >= times
        what = f"× the time of {name}" if sign == "≤" else f"× the speed of {name}"
        yield {
            "wanted": f"{sign} {times}{what}",
            "found": f"{median:.2f}×",
            "kept": f"{kept:.2f}×" if (kept := ratio("kept_median")) else "–",
            "cpu": f"{cpu:.2f}×" if (cpu := ratio("cpu_median")) else "–",
            "reached": reached,
        }
    for key, unit, value in (
        ("speed", "MB/s", demat.get("mb_s")),
        ("peak", "MiB at the peak", demat.get("peak_kib", 0) / 1024),
        ("most_ms", "ms", demat["median"] * 1e3),
    ):
        if not result.get(key):
            continue
        reached = value >= result[key] if key == "speed" else value <= result[key]
        sign = "≥" if key == "speed" else "≤"
        yield {"wanted": f"{sign} {result[key]} {unit}", "found": f"{value:.1f} {unit}", "reached": reached}
