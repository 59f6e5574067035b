"""A long table, sent as it is made: when its first byte is there, when its last, and what the server's memory grows by.

The server has one core, who reads the other. Each answer is read as fast as it comes, by a plain socket.
"""

import argparse
import socket
import statistics
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path
from subprocess import run

from served import Served

HERE = Path(__file__).parent
SERVER = HERE.parent / "target" / "release" / "demat-bench-serve"
FORMATS = {
    "Arrow": "application/vnd.apache.arrow.stream",
    "CSV": "text/csv",
    "JSON": "application/json",
    "NDJSON": "application/x-ndjson",
}
# Milliseconds until the first byte of a body, and MiB that the server takes more than before, at most.
BARS = (5.0, 32.0)


@dataclass
class Read:
    """How one answer was read: milliseconds until its first and its last byte, and the most bytes the server had."""

    first: float
    whole: float
    memory: int


def read(server: Served, media: str) -> Read:
    """Asks for all tasks, on a connection that has been there."""
    request = f"GET /tasks HTTP/1.1\r\nhost: localhost\r\naccept: {media}\r\n\r\n".encode()
    with socket.create_connection(("127.0.0.1", server.port)) as connection:
        connection.sendall(b"GET /health HTTP/1.1\r\nhost: localhost\r\n\r\n")
        connection.recv(1 << 16)
        most, count, first = server.memory(), 0, 0.0
        begun = time.perf_counter()
        connection.sendall(request)
        last, head = b"", b""
        while not last.endswith(b"0\r\n\r\n"):
            bytes_read = connection.recv(1 << 18)
            if not bytes_read:
                raise RuntimeError("the answer broke off")
            if not first:
                # What follows the head, and the line with the length of the first chunk.
                head += bytes_read
                if len(head.partition(b"\r\n\r\n")[2]) > 16:
                    first = time.perf_counter() - begun
                    if not head.startswith(b"HTTP/1.1 200"):
                        raise RuntimeError(head[:200].decode())
            last = (last + bytes_read)[-5:]
            count += 1
            if count % 16 == 0:
                most = max(most, server.memory())
        return Read(first * 1e3, (time.perf_counter() - begun) * 1e3, most)


def main() -> None:
    """Measures all formats by turns, and prints a table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rows", type=int, default=1_000_000)
    parser.add_argument("--rounds", type=int, default=9)
    parser.add_argument("--port", type=int, default=9600)
    parser.add_argument("--server", type=Path, nargs="*", default=[SERVER], help="one program, or several by turns")
    options = parser.parse_args()
    if run(["which", "taskset"], capture_output=True, check=False).returncode:
        sys.exit("SKIPPED: taskset is not there")
    with tempfile.TemporaryDirectory() as folder:
        servers = {}
        for number, program in enumerate(options.server):
            port = options.port + number
            command = [str(program), "sqlite", str(options.rows), str(port), f"{folder}/{number}.db"]
            servers[f"{number + 1}. {program.name}"] = Served(command, port)
        try:
            for server in servers.values():
                server.start()
            measure(servers, options.rounds)
        finally:
            for server in servers.values():
                server.stop()


def measure(servers: dict[str, Served], rounds: int) -> None:
    """All of them in turns."""
    reads: dict[tuple[str, str], list[Read]] = {}
    idle = {name: server.memory() for name, server in servers.items()}
    for _ in range(rounds):
        for form, media in FORMATS.items():
            for name, server in servers.items():
                reads.setdefault((form, name), []).append(read(server, media))
    print(f"{'':<8}{'':<24} {'first byte (least)':>20} {'last byte (least)':>20} {'memory':>10}")
    for (form, name), own in sorted(reads.items()):
        first, least = statistics.median(one.first for one in own), min(one.first for one in own)
        whole, soonest = statistics.median(one.whole for one in own), min(one.whole for one in own)
        grown = (max(one.memory for one in own) - idle[name]) / 2**20
        passed = "" if first <= BARS[0] and grown <= BARS[1] else "  FELL SHORT"
        times = f"{first:>9.2f} ({least:>5.2f}) ms {whole:>9.0f} ({soonest:>5.0f}) ms"
        print(f"{form:<8}{name:<24} {times} {grown:>+6.1f} MiB{passed}")


main()
