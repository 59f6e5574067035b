"""`TableWriter`: writes rows to a table, in one transaction."""

from __future__ import annotations

import contextlib
import weakref
from threading import get_ident
from typing import TYPE_CHECKING, Any

from ._closing import Closing

if TYPE_CHECKING:
    from collections.abc import Iterable

    from ._sqlite.table import Table


class TableWriter(Closing):
    """Writes rows to a table, in one transaction, as `demat.writer` returns it.

    The rows are there when the writer is closed; after an error that leaves a `with`, none of them are. Other threads
    wait for the database meanwhile, and only the one that opened the writer may use it. A database has one writer at a
    time; a task that opens another one gets a RuntimeError. A value that is refused is not written, and the writer goes
    on. A writer that is forgotten, and one whose database is closed, gives its rows up.

    - `count`: the number of rows written
    - `closed`: whether it takes no more
    """

    __slots__ = ("__weakref__", "_count", "_failed", "_open", "_table", "_thread")

    def __init__(self, table: Table[Any]) -> None:
        self._table = table
        self._count = 0
        self._thread = get_ident()
        # Why the rows were given up, if that was not by `abort`.
        self._failed: str | None = None
        self._open: contextlib.ExitStack | None = None
        database = table._database
        with contextlib.ExitStack() as opened:
            # What other threads have opened is waited for.
            opened.enter_context(database.transaction())
            if database._writer is not None and database._writer() is not None:
                raise RuntimeError("another writer of the database is open: close that one first")
            database._writer = weakref.ref(self)
            self._open = opened.pop_all()

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
        """Commits the rows, and returns their number. Again it does nothing.

        Raises what SQLite refuses; then there are none of them.
        """
        if self._open is not None:
            opened = self._end()
            self._failed = "the rows were given up after an error: none were written"
            opened.close()
            self._failed = None
        if self._failed is not None:
            raise RuntimeError(self._failed)
        return self._count

    def abort(self) -> None:
        """Gives the rows up. Again it does nothing."""
        if self._open is not None:
            with contextlib.suppress(_Aborted), self._end():
                raise _Aborted
        self._failed = None

    def _given_up(self) -> None:
        """Gives the rows up before the database is closed. Needs the lock."""
        if self._open is not None:
            with contextlib.suppress(_Aborted), self._end():
                raise _Aborted
            self._failed = "the database was closed before the writer: its rows were given up"

    def _check(self) -> None:
        if self._open is None:
            raise RuntimeError(self._failed or "the place is closed")
        if self._thread != get_ident():
            raise RuntimeError("a table is written to by the thread that opened the writer")

    def _end(self) -> contextlib.ExitStack:
        """Returns what ends the transaction, for the last time."""
        self._check()
        opened, self._open = self._open, None
        self._table._database._writer = None
        assert opened is not None
        return opened


TableWriter.__module__ = "demat"


class _Aborted(BaseException):
    """Ends a transaction without its rows."""
