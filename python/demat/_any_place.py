"""`read`, `columns` and `write`: the records of any place, whose name says what it is."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from importlib import import_module
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar, overload

from . import _native, _stored

if TYPE_CHECKING:
    import builtins

    from typing_extensions import TypeForm

    from ._formats import CopiedName
    from ._native import Columns
    from ._places import Place, Target
    from ._schema.arrow import Arrow

_T = TypeVar("_T")

# A part of a database is a table, behind `#`, or a statement, behind `?`. Parameters of a URL are `?name=value&…`.
_PART = re.compile(
    r"(?P<kind>postgres(?:ql)?:)(?P<server>//[^#?]*(?:\?\w+=[^#?]*)?)(?:(?P<server_sign>[#?])(?P<server_part>.*))?"
    r"|lmdb:(?P<folder>[^#]*)(?:(?P<folder_sign>#)(?P<folder_part>.*))?"
    r"|(?P<file>.*?\.(?:db|sqlite3?))(?:(?P<file_sign>[#?])(?P<file_part>.*))?",
    re.DOTALL | re.IGNORECASE,
)


@overload
def read(
    place: Place, /, type: builtins.type[_T], *, format: CopiedName | None = None, **options: Any
) -> Iterator[_T]: ...
@overload
def read(place: Place, /, type: TypeForm[_T], *, format: CopiedName | None = None, **options: Any) -> Iterator[_T]: ...
@overload
def read(place: Place, /, type: None = None, *, format: CopiedName | None = None, **options: Any) -> Iterator[Any]: ...
def read(place: Any, /, type: Any = None, *, format: str | None = None, **options: Any) -> Iterator[Any]:
    """Returns an iterator over the records of a place.

    - `place`: a path; a table or a statement of a database (`app.db#tasks`, `app.db?select …`,
      `postgresql://host/app#tasks`), a collection (`lmdb:folder#tasks`); a place of a `demat.scheme`; or anything else
      that the `read` of the format takes, such as bytes or an open file
    - `type`: the class of each record. Without it records are dicts, and those of a collection are of the class that
      it was made with
    - `format`: the format, where the name of the place does not say it
    - `options`: those of the format's `read`. A database has none here: `demat.sqlite`, `demat.postgres` and
      `demat.lmdb` select and sort

    Raises ValueError if the format can't be told, TypeError for unknown options, `demat.StoreError` if the place can't
    be opened, and for a record what the `read` of the format raises.

    >>> import tempfile
    >>> from dataclasses import dataclass
    >>> from pathlib import Path
    >>> from demat import read, write
    >>> @dataclass
    ... class Point:
    ...     x: int
    ...     y: int
    >>> folder = tempfile.TemporaryDirectory()
    >>> for name in ("points.csv", "points.json.gz", "points.parquet", "points.db#points"):
    ...     place = str(Path(folder.name) / name)
    ...     write(place, [Point(1, 2), Point(3, 4)]), list(read(place, Point))
    (2, [Point(x=1, y=2), Point(x=3, y=4)])
    (2, [Point(x=1, y=2), Point(x=3, y=4)])
    (2, [Point(x=1, y=2), Point(x=3, y=4)])
    (2, [Point(x=1, y=2), Point(x=3, y=4)])
    >>> folder.cleanup()
    """
    part = _part(place, format)
    if part is not None:
        part.refuse(options)
        return iter(part.collection(type).scan(objects=True) if part.kind == "lmdb" else part.rows(type))
    module, more = _module(place, format)
    found: Iterator[Any] = module.read(place, *_typed(type), **more, **options)
    return found


def columns(
    place: Place | str, /, type: TypeForm[Any] | None = None, *, format: CopiedName | None = None, **options: Any
) -> Columns:
    """Returns the records of a place as columns for NumPy and Arrow, without making objects.

    `place`, `type` and `format` are those of `read`; `options` are those of the format's `columns`, and a database has
    none here. Raises what `read` raises.

    >>> from demat import columns
    >>> columns(b"x,y\\n1,2\\n3,4\\n", format="csv").numpy("y").tolist()
    [2, 4]
    """
    part = _part(place, format)
    found: Columns
    if part is not None:
        part.refuse(options)
        found = part.collection(type).columns() if part.kind == "lmdb" else part.rows(type).columns()
        return found
    module, more = _module(place, format)
    found = module.columns(place, *_typed(type), **more, **options)
    return found


def write(
    place: Target,
    values: Iterable[Any] | Arrow,
    /,
    type: TypeForm[Any] | None = None,
    *,
    format: CopiedName | None = None,
    **options: Any,
) -> int:
    """Writes records to a place; returns their number.

    A file is replaced when all is written, and an error leaves it as it was. A table is made for the class if it is not
    there, and gets the rows in one transaction.

    - `place`: as of `read`, or anything else that the `write` of the format takes
    - `values`: an iterable of objects, dicts or rows, or columns of any library that speaks Arrow's PyCapsule interface
    - `type`: the class of each record; without it each is written as its own
    - `format`: the format, where the name of the place does not say it
    - `options`: those of the format's `write`. A database has none here

    Raises ValueError if the format can't be told, TypeError for unknown options, `demat.EncodeError` if the place can't
    hold a value, and `demat.StoreError` if it can't be written to.

    >>> import io
    >>> from demat import write
    >>> text = io.StringIO()
    >>> write(text, [{"x": 1}, {"x": 2}], format="ndjson")
    2
    >>> text.getvalue()
    '{"x":1}\\n{"x":2}\\n'
    """
    part = _part(place, format)
    if part is not None:
        part.refuse(options)
        from ._copy import copy

        return copy(values, place, type).records
    module, more = _module(place, format)
    found: int = module.write(place, values, *_typed(type), **more, **options)
    return found


class _Part(NamedTuple):
    """A table, a statement or a collection of a database."""

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


def _part(place: Any, format: str | None) -> _Part | None:
    """The part of a database that a place names, if it is one."""
    if not isinstance(place, str) or format is not None:
        return None
    found = _PART.fullmatch(place)
    if found is None:
        return None
    if found["kind"]:
        return _Part(
            "postgres", found["kind"] + found["server"], found["server_sign"] or "", found["server_part"] or ""
        )
    # A file may be called so; a database without a part is refused below, as its file is no records.
    if (found["file_sign"] or found["folder_sign"]) and Path(place).exists():
        return None
    if found["file"]:
        return _Part("sqlite", found["file"], found["file_sign"] or "", found["file_part"] or "")
    return _Part("lmdb", found["folder"], found["folder_sign"] or "", found["folder_part"] or "")


def _module(place: Any, format: str | None) -> tuple[Any, dict[str, Any]]:
    """The module of the place's format, and the options that the format's name stands for."""
    if format is None and _stored.Stored.of(place) is not None:
        # A value of a store has no format: this one holds most kinds of values as they are.
        format = _stored.KEPT
    if format is None:
        named = place if isinstance(place, (str, PathLike)) else getattr(place, "name", None)
        if not isinstance(named, (str, PathLike)):
            raise ValueError(f"the format of {_shown(place)} can't be told: say format=")
        try:
            format = _native.format_name(named, None)
        except ValueError as error:
            raise ValueError(f"the format of {named} can't be told by its name: say format=") from error
    # Cells between tabs are those of CSV, by an option.
    if format == "tsv":
        return import_module("demat.csv"), {"delimiter": "\t"}
    return import_module(f"demat.{format}"), {}


def _shown(place: Any) -> str:
    return "bytes" if isinstance(place, (bytes, bytearray, memoryview)) else f"a `{type(place).__name__}`"


def _typed(type: Any) -> tuple[Any, ...]:
    """The argument `type`, where it is given."""
    return () if type is None else (type,)
