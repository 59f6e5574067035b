"""`writer`: a place that a program holds, to write one value after the other."""

from __future__ import annotations

import contextlib
from collections.abc import Iterable
from os import PathLike
from threading import get_ident
from types import TracebackType
from typing import TYPE_CHECKING, Any, overload

from . import _native, _stored

if TYPE_CHECKING:
    from typing import Self

    from typing_extensions import TypeForm

    from ._async_writer import AsyncWriter
    from ._formats import CopiedName, DefinedName
    from ._native import Writer
    from ._places import AsyncTarget, Written
    from ._sqlite.table import Table
    from ._staged_writer import StagedWriter
    from ._store import Store


class TableWriter:
    """Writes rows to a table, in one transaction, as `demat.writer` returns it.

    The rows are there when the writer is closed; after an error that leaves a `with`, none of them are. Other threads
    wait for the database meanwhile, and only the one that opened the writer may use it. Of several writers of a
    database, only the last one that was opened is written to, and it is closed first. A value that is refused is not
    written, and the writer goes on.

    - `count`: the number of rows written
    - `closed`: whether it takes no more
    """

    __slots__ = ("_count", "_open", "_table", "_thread")

    def __init__(self, table: Table[Any]) -> None:
        self._table = table
        self._count = 0
        self._thread = get_ident()
        self._open: contextlib.ExitStack | None = contextlib.ExitStack()
        self._open.enter_context(table._database.transaction())
        table._database._writers.append(self)

    @property
    def count(self) -> int:
        """The number of rows written."""
        return self._count

    @property
    def closed(self) -> bool:
        """Whether it takes no more."""
        return self._open is None

    def write(self, value: Any, /) -> None:
        """Writes one row: an instance, or a dict with the names of columns. Raises what `Table.insert` raises."""
        self.write_all((value,))

    def write_all(self, values: Iterable[Any], /) -> int:
        """Writes rows, all of them or none, and returns their number. Raises what `Table.insert` raises."""
        self._check()
        count = self._table.insert(values)
        self._count += count
        return count

    def flush(self) -> None:
        """Does nothing: the rows are there when the writer is closed."""
        self._check()

    def close(self) -> int:
        """Commits the rows, and returns their number. Again it does nothing."""
        if self._open is not None:
            self._end().close()
        return self._count

    def abort(self) -> None:
        """Gives the rows up. Again it does nothing."""
        if self._open is not None:
            with contextlib.suppress(_Aborted), self._end():
                raise _Aborted

    def _check(self) -> None:
        if self._open is None:
            raise RuntimeError("the place is closed")
        if self._thread != get_ident():
            raise RuntimeError("a table is written to by the thread that opened the writer")
        if self._table._database._writers[-1] is not self:
            raise RuntimeError("another writer of the database was opened later: close that one first")

    def _end(self) -> contextlib.ExitStack:
        """Returns what ends the transaction, for the last time."""
        self._check()
        opened, self._open = self._open, None
        self._table._database._writers.pop()
        assert opened is not None
        return opened

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, raised: BaseException | None, traceback: TracebackType | None, /
    ) -> None:
        if kind is None:
            self.close()
        else:
            self.abort()


class _Aborted(BaseException):
    """Ends a transaction without its rows."""


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
) -> Writer: ...


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

    Stores, files of columns (`tasks.parquet`, `tasks.arrow`) and tables by their names (`app.db#tasks`) take the whole:
    a `demat.StagedWriter` keeps it until it is closed, and has the same methods.

    Raises TypeError and ValueError for unknown options and objects that are no place, and `demat.StoreError` if the
    place can't be opened.

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

        return to_store(stored, type, format, options)
    if not isinstance(place, (str, PathLike)):
        from ._async_writer import AsyncWriter, sender_of

        send = sender_of(place)
        if send is not None:
            name = getattr(place, "name", None)
            return AsyncWriter(send, name if isinstance(name, str) else None, type, format, options)
    name = _whole_name(place, format)
    if name is not None:
        from ._staged_writer import whole

        return whole(name, place, type, options)
    return _native.open_writer(place, type, format, options)


def _whole_name(place: Any, format: str | None) -> str | None:
    """The name of the place's format, if that is written as a whole."""
    from ._staged_writer import WHOLE

    try:
        name = _native.format_name(place, format)
    except (TypeError, ValueError):
        # Opening the place says what is wrong with it.
        return None
    return name if name in WHOLE else None
