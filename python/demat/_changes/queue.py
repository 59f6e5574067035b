"""The queue of changes: a watch puts them in, and an iterator takes them out."""

from __future__ import annotations

from collections import deque
from threading import Condition
from typing import TYPE_CHECKING

from .change import Change

if TYPE_CHECKING:
    from collections.abc import Callable


class EndedError(Exception):
    """No further change comes."""


class Queue:
    """Changes that wait for their reader, at most `limit`.

    If there is one more, all of them give way to a single `reset`: the reader is told to read everything again, and
    nobody waits for it.
    """

    __slots__ = ("_changes", "_ended", "_error", "_limit", "_ready", "_root", "_wake")

    def __init__(self, limit: int, root: object) -> None:
        self._limit = limit
        self._root = root
        self._changes: deque[Change] = deque()
        self._ready = Condition()
        self._ended = False
        self._error: BaseException | None = None
        self._wake: list[Callable[[], object]] = []

    def give(self, change: Change) -> None:
        """Adds a change. After the end it is forgotten."""
        with self._ready:
            if self._ended:
                return
            if len(self._changes) >= self._limit:
                self._changes.clear()
                change = Change("reset", self._root)
            self._changes.append(change)
            self._woken()

    def end(self, error: BaseException | None = None, *, at_once: bool = False) -> None:
        """Lets nothing come any more: after the changes that wait, and with an error; or at once."""
        with self._ready:
            if at_once:
                self._changes.clear()
                self._error = None
            elif not self._ended:
                self._error = error
            self._ended = True
            self._woken()

    def _woken(self) -> None:
        self._ready.notify_all()
        calls, self._wake = self._wake, []
        for call in calls:
            call()

    @property
    def ended(self) -> bool:
        """Whether nothing comes any more, or only what waits."""
        return self._ended

    def poll(self) -> Change | None:
        """The next change; None if there is none yet. Raises `EndedError`, or the error that has ended it."""
        with self._ready:
            return self._polled()

    def _polled(self) -> Change | None:
        if self._changes:
            return self._changes.popleft()
        if not self._ended:
            return None
        error, self._error = self._error, None
        raise error or EndedError

    def wait(self) -> Change:
        """The next change, as soon as there is one. Raises as `poll`."""
        with self._ready:
            while (change := self._polled()) is None:
                self._ready.wait()
            return change

    def wake(self, call: Callable[[], object]) -> bool:
        """Has a function called, once, as soon as `poll` may say something else. False if it does already."""
        with self._ready:
            if self._changes or self._ended:
                return False
            self._wake.append(call)
            return True

    def forget(self, call: Callable[[], object]) -> None:
        """Does not call a function that was given to `wake`, if it was not called yet."""
        with self._ready:
            if call in self._wake:
                self._wake.remove(call)
