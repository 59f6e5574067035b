"""`Rows`: what a statement gives."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Any, Generic, TypeVar

from demat._native import Columns, Reader

if TYPE_CHECKING:
    from typing import Self

    from .._formats import ModuleName
    from .database import Database

T = TypeVar("T")


class Rows(Generic[T]):
    """The rows of a statement, made into objects as they are asked for. It is an iterator, to be gone through once.

    The statement begins when the first row is asked for, and ends with the last, or with `close`. Until then the
    connection takes no other statement. Some rows are read at a time; memory does not grow with their number.

    Errors say the number of the row and the column: `demat.ValidationError` for what is not of the type,
    `demat.StoreError` for what the server refuses.

    >>> from demat import postgres
    >>> with postgres.connect(url) as database:
    ...     for row in database.query("select 1 as a, 'x' as b"):
    ...         print(row)
    {'a': 1, 'b': 'x'}
    """

    __slots__ = ("_copied", "_database", "_params", "_reader", "_recycle", "_sql", "_type")

    def __init__(
        self, database: Database, sql: str, params: Any, type: Any, recycle: bool = False, copied: bool = False
    ) -> None:
        self._database = database
        self._sql = sql
        self._params = params
        self._type = None if type is Any else type
        self._recycle = recycle
        # Whether the statement has no parameters and can be read by COPY.
        self._copied = copied
        self._reader: Iterator[T] | None = None

    def __iter__(self) -> Iterator[T]:
        # What `for` calls for each row is the reader itself.
        return self._begun()

    def __next__(self) -> T:
        return next(self._begun())

    def _begun(self) -> Iterator[T]:
        if self._reader is None:
            database = self._database
            with database._lock:
                self._reader = database._native.rows(
                    self._sql, self._params, self._type, self._copied, self._recycle, database._lock
                )
        return self._reader

    def all(self) -> list[T]:
        """The rows that are left, in a list.

        >>> from demat import postgres
        >>> with postgres.connect(url) as database:
        ...     database.query("select 1 as a union all select 2").all()
        [{'a': 1}, {'a': 2}]
        """
        return list(self._begun())

    def first(self) -> T | None:
        """The next row, or None where there is none; the statement ends.

        >>> from demat import postgres
        >>> with postgres.connect(url) as database:
        ...     database.query("select 1 as a where 1 = 2").first() is None
        True
        """
        row = next(self, None)
        self.close()
        return row

    def encode(self, format: ModuleName = "json", /, **options: Any) -> bytes:
        """All rows in a format, with no object made of any: a list of records. `options` are those of its `encode`.

        The statement is run for this from its start, whatever was asked for before.

        >>> from demat import postgres
        >>> with postgres.connect(url) as database:
        ...     database.query("select 1 as a, null::int as b").encode("csv")
        b'a,b\\n1,\\n'
        """
        database = self._database
        with database._lock:
            encoded: bytes = database._native.encode(self._sql, self._params, self._type, self._copied, format, options)
            return encoded

    def columns(
        self,
        *,
        decimals: tuple[int, int] | None = None,
        naive: bool = False,
        narrow: bool = False,
        dictionary: bool | Iterable[str] = False,
    ) -> Columns:
        """All rows as Arrow's columns, with no object made of any.

        The statement is run for this from its start, whatever was asked for before.

        - `decimals`, `naive`, `narrow`, `dictionary`: as for the `columns` of a format

        >>> from demat import postgres
        >>> with postgres.connect(url) as database:
        ...     database.query("select 1 as id, 'a' as name union all select 2, null").columns()
        <demat.Columns of 2 records: id: Int32, name: Utf8>
        """
        options = {"decimals": decimals, "naive": naive, "narrow": narrow, "dictionary": dictionary}
        database = self._database
        with database._lock:
            made: Columns = database._native.arrow(self._sql, self._params, self._type, self._copied, options)
            return made

    def close(self) -> None:
        """Ends the statement; no further row comes.

        >>> from demat import postgres
        >>> with postgres.connect(url) as database:
        ...     rows = database.query("select 1 as a")
        ...     rows.close()
        """
        reader, self._reader = self._reader, iter(())
        if isinstance(reader, Reader):
            reader.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def __repr__(self) -> str:
        return f"<rows of {self._sql!r}>"
