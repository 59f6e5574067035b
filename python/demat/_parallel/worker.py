"""A process that copies parts of a source, as it is told."""

from __future__ import annotations

import contextlib
import os
import pickle
import signal
import threading
from multiprocessing import spawn
from multiprocessing.connection import Connection
from typing import TYPE_CHECKING, Any, NamedTuple

from .declared import fingerprint

if TYPE_CHECKING:
    from .parts import Part


# Whether this process imports the main module of the program that has started it.
_beginning: list[bool] = []


def check_begun() -> None:
    """Raises RuntimeError in a worker that has not begun: the program's main module would start workers of its own."""
    if _beginning:
        raise RuntimeError(
            'each worker imports the main module: what that does belongs under `if __name__ == "__main__":`'
        )


class Task(NamedTuple):
    """A part, where its records go, and whether they come with the names of their columns."""

    part: Part
    output: str
    rejects: str
    write: dict[str, Any] | None
    compression: str | None


class Outcome(NamedTuple):
    """What became of a part."""

    records: int = 0
    rejected: int = 0
    read: int = 0
    error: BaseException | None = None
    cause: BaseException | None = None


def _end_with(life: int) -> None:
    """Ends this process when the one that has started it is gone, even within a part."""
    os.read(life, 1)
    os._exit(1)


def serve(descriptor: int, life: int) -> None:
    """Copies what comes over a connection, until it is closed; `life` is a pipe that the other process holds open."""
    threading.Thread(target=_end_with, args=(life,), daemon=True).start()
    # Ctrl-C reaches all processes of a terminal; the one that has started this one ends it.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    connection: Connection[Any, Any] = Connection(descriptor)
    try:
        settings, type, main, known = pickle.loads(connection.recv_bytes())
        if main is not None:
            _beginning.append(True)
            # The program's own file, as a module that is not run as a program.
            spawn.prepare(main)
            _beginning.clear()
        settings["type"] = pickle.loads(type)
        if fingerprint(settings["type"]) != known:
            raise TypeError(
                "it is read another way here: demat.hook() and demat.configure() have been called by the program; call "
                "them where the module of the class calls them as it is imported"
            )
    except EOFError:
        return
    except Exception as error:
        # Nobody may wait for it, if another worker has failed.
        with contextlib.suppress(OSError):
            connection.send_bytes(pickle.dumps(f"{error.__class__.__name__}: {error}"))
        return
    connection.send_bytes(pickle.dumps(None))
    while True:
        try:
            task = pickle.loads(connection.recv_bytes())
        except EOFError:
            return
        try:
            connection.send_bytes(_pickled(copied(task, settings)))
        except OSError:
            # The process that has started this one is gone.
            return


def copied(task: Task, settings: dict[str, Any]) -> Outcome:
    """Copies a part to its file."""
    from .. import _native
    from .spans import Mark, SpanReader

    part = task.part
    own = {**settings, "from_": part.format, "write": task.write, "compression": task.compression}
    own["behind"] = (part.cells, part.index > 0)
    try:
        # An open file, which is not synced to the disk as one by its name would be.
        with open(task.output, "wb", buffering=0) as output, contextlib.ExitStack() as opened:
            source: Any = part.span.path
            if not part.whole:
                source = opened.enter_context(SpanReader(part.span, part.header, part.mark))
            elif part.mark is not None:
                part.mark.check(source, Mark.of(source))
            if settings["rejects"] == "pickled":
                kept = opened.enter_context(open(task.rejects, "wb"))
                own["rejects"] = lambda error, data: pickle.dump((error, error.__cause__, data), kept)
            else:
                own["rejects"] = task.rejects if settings["rejects"] == "lines" else None
            records, rejected, _, read = _native.copy(source, output, own)
    except Exception as error:
        return Outcome(error=error, cause=error.__cause__)
    return Outcome(records, rejected, read - len(part.header) if not part.whole else read)


def _pickled(outcome: Outcome) -> bytes:
    """The outcome as bytes; of an exception that can't be pickled, the text."""
    for made in (outcome, outcome._replace(cause=None)):
        try:
            data = pickle.dumps(made)
            pickle.loads(data)
        except Exception:  # any class of the program's may fail in its own way
            continue
        return data
    error = outcome.error
    return pickle.dumps(Outcome(error=RuntimeError(f"{type(error).__name__}: {error}")))
