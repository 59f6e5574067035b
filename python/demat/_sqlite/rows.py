"""`Rows`: what a statement gives."""

from __future__ import annotations

from types import GenericAlias
from typing import TYPE_CHECKING, Any, Generic, Literal, TypeVar

if TYPE_CHECKING:
    from typing import Self

    from .database import Database

T = TypeVar("T")

Format = Literal["json", "ndjson", "csv"]


class Rows(Generic[T]):
    """The rows of a statement, made into objects as they are asked for. It is an iterator, to be gone through once.

    The statement begins when the first row is asked for, and ends with the last, or with `close`: as long as it has
    not ended, it reads the database as it was when it began. Some rows are read at a time; memory does not grow with
    their number.

    Errors say the number of the row and the column: `demat.ValidationError` for what is not of the type,
    `demat.StoreError` for what SQLite refuses.

    >>> from demat import sqlite
    >>> with sqlite.open(":memory:") as database:
    ...     for row in database.query("select 1 as a, 'x' as b"):
    ...         print(row)
    {'a': 1, 'b': 'x'}
    """

    __slots__ = ("_at", "_database", "_native", "_params", "_some", "_sql", "_type")

    def __init__(self, database: Database, sql: str, params: Any, type: Any) -> None:
        self._database = database
        self._sql = sql
        self._params = params
        self._type = None if type is None or type is Any else GenericAlias(list, (type,))
        self._native: Any = None
        self._some: list[T] = []
        self._at = 0

    def __iter__(self) -> Self:
        return self

    def __next__(self) -> T:
        while self._at >= len(self._some):
            some = self._take()
            if some is None:
                self._some, self._at = [], 0
                raise StopIteration
            self._some, self._at = some, 0
        value = self._some[self._at]
        self._at += 1
        return value

    def _take(self) -> list[T] | None:
        database = self._database
        with database._lock:
            if self._native is None:
                self._native = database._native.rows(self._sql, self._params, self._type)
            some: list[T] | None = self._native.take()
            return some

    def all(self) -> list[T]:
        """The rows that are left, in a list.

        >>> from demat import sqlite
        >>> with sqlite.open(":memory:") as database:
        ...     database.query("select 1 as a union select 2").all()
        [{'a': 1}, {'a': 2}]
        """
        rows = self._some[self._at :]
        self._some, self._at = [], 0
        while (some := self._take()) is not None:
            rows = rows + some if rows else some
            # A list that grows by pieces is copied again and again, unless it is the one that grows.
            while (more := self._take()) is not None:
                rows.extend(more)
        return rows

    def first(self) -> T | None:
        """The next row, or None where there is none; the statement ends.

        >>> from demat import sqlite
        >>> with sqlite.open(":memory:") as database:
        ...     database.query("select 1 as a where 1 = 2").first() is None
        True
        """
        row = next(self, None)
        self.close()
        return row

    def encode(self, format: Format = "json", /, **options: Any) -> bytes:
        """All rows in a format, with no object made of any: a list of records. `options` are those of its `encode`.

        The statement is run for this from its start, whatever was asked for before.

        >>> from demat import sqlite
        >>> with sqlite.open(":memory:") as database:
        ...     database.query("select 1 as a, null as b").encode("csv")
        b'a,b\\n1,\\n'
        """
        database = self._database
        with database._lock:
            encoded: bytes = database._native.encode(self._sql, self._params, self._type, format, options)
            return encoded

    def close(self) -> None:
        """Ends the statement; no further row comes.

        >>> from demat import sqlite
        >>> with sqlite.open(":memory:") as database:
        ...     rows = database.query("select 1 as a")
        ...     rows.close()
        """
        with self._database._lock:
            if self._native is None:
                self._native = _Ended()
            self._native.close()
        self._some, self._at = [], 0

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def __repr__(self) -> str:
        return f"<rows of {self._sql!r}>"


class _Ended:
    """A statement that was closed before it began."""

    def take(self) -> None:
        return None

    def close(self) -> None:
        pass
