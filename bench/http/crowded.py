"""What good requests wait for beside many connections that do little: their 99th percentile, quiet and crowded.

The server has one core, wrk and the crowd the other. The crowd is `--idle` connections that have asked once, and
`--slow` ones that send a byte of a head or a body now and then, or ask for much and read nothing. It is measured while
they come, and when they are there.
"""

import argparse
import os
import resource
import socket
import subprocess
import sys
import tempfile
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from served import Served

HERE = Path(__file__).parent
SERVER = HERE.parent / "target" / "release" / "demat-bench-serve"


def percentile(server: Served, seconds: float) -> tuple[float, float]:
    """The 99th percentile of what one client waits for, in milliseconds, and requests a second."""
    command = ["taskset", "-c", "1", "wrk", "-t1", "-c1", f"-d{seconds:g}s", "--latency", server.url]
    told = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    if "Non-2xx" in told or "Socket errors" in told:
        raise RuntimeError(told)
    said = next(line.split()[1] for line in told.splitlines() if line.strip().startswith("99%"))
    units = {"us": 1e-3, "ms": 1.0, "s": 1e3}
    unit = next(unit for unit in units if said.endswith(unit))
    return float(said.removesuffix(unit)) * units[unit], float(told.split("Requests/sec:")[1].split()[0])


class Crowd:
    """Connections that do little."""

    def __init__(self, port: int, idle: int, slow: int) -> None:
        """So many connections, some of which trickle from then on."""
        self.port = port
        self.idle = [self.open(b"GET /health HTTP/1.1\r\nhost: localhost\r\n\r\n") for _ in range(idle)]
        heads, bodies = slow * 2 // 5, slow * 2 // 5
        self.heads = [self.open(b"GET /tasks HTTP/1.1\r\nx: ") for _ in range(heads)]
        body = b"POST /tasks HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\n"
        body += b"content-length: 1000\r\n\r\n["
        self.bodies = [self.open(body) for _ in range(bodies)]
        much = b"GET /tasks HTTP/1.1\r\nhost: localhost\r\n\r\n" * 200
        self.readers = [self.open(much) for _ in range(slow - heads - bodies)]
        self.over = threading.Event()
        self.thread = threading.Thread(target=self.trickle)
        self.thread.start()

    def open(self, first: bytes) -> socket.socket:
        """A connection that has said something."""
        connection = socket.create_connection(("127.0.0.1", self.port))
        connection.sendall(first)
        return connection

    def trickle(self) -> None:
        """A byte of each, each second."""
        while not self.over.wait(1):
            for connection in self.heads + self.bodies:
                try:
                    connection.send(b" ")
                except OSError:
                    continue

    def end(self) -> None:
        """All of them are closed."""
        self.over.set()
        self.thread.join()
        for connection in self.idle + self.heads + self.bodies + self.readers:
            connection.close()


def main() -> None:
    """Measures both, by turns."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rows", type=int, default=128)
    parser.add_argument("--idle", type=int, default=10_000)
    parser.add_argument("--slow", type=int, default=1_000)
    parser.add_argument("--seconds", type=int, default=5)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--port", type=int, default=9400)
    parser.add_argument("--server", type=Path, default=SERVER)
    options = parser.parse_args()
    # The crowd's own work is not to be where the server has its: that is put on its core when it starts.
    os.sched_setaffinity(0, {1})
    for tool in ("wrk", "taskset"):
        if subprocess.run(["which", tool], capture_output=True, check=False).returncode:
            sys.exit(f"SKIPPED: {tool} is not there")
    most = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    # The server's process has as many as this one.
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
    room = most - 500 if most != resource.RLIM_INFINITY else options.idle + options.slow
    if options.idle + options.slow > room:
        options.idle = room - options.slow
        print(f"FEWER: {options.idle} idle connections, as no more files may be open")
    with tempfile.TemporaryDirectory() as folder:
        command = [str(options.server), "sqlite", str(options.rows), str(options.port), f"{folder}/tasks.db"]
        server = Served(command, options.port)
        server.start()
        try:
            percentile(server, 1)
            print(f"{'':<9} {'p99':>9} {'requests/s':>11} {'memory':>9}")
            for _ in range(options.rounds):
                before = told("quiet", server, options.seconds)
                with ThreadPoolExecutor(1) as pool:
                    arriving = pool.submit(told, "arriving", server, options.seconds)
                    time.sleep(0.5)
                    crowd = Crowd(options.port, options.idle, options.slow)
                    try:
                        arrived = arriving.result()
                        after = told("crowded", server, options.seconds)
                    finally:
                        crowd.end()
                print(f"{'':<9} {arrived / before:>8.2f}× {after / before:>8.2f}×", flush=True)
                time.sleep(1)
        finally:
            server.stop()


def told(name: str, server: Served, seconds: float) -> float:
    """Measures, and prints a line of it."""
    wait, rate = percentile(server, seconds)
    print(f"{name:<9} {wait:>6.3f} ms {rate:>11,.0f} {server.memory() / 2**20:>5.0f} MiB", flush=True)
    return wait


main()
