"""Runs the zoo: every job over every kind of data, Demat beside its peers.

    python -m zoo [--kinds PATTERN] [--jobs PATTERN] [--quick] [--rounds N] [--name NAME]

The table goes to standard output, the figures to out/zoo.json, the heat maps to out/zoo.svg and .png (speed),
out/zoo-cpu.* (the same of processor time) and out/zoo-memory.*; with a name, to out/NAME.json and so on. The exit code
is 1 where an answer was wrong, a floor was slower than a peer, or Demat has a format that the zoo does not speak of.
"""

import argparse
import json
import os
import subprocess
import sys
import time
from typing import Any

import bars
from definition import BENCH, OUT
from zoo import heatmap, report, rust, score
from zoo.definition import SIZES, ZOO, Plan, plans, uncovered
from zoo.machine import machine, pinned, registry


def options() -> argparse.Namespace:
    """The command line."""
    parser = argparse.ArgumentParser(prog="python -m zoo", description=__doc__.splitlines()[0])
    parser.add_argument("--kinds", default="", metavar="PATTERN", help="a regular expression over the kinds' names")
    parser.add_argument("--jobs", default="", metavar="PATTERN", help="a regular expression over the jobs' names")
    parser.add_argument("--quick", action="store_true", help="fewer records, one round")
    parser.add_argument("--rounds", type=int, help="how often each engine has its turn (default: by size)")
    parser.add_argument("--name", default="zoo", help="what the files of this run are called")
    return parser.parse_args()


def asked(plan: Plan, size: dict[str, Any], rounds: int) -> dict[str, Any]:
    """What zoo/worker.py is told."""
    jobs = {job: engines for job, engines in plan.jobs.items() if not job.startswith("rust/")}
    given = {"kind": plan.kind, "count": plan.rows, "formats": plan.formats, "jobs": jobs, "rounds": rounds}
    return given | {key: size[key] for key in ("calls", "enough", "loop")}


def measured(plan: Plan, size: dict[str, Any], rounds: int) -> dict[str, Any]:
    """All cells of a kind: job → engine → rounds, or why it failed."""
    cells: dict[str, Any] = {}
    given = asked(plan, size, rounds)
    if given["jobs"]:
        command = pinned([sys.executable, "-m", "zoo.worker", json.dumps(given)])
        done = subprocess.run(command, cwd=BENCH, capture_output=True, text=True, check=False)
        if done.returncode:
            why = (done.stderr.strip() or f"exit {done.returncode}").splitlines()[-1][-400:]
            return {job: {"(all)": {"rounds": [], "failed": why}} for job in given["jobs"]}
        cells |= json.loads(done.stdout)["cells"]
    native = {job: engines for job, engines in plan.jobs.items() if job.startswith("rust/")}
    return cells | (rust.measured(plan, native, size, rounds) if native else {})


# How often a floor and a peer that seems to be faster are measured again.
DOUBTS = 5


def confirmed(plan: Plan, cells: dict[str, Any], size: dict[str, Any]) -> None:
    """Measures floors that seem to be slower than a peer again, beside that peer: a moment's load must fail no run."""
    for job, engines in cells.items():
        known = {name: score.gathered(one["rounds"]) for name, one in engines.items() if one["rounds"]}
        if doubted := bars.faster_than_floor(known):
            again = measured(plan._replace(jobs={job: ["floor", *doubted]}), size, DOUBTS)[job]
            engines |= {name: one for name, one in again.items() if "failed" not in one}


def gather(kind: str, cells: dict[str, Any], document: dict[str, Any]) -> None:
    """Adds a kind's cells to the results, and what failed, is missing, or is no floor."""
    for job, engines in cells.items():
        cell: dict[str, Any] = {"kind": kind, "job": job, "engines": {}}
        for name, one in engines.items():
            if "not here" in one.get("failed", ""):
                document["missing"][name] = one["failed"]
            elif "failed" in one:
                document["failed"].append(f"{job} of {kind}: {name}: {one['failed']}")
            elif one["rounds"]:
                cell["engines"][name] = score.gathered(one["rounds"])
        if why := bars.slow_floor(cell["engines"]):
            document["failed"].append(f"{job} of {kind}: {why}")
        cell |= {"ratio": score.ratio(cell["engines"]), "cpu_ratio": score.ratio(cell["engines"], "cpu")}
        cell |= {"memory_ratio": score.memory_ratio(job, cell["engines"]), "fastest": score.fastest(cell["engines"])}
        if below := score.below_floor(cell["engines"]):
            cell["below_floor"] = below
        document["cells"].append(cell)


def main() -> int:
    """Kind after kind."""
    chosen = options()
    name = "quick" if chosen.quick else "full"
    size = SIZES[name]
    chosen_plans = plans(name, chosen.kinds, chosen.jobs)
    if not chosen_plans:
        sys.exit("no kind and job of definitions/zoo.toml has such a name")
    formats = registry()
    document: dict[str, Any] = {"machine": machine(), "size": name, "cells": [], "missing": {}, "failed": []}
    document["uncovered"] = uncovered(formats)
    document["cannot"] = [
        f"{', '.join(one['engines'])}: {', '.join(one['kinds'])} ({one['jobs']}): {one['why']}" for one in ZOO["cannot"]
    ]
    # Compiled before the clock runs.
    if any(job.startswith("rust/") for plan in chosen_plans for job in plan.jobs):
        rust.program()
    start = time.monotonic()
    for plan in chosen_plans:
        cells = measured(plan, size, chosen.rounds or size["rounds"])
        confirmed(plan, cells, size)
        gather(plan.kind, cells, document)
        ratios = [cell["ratio"] for cell in document["cells"] if cell["kind"] == plan.kind and cell["ratio"]]
        worst = f"worst {min(ratios):.2f}" if ratios else "no ratio"
        print(f"{time.monotonic() - start:5.0f} s  {plan.kind}: {worst}", file=sys.stderr, flush=True)
    document["summary"] = score.summary(document["cells"])
    document["cpu_summary"] = score.summary(document["cells"], "cpu_ratio")
    document["beside"] = score.beside(document["cells"])
    document["machine"]["load_at_the_end"] = round(os.getloadavg()[0], 2)
    OUT.mkdir(exist_ok=True)
    (OUT / f"{chosen.name}.json").write_text(json.dumps(document, indent=1) + "\n", encoding="utf-8")
    heatmap.draw(document, OUT, name=chosen.name)
    heatmap.draw(document, OUT, "cpu_ratio", f"{chosen.name}-cpu")
    heatmap.draw(document, OUT, "memory_ratio", f"{chosen.name}-memory")
    print(report.markdown(document))
    if document["uncovered"]:
        print(f"NO KIND in the zoo for Demat's formats: {', '.join(document['uncovered'])}", file=sys.stderr)
    return 1 if document["failed"] or document["uncovered"] else 0


if __name__ == "__main__":
    sys.exit(main())
