"""The target of a copy with workers: the parts' output, joined in the order of the source."""

from __future__ import annotations

import contextlib
import io
import os
import shutil
import tempfile
from os import PathLike
from typing import TYPE_CHECKING, Any

from .._errors import StoreError, refusal

if TYPE_CHECKING:
    from typing import BinaryIO

# How much is copied at once.
_PIECE = 1 << 20


class Joined:
    """Gathers parts in a folder of its own, and lets the target appear when all are there."""

    def __init__(self, target: Any, how: str) -> None:
        self._target = target
        self._path: str | None = None
        self._array = how == "array"
        self._empty = True
        named = os.fspath(target) if isinstance(target, (str, PathLike)) else None
        self._name = "standard output" if named == "-" else str(named)
        try:
            if named is not None and named != "-" and (os.path.isfile(named) or not os.path.exists(named)):
                self._path = os.path.realpath(named)
            if self._path is not None and os.path.exists(self._path):
                with open(self._path, "r+b"):
                    pass
            elif named is not None and os.path.isdir(named):
                raise IsADirectoryError(21, os.strerror(21))
            beside = None if self._path is None else os.path.dirname(self._path)
            self.folder = tempfile.mkdtemp(prefix=".demat-", dir=beside)
            self._file = open(os.path.join(self.folder, "joined"), "x+b")  # noqa: SIM115 - `close` closes it
        except OSError as error:
            raise _refused(error, self._name) from None
        if self._array:
            self._file.write(b"[")

    def add(self, part: str) -> None:
        """Adds what a part has written, and removes its file."""
        try:
            with open(part, "rb") as file:
                left = os.fstat(file.fileno()).st_size
                if self._array:
                    # A line feed ends it. A document that is no list is one item; else the brackets are left out.
                    left -= 1
                    if file.read(1) == b"[":
                        left -= 2
                    else:
                        file.seek(0)
                    if left and not self._empty:
                        self._file.write(b",")
                self._empty = self._empty and not left
                _move(file, self._file, left)
            os.unlink(part)
        except OSError as error:
            raise _refused(error, self._name) from None

    def finish(self) -> None:
        """Lets the target appear: a file by its name, all else by being written to."""
        if self._array:
            self._file.write(b"]\n")
        try:
            self._file.flush()
            if self._path is not None:
                self._replace(self._path)
                return
            self._file.seek(0)
            if self._name == "standard output":
                with open(1, "wb", closefd=False) as out:
                    shutil.copyfileobj(self._file, out, _PIECE)
                return
            if isinstance(self._target, (str, PathLike)):
                with open(self._target, "wb") as out:
                    shutil.copyfileobj(self._file, out, _PIECE)
                return
        except OSError as error:
            raise _refused(error, self._name) from None
        self._tell()

    def _replace(self, path: str) -> None:
        os.fsync(self._file.fileno())
        with contextlib.suppress(FileNotFoundError):
            before = os.stat(path)
            os.chmod(self._file.name, before.st_mode & 0o7777)
            with contextlib.suppress(PermissionError):
                os.chown(self._file.name, before.st_uid, before.st_gid)
        os.replace(self._file.name, path)
        with contextlib.suppress(OSError):
            folder = os.open(os.path.dirname(path), os.O_RDONLY)
            try:
                os.fsync(folder)
            finally:
                os.close(folder)

    def _tell(self) -> None:
        """Writes to an object that takes bytes or text. What it raises comes through."""
        target = self._target
        if isinstance(target, io.TextIOBase):
            with open(self._file.name, encoding="utf-8", newline="") as text:
                shutil.copyfileobj(text, target, _PIECE)
            return
        for piece in iter(lambda: self._file.read(_PIECE), b""):
            if hasattr(target, "sendall"):
                target.sendall(piece)
            elif hasattr(target, "write"):
                _write(target, piece)
            else:
                target(piece)

    def close(self) -> None:
        """Removes all that was not joined, or did not appear."""
        self._file.close()
        shutil.rmtree(self.folder, ignore_errors=True)


def _write(target: Any, piece: bytes) -> None:
    """Writes all of the bytes: a raw file takes as much as it wants. Raises OSError if it takes none, or too many."""
    view = memoryview(piece)
    while view:
        taken = target.write(bytes(view))
        if taken is None and not isinstance(target, io.RawIOBase):
            # Objects of one's own say nothing, and have taken all.
            return
        if not isinstance(taken, int) or not 0 < taken <= len(view):
            raise OSError(f"the file says that it has written {taken} of {len(view)} bytes")
        view = view[taken:]


def takes_bytes(target: Any) -> bool:
    """Whether an object is a target."""
    named = isinstance(target, (str, PathLike))
    return named or hasattr(target, "write") or hasattr(target, "sendall") or callable(target)


def _move(file: BinaryIO, into: BinaryIO, left: int) -> None:
    while left:
        piece = file.read(min(_PIECE, left))
        if not piece:
            return
        into.write(piece)
        left -= len(piece)


def _refused(error: OSError, name: str) -> StoreError:
    """What the system refuses, as an error of the package, in the words of a copy by one process."""
    said = f"{error.strerror} (os error {error.errno})" if error.strerror else str(error)
    reason = "is a directory" if isinstance(error, IsADirectoryError) else said
    made = refusal(error.errno or 0)(f"can't be written: {reason} ({name})")
    made.errno, made.strerror, made.filename = error.errno, error.strerror, name  # type: ignore[attr-defined]
    return made
