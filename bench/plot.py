"""Draws out/results.json as out/ratios.svg and out/ratios.png: each engine's speed, the fastest peer being 1.

With Demat in the results its bar is the ratio that the bars of the definitions speak of; a tick shows the bar itself.
"""

import json

import matplotlib as mpl

from definition import OUT

mpl.use("Agg")
# The same figures give the same file.
mpl.rcParams["svg.hashsalt"] = "demat"

import matplotlib.pyplot as plt  # noqa: E402  (the backend comes first)

COLOURS = {"demat": "#c2410c", "floor": "#d4d4d8"}
PEER = "#64748b"


def main() -> None:
    """One group of bars a job."""
    with (OUT / "results.json").open(encoding="utf-8") as file:
        jobs = [job for job in json.load(file)["jobs"] if "fastest" in job]
    if not jobs:
        return
    count = sum(len(job["engines"]) + 1 for job in jobs)
    figure, axes = plt.subplots(figsize=(9, 0.24 * count + 1))
    place, ticks, labels = 0.0, [], []
    for job in jobs:
        fastest = job["engines"][job["fastest"]]["median"]
        top = place
        for name, one in job["engines"].items():
            # What an import adds may be nothing, or less by the noise.
            ratio = fastest / one["median"] if one["median"] > 0 else float("inf")
            # A floor can be fifty times as fast; it must not flatten the rest.
            axes.barh(place, min(ratio, 8), color=COLOURS.get(name.split("-")[0], PEER), height=0.8)
            axes.text(min(ratio, 8) + 0.05, place, f"{ratio:.2f}", va="center", fontsize=7)
            ticks.append(place)
            labels.append(name)
            place += 1
        if job.get("bar"):
            axes.plot([job["bar"]] * 2, [top - 0.5, place - 0.5], color="#c2410c", lw=1, ls=":")
        axes.text(0.05, top - 0.9, job["name"], va="center", fontsize=8, weight="bold")
        place += 1.4
    axes.set_yticks(ticks, labels, fontsize=7)
    axes.invert_yaxis()
    axes.margins(y=0.01)
    axes.set_xlim(0, 8.7)
    axes.axvline(1, color="black", lw=0.6)
    axes.set_xlabel("speed, the fastest peer = 1 (dotted: the bar for Demat; bars cut at 8)")
    figure.tight_layout()
    figure.savefig(OUT / "ratios.svg", metadata={"Date": None})
    figure.savefig(OUT / "ratios.png", dpi=120)


if __name__ == "__main__":
    main()
