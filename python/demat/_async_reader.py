"""Records of places whose bytes are awaited."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Generic, TypeVar

if TYPE_CHECKING:
    from typing import Self

    from ._native import Feed

_T_co = TypeVar("_T_co", covariant=True)

# So many bytes are asked for.
_SIZE = 65536


class AsyncReader(Generic[_T_co]):
    """The records of a place whose bytes are awaited, one after the other, in bounded memory.

    What `demat.json.read` and its like give for asynchronous places: an asynchronous iterator, and an asynchronous
    context manager. What was open before stays open.

    >>> import asyncio
    >>> from demat import json
    >>> async def chunks():
    ...     yield b'[{"id": 1}, {"i'
    ...     yield b'd": 2}]'
    >>> async def ids() -> list[int]:
    ...     return [task["id"] async for task in json.read(chunks(), dict[str, int])]
    >>> asyncio.run(ids())
    [1, 2]
    """

    __slots__ = ("__weakref__", "_awaits", "_feed", "_place")

    def __init__(self, feed: Feed, place: Any) -> None:
        self._feed = feed
        read = getattr(place, "read", None)
        code = getattr(read, "__code__", None)
        # A coroutine function that reads is asked for as many bytes as there are; lines, which such objects give when
        # they are iterated over, may be of any length. The flag is `inspect.CO_COROUTINE`.
        self._place: Any = read if code is not None and code.co_flags & 0x80 else place.__aiter__()
        self._awaits = False

    def __aiter__(self) -> Self:
        return self

    async def __anext__(self) -> _T_co:
        while (record := self._feed.next()) is NotImplemented:
            if self._awaits:
                raise RuntimeError("this reader is at work: another task awaits its next record")
            self._awaits = True
            try:
                await self._more()
            finally:
                self._awaits = False
        return record  # type: ignore[no-any-return]

    async def _more(self) -> None:
        feed, place = self._feed, self._place
        try:
            if hasattr(place, "__anext__"):
                try:
                    chunk = await place.__anext__()
                except StopAsyncIteration:
                    chunk = None
            else:
                # At the end there is nothing.
                chunk = await place(_SIZE) or None
            feed.give(chunk)
        except Exception:
            feed.close()
            raise

    @property
    def record(self) -> int:
        """How many records were given so far."""
        return self._feed.record

    @property
    def header(self) -> Any:
        """The fields around the records that were passed so far, for `header=True` or `header=` of a type."""
        return self._feed.header

    @property
    def rejected(self) -> int:
        """How many records were left out so far."""
        return self._feed.rejected

    @property
    def bytes_read(self) -> int:
        """How many bytes of the place were read so far, packed as they stand in it."""
        return self._feed.bytes_read

    @property
    def closed(self) -> bool:
        """Whether nothing comes any more: all was given, an error was raised, or it was closed."""
        return self._feed.closed

    async def aclose(self) -> None:
        """Ends the iteration. Closing twice is no error."""
        self._feed.close()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        self._feed.close()


AsyncReader.__module__ = "demat"
