"""`parser`: takes bytes as they come, and gives what is complete."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Generic, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Self

    from typing_extensions import Buffer

    from ._native import Feed, Format
    from ._parser_protocol import ParserProtocol

_T = TypeVar("_T")


class Parser(Generic[_T]):
    """Takes bytes in pieces of any size, and gives the records that are complete, in bounded memory.

    What `demat.json.parser` and its like give. With a `target` it calls that with each record, and gives none itself.

    - `record`: the number of records given so far; `rejected`: of those left out
    - `closed`: whether it takes no more, after `close` or an error

    >>> from demat import json
    >>> parser = json.parser(dict[str, int], at="$.tasks[*]")
    >>> parser.feed(b'{"tasks": [{"id": 1}, {"i')
    [{'id': 1}]
    >>> parser.feed(b'd": 2}]}')
    [{'id': 2}]
    >>> parser.close()
    []
    """

    __slots__ = ("__weakref__", "_busy", "_failed", "_feed", "_rest", "_target")

    def __init__(self, feed: Feed, target: Callable[[_T], object] | None) -> None:
        self._feed = feed
        self._target = target
        # Raised at the next call, where records came before it.
        self._failed: BaseException | None = None
        # What was complete before the error that `close` raised.
        self._rest: list[_T] = []
        self._busy = False

    def feed(self, chunk: str | Buffer, /) -> list[_T]:
        """Takes bytes, or text, and returns the records that are complete.

        Raises what reading raises, behind the records that came before: these are returned first, and the error is
        raised by the next call. Raises ValueError if the parser is closed, and RuntimeError in its own target.
        """
        if chunk is None:
            raise TypeError("a parser is fed with bytes or a str; `close` ends the input")
        self._raise()
        if self._feed.closed:
            raise ValueError("the parser is closed")
        self._feed.give(chunk)
        return self._ready()

    def close(self) -> list[_T]:
        """Ends the input, and returns the records that were complete only now. Again it returns none.

        Raises what reading raises, such as that the input ends within a record; then another call returns the records
        that were complete before.
        """
        self._raise()
        if self._feed.closed:
            rest, self._rest = self._rest, []
            return rest
        self._feed.give(None)
        return self._ready(ends=True)

    def _ready(self, *, ends: bool = False) -> list[_T]:
        records: list[_T] = []
        self._busy = True
        try:
            self._feed.ready(records, self._target)
        except BaseException as error:
            # Nothing comes behind it, also where a target raised it.
            self._feed.close()
            if ends:
                self._rest = records
            if not records or ends:
                raise
            self._failed = error
        finally:
            self._busy = False
        if ends:
            self._feed.close()
        return records

    def _raise(self) -> None:
        if self._busy:
            raise RuntimeError("the parser is at work: its target can't feed it")
        failed, self._failed = self._failed, None
        if failed is not None:
            raise failed

    def protocol(self) -> ParserProtocol:
        """Returns an asyncio protocol that feeds the parser, which needs a target.

        `await protocol.done` waits for the end of the connection, and returns the number of records; it raises what the
        parser or its target raised, or what broke the connection.

        >>> import asyncio, socket
        >>> from demat import json
        >>> async def received() -> tuple[int, list[int]]:
        ...     near, far = socket.socketpair()
        ...     got: list[int] = []
        ...     _, protocol = await asyncio.get_running_loop().create_connection(
        ...         json.parser(int, target=got.append).protocol, sock=near
        ...     )
        ...     with far:
        ...         far.sendall(b"[1, 2, 3]")
        ...     return await protocol.done, got
        >>> asyncio.run(received())
        (3, [1, 2, 3])
        """
        from ._parser_protocol import ParserProtocol

        if self._target is None:
            raise TypeError("the protocol has nobody to give records to: make the parser with a target")
        return ParserProtocol(self)

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
        """How many of the bytes were read so far, packed as they came."""
        return self._feed.bytes_read

    @property
    def closed(self) -> bool:
        """Whether it takes no more."""
        return self._feed.closed


Parser.__module__ = "demat"


class _Pushed:
    """A place whose bytes come when the program pushes them."""

    def __aiter__(self) -> Self:
        return self

    async def __anext__(self) -> bytes:
        raise StopAsyncIteration


def parser(verbs: Format, type: Any, target: Any, options: dict[str, Any]) -> Parser[Any]:
    """Returns a parser of a format."""
    for name in ("batch", "recycle"):
        if name in options:
            raise TypeError(f"a parser has no option {name!r}: it gives all records that are complete")
    if target is not None and not callable(target):
        raise TypeError(f"target must be a callable that gets each record, not {target!r}")
    place: Any = _Pushed()
    reader: Any = verbs.read(place, **options) if type is None else verbs.read(place, type, **options)
    return Parser(reader._feed, target)
