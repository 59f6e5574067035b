"""Changes of a store, from its native feed."""

from __future__ import annotations

from threading import Thread
from typing import TYPE_CHECKING, Literal

from .. import json
from .._errors import EncodeError, NotFound, StoreError
from .._native import StoreFeed
from .change import Change

if TYPE_CHECKING:
    from ..store import Store
    from .queue import Queue

# How many seconds the thread waits at most until it looks for signals of the interpreter's end.
_TURN = 0.25


class StoreWatch:
    """Reports the changes of a store to a queue, on a thread.

    The native feed has each change that is made through the store and through all layers over it, and polls for those
    by others. It has room for as many as the queue. The thread reads the values.
    """

    def __init__(self, store: Store, at: str, queue: Queue, limit: int, values: bool) -> None:
        self._queue = queue
        self._values = values
        self._feed = StoreFeed(store._native, at, limit)
        Thread(target=self._run, name="demat-watch", daemon=True).start()

    def check(self) -> None:
        """Does nothing: the thread waits for no one who waits for it."""

    def settle(self) -> None:
        """Does nothing: there is nothing in the store."""

    def close(self) -> None:
        """Ends it. Again it does nothing. The thread ends the subscription."""
        self._feed.close()

    def _run(self) -> None:
        ended: Exception | None = None
        try:
            while not self._feed.closed:
                update = self._feed.wait(_TURN)
                if update is not None:
                    self._queue.give(self._change(*update))
        except Exception as error:
            ended = error
        finally:
            self._feed.close()
            # It sees the end, and drops the subscription.
            self._feed.wait(0)
        self._queue.end(ended)

    def _change(self, kind: Literal["put", "delete", "reset"], key: str) -> Change:
        if kind != "put" or not self._values:
            return Change(kind, key)
        try:
            data, revision = self._feed.value(key)
        except NotFound:
            # It was deleted since, which is the next change.
            return Change("delete", key)
        except EncodeError:
            # There is a value, which JSON can't say.
            return Change("reset", key)
        except Exception as error:
            raise StoreError(f"`{key}`: {error}") from error
        return Change("put", key, json.decode(data), revision)
