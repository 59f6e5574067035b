"""`Server`: what `serve` has begun."""

from __future__ import annotations

import atexit
from types import FrameType
from typing import Any, Self

from demat import _native


class Server:
    """A server that serves on a thread of its own, until `stop`, or the end of a `with`. `demat.serve` gives it.

    >>> import demat
    >>> with demat.serve({"/": {"a": 1}}, port=0, background=True) as server:
    ...     server.host
    '127.0.0.1'
    """

    __slots__ = ("__weakref__", "_native", "_secure")

    def __init__(self, routes: list[tuple[Any, ...]], options: tuple[Any, ...]) -> None:
        self._secure = options[10] is not None
        self._native = _native.Server(routes, *options)
        # While the interpreter ends nothing may run in it any more: what was accepted is answered before.
        atexit.register(self._native.stop)

    @property
    def host(self) -> str:
        """The address that it listens at."""
        return self._native.host

    @property
    def port(self) -> int:
        """The port."""
        return self._native.port

    @property
    def url(self) -> str:
        """Where it is, without a slash at the end: `http://127.0.0.1:8080`."""
        host = f"[{self.host}]" if ":" in self.host else self.host
        return f"{'https' if self._secure else 'http'}://{host}:{self.port}"

    def wait(self) -> None:
        """Waits until the server has ended: stopped by another thread, by Ctrl-C, or (in the main thread) by SIGTERM.

        >>> import demat
        >>> server = demat.serve({}, port=0, background=True)
        >>> server.stop()
        >>> server.wait()
        """
        import signal
        import threading

        def stop(number: int, frame: FrameType | None) -> None:
            raise KeyboardInterrupt

        main = threading.current_thread() is threading.main_thread()
        before = signal.signal(signal.SIGTERM, stop) if main else None
        try:
            self._native.wait()
        except KeyboardInterrupt:
            self.stop()
        finally:
            if main:
                signal.signal(signal.SIGTERM, before if before is not None else signal.SIG_DFL)

    def stop(self) -> None:
        """Accepts nothing more, answers what was accepted, and ends. Again it does nothing.

        >>> import demat
        >>> server = demat.serve({}, port=0, background=True)
        >>> server.stop()
        """
        self._native.stop()
        atexit.unregister(self._native.stop)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.stop()

    def __repr__(self) -> str:
        return f"<server {self.url}>"
