"""The table of the jobs inside a Python interpreter."""

from typing import Any


def shown(seconds: float) -> str:
    """A time in the unit that gives it one to three digits before the point."""
    for unit, size in (("s", 1.0), ("ms", 1e-3), ("µs", 1e-6)):
        # A difference of two starts can be below nothing.
        if abs(seconds) >= size:
            return f"{seconds / size:.{1 if abs(seconds) >= 10 * size else 2}f} {unit}"
    return f"{seconds * 1e9:.0f} ns"


TIMES = ("first_median", "min", "median", "cpu_median", "kept_median", "kept_cpu_median", "after_median")
RATIOS = ("median", "cpu_median", "kept_median", "kept_cpu_median")


def row(result: dict[str, Any], name: str, one: dict[str, Any]) -> str:
    """One engine's line."""
    demat = result["engines"].get("demat", {})
    mark = " (fastest peer)" if name == result.get("fastest") else ""
    cells = [shown(one[key]) if key in one else "–" for key in TIMES]
    for key in RATIOS:
        # What an import adds may be nothing, and nothing is no measure.
        cells.append(f"{one[key] / demat[key]:.2f}" if key in one and demat.get(key, 0) > 0 else "–")
    return f"| {result['name']} | {name}{mark} | {' | '.join(cells)} |"


def markdown(results: list[dict[str, Any]]) -> list[str]:
    """Its lines."""
    lines = [
        "| job | engine | first | best | median | CPU | kept memory | CPU | gc after "
        "| Demat is × faster | CPU | kept memory | CPU |",
        "|---|---|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|",
    ]
    for result in results:
        lines += [row(result, name, one) for name, one in result.get("engines", {}).items()]
        lines += [f"| {result['name']} | {name} | not here |{' |' * 10}" for name in result.get("missing", [])]
        if "bare" in result:
            lines.append(f"| {result['name']} | (a bare interpreter) | | | {shown(result['bare'])} |{' |' * 8}")
    return [*lines, ""]
