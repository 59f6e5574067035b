"""`Changes`: the changes of a place, one after the other."""

from __future__ import annotations

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

    __slots__ = ("__weakref__", "_end", "_left", "_queue", "_watch")
    # What `copy` asks.
    _is_live = True

    def __init__(self, queue: Queue, watch: Watch, limit: int | None = None) -> None:
        self._queue = queue
        self._watch = watch
        self._left = limit
        # It is called as the object ends, too.
        self._end = finalize(self, _end, queue, watch)

    def __iter__(self) -> Self:
        return self

    def __next__(self) -> Change:
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
        if self._left == 0:
            raise StopAsyncIteration
        try:
            while (change := self._queue.poll()) is None:
                self._watch.check()
                await self._woken()
        except EndedError:
            raise StopAsyncIteration from None
        if self._is_last():
            await self.aclose()
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
        """Ends the watch; no further change comes. Again it does nothing."""
        self._end()

    async def aclose(self) -> None:
        """Ends the watch, as `close`, without holding up the event loop."""
        import asyncio

        await asyncio.to_thread(self._end)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.aclose()


Changes.__module__ = "demat"


def _end(queue: Queue, watch: Watch) -> None:
    queue.end(at_once=True)
    watch.close()


def checked(queue: Any, limit: Any) -> None:
    """Checks the options of a watch."""
    for name, value, least in (("queue", queue, 1), ("limit", limit, 0)):
        is_open = name == "limit" and value is None
        if not is_open and (isinstance(value, bool) or not isinstance(value, int) or value < least):
            raise ValueError(f"{name} is an int from {least}, not {value!r}")
