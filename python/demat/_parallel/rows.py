"""Tables whose cells may be quoted: the header, and where a range of rows may begin."""

from __future__ import annotations

import ast
import re
from typing import TYPE_CHECKING, Any, NamedTuple

from .. import _native

if TYPE_CHECKING:
    from collections.abc import Mapping

# A header that is longer than this is none: then the file is not divided.
_LONGEST_HEADER = 1 << 20
# How far a row is looked for that has as many cells as the header.
_WINDOW = 1 << 16


class Dialect(NamedTuple):
    """The options of a table that say where its rows end."""

    delimiter: str
    quote: str | None
    header: bool

    @classmethod
    def of(cls, format: str, given: Mapping[str, Any] | None) -> Dialect:
        """The options of a copy, with the defaults of the format."""
        about = next(about for about in _native.describe_formats() if about["name"] == format)
        defaults = {name: ast.literal_eval(default) for name, default, _ in about["read"]}
        said = {**defaults, **(given or {})}
        return cls(said["delimiter"], said["quote"], bool(said["header"]))

    def _cell(self) -> str:
        delimiter = re.escape(self.delimiter)
        plain = rf"[^{delimiter}\r\n]*+"
        if self.quote is None:
            return plain
        quote = re.escape(self.quote)
        return rf"(?:{quote}(?:[^{quote}]|{quote}{quote})*+{quote}(?=[{delimiter}\r\n])|(?!{quote}){plain})"

    def head(self, path: str) -> Head | None:
        """The header of a file, with what is before it; None if the first row does not end."""
        with open(path, "rb") as file:
            first = file.read(_LONGEST_HEADER)
        blank = re.match(rb"(?:\xef\xbb\xbf)?[\r\n]*", first)
        cell = re.compile(self._cell().encode())
        at, cells = blank.end() if blank else 0, 0
        while found := cell.match(first, at):
            at, cells = found.end() + 1, cells + 1
            if first[at - 1 : at] != self.delimiter.encode():
                break
        end = re.compile(rb"\r?\n").match(first, at - 1)
        if not cells or end is None:
            return None
        return Head(first[: end.end()] if self.header else b"", cells)

    def begin(self, path: str, line: int, end: int, cells: int) -> int:
        """Returns where a row is likely to begin, at a line or behind it.

        It is a guess: a line within a quoted cell may look like a row. The copy finds that out, as what stands before
        it then ends within a cell.
        """
        if self.quote is None:
            return line
        with open(path, "rb") as file:
            file.seek(line)
            window = file.read(min(_WINDOW, end - line))
        if self.quote.encode() not in window:
            return line
        cell = self._cell()
        row, at = re.compile(f"{cell}(?:{re.escape(self.delimiter)}{cell}){{{cells - 1}}}\r?\n".encode()), 0
        while at < len(window):
            if row.match(window, at):
                return line + at
            at = window.find(b"\n", at) + 1
            if not at:
                break
        return line


class Head(NamedTuple):
    """The first row of a table."""

    bytes: bytes
    """All up to its end, if it has the names of the columns."""
    cells: int
    """How many cells it has."""
