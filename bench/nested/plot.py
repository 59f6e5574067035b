"""Draws out/nested.json: each engine's speed, the fastest peer being 1, as an SVG and a PNG file for each record."""

import json
from pathlib import Path
from typing import Any

import matplotlib as mpl

mpl.use("Agg")
# The same figures give the same file.
mpl.rcParams["svg.hashsalt"] = "demat"
mpl.rcParams["svg.fonttype"] = "none"

import matplotlib.pyplot as plt  # noqa: E402  (the backend comes first)

OUT = Path(__file__).resolve().parent.parent / "out"
DEMAT = "#c2410c"
PEER = "#64748b"
# Longer bars are cut.
MOST = 5


def title(record: str, summary: dict[str, Any] | None) -> str:
    """The line above the plot."""
    if summary is None:
        return f"The {record} record"
    worst = summary["worst"]
    worst_is = f"worst {worst['ratio']:.2f} ({worst['job']} {worst['format']}, {worst['peer']})"
    mean_is = f"geometric mean {summary['geometric_mean']:.2f}"
    return f"The {record} record, Demat beside the fastest peer: {worst_is}, {mean_is}"


def is_demat(row: dict[str, Any]) -> bool:
    """Whether it is no peer."""
    return bool(row["engine"].startswith("demat"))


def draw(document: dict[str, Any], folder: Path) -> list[Path]:
    """Writes both files and returns their paths: one group of bars a format, one column a job."""
    rows = document["rows"]
    formats = [*dict.fromkeys(row["format"] for row in rows)]
    height = 0.22 * (len(rows) + 1.4 * len(formats)) + 2
    figure, both = plt.subplots(1, 2, figsize=(11, height), sharey=True, layout="constrained")
    for axes, job in zip(both, ("read", "write"), strict=True):
        place, ticks, labels = 0.0, [], []
        for name in formats:
            axes.text(0.05, place, name, va="center", fontsize=8, weight="bold")
            group = [row for row in rows if row["format"] == name]
            peers = [row[job]["median"] for row in group if not is_demat(row)]
            for row in group:
                place += 1
                median = row[job]["median"]
                speed = min(peers, default=median) / median
                axes.barh(place, min(speed, MOST), color=DEMAT if is_demat(row) else PEER, height=0.8)
                text = f"{speed:.2f} ({median:,.0f} ns)"
                axes.text(min(speed, MOST) + 0.05, place, text, va="center", fontsize=7)
                ticks.append(place)
                labels.append(row["engine"] + ("" if row["is_shared"] else " *") + f", {row['bytes']} B")
            place += 1.4
        axes.set_yticks(ticks, labels, fontsize=7)
        axes.set_xlim(0, MOST * 1.3)
        axes.axvline(1, color="black", lw=0.6)
        axes.set_xlabel(f"{job}: speed, the fastest peer = 1 (cut at {MOST}; * another document)")
    # The columns share this axis.
    both[0].set_ylim(place - 0.6, -1)
    figure.suptitle(title(document["record"], document["summary"]), fontsize=9)
    record = document["record"]
    stem = record if record == "nested" else f"nested-{record}"
    paths = [folder / f"{stem}{suffix}" for suffix in (".svg", ".png")]
    folder.mkdir(exist_ok=True)
    figure.savefig(paths[0], metadata={"Date": None})
    figure.savefig(paths[1], dpi=130)
    plt.close(figure)
    return paths


if __name__ == "__main__":
    with (OUT / "nested.json").open(encoding="utf-8") as file:
        for document in json.load(file):
            for path in draw(document, OUT):
                print(path)
