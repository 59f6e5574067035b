"""Positions in a whole file for errors that were found in a range of it."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable

    from .._errors import Error

_ITEM = re.compile(r"\$\[(\d+)\]")
_PLACE = re.compile(r"record (\d+)(?=[,)])(, line (\d+))?")


class Before(NamedTuple):
    """What stands before a range in its file, less the header that is read with it."""

    records: int
    lines: int
    bytes: int
    header: int = 0
    """How many bytes of a header are read with the range."""

    def _at(self, offset: int | None) -> Before:
        """What moves an error at an offset: one in the header, which all ranges have, is where it is in the file."""
        in_header = offset is not None and offset < self.header
        return self._replace(lines=0, bytes=0) if in_header else self

    def shift(self, error: Error) -> None:
        """Moves an error of the range to where it is in the file."""
        self = self._at(error.offset)
        path = _item(error.path, self.records)
        message = str(error.args[0])
        if message.startswith(error.reason):
            place = message[len(error.reason) :]
            if error.path:
                place = place.replace(f"`{error.path}`", f"`{path}`", 1)
            place = _last(place, self._place)
            error.args = (error.reason + place, *error.args[1:])
        error.path = path
        error.record = _sum(error.record, self.records)
        error.line = _sum(error.line, self.lines)
        error.offset = _sum(error.offset, self.bytes)

    def _place(self, found: re.Match[str]) -> str:
        line = f", line {int(found[3]) + self.lines}" if found[3] else ""
        return f"record {int(found[1]) + self.records}{line}"

    def shift_line(self, told: dict[str, Any]) -> dict[str, Any]:
        """Returns a refused record of a file of them, moved likewise."""
        self = self._at(told.get("offset"))
        moves = {"record": self.records, "line": self.lines, "offset": self.bytes}
        moved = {name: value + moves[name] if name in moves else value for name, value in told.items()}
        if "path" in moved:
            moved["path"] = _item(moved["path"], self.records)
        return moved


def _sum(value: int | None, more: int) -> int | None:
    return None if value is None else value + more


def _item(path: str | None, records: int) -> str | None:
    found = _ITEM.match(path or "")
    return path if found is None or path is None else f"$[{int(found[1]) + records}]{path[found.end() :]}"


def _last(text: str, change: Callable[[re.Match[str]], str]) -> str:
    """Changes the last place that a message names: names of files may look like one, too."""
    places = list(_PLACE.finditer(text))
    if not places:
        return text
    last = places[-1]
    return text[: last.start()] + change(last) + text[last.end() :]
