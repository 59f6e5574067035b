"""The parts that a copy is divided into: whole files, and ranges of large ones."""

from __future__ import annotations

import glob
import io
import os
from dataclasses import dataclass
from os import PathLike
from typing import TYPE_CHECKING, Any

from .. import _native
from .._copy import _DEFAULTS
from .._errors import DecodeError
from .rows import Dialect
from .spans import Mark, Span, border, is_plain

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from .rows import Head

# The smallest and the largest range of a file, and how many there are for each worker, so that none waits long for the
# others at the end.
_LEAST = 1 << 20
_MOST = 1 << 26
_EACH = 4


@dataclass(slots=True)
class Part:
    """What one worker reads at a time: a file, or a range of its bytes."""

    index: int
    span: Span
    format: str
    whole: bool
    """Whether it is all of the file."""
    header: bytes = b""
    """What is read before the range."""
    cells: int | None = None
    """How many cells the first row of its table has, if that is in a part before it, and no header."""
    rows: bool = False
    """Whether its end may be within a quoted cell."""
    mark: Mark | None = None
    """What its file was when it was divided; None for what is no file."""
    tries: int = 1
    taken: int = 0
    """How many parts behind it have given it their bytes, as it ended within a quoted cell."""
    joins: int = 1
    """How many it takes the next time."""
    gone: bool = False
    """Whether the part before it reads its bytes, too."""

    def __str__(self) -> str:
        return self.span.path if self.whole else str(self.span)


def files_of(src: Any) -> list[str]:
    """Returns the files of a source: of a path, a pattern, a folder, or a list of paths.

    Raises TypeError for a source that is no file, and ValueError for patterns and folders without any.
    """
    if isinstance(src, (list, tuple)):
        if any(isinstance(one, str) for one in src) or not all(isinstance(one, PathLike) for one in src):
            raise TypeError("with workers= a list has pathlib.Paths; a list of str or bytes is chunks of one source")
        if not src:
            raise ValueError("there is no file to copy from")
        return [name for one in src for name in files_of(one)]
    if not isinstance(src, (str, PathLike)):
        raise TypeError(f"workers= needs files, which several processes can read, not {_kind(src)}")
    path = os.fspath(src)
    if not isinstance(path, str):
        path = os.fsdecode(path)
    if path == "-":
        raise TypeError("workers= needs files, which several processes can read, not standard input")
    if os.path.isdir(path):
        return _folder(path)
    if isinstance(src, str) and not os.path.exists(path) and glob.has_magic(path):
        found = sorted(name for name in glob.glob(path, recursive=True) if os.path.isfile(name))
        if not found:
            raise ValueError(f"no file matches {path}")
        return found
    return [path]


def _kind(src: object) -> str:
    return f"a {type(src).__name__}" if not isinstance(src, (bytes, bytearray, memoryview)) else "bytes"


def _folder(path: str) -> list[str]:
    names = sorted(entry.name for entry in os.scandir(path) if entry.is_file() and entry.name[0] not in "._")
    if not names:
        raise ValueError(
            f"the folder {path} has no files; a pattern such as {os.path.join(path, '**', '*')} finds more"
        )
    return [os.path.join(path, name) for name in names]


class Dividing:
    """How the files of a format are divided."""

    def __init__(self, format: str, read: Mapping[str, Any] | None) -> None:
        from .._formats import FORMATS

        about = next((one for one in FORMATS if format in (one.name, *one.dialects)), None)
        self.format = format
        self.by = about.divided if about is not None else ""
        self.dialect = Dialect.of(format, read) if self.by == "rows" else None

    def head(self, path: str) -> Head | None:
        """The header of a table."""
        return self.dialect.head(path) if self.dialect is not None else None

    def spans(self, path: str, size: int) -> tuple[list[Span], Head | None]:
        """Ranges of a file, of about a size each, and the first row of a table, which the later ones need to know."""
        end = _size(path)
        whole = [Span(path, 0, end)]
        if not self.by or end <= size or not is_plain(path):
            return whole, None
        head = self.head(path)
        if self.dialect is not None and head is None:
            return whole, None
        spans, start = [], 0
        with open(path, "rb") as file:
            for offset in range(size, end, size):
                if offset <= start or (head is not None and offset <= len(head.bytes)):
                    continue
                at = border(file, offset, end)
                if self.dialect is not None and head is not None and at < end:
                    at = self.dialect.begin(path, at, end, head.cells)
                if start < at < end:
                    spans.append(Span(path, start, at))
                    start = at
        return [*spans, Span(path, start, end)], head


def _size(path: str) -> int:
    """The size of a file; 0 for a missing one: opening it raises the error."""
    try:
        return os.stat(path).st_size
    except OSError:
        return 0


def format_of(path: str, given: str | None) -> str:
    """Returns the name of a file's format. Raises ValueError if neither its name nor `from_` says it."""
    try:
        return _native.format_name(path, given)
    except ValueError as error:
        if given is not None:
            raise
        raise ValueError(f"the format of {path} can't be told by its name: say from_=") from error


def parts_of(files: Iterable[str], settings: Mapping[str, Any], workers: int) -> list[Part]:
    """Divides files for a number of workers, in their order."""
    files = list(files)
    total = sum(map(_size, files))
    size = min(max(total // (workers * _EACH), _LEAST), _MOST)
    parts: list[Part] = []
    known: dict[str, Dividing] = {}
    for path in files:
        name = format_of(path, settings["from_"])
        dividing = known.setdefault(name, Dividing(name, settings["read"]))
        # A path in the data decides what a record is, and in other encodings a line feed is not known by its byte.
        mark = Mark.of(path)
        alone = settings["at"] is not None or settings["encoding"] is not None or mark is None
        spans, head = ([Span(path, 0, _size(path))], None) if alone else dividing.spans(path, size)
        for span in spans:
            header = head.bytes if head is not None and span.start else b""
            cells = head.cells if head is not None and span.start and not header else None
            quoted = dividing.dialect is not None and dividing.dialect.quote is not None
            rows = quoted and span is not spans[-1]
            parts.append(Part(len(parts), span, name, len(spans) == 1, header, cells, rows, mark))
    return parts


def first_rows(parts: Iterable[Part], settings: Mapping[str, Any]) -> dict[int, bytes]:
    """Returns the first row of each file of a table that has one, by the index of its first part.

    Raises ValueError for a file whose first row can't be read.
    """
    given = {**_DEFAULTS, "read": {**(settings["read"] or {}), "header": False}, "encoding": settings["encoding"]}
    rows: dict[int, bytes] = {}
    for part in parts:
        if part.span.start:
            continue
        row = io.BytesIO()
        try:
            _native.copy(part.span.path, row, {**given, "from_": part.format, "to": _native.LINES, "first": 1})
        except DecodeError as error:
            raise ValueError(f"workers= needs type= for tables whose first row can't be read: {error}") from error
        if row.getvalue():
            rows[part.index] = row.getvalue()
    return rows
