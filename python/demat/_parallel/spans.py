"""Byte ranges of files whose records are lines, and what reads one."""

from __future__ import annotations

import os
import stat
from typing import TYPE_CHECKING, NamedTuple

from .._errors import StoreError

if TYPE_CHECKING:
    from typing import BinaryIO, Self

# How much is read at once while a line feed is looked for.
_PIECE = 1 << 16
# What the bytes at the beginning of a source can mean: a byte order mark, or a compression. A range does not begin with
# them, so that it is read as it is in the whole.
_SIGNS = (b"\xef\xbb\xbf", b"\xff\xfe", b"\xfe\xff", b"\x1f\x8b", b"\x28\xb5\x2f\xfd")


class Span(NamedTuple):
    """The bytes of a file from `start` to `end`."""

    path: str
    start: int
    end: int

    def __str__(self) -> str:
        return f"bytes {self.start} to {self.end} of {self.path}"


class Mark(NamedTuple):
    """What tells a file from one that replaces it, and from itself after a change."""

    device: int
    inode: int
    changed: int
    size: int

    @classmethod
    def of(cls, path: str | int) -> Mark | None:
        """Returns the mark of a path or an open file; None for what is no file."""
        try:
            told = os.stat(path)
        except OSError:
            return None
        return cls(told.st_dev, told.st_ino, told.st_mtime_ns, told.st_size) if stat.S_ISREG(told.st_mode) else None

    def check(self, path: str, now: Mark | None) -> None:
        """Raises StoreError if the file is another one now, or has changed."""
        if self != now:
            raise StoreError(f"{path} has changed while it was read: copy it when no program writes to it")


def sign(path: str) -> bytes:
    """Returns what the first bytes of a file say about the rest: a byte order mark or a compression; else nothing."""
    with open(path, "rb", buffering=0) as file:
        first = file.read(4)
    return next((sign for sign in _SIGNS if first.startswith(sign)), b"")


def is_plain(path: str) -> bool:
    """Whether a file is neither compressed nor in UTF-16, as far as its first bytes tell."""
    return sign(path) in (b"", _SIGNS[0])


def border(file: BinaryIO, offset: int, end: int) -> int:
    """Returns the position of the first line that begins at `offset` or behind it; `end` if there is none before that.

    >>> import io
    >>> file = io.BytesIO(b"one\\ntwo\\nthree")
    >>> [border(file, offset, 13) for offset in (0, 1, 3, 4, 5, 9)]
    [0, 4, 4, 4, 8, 13]
    """
    if offset <= 0:
        return 0
    at = offset - 1
    while at < end:
        file.seek(at)
        piece = file.read(min(_PIECE, end - at) + len(_SIGNS[-1]))
        found = piece.find(b"\n", 0, end - at)
        while found >= 0 and piece.startswith(_SIGNS, found + 1):
            found = piece.find(b"\n", found + 1, end - at)
        if found >= 0:
            return min(at + found + 1, end)
        if len(piece) < min(_PIECE, end - at):
            break
        at += min(_PIECE, end - at)
    return end


def aligned(span: Span) -> Span:
    """Returns the range of the lines that begin within a range.

    Ranges that are next to each other share no line, and leave none out.
    """
    with open(span.path, "rb") as file:
        size = os.fstat(file.fileno()).st_size
        start = border(file, span.start, size)
        return Span(span.path, start, max(start, border(file, span.end, size)))


class SpanReader:
    """Reads the bytes of a range, behind those of a header.

    Raises StoreError if the file is not as its mark says, and OSError if it has become shorter.
    """

    def __init__(self, span: Span, header: bytes = b"", mark: Mark | None = None) -> None:
        # Errors name a place by this.
        self.name = span.path
        self._header = header
        self._left = span.end - span.start
        self._file = open(span.path, "rb", buffering=0)  # noqa: SIM115 - `close` closes it
        try:
            if mark is not None:
                mark.check(span.path, Mark.of(self._file.fileno()))
            self._file.seek(span.start)
        except BaseException:
            self._file.close()
            raise

    def read(self, size: int = -1) -> bytes:
        """Returns at most `size` bytes, and none at the end."""
        if self._header:
            size = len(self._header) if size < 0 else size
            piece, self._header = self._header[:size], self._header[size:]
            return piece
        wanted = self._left if size < 0 else min(size, self._left)
        if not wanted:
            return b""
        piece = self._file.read(wanted)
        if not piece:
            raise OSError(f"{self.name} has become shorter while it was read")
        self._left -= len(piece)
        return piece

    def close(self) -> None:
        """Closes the file."""
        self._file.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_raised: object) -> None:
        self.close()
