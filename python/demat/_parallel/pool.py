"""Processes that copy parts, each by itself: where one is killed, it is known which part it had."""

from __future__ import annotations

import contextlib
import io
import multiprocessing
import os
import pickle
import signal
import subprocess
import sys
from multiprocessing import spawn
from multiprocessing.connection import wait
from typing import TYPE_CHECKING, Any

from .declared import fingerprint
from .worker import Outcome, Task

if TYPE_CHECKING:
    from collections.abc import Mapping

# How long a process may take to end that has closed its connection, in seconds.
_PATIENCE = 5


class _Noting(pickle.Pickler):
    """Notes whether a class stands in the program's own file, which is no module that others import."""

    main = False

    def persistent_id(self, value: Any) -> None:
        """Looks at each object that is pickled; none has an id."""
        if getattr(value, "__module__", None) == "__main__" and (isinstance(value, type) or callable(value)):
            self.main = True


def pickled_type(type: Any) -> tuple[bytes, dict[str, Any] | None]:
    """Returns the type as bytes for other processes, and what they do to have the program's classes, if they need it.

    Raises TypeError if they can't find its classes.
    """
    buffer = io.BytesIO()
    pickler = _Noting(buffer)
    try:
        pickler.dump(type)
        main = spawn.get_preparation_data("demat-copy") if pickler.main else None
        if main is not None:
            # Secrets of `multiprocessing`, whose processes these are not.
            main.pop("authkey", None)
        if (
            main is not None
            and not os.path.isfile(main.get("init_main_from_path", ""))
            and "init_main_from_name" not in main
        ):
            raise TypeError("it stands in the main module, which is no file")
    except Exception as error:
        raise TypeError(
            f"workers= needs a type that other processes can import, from the top level of a module: {error}"
        ) from error
    return buffer.getvalue(), main


def ended(code: int) -> str:
    """Says how a process has ended, by its exit code."""
    if code >= 0:
        return f"with exit code {code}"
    try:
        return f"by signal {signal.Signals(-code).name}"
    except ValueError:
        # Signals of a program's own have no names.
        return f"by signal {-code}"


class _Worker:
    """A process, and the task that it has."""

    def __init__(self, settings: bytes) -> None:
        if not sys.executable:
            raise RuntimeError("workers= needs a Python that knows its own program: sys.executable is empty")
        self.connection, far = multiprocessing.Pipe()
        # Nothing is written to it. The process ends at its end, when this one is gone, whatever it does then.
        life, self._life = os.pipe()
        # Not by `multiprocessing`, whose processes run the program's main module again.
        begin = (
            f"import sys; sys.path[:] = {sys.path!r}; from demat._parallel.worker import serve; "
            f"serve({far.fileno()}, {life})"
        )
        self.process = subprocess.Popen(
            [sys.executable, "-c", begin], stdin=subprocess.DEVNULL, pass_fds=(far.fileno(), life)
        )
        os.close(life)
        # The process has its own end of it, so that the connection ends with the process.
        far.close()
        with contextlib.suppress(OSError):
            # If it has ended already, `wait` finds out.
            self.connection.send_bytes(settings)
        self.ready = False
        self.task: Task | None = None

    def end(self) -> int:
        """Kills the process, if it has not ended. Returns its exit code."""
        self.connection.close()
        self.process.kill()
        os.close(self._life)
        return self.process.wait()


class Pool:
    """Up to a number of processes, which begin when there is something to do."""

    def __init__(self, workers: int, settings: Mapping[str, Any]) -> None:
        if os.name != "posix":
            raise NotImplementedError("workers= needs a POSIX system")
        self._most = workers
        type, main = pickled_type(settings["type"])
        self._settings = pickle.dumps(({**settings, "type": None}, type, main, fingerprint(settings["type"])))
        self._workers: list[_Worker] = []

    @property
    def free(self) -> bool:
        """Whether a task would be begun at once."""
        return len(self._workers) < self._most or any(worker.task is None for worker in self._workers)

    def begin(self, task: Task) -> None:
        """Gives a task to a process that has none."""
        worker = next((worker for worker in self._workers if worker.task is None), None)
        if worker is None:
            worker = _Worker(self._settings)
            self._workers.append(worker)
        worker.task = task
        if worker.ready:
            self._send(worker)

    def _send(self, worker: _Worker) -> None:
        with contextlib.suppress(OSError):
            # If it has been killed, `wait` finds out.
            worker.connection.send_bytes(pickle.dumps(worker.task))

    def wait(self) -> list[tuple[Task, Outcome | int]]:
        """Waits until something is done, and returns tasks with their outcome, or with the exit code of a process that
        has died."""
        done: list[tuple[Task, Outcome | int]] = []
        while not done and any(worker.task is not None for worker in self._workers):
            ready = set(wait([worker.connection for worker in self._workers]))
            for worker in [worker for worker in self._workers if worker.connection in ready]:
                done += self._received(worker)
        return done

    def _received(self, worker: _Worker) -> list[tuple[Task, Outcome | int]]:
        try:
            data = worker.connection.recv_bytes()
        except (EOFError, OSError):
            data = b""
        if not data:
            return self._died(worker)
        said = pickle.loads(data)
        if not worker.ready:
            if said is not None:
                raise TypeError(f"a worker can't have the type: {said}")
            worker.ready = True
            self._send(worker)
            return []
        task, worker.task = worker.task, None
        assert task is not None
        return [(task, said)]

    def _died(self, worker: _Worker) -> list[tuple[Task, Outcome | int]]:
        self._workers.remove(worker)
        with contextlib.suppress(subprocess.TimeoutExpired):
            worker.process.wait(_PATIENCE)
        code = worker.end()
        if not worker.ready and code >= 0:
            raise RuntimeError(f"a worker could not begin: its process has ended with exit code {code}")
        return [] if worker.task is None else [(worker.task, code)]

    def close(self) -> None:
        """Ends all processes, whatever they do."""
        while self._workers:
            self._workers.pop().end()
