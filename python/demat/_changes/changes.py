"""`Changes`: the changes of a place, one after the other."""

from __future__ import annotations

from os import getpid
from threading import Thread
from typing import TYPE_CHECKING, Any, Protocol
from weakref import finalize

from .queue import EndedError, Queue

if TYPE_CHECKING:
    import asyncio
    from typing import Self

    from .change import Change


class Watch(Protocol):
    """What reports changes to a queue, until it is closed."""

    def check(self) -> None:
        """Raises RuntimeError if a reader that waits now would wait forever."""
        ...

    def close(self) -> None:
        """Ends it. Again it does nothing."""
        ...

    def settle(self) -> None:
        """Removes what it has left at the place, if that is possible at once. Not called as an object ends: there, any
        lock may be had."""
        ...


class Changes:
    """The changes of a place, one after the other, as `Table.changes` and `demat.store.Store.watch` return it: an
    iterator and an asynchronous iterator, which wait for the next change.

    Reading begins with the first change after the call that has returned it. `close` ends it, also from another thread
    while `next` waits: then there is no next one. So does the end of a `with`, and the end of the object itself. With a
    limit, it ends after as many changes.

    A reader that is slow holds nobody up. If more changes wait than the queue has room for, a single one takes their
    place: `reset`, which says that anything may have changed. Changes of one key that come together may become one, the
    last.

    `demat.copy(changes, place)` writes them as records, each as it comes, until they end. One reader at a time.

    >>> from demat import store
    >>> notes = store.memory({})
    >>> with notes.watch() as changes:
    ...     notes.put("/a", 1)
    ...     change = next(changes)
    >>> change.kind, change.key, change.value
    ('put', '/a', 1)
    """

    __slots__ = ("__weakref__", "_end", "_ending", "_left", "_process", "_queue", "_watch")
    # What `copy` asks.
    _is_live = True

    def __init__(self, queue: Queue, watch: Watch, limit: int | None = None) -> None:
        self._queue = queue
        self._watch = watch
        self._left = limit
        # The thread that ends the watch, behind the last change that a task has got.
        self._ending: Thread | None = None
        self._process = getpid()
        # It is called as the object ends, too.
        self._end = finalize(self, _end, queue, watch, self._process)

    def __iter__(self) -> Self:
        return self

    def _here(self) -> None:
        """Raises RuntimeError in a forked process, which lacks the thread of the watch."""
        if getpid() != self._process:
            raise RuntimeError("this process was forked after the watch had begun: begin another one here")

    def __next__(self) -> Change:
        self._here()
        if self._left == 0:
            raise StopIteration
        try:
            change = self._queue.poll()
            if change is None:
                self._watch.check()
                change = self._queue.wait()
        except EndedError:
            raise StopIteration from None
        if self._is_last():
            self.close()
        return change

    def __aiter__(self) -> Self:
        return self

    async def __anext__(self) -> Change:
        self._here()
        if self._left == 0:
            raise StopAsyncIteration
        try:
            while (change := self._queue.poll()) is None:
                # Not checked: another task may be in a transaction, and end it.
                await self._woken()
        except EndedError:
            raise StopAsyncIteration from None
        if self._is_last():
            # Nothing is awaited here: a task that is cancelled would lose the change.
            self._queue.end(at_once=True)
            self._ending = Thread(target=self.close, name="demat-changes-end")
            self._ending.start()
        return change

    async def _woken(self) -> None:
        import asyncio

        loop = asyncio.get_running_loop()
        future: asyncio.Future[None] = loop.create_future()

        def done() -> None:
            if not future.done():
                future.set_result(None)

        def wake() -> None:
            if not loop.is_closed():
                loop.call_soon_threadsafe(done)

        if self._queue.wake(wake):
            try:
                await future
            finally:
                self._queue.forget(wake)

    def _is_last(self) -> bool:
        if self._left is not None:
            self._left -= 1
        return self._left == 0

    @property
    def closed(self) -> bool:
        """Whether the watch has ended. Changes that were reported before may wait still."""
        return self._queue.ended

    def close(self) -> None:
        """Ends the watch; no further change comes. Again it does nothing, and nothing in a forked process."""
        if getpid() == self._process:
            self._end()
            self._watch.settle()

    async def aclose(self) -> None:
        """Ends the watch, as `close`, without holding up the event loop."""
        import asyncio

        if self._ending is not None:
            await asyncio.to_thread(self._ending.join)
        await asyncio.to_thread(self.close)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.aclose()


Changes.__module__ = "demat"


def _end(queue: Queue, watch: Watch, process: int) -> None:
    # In a forked process the locks may be held by threads that it lacks.
    if getpid() != process:
        return
    queue.end(at_once=True)
    watch.close()


def checked(queue: Any, limit: Any) -> None:
    """Checks the options of a watch."""
    for name, value, least in (("queue", queue, 1), ("limit", limit, 0)):
        is_open = name == "limit" and value is None
        if not is_open and (isinstance(value, bool) or not isinstance(value, int) or value < least):
            raise ValueError(f"{name} is an int from {least}, not {value!r}")
