"""Draws the matrix: kinds by jobs, the colour a ratio on a logarithmic scale whose middle is 1."""

import textwrap
from pathlib import Path
from typing import Any

import matplotlib as mpl

mpl.use("Agg")
# The same figures give the same file.
mpl.rcParams["svg.hashsalt"] = "demat"

import matplotlib.pyplot as plt  # noqa: E402  (the backend comes first)
from matplotlib.colors import LogNorm  # noqa: E402

# Ratios beyond are drawn in the last colour.
MOST = 5.0
# Of the title's letters.
CHARACTERS_AN_INCH = 13


def draw(document: dict[str, Any], folder: Path, key: str = "ratio", name: str = "zoo") -> list[Path]:
    """The files that were written; none where there is nothing to draw."""
    cells = [cell for cell in document["cells"] if cell.get(key)]
    if not cells:
        return []
    kinds, jobs = ([*dict.fromkeys(cell[part] for cell in cells)] for part in ("kind", "job"))
    ratios = [[float("nan")] * len(jobs) for _ in kinds]
    for cell in cells:
        ratios[kinds.index(cell["kind"])][jobs.index(cell["job"])] = cell[key]
    figure, axes = plt.subplots(figsize=(2.6 + 0.62 * len(jobs), 2.2 + 0.27 * len(kinds)), layout="constrained")
    image = axes.imshow(ratios, cmap="RdYlGn", norm=LogNorm(1 / MOST, MOST), aspect="auto")
    for row, line in enumerate(ratios):
        for column, ratio in enumerate(line):
            if ratio == ratio:
                dark = not 1 / 2.5 < ratio < 2.5
                axes.text(
                    column,
                    row,
                    f"{ratio:.2f}" if ratio < 10 else f"{ratio:.0f}",
                    ha="center",
                    va="center",
                    fontsize=7,
                    color="white" if dark else "black",
                    weight="bold" if ratio < 1 else "normal",
                )
    axes.set_xticks(range(len(jobs)), jobs, rotation=45, ha="left", fontsize=7)
    axes.xaxis.tick_top()
    axes.set_yticks(range(len(kinds)), kinds, fontsize=7)
    overall = document[{"ratio": "summary", "cpu_ratio": "cpu_summary"}.get(key, "summary")]["overall"]
    title = {"ratio": "speed", "cpu_ratio": "speed by processor time"}.get(key, "memory")
    if overall and key != "memory_ratio":
        worst = overall["worst"]
        title += f": worst {worst[key]:.2f} ({worst['job']}, {worst['kind']})"
        title += f", geometric mean {overall['geometric_mean']:.2f}"
    # As many characters as are as wide as the map, so that nothing of the title is cut off.
    title = textwrap.fill(f"Demat beside the best peer, {title}", int(figure.get_figwidth() * CHARACTERS_AN_INCH))
    figure.suptitle(title, fontsize=9)
    bar = figure.colorbar(image, ax=axes, shrink=0.5, ticks=[0.2, 0.5, 1, 2, 5], extend="both")
    bar.ax.set_yticklabels(["0.2", "0.5", "1", "2", "5"], fontsize=7)
    bar.minorticks_off()
    paths = [folder / f"{name}.svg", folder / f"{name}.png"]
    folder.mkdir(exist_ok=True)
    figure.savefig(paths[0], metadata={"Date": None})
    figure.savefig(paths[1], dpi=130)
    plt.close(figure)
    return paths
