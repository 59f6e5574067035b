"""SQLite: Demat beside a loop in C over SQLite's own API, the standard library, the shell and orjson.

    python run.py [--jobs PATTERN] [--rounds N] [--rows N] [--python INTERPRETER]

Engines take turns; the least CPU and wall time of all rounds count. The bars are of CPU time, as a shared machine
delays who waits; what Demat's threads take is in it. The exit code is 1 where an answer was wrong or a bar was missed;
answers and bars are those of ten million rows.
"""

import argparse
import re
import subprocess
import sys
import tempfile
import tomllib
from pathlib import Path

HERE = Path(__file__).parent
ROWS = 10_000_000


def compiled(folder: Path) -> Path:
    """The loops in C, with the system's SQLite."""
    program = folder / "loops"
    subprocess.run(["cc", "-O2", "-o", program, HERE / "loops.c", "-lsqlite3"], check=True)
    return program


def run(name: str, loops: Path, python: str, path: Path, rows: int) -> tuple[str, float, float]:
    """One engine once: its answer, CPU and wall time."""
    command = [loops, name.removeprefix("c-")] if name.startswith("c-") else [python, HERE / "engines.py", name]
    done = subprocess.run([*command, path, str(rows)], capture_output=True, text=True, check=False)
    if done.returncode:
        return (done.stderr.strip().splitlines() or ["failed"])[-1], float("inf"), float("inf")
    answer, cpu, wall = done.stdout.split()
    return answer, float(cpu), float(wall)


def main() -> int:
    """All jobs."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--jobs", default="", metavar="PATTERN", help="a regular expression over job names")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--rows", type=int, default=ROWS)
    parser.add_argument("--python", default=sys.executable, help="an interpreter that has Demat")
    given = parser.parse_args()
    jobs = tomllib.loads((HERE / "jobs.toml").read_text())
    failed = False
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        loops, full, new = compiled(folder), folder / "full.db", folder / "new.db"
        run("c-insert", loops, given.python, full, given.rows)
        for job, own in jobs.items():
            if re.search(given.jobs, job):
                failed |= not measured(job, own, given, loops, full, new)
    return int(failed)


def measured(job: str, own: dict, given: argparse.Namespace, loops: Path, full: Path, new: Path) -> bool:
    """One job: whether all answers were right and all bars were reached."""
    best = {name: (float("inf"), float("inf")) for name in own["engines"]}
    good = True
    for _ in range(given.rounds):
        for name in own["engines"]:
            reads = job.startswith("read")
            if not reads:
                new.unlink(missing_ok=True)
            answer, cpu, wall = run(name, loops, given.python, full if reads else new, given.rows)
            best[name] = min(best[name][0], cpu), min(best[name][1], wall)
            if given.rows == ROWS and answer != own["answer"]:
                print(f"{job}: {name} says {answer}, and not {own['answer']}")
                good &= not name.startswith("demat")
    first = own["engines"][0]
    for name, (cpu, wall) in best.items():
        ratio = f"{cpu / best[first][0]:6.2f} of CPU, {wall / best[first][1]:6.2f} of wall"
        print(f"{job:18} {name:22} {cpu:7.3f} s CPU {wall:7.3f} s wall  {ratio}", flush=True)
    if given.rows != ROWS:
        return good
    for peer, bar in own.get("bars", {}).items():
        ratio = best[peer][0] / best[first][0]
        good &= ratio >= bar
        print(f"{job:18} {'reached' if ratio >= bar else 'MISSED'}: {ratio:.2f} times {peer}, of {bar}")
    if "rate" in own:
        rate = given.rows / best[first][1] * 60
        good &= rate >= own["rate"]
        print(
            f"{job:18} {'reached' if rate >= own['rate'] else 'MISSED'}: {rate:,.0f} rows a minute of {own['rate']:,}"
        )
    return good


if __name__ == "__main__":
    sys.exit(main())
