"""`copy` by several processes: the parts of the sources, in their order, with one outcome."""

from __future__ import annotations

import os
import pickle
import warnings
from contextlib import suppress
from dataclasses import replace
from heapq import heappop, heappush
from typing import TYPE_CHECKING, Any, NamedTuple

from .. import _native
from .._copy import _DEFAULTS
from .._errors import DecodeError, Error, StoreError, ValidationError
from . import refused
from .joined import Joined
from .parts import parts_of
from .pool import Pool, ended
from .positions import Before
from .spans import Mark, Span, SpanReader
from .worker import Outcome, Task, check_begun

if TYPE_CHECKING:
    from collections.abc import Callable

    from .parts import Part

# How often a part is given to a worker.
_TRIES = 2
# What a table's error says where a range ends within a quoted cell.
_UNENDED = "end of input"


def copy(src: Any, dst: Any, settings: dict[str, Any], workers: int) -> tuple[int, int, int]:
    """Copies with a number of processes. Returns how many records were written and refused, and the bytes read."""
    check_begun()
    how, format = refused.check(src, dst, settings, workers)
    settings = {**settings, "to": format}
    parts = parts_of(refused.check_places(src, dst, settings["rejects"]), settings, workers)
    titled = refused.check_parts(parts, settings, how)
    if len(parts) == 1 and parts[0].whole:
        # One process reads it, so it may be this one.
        records, rejected, _, read = _native.copy(parts[0].span.path, dst, settings)
        return records, rejected, read
    job = _Job(parts, dst, settings, how, titled)
    try:
        return job.run(min(workers, len(parts)))
    finally:
        job.close()


class _Seen(NamedTuple):
    """How many lines and records a file has up to a byte."""

    path: str
    start: int
    lines: int
    rows: int


def _line_feeds(span: Span, mark: Mark | None) -> int:
    found = 0
    with SpanReader(span, mark=mark) as reader:
        while piece := reader.read(1 << 20):
            found += piece.count(b"\n")
    return found


