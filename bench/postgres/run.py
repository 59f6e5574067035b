"""PostgreSQL: Demat beside psycopg 3, ADBC and psql, and beside a client that only sends or receives.

    python run.py [--quick] [--rows N] [--rounds N] [--jobs PATTERN] [--python INTERPRETER]

Engines take turns, each in a process of its own; of all rounds the least time counts, and the least processor time of
the client (the server has its own process). The exit code is 1 where an answer of Demat was wrong, and in a full run
where it missed a bar.
"""

import argparse
import json
import re
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any, NamedTuple

from server import programs, running, url_of
from tasks import expected

HERE = Path(__file__).parent
# Jobs in an order that leaves the rows in the table for those that read. Each has the engines that it knows.
JOBS = {
    "insert": ("demat", "psycopg", "adbc", "floor"),
    "insert-arrow": ("demat", "adbc"),
    "csv": ("demat", "psql"),
    "select": ("demat", "psycopg", "floor"),
    "select-arrow": ("demat", "adbc", "floor"),
}
TITLES = {
    "insert": "objects to a table",
    "insert-arrow": "Arrow to a table",
    "csv": "a CSV file to a table",
    "select": "a table to objects",
    "select-arrow": "a table to Arrow",
}


class Bar(NamedTuple):
    """How many times as fast as a peer Demat has to be, in seconds or processor seconds; any of a group is enough."""

    job: str
    peer: str
    what: str
    least: float
    group: str


BARS = [
    Bar("insert", "psycopg", "seconds", 3.0, "insert"),
    Bar("insert", "floor", "seconds", 1 / 1.15, "insert"),
    Bar("insert", "adbc", "seconds", 1.0, "insert adbc"),
    Bar("insert", "adbc", "cpu", 2.0, "insert adbc cpu"),
    Bar("select", "psycopg", "seconds", 4.0, "select"),
    Bar("select-arrow", "adbc", "seconds", 1.0, "select-arrow"),
    Bar("csv", "psql", "seconds", 1 / 1.2, "csv"),
]


def run(python: str, job: str, engine: str, url: str, folder: Path, rows: int) -> dict[str, Any]:
    """Does one job once. Returns its answer and times, or why there are none."""
    command = [python, HERE / "engines.py", job, engine, url, folder, rows]
    done = subprocess.run([str(part) for part in command], capture_output=True, text=True, check=False)
    if done.returncode:
        return {"failed": (done.stderr.strip().splitlines() or [f"exit {done.returncode}"])[-1]}
    answer: dict[str, Any] = json.loads(done.stdout or "{}")
    return answer


def measured(given: argparse.Namespace, url: str, folder: Path) -> tuple[dict[tuple[str, str], dict[str, float]], bool]:
    """Returns the least times of each job and engine, and whether all answers of Demat were right."""
    best: dict[tuple[str, str], dict[str, float]] = {}
    good = True
    failed = run(given.python, "prepare", "", url, folder, given.rows).get("failed")
    if failed:
        raise SystemExit(f"the rows can't be made: {failed}")
    for turn in range(given.rounds):
        for job, engines in JOBS.items():
            if not re.search(given.jobs, job):
                continue
            # The one that begins is another one in each round.
            for engine in engines[turn % len(engines) :] + engines[: turn % len(engines)]:
                got = run(given.python, job, engine, url, folder, given.rows)
                wrong = got.get("failed") or (got["answer"] != expected(given.rows) and f"says {got['answer']}")
                if wrong:
                    print(f"{job} {engine}: {wrong}", file=sys.stderr)
                    good &= engine != "demat"
                    continue
                one = best.setdefault((job, engine), {"seconds": float("inf"), "cpu": float("inf")})
                for what in one:
                    one[what] = min(one[what], got[what])
    return best, good


def table(best: dict[tuple[str, str], dict[str, float]]) -> str:
    """Returns the figures as a table, the job with the worst ratio to a peer first."""

    def ratios(job: str, what: str) -> list[float]:
        own = best.get((job, "demat"), {}).get(what)
        peers = [
            best[job, engine][what]
            for engine in JOBS[job]
            if (job, engine) in best and engine not in ("demat", "floor")
        ]
        return [peer / own for peer in peers] if own else []

    lines = ["| job | engine | seconds | × | client's CPU | × |", "|---|---|--:|--:|--:|--:|"]
    jobs = sorted({job for job, _ in best}, key=lambda job: min(ratios(job, "seconds"), default=float("inf")))
    for job in jobs:
        own = best.get((job, "demat"))
        for engine in JOBS[job]:
            one = best.get((job, engine))
            if one is None:
                lines.append(f"|  | {engine} | not here |  |  |  |")
                continue
            shown = f"**{engine}**" if engine == "demat" else engine
            first = TITLES[job] if engine == "demat" else ""
            cells = [f"{one['seconds']:.2f}", "", f"{one['cpu']:.2f}", ""]
            if own and engine != "demat":
                cells[1], cells[3] = (f"{one[what] / own[what]:.2f}" for what in ("seconds", "cpu"))
            lines.append(f"| {first} | {shown} | {' | '.join(cells)} |")
    return "\n".join(lines)


def judged(best: dict[tuple[str, str], dict[str, float]]) -> bool:
    """Prints each bar. Returns whether all are reached: of a group, one."""
    groups: dict[str, list[bool]] = {}
    for bar in BARS:
        own, peer = best.get((bar.job, "demat")), best.get((bar.job, bar.peer))
        if own is None or peer is None:
            print(f"{bar.job}: not judged beside {bar.peer}, which is not here")
            continue
        ratio = peer[bar.what] / own[bar.what]
        groups.setdefault(bar.group, []).append(ratio >= bar.least)
        state = "reached" if ratio >= bar.least else "missed"
        print(f"{bar.job}: {state}, {ratio:.2f} times {bar.peer} in {bar.what}, of {bar.least:.2f}")
    for group, reached in groups.items():
        if not any(reached):
            print(f"{group}: MISSED")
    return all(any(reached) for reached in groups.values())


def main() -> int:
    """All jobs."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--quick", action="store_true", help="100,000 rows, and no bars")
    parser.add_argument("--rows", type=int)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--jobs", default="", help="a pattern of their names")
    parser.add_argument("--python", default=sys.executable, help="an interpreter that has Demat and the peers")
    given = parser.parse_args()
    given.rows = given.rows or (100_000 if given.quick else 1_000_000)
    own = programs()
    if own is None:
        print("SKIPPED: there is no PostgreSQL server")
        return 0
    with running(own) as where, tempfile.TemporaryDirectory() as name:
        best, good = measured(given, url_of(where), Path(name))
    print(f"{given.rows:,} rows, least of {given.rounds} rounds; × is how many times as long as Demat\n")
    print(table(best), end="\n\n")
    return int(not ((judged(best) or given.quick) and good))


if __name__ == "__main__":
    sys.exit(main())
