"""`AsyncWriter`: writes values to a place that is awaited."""

from __future__ import annotations

from collections.abc import AsyncIterable
from typing import TYPE_CHECKING, Any

from ._format_of import open_writer

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Iterable
    from types import TracebackType
    from typing import Self

# So many bytes are passed on at once where many values are written.
_SIZE = 65536


def sender_of(place: Any) -> Callable[[bytes], Awaitable[object]] | None:
    """What passes bytes on to a place that is awaited; None if the place is no such one.

    Such a place is an object with an `async def write` or `send`, a stream whose `write` is followed by an awaited
    `drain` (`asyncio.StreamWriter`), or an `async def` that is called with bytes.
    """
    method = getattr(place, "write", None)
    if _is_coroutine_function(method):
        return _whole(method)
    method = getattr(place, "send", None)
    if _is_coroutine_function(method):
        return method
    drain = getattr(place, "drain", None)
    if _is_coroutine_function(drain):

        async def write(data: bytes) -> None:
            place.write(data)
            await drain()  # type: ignore[misc]

        return write
    if isinstance(place, type) or hasattr(place, "write"):
        return None
    call: Any = place
    while hasattr(call, "func") and hasattr(call, "keywords"):
        call = call.func  # of a `functools.partial`
    method = type(call).__call__ if callable(call) else None
    return place if _is_coroutine_function(call) or _is_coroutine_function(method) else None


def refusing_awaitables(place: Any) -> Any:
    """The place; of a callable one that raises TypeError once it returns an awaitable, which nobody would await."""
    if isinstance(place, type) or not callable(place) or hasattr(place, "write") or hasattr(place, "send"):
        return place

    def write(data: bytes) -> object:
        done: Any = place(data)
        if hasattr(done, "__await__"):
            if hasattr(done, "close"):
                done.close()
            raise TypeError(
                "the callable returns an awaitable, and nobody awaits it: give `demat.writer` an `async def`"
            )
        return done

    return write


def _whole(write: Any) -> Callable[[bytes], Awaitable[object]]:
    """What writes all of the bytes: a raw file may take a part of them at a time."""

    async def write_all(data: bytes) -> None:
        while data:
            written = await write(data)
            # Some say nothing: they have taken all.
            if not isinstance(written, int) or written >= len(data):
                return
            if written < 1:
                raise OSError(f"the file says that it has written {written} of {len(data)} bytes")
            data = data[written:]

    return write_all


def _is_coroutine_function(object: Any) -> bool:
    # The flag is `inspect.CO_COROUTINE`; importing `inspect` takes longer than most programs write.
    code = getattr(object, "__code__", None)
    return code is not None and bool(code.co_flags & 0x80)


class _Bytes:
    """Bytes that are not passed on yet."""

    __slots__ = ("name", "parts", "size")

    def __init__(self, name: str | None) -> None:
        self.parts: list[bytes] = []
        self.size = 0
        if name is not None:
            self.name = name

    def write(self, data: bytes) -> int:
        self.parts.append(data)
        self.size += len(data)
        return len(data)

    def take(self) -> bytes:
        data = b"".join(self.parts)
        self.parts.clear()
        self.size = 0
        return data


class AsyncWriter:
    """Writes values to a place that is awaited, one by one, as `demat.writer` returns it for an asynchronous file,
    stream or callable.

    The place gets what a call writes before the call returns. A value that is refused is not written, and the writer
    goes on. Where the place fails, and where a call is cancelled while the place is awaited, the writer is closed: it
    is not known how much the place has got. What was open before stays open. One task writes at a time.

    - `count`: the number of values written
    - `closed`: whether it takes no more

    >>> import asyncio, demat
    >>> async def main() -> bytes:
    ...     got = bytearray()
    ...     async def send(data: bytes) -> None:
    ...         got.extend(data)
    ...     async with demat.writer(send, format="json") as writer:
    ...         await writer.write({"id": 1})
    ...         await writer.write_all([{"id": 2}])
    ...     return bytes(got)
    >>> asyncio.run(main())
    b'[{"id":1},{"id":2}]\\n'
    """

    __slots__ = ("_bytes", "_failed", "_is_at_work", "_send", "_writer")

    def __init__(
        self,
        send: Callable[[bytes], Awaitable[object]],
        name: str | None,
        type: Any,
        format: str | None,
        options: dict[str, Any],
    ) -> None:
        self._bytes = _Bytes(name)
        self._writer = open_writer(self._bytes, type, format, options)
        self._send = send
        self._is_at_work = False
        # Whether the place was given up after an error.
        self._failed = False

    @property
    def count(self) -> int:
        """The number of values written."""
        return self._writer.count

    @property
    def closed(self) -> bool:
        """Whether it takes no more."""
        return self._writer.closed

    async def write(self, value: object, /) -> None:
        """Writes one value.

        Raises what `encode` raises and what the place raises; `RuntimeError` if the writer is closed, or at work.
        """
        with self._alone():
            try:
                self._writer.write(value)
            finally:
                # Also of a value that is refused: the beginning of the list.
                await self._pass_on()

    async def write_all(self, values: Iterable[Any] | AsyncIterable[Any], /) -> int:
        """Writes the values of an iterable, which may be asynchronous, and returns their number. Those before one that
        is refused are written.

        Raises what `write` raises, and what the iterable raises.
        """
        with self._alone():
            before = self._writer.count
            try:
                if isinstance(values, AsyncIterable):
                    async for value in values:
                        self._writer.write(value)
                        if self._bytes.size >= _SIZE:
                            await self._pass_on()
                else:
                    for value in values:
                        self._writer.write(value)
                        if self._bytes.size >= _SIZE:
                            await self._pass_on()
            finally:
                await self._pass_on()
            return self._writer.count - before

    async def flush(self) -> None:
        """Passes on what a compression keeps back. Raises what `write` raises."""
        with self._alone():
            self._writer.flush()
            await self._pass_on()

    async def close(self) -> int:
        """Ends the list, passes on the rest, and returns the number of values written. Again it does nothing.

        Raises what the place raises.
        """
        with self._alone():
            if self._failed:
                raise RuntimeError("the place was given up after an error: nothing more was written there")
            count = self._writer.close()
            await self._pass_on()
            return count

    async def abort(self) -> None:
        """Ends without the end of the list. The place keeps what it has got. Again it does nothing."""
        self._give_up()
        self._failed = False

    def _alone(self) -> _Alone:
        return _Alone(self)

    def _give_up(self) -> None:
        self._writer.abort()
        self._bytes.take()

    async def _pass_on(self) -> None:
        """Passes on what was written."""
        if not self._bytes.size:
            return
        try:
            await self._send(self._bytes.take())
        except BaseException:
            self._failed = True
            self._give_up()
            raise

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, raised: BaseException | None, traceback: TracebackType | None, /
    ) -> None:
        if kind is None:
            await self.close()
        else:
            await self.abort()


AsyncWriter.__module__ = "demat"


class _Alone:
    """Lets one task at a time use a writer."""

    __slots__ = ("_writer",)

    def __init__(self, writer: AsyncWriter) -> None:
        self._writer = writer

    def __enter__(self) -> None:
        if self._writer._is_at_work:
            raise RuntimeError("the writer is at work: another task awaits what it has written")
        self._writer._is_at_work = True

    def __exit__(self, *_: object) -> None:
        self._writer._is_at_work = False
