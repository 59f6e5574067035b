"""The server of `examples/tasks.py`, in a process of its own."""

from __future__ import annotations

import json
import os
import random
import socket
import subprocess
import sys
import time
from pathlib import Path
from typing import Any
from urllib.error import HTTPError, URLError
from urllib.request import Request, urlopen

ROOT = Path(__file__).parents[3]
PROGRAM = ROOT / "examples" / "tasks.py"
# The TodoMVC page, as it is built into the package.
PAGE = ROOT / "python" / "demat" / "web" / "todomvc" / "index.html"


def free_port() -> int:
    """A port that nobody listens at, and that the system gives to no connection of its own before the server has it."""
    while True:
        port = random.randrange(20_000, 30_000)
        with socket.socket() as tried:
            if tried.connect_ex(("127.0.0.1", port)) != 0:
                return port


class Server:
    """A server over a database file: it can be stopped and started again, and asked past the browser."""

    def __init__(self, folder: Path) -> None:
        self.port = free_port()
        self.url = f"http://127.0.0.1:{self.port}"
        self.database = folder / "tasks.db"
        self.log = folder / "server.log"
        self._process: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        """Starts it, and waits until it answers."""
        environment = {**os.environ, "PORT": str(self.port), "TASKS_DB": str(self.database)}
        with self.log.open("ab") as log:
            command = [sys.executable, PROGRAM]
            self._process = subprocess.Popen(command, env=environment, cwd=self.database.parent, stdout=log, stderr=log)
        until = time.monotonic() + 30
        while not self._answers():
            assert self._process.poll() is None, self.log.read_text()
            assert time.monotonic() < until, self.log.read_text()
            time.sleep(0.02)

    def stop(self) -> None:
        """Ends it, and waits until it has ended."""
        if self._process is not None:
            self._process.terminate()
            try:
                self._process.wait(timeout=10)
            except subprocess.TimeoutExpired:
                self._process.kill()
                self._process.wait()
            self._process = None

    def ask(self, method: str, path: str, value: object = None) -> Any:
        """What it answers to a request, of which the body is JSON."""
        body = None if value is None else json.dumps(value).encode()
        request = Request(self.url + path, data=body, method=method, headers={"Content-Type": "application/json"})
        with urlopen(request, timeout=20) as answer:
            text = answer.read()
        return json.loads(text) if text else None

    def add(self, title: str, **more: object) -> dict[str, Any]:
        """Adds a task; `completed=True` one that is done."""
        return self.ask("POST", "/tasks", {"title": title, **more})

    def tasks(self) -> list[tuple[str, bool]]:
        """Titles of the tasks, and whether they are done."""
        return [(task["title"], task["completed"]) for task in self.ask("GET", "/tasks?order=id")]

    def _answers(self) -> bool:
        try:
            self.ask("GET", "/tasks?limit=1")
        except HTTPError:
            raise
        except (URLError, OSError):
            return False
        return True
