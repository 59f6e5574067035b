"""Tasks posted, each answered when it is on the disk, beside a loop in C that commits row by row on the same."""

import argparse
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path

from served import Served, load

HERE = Path(__file__).parent
BENCH = HERE.parent


def loop(folder: Path, seconds: float) -> float:
    """Rows that the loop commits in a second."""
    program = folder / "commits"
    if not program.exists():
        subprocess.run(["cc", "-O2", "-o", str(program), str(HERE / "commits.c"), "-lsqlite3"], check=True)
    command = ["taskset", "-c", "0", str(program), f"{folder}/loop.db", f"{seconds:g}"]
    return float(subprocess.run(command, capture_output=True, text=True, check=True).stdout)


def main() -> None:
    """Measures by turns, and prints a table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--clients", type=int, nargs="*", default=[1, 64])
    parser.add_argument("--seconds", type=int, default=3)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--port", type=int, default=9500)
    parser.add_argument("--folder", help="on the disk that is meant, and not in memory")
    options = parser.parse_args()
    for tool in ("wrk", "taskset", "cc"):
        if subprocess.run(["which", tool], capture_output=True, check=False).returncode:
            sys.exit(f"SKIPPED: {tool} is not there")
    with tempfile.TemporaryDirectory(dir=options.folder) as name:
        folder = Path(name)
        release = BENCH / "target" / "release"
        programs = {"demat, SQLite": release / "demat-bench-serve", "axum, SQLite": release / "demat-bench-axum"}
        servers = {}
        for number, (name, program) in enumerate(programs.items()):
            port = options.port + number
            servers[name] = Served([str(program), "sqlite", "2", str(port), f"{folder}/{number}.db"], port)
        try:
            for server in servers.values():
                server.start()
            measure(servers, folder, options)
        finally:
            for server in servers.values():
                server.stop()


def measure(servers: dict[str, Served], folder: Path, options: argparse.Namespace) -> None:
    """All of them in turns."""
    bars = {1: 0.8, 64: 5.0}
    print(f"{'clients':>7}  {'':<26} {'a second':>10} {'CPU µs':>8} {'of the loop':>12} {'bar':>5}")
    for clients in options.clients:
        loops: list[float] = []
        rounds: dict[str, list[tuple[float, float]]] = {name: [] for name in servers}
        for _ in range(options.rounds):
            loops.append(loop(folder, options.seconds))
            for name, server in servers.items():
                rounds[name].append(load(server, clients, options.seconds, str(HERE / "post.lua")))
        floor = statistics.median(loops)
        print(f"{clients:>7}  {'a loop in C':<26} {floor:>10,.0f}")
        for name, own in rounds.items():
            rate, cpu = (statistics.median(part) for part in zip(*own, strict=True))
            bar = bars.get(clients, "") if name.startswith("demat") else ""
            share = f"{rate:>10,.0f} {cpu * 1e6:>8.1f} {rate / floor:>12.2f}"
            print(f"{clients:>7}  {name:<26} {share} {bar:>5}", flush=True)


main()
