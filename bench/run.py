"""Runs the benchmarks: data, build, jobs, answers, a table, a plot.

    python run.py [--jobs PATTERN] [--rounds N] [--minutes M] [--quick] [--portable] [--keep-memory]

A wrong answer, a missed bar or a failed bomb of Demat's makes the exit code 1. An engine or a program that can't be
had is reported as "not here", never dropped. The figures go to out/results.json, the plot to out/ratios.svg and .png.
"""

import argparse
import json
import os
import platform
import re
import shutil
import subprocess
import sys
from pathlib import Path
from time import monotonic
from typing import Any

import interpreter
import process
import reduced
import table
from data import make
from definition import BENCH, OUT, load
from interpreter import PYTHON
from native import build


def options() -> argparse.Namespace:
    """The command line."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--jobs", default="", metavar="PATTERN", help="a regular expression over job names")
    parser.add_argument(
        "--rounds", type=int, help="measured calls of each engine (default: 5 in process, 3 Python, 3 programs)"
    )
    parser.add_argument(
        "--quick", action="store_true", help="JSON and CSV only, a twentieth of the data, few rounds; no bars"
    )
    parser.add_argument(
        "--minutes", type=float, default=25, help="how long the Python jobs may take beyond their first rounds (25)"
    )
    parser.add_argument("--portable", action="store_true", help="build without target-cpu=native")
    parser.add_argument("--keep-memory", action="store_true", help="let malloc keep what was freed between calls")
    return parser.parse_args()


def surroundings(keep: bool, quick: bool = False) -> dict[str, str]:
    """The environment of the processes that measure; python/clock.py reads how short they are to be."""
    # By default glibc gives freed memory back, and every call pays for fresh pages again.
    kept = {"MALLOC_TRIM_THRESHOLD_": str(8 << 30), "MALLOC_MMAP_THRESHOLD_": str(8 << 30)}
    return dict(os.environ) | (kept if keep else {}) | ({"DEMAT_BENCH_CALLS": "some"} if quick else {})


def in_process(
    name: str, job: dict[str, Any], program: Path, here: dict[str, list[str]], rounds: int, keep: bool
) -> dict:
    """One job of definitions/{json,csv}.toml."""
    path = job["path"] if "path" in job else make(job["data"])
    result = {"name": name, "bar": job.get("bar"), "speed": job.get("speed")}
    result["missing"] = [engine for engine in job["engines"] if job["model"] not in here.get(engine, [])]
    if path is None:
        return result | {"skipped": f"{job['data']} is not here"}
    result["bytes"] = path.stat().st_size
    engines = [engine for engine in job["engines"] if engine not in result["missing"]]
    command = [program, "job", job["model"], path, job.get("rows", 0), job["answer"], rounds, *engines]
    environment = surroundings(keep)
    done = subprocess.run(process.pinned(command), capture_output=True, text=True, env=environment, check=False)
    if done.returncode != 0:
        return result | {"failed": done.stderr.strip()}
    measured = {one["engine"]: {"seconds": one["seconds"]} for one in json.loads(done.stdout)}
    return result | {"engines": measured}


def rust_versions(here: dict[str, Any], programs: dict[str, str | None]) -> dict[str, Any]:
    """What the Rust jobs and whole programs were measured with."""
    lock = (BENCH / "Cargo.lock").read_text(encoding="utf-8")
    crates = ("serde_json", "sonic-rs", "simd-json", "csv", "serde", "memchr")
    found = {crate: re.search(rf'name = "{crate}"\nversion = "(.*)"', lock)[1] for crate in crates}
    asked = {"mlr": "--version", "jq": "--version", "duckdb": "--version"}
    for program, path in programs.items():
        if path and program in asked:
            done = subprocess.run([path, asked[program]], capture_output=True, text=True, check=False)
            found[program] = done.stdout.strip()
    compiler = subprocess.run(["rustc", "--version"], capture_output=True, text=True, check=False).stdout.strip()
    return {"rustc": compiler, "versions": found, "avx2": here["avx2"], "avx512": here["avx512"]}


def machine() -> dict[str, Any]:
    """What everything was measured on. A load before the first job says that others are at work."""
    cpu = "unknown"
    info = Path("/proc/cpuinfo")
    if info.exists() and (model := re.search(r"model name\s*: (.*)", info.read_text(encoding="utf-8"))):
        cpu = model[1]
    return {
        "cpu": cpu,
        "cores": os.cpu_count(),
        "system": platform.system(),
        "load": round(os.getloadavg()[0], 2),
        "versions": {},
    }


def selected(part: str, wanted: re.Pattern[str], quick: bool) -> dict[str, Any]:
    """The jobs of one definition file that were asked for."""
    found = {name: job for name, job in load(part).items() if wanted.search(name)}
    if not quick:
        return found
    known: dict[tuple[str, str], str] = {}
    chosen = part in ("json", "csv", "python")
    return {name: reduced.job(job, known) for name, job in found.items() if chosen and job.get("model") != "leaks"}


def main() -> int:
    """Everything, in order; the machine is given one thing at a time."""
    chosen = options()
    rounds = chosen.rounds or (2 if chosen.quick else 5)
    times = chosen.rounds or 3
    wanted = re.compile(chosen.jobs)
    parts = {part: selected(part, wanted, chosen.quick) for part in ("json", "csv", "python", "proto", "cli", "memory")}
    measured = machine() | {"portable": chosen.portable, "keep_memory": chosen.keep_memory}
    results = []

    def keep(result: dict) -> None:
        table.summarise(result)
        results.append(result)
        print(table.progress(result), file=sys.stderr, flush=True)

    # Cargo builds nothing for somebody who came for the Python jobs, and nobody else needs their wheel.
    if any(parts[part] for part in parts if part not in ("python", "proto")):
        if shutil.which("cargo") is None:
            sys.exit("cargo is not here")
        program = build(chosen.portable)
        here = json.loads(subprocess.run([program, "engines"], capture_output=True, text=True, check=True).stdout)
        programs = process.programs()
        measured |= rust_versions(here, programs)
    for part in ("json", "csv"):
        for name, job in parts[part].items():
            keep(in_process(name, job, program, here["engines"], rounds, chosen.keep_memory))
    if inside := parts["python"] | parts["proto"]:
        peers = interpreter.prepare()
        measured["versions"] = measured["versions"] | peers["versions"]
        until = monotonic() + 60 * chosen.minutes
        for left, (name, job) in zip(range(len(inside), 0, -1), inside.items(), strict=True):
            share = max(until - monotonic(), 0) / left
            turns = chosen.rounds or (1 if chosen.quick else 3)
            keep(interpreter.run(name, job, peers, turns, surroundings(chosen.keep_memory, chosen.quick), share))
    for part in ("cli", "memory"):
        for name, job in parts[part].items():
            keep(process.run(name, job, program, programs, times if part == "cli" else 1))

    OUT.mkdir(exist_ok=True)
    document = {"machine": measured, "jobs": results}
    (OUT / "results.json").write_text(json.dumps(document, indent=1) + "\n", encoding="utf-8")
    print(table.markdown(document))
    if PYTHON.exists():
        subprocess.run([PYTHON, BENCH / "plot.py"], check=False)
    else:
        print("plot: not here (make setup)", file=sys.stderr)
    return 1 if any(result.get("failed") or result.get("missed") for result in results) else 0


if __name__ == "__main__":
    sys.exit(main())
