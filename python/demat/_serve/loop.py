"""An event loop for functions that are `async`, on a thread of its own."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine
from threading import Lock, Thread
from typing import Any, TypeVar

T = TypeVar("T")

_lock = Lock()
_loop: asyncio.AbstractEventLoop | None = None


def waited(coroutine: Coroutine[Any, Any, T]) -> T:
    """What a coroutine comes to; other requests go on meanwhile."""
    global _loop
    with _lock:
        if _loop is None:
            _loop = asyncio.new_event_loop()
            Thread(target=_loop.run_forever, name="demat-serve-async", daemon=True).start()
        loop = _loop
    return asyncio.run_coroutine_threadsafe(coroutine, loop).result()
