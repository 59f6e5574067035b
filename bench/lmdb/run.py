"""LMDB: Demat beside py-lmdb with upb, a loop in C over the cursor, sqlite3 and dbm.

    python run.py [--records N] [--rounds N] [--sizes 60 2000] [--python INTERPRETER]

Engines take turns, each in a process of its own; the least CPU time of all rounds counts. The exit code is 1 where an
answer was wrong; bars are those of a million records, and are shown.
"""

import argparse
import json
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

HERE = Path(__file__).parent
# The engine, the peer, and how many times as fast as the peer it has to be: with 60 bytes, and with 2 KB.
BARS = [
    ("demat-names", "py-lmdb-names", 12.0, 10.0),
    ("demat-names", "py-lmdb-bare", 1.6, 1.6),
    ("demat-columns", "floor-done", 0.5, 0.5),
    ("demat-count", "floor-done", 0.5, 0.5),
    ("demat-put", "py-lmdb-put", 3.0, 3.0),
    ("demat-gets", "py-lmdb-gets", 2.0, 2.0),
]
ENGINES = [
    "demat-names",
    "py-lmdb-bare",
    "py-lmdb-names",
    "demat-columns",
    "demat-count",
    "floor",
    "floor-done",
    "demat-gets",
    "py-lmdb-gets",
    "demat-put",
    "py-lmdb-put",
    "sqlite3",
    "dbm",
]
# dbm.dumb writes its index anew again and again.
MOST = {"dbm": 20_000}


def compiled(folder: Path) -> Path:
    """The loop in C, with the LMDB that Demat has."""
    metadata = subprocess.run(
        ["cargo", "metadata", "--format-version", "1", "--locked"], capture_output=True, check=True, cwd=HERE.parents[1]
    )
    package = next(own for own in json.loads(metadata.stdout)["packages"] if own["name"] == "lmdb-master-sys")
    source = next(Path(package["manifest_path"]).parent.rglob("mdb.c")).parent
    program = folder / "floor"
    sources = [HERE / "floor.c", source / "mdb.c", source / "midl.c"]
    subprocess.run(["cc", "-O2", "-I", source, "-o", program, *sources, "-lpthread"], check=True)
    return program


def run(name: str, floor: Path, python: str, full: Path, new: Path, records: int, size: int) -> tuple[str, float]:
    """One engine once: its answer and CPU time."""
    if name.startswith("floor"):
        command: list[object] = [floor, full, "tasks", *(["3"] if name == "floor-done" else [])]
    else:
        fresh = "put" in name or name in ("sqlite3", "dbm")
        shutil.rmtree(new, ignore_errors=True)
        records = min(records, MOST.get(name, records))
        command = [python, HERE / "engines.py", name, new if fresh else full, str(records), str(size)]
    done = subprocess.run([str(part) for part in command], capture_output=True, text=True, check=False)
    if done.returncode:
        return (done.stderr.strip().splitlines() or ["failed"])[-1], float("inf")
    answer, cpu = done.stdout.split()
    return answer, float(cpu)


def main() -> int:
    """All jobs."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--records", type=int, default=1_000_000)
    parser.add_argument("--sizes", type=int, nargs="*", default=[60, 2000])
    parser.add_argument("--python", default=sys.executable, help="an interpreter that has Demat")
    given = parser.parse_args()
    good = True
    for at, size in enumerate(given.sizes):
        with tempfile.TemporaryDirectory() as name:
            folder = Path(name)
            floor, full, new = compiled(folder), folder / "full", folder / "new"
            run("make", floor, given.python, full, full, given.records, size)
            names, done = str(given.records * 20), str((given.records + 2) // 3)
            expected = {"floor": str(given.records), "floor-done": done, "demat-columns": done, "demat-count": done}
            expected |= {"demat-names": names, "py-lmdb-names": names, "sqlite3": names}
            best = dict.fromkeys(ENGINES, float("inf"))
            for _ in range(given.rounds):
                for engine in ENGINES:
                    answer, cpu = run(engine, floor, given.python, full, new, given.records, size)
                    best[engine] = min(best[engine], cpu)
                    if answer != expected.get(engine, answer) or cpu == float("inf"):
                        print(f"{size:5} bytes  {engine} says {answer}, and not {expected.get(engine)}")
                        good &= not engine.startswith("demat")
            for engine, cpu in best.items():
                print(f"{size:5} bytes  {engine:16} {cpu:8.3f} s CPU", flush=True)
            for engine, peer, *bars in BARS:
                ratio, bar = best[peer] / best[engine], bars[min(at, 1)]
                state = "reached" if ratio >= bar else "MISSED"
                print(f"{size:5} bytes  {engine} {state}: {ratio:.2f} times {peer}, of {bar}")
    return int(not good)


if __name__ == "__main__":
    sys.exit(main())
