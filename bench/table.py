"""Figures from seconds: minimum, median, speed, ratios, and the tables that are printed."""

from statistics import median
from typing import Any

import bars
import interpreter_table


def summarise(result: dict[str, Any]) -> None:
    """Adds to a job's result what follows from its seconds; fills `missed` with every bar that Demat did not reach."""
    engines = result.get("engines", {})
    for one in engines.values():
        one["min"], one["median"] = one.get("best", min(one["seconds"])), median(one["seconds"])
        for kind in ("first", "cpu", "after", "kept", "kept_cpu"):
            if kind in one:
                one[f"{kind}_median"] = median(one[kind])
        if "bytes" in result:
            one["mb_s"] = result["bytes"] / one["median"] / 1e6
    peers = bars.peers(result)
    # A program that refused a bomb at once is not the fastest at anything.
    if peers and not any("outcome" in one for one in peers.values()):
        result["fastest"] = min(peers, key=lambda name: peers[name]["median"])
    if why := bars.slow_floor(engines):
        result["failed"] = "; ".join(filter(None, (result.get("failed"), why)))
    demat = engines.get("demat")
    if demat is None:
        return
    # What an import adds may be nothing, and nothing is no measure.
    if "fastest" in result and demat["min"] > 0 and demat["median"] > 0:
        fastest = peers[result["fastest"]]
        result["ratio"] = fastest["median"] / demat["median"]
        result["ratio_min"] = fastest["min"] / demat["min"]
    result["held"] = list(bars.found(result))
    if missed := [f"{bar['found']}, wanted {bar['wanted']}" for bar in result["held"] if not bar["reached"]]:
        result["missed"] = missed


def progress(result: dict[str, Any]) -> str:
    """One line while the others still run."""
    for key in ("failed", "skipped", "passed"):
        if key in result:
            return f"{result['name']}: {key.upper()}: {result[key]}"
    shown = interpreter_table.shown
    times = ", ".join(f"{name} {shown(one['median'])}" for name, one in result.get("engines", {}).items())
    return f"{result['name']}: {times or 'not here: ' + ', '.join(result['missing'])}"


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


def programs(results: list[dict[str, Any]]) -> list[str]:
    """The jobs in Rust and of whole programs."""
    lines = [
        "| job | engine | min ms | median ms | MB/s | Demat is × faster | peak MiB | answer |",
        "|---|---|--:|--:|--:|--:|--:|---|",
    ]
    for result in results:
        lines += [row(result, name, one) for name, one in result.get("engines", {}).items()]
        lines += [f"| {result['name']} | {name} | not here | | | | | |" for name in result["missing"]]
    return [*lines, ""]


def markdown(document: dict[str, Any]) -> str:
    """The tables, the bars, then everything that is missing or failed, in words."""
    machine, results = document["machine"], document["jobs"]
    inside = [result for result in results if result.get("kind") == "python"]
    others = [result for result in results if result.get("kind") != "python"]
    lines = [f"{machine['cpu']}, {machine['cores']} cores, load {machine['load']}"]
    if others:
        lines[0] += f", {machine['rustc']}, {'portable build' if machine['portable'] else 'target-cpu=native'}"
    if machine["keep_memory"]:
        lines[0] += ", freed memory kept"
    lines += ["", ", ".join(f"{name} {version}" for name, version in machine["versions"].items()), ""]
    if others:
        lines += programs(others)
    if inside:
        lines += interpreter_table.markdown(inside)
    held = [(result["name"], bar) for result in results for bar in result.get("held", [])]
    if held:
        lines += ["| job | bar | found | CPU | kept memory | CPU | |", "|---|---|--:|--:|--:|--:|---|"]
        lines += [
            f"| {name} | {bar['wanted']} | {' | '.join(bar.get(shown, '–') for shown in bars.MEDIANS)} "
            f"| {'reached' if bar['reached'] else '**missed**'} |"
            for name, bar in held
        ]
        lines.append("")
    for result in results:
        lines += [
            f"- {key}: {result['name']}: {result[key]}"
            for key in ("failed", "skipped", "missed", "passed")
            if key in result
        ]
    return "\n".join(lines)
