"""The jobs in Rust: `demat-bench zoo` (src/zoo.rs), one process a turn of an engine, on files that the kinds give."""

import json
import shutil
import subprocess
import tempfile
from functools import cache
from pathlib import Path
from typing import Any

from answers import document
from native import build
from zoo.definition import Plan
from zoo.inputs import Inputs
from zoo.kinds import KINDS
from zoo.machine import pinned
from zoo.plain import plain

# A cell that takes longer has failed.
PATIENCE = 120


@cache
def program() -> Path | None:
    """The program, built when it is first wanted; None where there is no cargo."""
    return build() if shutil.which("cargo") else None


def expected(inputs: Inputs) -> str:
    """The fingerprint of the records as a document without what is None, as the program takes it of its structs."""
    return document(plain(inputs.values, sparse=True))


def once(command: list[Any]) -> dict[str, Any]:
    """One process: what it measured, or why it failed."""
    try:
        done = subprocess.run(pinned(command), capture_output=True, text=True, check=False, timeout=PATIENCE)
    except subprocess.TimeoutExpired:
        return {"failed": f"no answer within {PATIENCE} s"}
    if done.returncode:
        return {"failed": (done.stderr.strip() or f"exit {done.returncode}")[-400:]}
    return {"done": json.loads(done.stdout)}


def measured(plan: Plan, jobs: dict[str, list[str]], size: dict[str, Any], rounds: int) -> dict[str, Any]:
    """All cells of a kind: job → engine → rounds, or why it failed."""
    if (tool := program()) is None:
        missing = {"rounds": [], "failed": "not here: no cargo"}
        return {job: dict.fromkeys(engines, missing) for job, engines in jobs.items()}
    cells: dict[str, Any] = {job: {engine: {"rounds": []} for engine in engines} for job, engines in jobs.items()}
    with tempfile.TemporaryDirectory() as folder:
        inputs = Inputs(KINDS[plan.kind], plan.rows, plan.formats, Path(folder))
        answer = expected(inputs)
        for turn in range(rounds):
            for job, engines in jobs.items():
                verb = job.removeprefix("rust/")
                place = turn % len(engines)
                for engine in engines[place:] + engines[:place]:
                    one = cells[job][engine]
                    if "failed" in one:
                        continue
                    path = inputs.paths[verb.split("-")[0]]
                    told = once([tool, "zoo", verb, plan.kind, engine, path, answer, size["enough"]])
                    if "failed" in told:
                        one["failed"] = told["failed"]
                    else:
                        one["rounds"].append(told["done"])
    return cells
