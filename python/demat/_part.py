"""`Part`: a table, a statement or a collection of a database, as the name of a place."""

from __future__ import annotations

import os
import re
from typing import Any, NamedTuple

from . import _native, _scheme

# A part of a database is a table, behind `#`, or a statement, behind `?`. Parameters of a URL are `?name=value&…`.
_PART = re.compile(
    r"(?P<kind>postgres(?:ql)?:)(?P<server>//[^#?]*(?:\?\w+=[^#?]*)?)(?:(?P<server_sign>[#?])(?P<server_part>.*))?"
    r"|lmdb:(?P<folder>[^#]*)(?:(?P<folder_sign>#)(?P<folder_part>.*))?"
    r"|(?P<file>.*?\.(?:db|sqlite3?))(?:(?P<file_sign>[#?])(?P<file_part>.*))?",
    re.DOTALL | re.IGNORECASE,
)


class Part(NamedTuple):
    """A part of a database, or all of it."""

    kind: str
    where: str
    """The path of the file or folder, or the URL."""
    sign: str
    name: str

    def refuse(self, options: dict[str, Any]) -> None:
        """Refuses options, and a database of which no part is named."""
        if options:
            option = next(iter(options))
            raise TypeError(f"{self.where} takes no option `{option}` here: use demat.{self.kind} to select and sort")
        if not self.name:
            raise ValueError(f"{self.where} is a whole database: name a part of it, such as {self.where}#tasks")

    def rows(self, type: Any) -> Any:
        """The rows of a table or of a statement."""
        if self.kind == "sqlite":
            from . import sqlite

            statement = self.name if self.sign == "?" else f"select * from {_native.quoted_name(self.name)}"
            return sqlite.open(self.where, readonly=True).query(statement, None, type)
        from . import postgres

        database = postgres.connect(self.where)
        if self.sign == "?":
            return database.query(self.name, None, type)
        table = database.table(self.name)
        return table.select(fields=table.columns) if type is None else table.select(type=type)

    def collection(self, type: Any) -> Any:
        """The collection of a folder."""
        from . import lmdb

        return lmdb.open(self.where, readonly=True).collection(self.name, type)


def part_of(place: Any) -> Part | None:
    """The part of a database that a place names, if it is one."""
    name = os.fspath(place) if isinstance(place, os.PathLike) else place
    if not isinstance(name, str):
        return None
    found = _PART.fullmatch(name)
    # A scheme has places of any name.
    if found is None or _scheme.split(place) is not None:
        return None
    if found["kind"]:
        return Part("postgres", found["kind"] + found["server"], found["server_sign"] or "", found["server_part"] or "")
    # A file may be called so, as far as no database is. A database without a part is refused later.
    if found["folder_sign"] and os.path.exists(name):
        return None
    if found["file_sign"] and os.path.exists(name) and not os.path.exists(found["file"]):
        return None
    if found["file"]:
        return Part("sqlite", found["file"], found["file_sign"] or "", found["file_part"] or "")
    return Part("lmdb", found["folder"], found["folder_sign"] or "", found["folder_part"] or "")
