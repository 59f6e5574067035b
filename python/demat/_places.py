"""What bytes come from and go to, for type checkers: the stubs name these, and no program loads them."""

from __future__ import annotations

from collections.abc import AsyncIterable, Awaitable, Callable, Iterable
from os import PathLike
from typing import TYPE_CHECKING, Protocol, TypeAlias

if TYPE_CHECKING:
    from io import StringIO
    from typing import Any

    from _typeshed import SupportsWrite
    from typing_extensions import Buffer

    from ._own_places import Sink, Source
    from ._store import Store

    Chunk: TypeAlias = str | Buffer


class File(Protocol):
    """An open file, in binary mode or in text mode."""

    def read(self, size: int, /) -> Chunk:
        """Returns at most `size` bytes or characters, and none at the end."""
        ...


class Socket(Protocol):
    """A socket, or what is like one."""

    def recv(self, size: int, /) -> Buffer:
        """Returns at most `size` bytes, and none at the end."""
        ...


class Sender(Protocol):
    """A socket that is written to, or what is like one."""

    def sendall(self, data: bytes, /) -> object:
        """Sends all of the bytes."""
        ...


class AsyncWritable(Protocol):
    """A file or stream that is written to and awaited."""

    def write(self, data: bytes, /) -> Awaitable[object]:
        """Writes the bytes, or some of them; then it returns how many."""
        ...


class AsyncSender(Protocol):
    """A stream that sends bytes, and is awaited."""

    def send(self, item: bytes, /) -> Awaitable[object]:
        """Sends all of the bytes."""
        ...


class Drained(Protocol):
    """A stream that is written to, and whose buffer is awaited, such as an `asyncio.StreamWriter`."""

    def write(self, data: bytes, /) -> None:
        """Takes the bytes."""
        ...

    def drain(self) -> Awaitable[object]:
        """Waits until the stream takes more."""
        ...


class AsyncFile(Protocol):
    """A file or stream whose bytes are awaited."""

    def read(self, size: int, /) -> Awaitable[Chunk]:
        """Returns at most `size` bytes or characters, and none at the end."""
        ...


if TYPE_CHECKING:
    Place: TypeAlias = str | PathLike[str] | Buffer | File | Socket | Iterable[Chunk] | Store
    Written: TypeAlias = str | PathLike[str] | SupportsWrite[bytes] | StringIO | Sender | Callable[[bytes], object]
    Target: TypeAlias = Written | Store | Sink
    # What has objects.
    Objects: TypeAlias = Source | Iterable[Any] | Callable[[], Iterable[Any]]
    AsyncPlace: TypeAlias = AsyncFile | AsyncIterable[Chunk]
    AsyncTarget: TypeAlias = AsyncWritable | AsyncSender | Drained | Callable[[bytes], Awaitable[object]]
