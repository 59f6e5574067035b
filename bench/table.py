"""Figures from seconds: minimum, median, speed, ratios, and the table that is printed."""

from statistics import median
from typing import Any


def summarise(result: dict[str, Any]) -> None:
    """Adds to a job's result what follows from its seconds; fills `missed` with every bar that Demat did not reach."""
    engines = result.get("engines", {})
    for one in engines.values():
        one["min"], one["median"] = min(one["seconds"]), median(one["seconds"])
        one["mb_s"] = result["bytes"] / one["median"] / 1e6
    peers = {name: one for name, one in engines.items() if name not in ("demat", "floor")}
    # A program that refused a bomb at once is not the fastest at anything.
    if peers and not any("outcome" in one for one in peers.values()):
        result["fastest"] = min(peers, key=lambda name: peers[name]["median"])
    demat = engines.get("demat")
    if demat is None:
        return
    missed = []
    if "fastest" in result:
        fastest = peers[result["fastest"]]
        result["ratio"] = fastest["median"] / demat["median"]
        result["ratio_min"] = fastest["min"] / demat["min"]
        if result.get("bar") and result["ratio"] < result["bar"]:
            missed.append(f"{result['ratio']:.2f}× {result['fastest']}, wanted {result['bar']}×")
        for name, bar in (result.get("bars") or {}).items():
            if name in peers and (ratio := peers[name]["median"] / demat["median"]) < bar:
                missed.append(f"{ratio:.2f}× {name}, wanted {bar}×")
    if result.get("speed") and demat["mb_s"] < result["speed"]:
        missed.append(f"{demat['mb_s']:.0f} MB/s, wanted {result['speed']}")
    if result.get("peak") and demat["peak_kib"] > result["peak"] * 1024:
        missed.append(f"peak {demat['peak_kib'] / 1024:.0f} MiB, allowed {result['peak']}")
    if missed:
        result["missed"] = missed


def progress(result: dict[str, Any]) -> str:
    """One line while the others still run."""
    for key in ("failed", "skipped"):
        if key in result:
            return f"{result['name']}: {key.upper()}: {result[key]}"
    times = ", ".join(f"{name} {one['median'] * 1e3:.1f}" for name, one in result["engines"].items())
    return f"{result['name']}: {times} ms"


def row(result: dict[str, Any], name: str, one: dict[str, Any]) -> str:
    """One engine's line."""
    demat = result.get("engines", {}).get("demat")
    ratio = f"{one['median'] / demat['median']:.2f}" if demat else "–"
    peak = f"{one['peak_kib'] / 1024:.1f}" if "peak_kib" in one else "–"
    mark = " (fastest peer)" if name == result.get("fastest") else ""
    return (
        f"| {result['name']} | {name}{mark} | {one['min'] * 1e3:.1f} | {one['median'] * 1e3:.1f} | {one['mb_s']:.0f} "
        f"| {ratio} | {peak} | {one.get('outcome', 'as expected' if name != 'floor' else '–')} |"
    )


def markdown(document: dict[str, Any]) -> str:
    """The whole table, then everything that is missing or failed, in words."""
    machine = document["machine"]
    lines = [
        f"{machine['cpu']}, {machine['cores']} cores, {machine['rustc']}, "
        f"{'portable build' if machine['portable'] else 'target-cpu=native'}"
        f"{', freed memory kept' if machine['keep_memory'] else ''}",
        "",
        ", ".join(f"{name} {version}" for name, version in machine["versions"].items()),
        "",
        "| job | engine | min ms | median ms | MB/s | Demat is × faster | peak MiB | answer |",
        "|---|---|--:|--:|--:|--:|--:|---|",
    ]
    notes = []
    for result in document["jobs"]:
        lines += [row(result, name, one) for name, one in result.get("engines", {}).items()]
        lines += [f"| {result['name']} | {name} | not here | | | | | |" for name in result["missing"]]
        notes += [
            f"- {key}: {result['name']}: {result[key]}" for key in ("failed", "skipped", "missed") if key in result
        ]
    return "\n".join([*lines, "", *notes])
