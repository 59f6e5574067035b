"""`writer`: a place that a program holds, to write one value after the other."""

from __future__ import annotations

from os import PathLike
from typing import TYPE_CHECKING, Any, overload

from . import _stored
from ._format_of import format_of, open_writer
from ._part import part_of
from ._table_writer import TableWriter

if TYPE_CHECKING:
    from typing_extensions import TypeForm

    from ._async_writer import AsyncWriter
    from ._formats import CopiedName, DefinedName
    from ._native import Writer
    from ._places import AsyncTarget, Written
    from ._sqlite.table import Table
    from ._staged_writer import StagedWriter
    from ._store import Store


@overload
def writer(place: Table[Any], /) -> TableWriter: ...
@overload
def writer(
    place: Store,
    type: TypeForm[Any] | None = None,
    *,
    format: DefinedName | None = None,
    **options: Any,
) -> StagedWriter: ...
@overload
def writer(  # pyright: ignore[reportOverlappingOverload] - an object with an `async def write` has a `write`, too
    place: AsyncTarget,
    type: TypeForm[Any] | None = None,
    *,
    format: DefinedName | None = None,
    **options: Any,
) -> AsyncWriter: ...
@overload
def writer(
    place: Written,
    type: TypeForm[Any] | None = None,
    *,
    format: CopiedName | None = None,
    **options: Any,
) -> Writer | StagedWriter: ...


def writer(
    place: Any, type: Any = None, *, format: str | None = None, **options: Any
) -> Writer | TableWriter | StagedWriter | AsyncWriter:
    """Opens a place to which the program writes value by value: rows, objects, whatever the format can say.

    - `place`: a path, whose file appears when the writer is closed; `-`, standard output; an open file, a
      `StringIO`, a socket, or a callable that gets bytes; a table of a database; a store, or a place of a
      `demat.scheme` (`todo:/tasks`), whose value is replaced; or a place that is awaited: an object with an
      `async def write` or `send`, an `asyncio.StreamWriter`, an `async def` that gets bytes
    - `type`: the type of a value; without it each is written as its own class
    - `format`: the format, where the name of the place does not say it; of a value of a store CBOR, unless it is said
    - `options`: those of the format's `write`

    Leaving a `with` closes the writer; leaving it by an exception gives the place up, so that a file, a table or a
    value is as it was. An open file, a pipe or a socket gets what each call writes as the call returns. Of a place that
    is awaited the methods are coroutines, and the statement is `async with`: see `demat.AsyncWriter`.

    Stores, files of columns (`tasks.parquet`, `tasks.arrow`), and tables and collections by their names
    (`app.db#tasks`, `lmdb:folder#tasks`) take the whole: a `demat.StagedWriter` keeps it until it is closed, and has
    the same methods. A database has one writer to its tables at a time.

    Raises TypeError and ValueError for unknown options and objects that are no place, `demat.StoreError` if the place
    can't be opened, and RuntimeError if another writer of the table's database is open.

    >>> import io
    >>> from dataclasses import dataclass
    >>> @dataclass
    ... class Point:
    ...     x: int
    ...     y: int
    >>> text = io.StringIO()
    >>> with writer(text, Point, format="csv") as points:
    ...     for x in range(3):
    ...         points.write(Point(x, x * x))
    >>> print(text.getvalue(), end="")
    x,y
    0,0
    1,1
    2,4
    """
    if hasattr(place, "_database") and hasattr(place, "insert"):
        if type is not None or format is not None or options:
            raise TypeError("a table says itself what its rows are: give neither type, format nor options")
        return TableWriter(place)
    stored = _stored.Stored.of(place)
    if stored is not None:
        from ._staged_writer import to_store

        return to_store(stored, place, type, format, options)
    if not isinstance(place, (str, PathLike)):
        from ._async_writer import AsyncWriter, refusing_awaitables, sender_of

        send = sender_of(place)
        if send is not None:
            name = getattr(place, "name", None)
            return AsyncWriter(send, name if isinstance(name, str) else None, type, format, options)
        place = refusing_awaitables(place)
    name = _whole_name(place, format)
    if name is not None:
        from ._staged_writer import whole

        return whole(name, place, type, options)
    return open_writer(place, type, format, options)


def _whole_name(place: Any, format: str | None) -> str | None:
    """The name of the place's format, if that is written as a whole; of a collection, how its records are encoded."""
    from ._staged_writer import WHOLE

    try:
        name = format_of(place, format)
    except (TypeError, ValueError):
        # Opening the place says what is wrong with it.
        return None
    part = part_of(place)
    return name if name in WHOLE or (part is not None and part.kind == "lmdb") else None
