"""Servers side by side: Demat's over objects, rows and a cache, axum's and Python's peers, nginx over a file.

Each runs on the first core, one after the other, and wrk on the second. What they answer is compared first. nginx is
the ceiling: it sends what is there. Rates are the medians of the rounds; beside each stands the CPU that the server
took for a request. What is to be reached stands in `bars.toml`, and in the table at the end beside what was.
"""

import argparse
import json
import os
import statistics
import subprocess
import sys
import tempfile
import tomllib
from pathlib import Path
from urllib.request import urlopen

from served import Served, load

HERE = Path(__file__).parent
BIN = HERE.parent / "target" / "release"
PYTHON = HERE.parent / ".venv" / "bin" / "python"
NGINX = """
worker_processes 1; daemon off; pid {folder}/nginx.pid; error_log /dev/null crit;
events {{ worker_connections 1024; }}
http {{
  access_log off; default_type application/json; keepalive_requests 1000000; sendfile on; tcp_nopush on;
  server {{ listen 127.0.0.1:{port}; root {folder}/www; }}
}}
"""


def servers(folder: Path, rows: int, port: int) -> dict[str, Served]:
    """Each server, not yet running; those that can't run here are said and left out."""
    own, peer = str(BIN / "demat-bench-serve"), str(BIN / "demat-bench-axum")
    python = str(PYTHON)
    commands = {
        "nginx, a file": ["nginx", "-c", f"{folder}/nginx.conf", "-p", str(folder)],
        "demat, objects": [own, "memory", str(rows)],
        "axum, objects": [peer, "memory", str(rows)],
        "demat, SQLite": [own, "sqlite", str(rows)],
        "axum, SQLite": [peer, "sqlite", str(rows)],
        "demat, cache over SQLite": [own, "cache", str(rows)],
        "demat, Python's objects": [python, str(HERE / "objects.py"), str(rows)],
        "FastAPI, sqlite3": [python, str(HERE / "fastapi_tasks.py"), str(rows)],
        "robyn, sqlite3": [python, str(HERE / "robyn_tasks.py"), "--log-level", "ERROR"],
    }
    needs = {"demat, Python's objects": "demat", "FastAPI, sqlite3": "fastapi, uvicorn", "robyn, sqlite3": "robyn"}
    found = {}
    for number, (name, command) in enumerate(commands.items()):
        wanted = needs.get(name)
        if wanted and subprocess.run([python, "-c", f"import {wanted}"], capture_output=True, check=False).returncode:
            print(f"SKIPPED: {name}: {wanted} can't be imported (make -C bench setup)", file=sys.stderr)
            continue
        rest = [] if name.startswith(("nginx", "robyn")) else [str(port + number), f"{folder}/{number}.db"]
        told = {"TASKS_ROWS": rows, "TASKS_PORT": port + number, "TASKS_FILE": f"{folder}/{number}.db"}
        environment = {**os.environ, **{key: str(value) for key, value in told.items()}}
        found[name] = Served([*command, *rest], port + number, environment)
    return found


def main() -> None:
    """Runs it and prints a table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rows", type=int, nargs="*", default=[2, 128, 1024])
    parser.add_argument("--clients", type=int, nargs="*", default=[1, 64])
    parser.add_argument("--seconds", type=int, default=2)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--port", type=int, default=9300)
    parser.add_argument("--strict", action="store_true", help="end with 1 where a bar was missed")
    options = parser.parse_args()
    for tool in ("wrk", "nginx", "taskset"):
        if subprocess.run(["which", tool], capture_output=True, check=False).returncode:
            sys.exit(f"SKIPPED: {tool} is not there")
    print(f"{'rows':>5} {'clients':>7}  {'server':<26} {'requests/s':>11} {'of nginx':>9} {'CPU µs':>8}")
    measured: dict[tuple[int, int], dict[str, float]] = {}
    for rows in options.rows:
        with tempfile.TemporaryDirectory() as name:
            measured |= measure(Path(name), rows, options)
    missed = judged(measured)
    sys.exit(1 if missed and options.strict else 0)


def measure(folder: Path, rows: int, options: argparse.Namespace) -> dict[tuple[int, int], dict[str, float]]:
    """One table size: all servers, answers compared, rates printed."""
    # nginx's worker is somebody else.
    folder.chmod(0o755)
    (folder / "www").mkdir()
    (folder / "nginx.conf").write_text(NGINX.format(folder=folder, port=options.port))
    found, measured = servers(folder, rows, options.port), {}
    try:
        for server in found.values():
            server.start()
        answers = {name: urlopen(server.url).read() for name, server in found.items() if "nginx" not in name}
        (folder / "www" / "tasks").write_bytes(answers["demat, objects"])
        wanted = json.loads(answers["demat, objects"])
        for name, answer in answers.items():
            if json.loads(answer) != wanted or len(wanted) != rows:
                raise RuntimeError(f"{name} answers something else")
        for clients in options.clients:
            rounds: dict[str, list[tuple[float, float]]] = {name: [] for name in found}
            for _ in range(options.rounds):
                for name, server in found.items():
                    rounds[name].append(load(server, clients, options.seconds))
            rates = {name: statistics.median(rate for rate, _ in own) for name, own in rounds.items()}
            measured[rows, clients] = rates
            for name, rate in rates.items():
                share = rate / rates["nginx, a file"]
                cpu = statistics.median(cpu for _, cpu in rounds[name])
                print(f"{rows:>5} {clients:>7}  {name:<26} {rate:>11,.0f} {share:>9.2f} {cpu * 1e6:>8.1f}", flush=True)
    finally:
        for server in found.values():
            server.stop()
    return measured


def judged(measured: dict[tuple[int, int], dict[str, float]]) -> int:
    """Prints what was to be reached beside what was; how many times it was not."""
    missed = 0
    print(f"\n{'server':<26} {'of':<18} {'clients':>7} {'rows':>5} {'bar':>6} {'ratio':>7}")
    for bar in tomllib.loads((HERE / "bars.toml").read_text())["bar"]:
        for clients, shares in bar["shares"].items():
            for rows, least in zip((2, 128, 1024), shares, strict=True):
                rates = measured.get((rows, int(clients)), {})
                if bar["server"] not in rates or bar["of"] not in rates:
                    continue
                ratio = rates[bar["server"]] / rates[bar["of"]]
                missed += ratio < least
                said = "" if ratio >= least else "  missed"
                print(f"{bar['server']:<26} {bar['of']:<18} {clients:>7} {rows:>5} {least:>6} {ratio:>7.2f}{said}")
    return missed


main()
