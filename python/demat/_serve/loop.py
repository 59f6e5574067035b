"""An event loop for functions that are `async`, on a thread of its own."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine
from threading import Lock, Thread, current_thread
from typing import Any, TypeVar

T = TypeVar("T")

_lock = Lock()
_loop: asyncio.AbstractEventLoop | None = None
_thread: Thread | None = None


def waited(coroutine: Coroutine[Any, Any, T]) -> T:
    """What a coroutine comes to; other requests go on meanwhile.

    Raises RuntimeError in the loop's own thread, which can't wait for itself.
    """
    global _loop, _thread
    with _lock:
        if _loop is None:
            _loop = asyncio.new_event_loop()
            _thread = Thread(target=_loop.run_forever, name="demat-serve-async", daemon=True)
            _thread.start()
        loop = _loop
    if current_thread() is _thread:
        coroutine.close()
        raise RuntimeError("an async function waits for another one without `await`: call it in a thread of its own")
    return asyncio.run_coroutine_threadsafe(coroutine, loop).result()
