"""A server that is measured: started, stopped, and what it took."""

import os
import subprocess
import time
from dataclasses import dataclass, field
from pathlib import Path
from urllib.error import HTTPError
from urllib.request import urlopen

# Seconds that a server has to stop by itself.
PATIENCE = 5
TICKS = os.sysconf("SC_CLK_TCK")


@dataclass
class Served:
    """A server's command, its port and its environment."""

    command: list[str]
    port: int
    environment: dict[str, str] = field(default_factory=lambda: dict(os.environ))
    process: subprocess.Popen[bytes] | None = None

    @property
    def url(self) -> str:
        """Where the tasks are."""
        return f"http://127.0.0.1:{self.port}/tasks"

    def start(self) -> None:
        """Starts it on the first core, and waits until it answers."""
        self.process = subprocess.Popen(
            ["taskset", "-c", "0", *self.command],
            env=self.environment,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        for _ in range(200):
            try:
                urlopen(self.url).read()
            except HTTPError:
                return
            except OSError:
                if self.process.poll() is not None:
                    break
                time.sleep(0.1)
            else:
                return
        raise RuntimeError(f"{' '.join(self.command)} does not answer")

    def stop(self) -> None:
        """Stops it and what it has started, by their numbers."""
        if self.process is not None:
            for process in reversed(self.processes()):
                try:
                    os.kill(process, 15)
                except ProcessLookupError:
                    continue
            try:
                self.process.wait(timeout=PATIENCE)
            except subprocess.TimeoutExpired:
                # Some leave one of their processes behind that waits for nothing.
                for process in reversed(self.processes()):
                    os.kill(process, 9)
                self.process.wait()
            self.process = None

    def processes(self) -> list[int]:
        """The numbers of its processes, its own first."""
        own = [self.process.pid] if self.process is not None else []
        parents = {}
        for entry in Path("/proc").iterdir():
            if entry.name.isdecimal():
                try:
                    parents[int(entry.name)] = int((entry / "stat").read_text().rpartition(")")[2].split()[1])
                except OSError:
                    continue
        for process in own:
            own += [child for child, parent in parents.items() if parent == process]
        return own

    def cpu(self) -> float:
        """Seconds of CPU that its processes have taken."""
        ticks = 0
        for process in self.processes():
            told = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
            ticks += int(told[11]) + int(told[12])
        return ticks / TICKS

    def memory(self) -> int:
        """Bytes that its processes have in memory."""
        pages = (int(Path(f"/proc/{process}/statm").read_text().split()[1]) for process in self.processes())
        return sum(pages) * os.sysconf("SC_PAGE_SIZE")


def load(server: Served, clients: int, seconds: float, script: str | None = None) -> tuple[float, float]:
    """Requests a second, and seconds of the server's CPU for each."""
    command = ["taskset", "-c", "1", "wrk", "-t1", f"-c{clients}", f"-d{seconds:g}s"]
    command += ["-s", script] if script else []
    before = server.cpu()
    told = subprocess.run([*command, server.url], capture_output=True, text=True, check=True).stdout
    took = server.cpu() - before
    if "Non-2xx" in told or "Socket errors" in told:
        raise RuntimeError(told)
    requests = int(told.split(" requests in")[0].split()[-1])
    return float(told.split("Requests/sec:")[1].split()[0]), took / requests
