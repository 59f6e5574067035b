"""Servers side by side: Demat's over objects, rows and a cache, axum's over the same, nginx over a file of the bytes.

Each runs on the first core, one after the other, and wrk on the second. What they answer is compared first. nginx is
the ceiling: it sends what is there. Rates are the medians of the rounds.
"""

import argparse
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from urllib.request import urlopen

HERE = Path(__file__).parent
BIN = HERE.parent / "target" / "release"
NGINX = """
worker_processes 1; daemon off; pid {folder}/nginx.pid; error_log /dev/null crit;
events {{ worker_connections 1024; }}
http {{
  access_log off; default_type application/json; keepalive_requests 1000000; sendfile on; tcp_nopush on;
  server {{ listen 127.0.0.1:{port}; root {folder}/www; }}
}}
"""


def servers(folder: Path, rows: int, port: int) -> dict[str, tuple[list[str], int]]:
    """The command and the port of each server."""
    own, peer = str(BIN / "demat-bench-serve"), str(BIN / "demat-bench-axum")
    commands = {
        "nginx, a file": ["nginx", "-c", f"{folder}/nginx.conf", "-p", str(folder)],
        "demat, objects": [own, "memory", str(rows)],
        "axum, objects": [peer, "memory", str(rows)],
        "demat, SQLite": [own, "sqlite", str(rows)],
        "axum, SQLite": [peer, "sqlite", str(rows)],
        "demat, cache over SQLite": [own, "cache", str(rows)],
    }
    found = {}
    for number, (name, command) in enumerate(commands.items()):
        rest = [] if command[0] == "nginx" else [str(port + number), f"{folder}/{number}.db"]
        found[name] = (["taskset", "-c", "0", *command, *rest], port + number)
    return found


def rate(port: int, clients: int, seconds: float) -> float:
    """Requests a second."""
    url = f"http://127.0.0.1:{port}/tasks"
    command = ["taskset", "-c", "1", "wrk", "-t1", f"-c{clients}", f"-d{seconds:g}s", url]
    told = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    if "Non-2xx" in told or "Socket errors" in told:
        raise RuntimeError(told)
    return float(told.split("Requests/sec:")[1].split()[0])


def main() -> None:
    """Runs it and prints a table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rows", type=int, nargs="*", default=[2, 128, 1024])
    parser.add_argument("--clients", type=int, nargs="*", default=[1, 64])
    parser.add_argument("--seconds", type=int, default=2)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--port", type=int, default=9300)
    options = parser.parse_args()
    for tool in ("wrk", "nginx", "taskset"):
        if subprocess.run(["which", tool], capture_output=True, check=False).returncode:
            sys.exit(f"SKIPPED: {tool} is not there")
    print(f"{'rows':>5} {'clients':>7}  {'server':<26} {'requests/s':>11} {'of nginx':>9}")
    for rows in options.rows:
        with tempfile.TemporaryDirectory() as name:
            measure(Path(name), rows, options)


def measure(folder: Path, rows: int, options: argparse.Namespace) -> None:
    """One table size: all servers, answers compared, rates printed."""
    # nginx's worker is somebody else.
    folder.chmod(0o755)
    (folder / "www").mkdir()
    (folder / "nginx.conf").write_text(NGINX.format(folder=folder, port=options.port))
    running, found = [], servers(folder, rows, options.port)
    try:
        for command, _ in found.values():
            running.append(subprocess.Popen(command, env=os.environ, stderr=subprocess.DEVNULL))
        time.sleep(1)
        ports = {name: port for name, (_, port) in found.items()}
        answers = {
            name: urlopen(f"http://127.0.0.1:{port}/tasks").read()
            for name, port in ports.items()
            if "nginx" not in name
        }
        (folder / "www" / "tasks").write_bytes(answers["demat, objects"])
        wanted = json.loads(answers["demat, objects"])
        for name, answer in answers.items():
            if json.loads(answer) != wanted or len(wanted) != rows:
                raise RuntimeError(f"{name} answers something else")
        for clients in options.clients:
            rates: dict[str, list[float]] = {name: [] for name in ports}
            for _ in range(options.rounds):
                for name, port in ports.items():
                    rates[name].append(rate(port, clients, options.seconds))
            ceiling = statistics.median(rates["nginx, a file"])
            for name, all_rates in rates.items():
                own = statistics.median(all_rates)
                print(f"{rows:>5} {clients:>7}  {name:<26} {own:>11,.0f} {own / ceiling:>9.2f}", flush=True)
    finally:
        for process in running:
            process.terminate()
        for process in running:
            process.wait()


main()
