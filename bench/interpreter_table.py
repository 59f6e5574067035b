"""The table of the jobs inside a Python interpreter."""

from typing import Any


def shown(seconds: float) -> str:
    """A time in the unit that gives it one to three digits before the point."""
    for unit, size in (("s", 1.0), ("ms", 1e-3), ("µs", 1e-6)):
        # A difference of two starts can be below nothing.
        if abs(seconds) >= size:
            return f"{seconds / size:.{1 if abs(seconds) >= 10 * size else 2}f} {unit}"
    return f"{seconds * 1e9:.0f} ns"


TIMES = ("first_median", "min", "median", "cpu_median", "kept_median", "after_median")


def row(result: dict[str, Any], name: str, one: dict[str, Any]) -> str:
    """One engine's line."""
    demat = result["engines"].get("demat")
    mark = " (fastest peer)" if name == result.get("fastest") else ""
    cells = [shown(one[key]) if key in one else "–" for key in TIMES]
    for key in ("median", "kept_median"):
        cells.append(f"{one[key] / demat[key]:.2f}" if demat and key in demat and key in one else "–")
    return f"| {result['name']} | {name}{mark} | {' | '.join(cells)} |"


def markdown(results: list[dict[str, Any]]) -> list[str]:
    """Its lines."""
    lines = [
        "| job | engine | first | best | median | CPU | kept memory | gc after | Demat is × faster | kept memory |",
        "|---|---|--:|--:|--:|--:|--:|--:|--:|--:|",
    ]
    for result in results:
        lines += [row(result, name, one) for name, one in result.get("engines", {}).items()]
        lines += [f"| {result['name']} | {name} | not here | | | | | | | |" for name in result.get("missing", [])]
        if "bare" in result:
            lines.append(f"| {result['name']} | (a bare interpreter) | | | {shown(result['bare'])} | | | | | |")
    return [*lines, ""]
