"""What bytes come from, for type checkers: the stubs name these, and no program loads them."""

from __future__ import annotations

from collections.abc import AsyncIterable, Awaitable, Iterable
from os import PathLike
from typing import TYPE_CHECKING, Protocol, TypeAlias

if TYPE_CHECKING:
    from typing_extensions import Buffer

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


class AsyncFile(Protocol):
    """A file or stream whose bytes are awaited."""

    def read(self, size: int, /) -> Awaitable[Chunk]:
        """Returns at most `size` bytes or characters, and none at the end."""
        ...


if TYPE_CHECKING:
    Place: TypeAlias = str | PathLike[str] | Buffer | File | Socket | Iterable[Chunk]
    AsyncPlace: TypeAlias = AsyncFile | AsyncIterable[Chunk]