class _Job:
    """A copy under way."""

    def __init__(self, parts: list[Part], dst: Any, settings: dict[str, Any], how: str, titled: int) -> None:
        self._parts = parts
        self._settings = settings
        self._how = how
        self._titled = titled
        # The joined file is packed as each part is.
        self._packing = refused.packing(dst, settings["compression"])
        # A heap, of their indices: the first goes first, though it was begun before.
        self._waiting = list(range(len(parts)))
        # The first part that has failed: those behind it need not begin.
        self._failed = len(parts)
        # Those that are behind the next one.
        self._finished: dict[int, Outcome] = {}
        self._output: dict[int, Task] = {}
        self._next = 0
        self._serial = 0
        self._records = self._rejected = self._read = 0
        # Records of the file that is being finished, in front of its next part.
        self._before = 0
        self._total = sum(part.span.end - part.span.start for part in parts)
        self._seen = _Seen("", 0, 0, 0)
        self._rejects = refused.Rejects(settings["on_error"], settings["rejects"])
        self._joined = Joined(dst, how)

    def run(self, workers: int) -> tuple[int, int, int]:
        """Copies all parts, and lets the target appear."""
        own = {**self._settings, "progress": None}
        own["on_error"], own["rejects"] = self._rejects.of_worker
        pool = Pool(workers, own)
        try:
            while not self._finish_all():
                while self._waiting and pool.free and self._waiting[0] <= self._failed:
                    self._begin(pool, self._parts[heappop(self._waiting)])
                done = pool.wait()
                if not done and not (self._waiting and self._waiting[0] <= self._failed):
                    raise RuntimeError("no worker copies anything, and parts are left: this is a mistake of Demat")
                for task, outcome in done:
                    self._received(task, outcome)
        finally:
            pool.close()
        self._check_marks()
        self._rejects.begin()
        self._rejects.finish()
        self._joined.finish()
        self._tell()
        return self._records, self._rejected, self._read

    def close(self) -> None:
        """Removes what was not finished, and keeps the refused records, whatever ended the copy."""
        try:
            self._rejects.close()
        finally:
            self._joined.close()

    def _check_marks(self) -> None:
        """Raises StoreError if a file is not as it was when it was divided."""
        for path, mark in {part.span.path: part.mark for part in self._parts}.items():
            if mark is not None:
                mark.check(path, Mark.of(path))

    def _begin(self, pool: Pool, part: Part) -> None:
        if part.gone:
            return
        self._serial += 1
        write = self._settings["write"]
        if self._how == "header" and part.index != self._titled:
            write = {**(write or {}), "header": False}
        output = os.path.join(self._joined.folder, str(self._serial))
        pool.begin(Task(replace(part), output, f"{output}.rejects", write, self._packing))

    def _received(self, task: Task, outcome: Outcome | int) -> None:
        part = self._parts[task.part.index]
        if part.gone or part.span != task.part.span:
            # The part before it has taken its bytes.
            return
        if not isinstance(outcome, int):
            self._finished[part.index] = outcome
            self._output[part.index] = task
            if outcome.error is not None:
                self._failed = min(self._failed, part.index)
            return
        died = ended(outcome)
        if part.tries == _TRIES:
            raise RuntimeError(f"two workers have ended {died} while they copied {part}")
        part.tries += 1
        warnings.warn(f"a worker has ended {died}; another one copies {part}", RuntimeWarning, stacklevel=6)
        heappush(self._waiting, part.index)

    def _finish_all(self) -> bool:
        """Adds the next parts to the target, as far as they are there. Returns whether all are."""
        while self._next < len(self._parts) and self._finish():
            pass
        return self._next == len(self._parts)

    def _finish(self) -> bool:
        """Adds the next part to the target, if it is there. Raises what is wrong with it."""
        part = self._parts[self._next]
        if part.gone:
            self._next += 1
            return True
        outcome = self._finished.get(part.index)
        if outcome is None or (part.rows and self._extended(part, outcome)):
            return False
        if part.span.start == 0:
            self._before = 0
        task = self._output.pop(part.index)
        del self._finished[part.index]
        self._rejects.begin()
        if outcome.error is None or os.path.exists(task.rejects):
            self._rejects.take(task.rejects, lambda: self._position(part))
        if outcome.error is not None:
            # An error of a place has no position in it.
            if isinstance(outcome.error, Error) and not isinstance(outcome.error, StoreError):
                self._position(part).shift(outcome.error)
            raise outcome.error from outcome.cause
        self._joined.add(task.output)
        self._before += outcome.records + outcome.rejected
        self._records += outcome.records
        self._rejected += outcome.rejected
        self._read += outcome.read
        self._next += 1
        self._tell()
        return True

    def _extended(self, part: Part, outcome: Outcome) -> bool:
        """Gives a part the bytes of the next ones, if it has ended within a quoted cell.

        Each time it takes twice as many, so that a quote that is never closed is not read again for each part.
        """
        error = outcome.error
        if not isinstance(error, DecodeError) or isinstance(error, ValidationError) or error.found != _UNENDED:
            return False
        self._drop(part.index)
        index = part.index + part.taken
        for _ in range(part.joins):
            index += 1
            after = self._parts[index]
            self._drop(index)
            after.gone = True
            part.span = Span(part.span.path, part.span.start, after.span.end)
            part.rows = after.rows
            if not part.rows:
                break
        part.taken = index - part.index
        part.joins *= 2
        part.tries = 1
        failed = [index for index, outcome in self._finished.items() if outcome.error is not None]
        self._failed = min(failed, default=len(self._parts))
        heappush(self._waiting, part.index)
        return True

    def _drop(self, index: int) -> None:
        """Forgets what a worker has made of a part."""
        self._finished.pop(index, None)
        task = self._output.pop(index, None)
        if task is not None:
            for path in (task.output, task.rejects):
                with suppress(FileNotFoundError):
                    os.unlink(path)

    def _position(self, part: Part) -> Before:
        """What stands before a part in its file. It is counted on from the last part that was asked for."""
        span = part.span
        if not span.start:
            return Before(0, 0, 0)
        seen = self._seen
        if seen.path != span.path or seen.start > span.start:
            seen = _Seen(span.path, 0, 0, 0)
        between = Span(span.path, seen.start, span.start)
        lines, rows = seen.lines + _line_feeds(between, part.mark), 0
        if self._settings["where"] is not None:
            rows = seen.rows + self._rows(between, part)
        self._seen = _Seen(span.path, span.start, lines, rows)
        records = self._before if self._settings["where"] is None else rows
        header = part.header
        return Before(records, lines - header.count(b"\n"), span.start - len(header), len(header))

    def _rows(self, span: Span, part: Part) -> int:
        """How many records a range has, with those that `where` leaves out."""
        nothing: Callable[[bytes], object] = lambda _: None  # noqa: E731
        every = {**_DEFAULTS, "read": self._settings["read"], "on_error": "skip"}
        if span.start:
            every["behind"] = (part.cells, False)
        with SpanReader(span, part.header if span.start else b"", part.mark) as reader:
            records, rejected, *_ = _native.copy(reader, nothing, {**every, "from_": part.format, "to": _native.LINES})
        return records + rejected

    def _tell(self) -> None:
        """Calls what wants to know of the progress."""
        progress = self._settings["progress"]
        if callable(progress):
            progress(self._read, self._total)


def unpickled(path: str) -> Any:
    """Yields the refused records of a part: the error, its cause and the bytes."""
    with open(path, "rb") as file:
        while True:
            try:
                yield pickle.load(file)
            except EOFError:
                return
