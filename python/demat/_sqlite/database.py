"""`Database`: a connection to a file, or to memory."""

import builtins
import sys
import weakref
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from os import PathLike, fspath
from threading import RLock, get_ident
from typing import TYPE_CHECKING, Any, Self, TypeVar, overload

from demat import _native
from demat._errors import StoreError

from .migration import Migration, allowed
from .rows import Rows
from .table import Table

if TYPE_CHECKING:
    from .._changes.of_table import TableWatch
    from .._table_writer import TableWriter

T = TypeVar("T")


def open(path: str | PathLike[str], *, readonly: bool = False, create: bool = True, timeout: float = 5.0) -> "Database":
    """Opens a database: a file, or `":memory:"` for one of its own that goes when it is closed.

    - `readonly`: refuse changes
    - `create`: create the file if it does not exist
    - `timeout`: how many seconds to wait for a lock that another connection holds

    Foreign keys are enforced. Raises `demat.StoreError` where the file can't be opened, or is no database.

    >>> from demat import sqlite
    >>> database = sqlite.open(":memory:")
    >>> database.tables
    []
    >>> database.close()
    """
    return Database(path, readonly=readonly, create=create, timeout=timeout)


class Database:
    """A database that is open. It closes at the end of a `with`, or by `close`.

    It may be used by several threads: they take turns, and while SQLite works, the others run.

    Errors are `demat.StoreError`, with what SQLite says; `sqlite_code` and `sqlite_name` of it are the error's code and
    the code's name.

    >>> from demat import StoreError, sqlite
    >>> with sqlite.open(":memory:") as database:
    ...     try:
    ...         database.query("select a from t").all()
    ...     except StoreError as error:
    ...         print(error.sqlite_name, "-", error)
    SQLITE_ERROR - no such table: t: SQLITE_ERROR (1)
    """

    __slots__ = ("__weakref__", "_began_by", "_lock", "_native", "_path", "_transactions", "_watches", "_writer")

    def __init__(
        self, path: str | PathLike[str], *, readonly: bool = False, create: bool = True, timeout: float = 5.0
    ) -> None:
        self._path = fspath(path)
        self._lock = RLock()
        # That of `demat.writer` which is open. If it is forgotten, its transaction ends with it.
        self._writer: weakref.ref[TableWriter] | None = None
        # How many transactions are open, each within the one before; the thread that opened them has the lock.
        self._transactions = 0
        # Those of `Table.changes` whose triggers are there.
        self._watches: list[TableWatch] = []
        # The thread that has begun a transaction by `execute`, as far as there are watches.
        self._began_by: int | None = None
        self._native = _native.Database(self._path, readonly, create, timeout)

    @property
    def path(self) -> str:
        """The path that it was opened by."""
        return self._path

    @property
    def tables(self) -> list[str]:
        """The table names in alphabetical order, without views and tables that SQLite or a module keeps for itself."""
        with self._lock:
            return self._native.tables()

    @overload
    def table(
        self,
        name: str,
        type: builtins.type[T],
        *,
        strict: bool = False,
        without_rowid: bool = False,
        indexes: Iterable[str | Iterable[str]] = (),
        unique: Iterable[str | Iterable[str]] = (),
        migrate: bool = False,
        allow: Iterable[str] = (),
    ) -> Table[T]: ...
    @overload
    def table(self, name: str, type: None = None) -> Table[Any]: ...

    def table(
        self,
        name: str,
        type: Any = None,
        *,
        strict: bool = False,
        without_rowid: bool = False,
        indexes: Iterable[str | Iterable[str]] = (),
        unique: Iterable[str | Iterable[str]] = (),
        migrate: bool = False,
        allow: Iterable[str] = (),
    ) -> Table[Any]:
        """A table of rows of a class: it is made where it is not there, and else checked to be the one of the class.

        - `type`: any class that Demat knows. Its fields are the columns; `demat.Field(key=True, unique=True,
          index=True, references="people(id)", sql="VARCHAR(220)")` says of each what its type does not. Where the type
          is left out the table has to be there, and says itself what its rows are: `table.type` is a class made of it.
        - `strict`: the table holds its columns to their types
        - `without_rowid`: rows are kept by their key, and have no numbers of their own
        - `indexes`, `unique`: columns to index by, each a name, or several
        - `migrate`: a table that is there and differs is changed to the one of the class, in one transaction.
          `Database.migration` shows what that does.
        - `allow`: what a migration may lose: `"drop"`: columns that the class does not have; `"narrow"`: how values are
          kept, where a column gets a type that keeps less, and NULL where a default takes its place

        What is made: a column is NOT NULL where None is none of its values, has the field's default, and is checked for
        the bounds and lengths that `Field` gives, and for an enum's values.

        Raises `demat.StoreError` where a table that is there differs, with a list of the differences: further indexes,
        another order and other names of types that keep the same values are none; with `migrate` where something would
        be lost that is not allowed, or rows don't fit, with the first of them. TypeError where the class can't be
        described.

        >>> from dataclasses import dataclass
        >>> from typing import Annotated
        >>> from demat import Field, StoreError, sqlite
        >>> @dataclass
        ... class Person:
        ...     id: Annotated[int, Field(key=True)]
        ...     name: Annotated[str, Field(unique=True)]
        >>> with sqlite.open(":memory:") as database:
        ...     people = database.table("people", Person)
        ...     database.execute("alter table people add column age int")
        ...     try:
        ...         database.table("people", Person)
        ...     except StoreError as error:
        ...         print(error.reason)
        0
        the table `people` is not the one of the type, by 1 difference: the column `age` is not in the type
        """
        may = allowed(allow)
        if not migrate and any(may):
            raise ValueError("allow says what a migration may lose, so it needs migrate=True")
        if type is None and migrate:
            raise TypeError("migrate=True needs the class that the table is to follow")
        with self._lock:
            if type is None:
                made = self._defined(name, sys._getframe(1).f_globals.get("__name__", "__main__"))
                return Table(self, name, made, made=True)
            from .._describe import describe

            root, records = describe(type, {"place": "sql"})
            self._end_watches()
            self._native.make(
                name,
                root,
                records,
                strict,
                without_rowid,
                _columns(indexes),
                _columns(unique),
                may if migrate else None,
            )
            return Table(self, name, type)

    def migration(
        self,
        name: str,
        type: builtins.type[Any],
        *,
        strict: bool = False,
        without_rowid: bool = False,
        indexes: Iterable[str | Iterable[str]] = (),
        unique: Iterable[str | Iterable[str]] = (),
    ) -> Migration:
        """What `table(..., migrate=True)` would do, to look at: its steps, and what it would lose. Changes nothing.

        The arguments are those of `table`. The migration is false if there is nothing to do; `apply` does it.

        Raises `demat.StoreError` where rows don't fit, with the first of them, or where views or triggers would fail
        afterwards; TypeError where the class can't be described.

        >>> from dataclasses import dataclass
        >>> from typing import Annotated
        >>> from demat import Field, sqlite
        >>> @dataclass
        ... class Person:
        ...     id: Annotated[int, Field(key=True)]
        ...     name: Annotated[str, Field(was="title")]
        >>> with sqlite.open(":memory:") as database:
        ...     database.execute("create table people (id integer primary key, title text not null)")
        ...     print(database.migration("people", Person))
        0
        BEGIN IMMEDIATE;
        -- rename the column `title` to `name`
        ALTER TABLE main."people" RENAME COLUMN "title" TO "name";
        COMMIT;
        <BLANKLINE>
        """
        from .._describe import describe

        root, records = describe(type, {"place": "sql"})
        with self._lock:
            self._end_watches()
            found = self._native.migration(
                name, root, records, strict, without_rowid, _columns(indexes), _columns(unique)
            )
        return Migration(self, name, found)

    def _defined(self, name: str, module: str) -> Any:
        from .._schema.define import defined
        from .._schema.identifiers import class_name

        root, records = self._native.describe(name)
        return defined(root, records, class_name(name), module, said=class_name(name))

    @overload
    def query(self, sql: str, params: Any = None, type: None = None) -> Rows[dict[str, Any]]: ...
    @overload
    def query(self, sql: str, params: Any = None, *, type: builtins.type[T]) -> Rows[T]: ...
    @overload
    def query(self, sql: str, params: Any, type: builtins.type[T]) -> Rows[T]: ...

    def query(self, sql: str, params: Any = None, type: Any = None) -> Rows[Any]:
        """The rows of a statement, of a type; as dicts, where none is given.

        - `params`: a value for each `?`, in a list or tuple; or for each `:name`, in a dict
        - `type`: a class whose fields are columns of the statement, whatever their order; further columns are ignored,
          unless the class forbids them

        Raises `demat.StoreError` where two columns have one name, and `demat.EncodeError` where SQLite
        can't keep a value: an int of more than 64 bits, NaN, text with a lone surrogate.

        >>> from dataclasses import dataclass
        >>> from demat import sqlite
        >>> @dataclass
        ... class Total:
        ...     name: str
        ...     sum: int
        >>> with sqlite.open(":memory:") as database:
        ...     sql = "select :name as name, 3 + :by as sum"
        ...     database.query(sql, {"name": "x", "by": 4}, Total).all()
        [Total(name='x', sum=7)]
        """
        return Rows(self, sql, params, type)

    def execute(self, sql: str, params: Any = None) -> int:
        """Runs a statement; returns how many rows it added, changed or deleted.

        Rows that foreign keys and triggers change are not counted.

        Where no transaction is open it is one of its own. `params` are as to `query`.

        >>> from demat import sqlite
        >>> with sqlite.open(":memory:") as database:
        ...     database.execute("create table t (a)")
        ...     database.execute("insert into t values (?), (?)", (1, 2))
        0
        2
        """
        with self._lock:
            try:
                return self._native.execute(sql, params)
            finally:
                self._changed()

    @contextmanager
    def transaction(self) -> Iterator[Self]:
        """What is done within is done as a whole: all of it, or, where an error comes out, nothing.

        Other threads wait until it ends. Within another transaction it is a part of that one, and can fail alone.

        >>> from demat import sqlite
        >>> database = sqlite.open(":memory:")
        >>> with database.transaction():
        ...     _ = database.execute("create table t (a)")
        ...     with database.transaction():
        ...         _ = database.execute("insert into t values (1)")
        >>> database.query("select a from t").all()
        [{'a': 1}]
        >>> database.close()
        """
        with self._lock:
            self._native.begin()
            self._transactions += 1
            try:
                yield self
            except BaseException:
                self._transactions -= 1
                self._native.end(False)
                raise
            self._transactions -= 1
            self._native.end(True)
            self._changed()

    def _changed(self) -> None:
        """Has those look who watch a table. They wait for the lock, and so for the end of the transaction."""
        if self._watches:
            is_begun = not self._transactions and not self.closed and self._is_in_transaction()
            self._began_by = (self._began_by or get_ident()) if is_begun else None
        for watch in self._watches:
            watch.changed()

    def _is_in_transaction(self) -> bool:
        """Whether any transaction is open, also by a statement. Needs the lock."""
        try:
            # Where none is open this does nothing: temporary tables are not synchronized.
            self._native.execute("pragma temp.synchronous = 2", None)
        except StoreError as error:
            if error.sqlite_name != "SQLITE_ERROR":
                raise
            return True
        return False

    def _end_watches(self) -> None:
        """Removes the triggers of watches that have ended, which would be in the way. Needs the lock."""
        for watch in list(self._watches):
            watch.removed()

    def interrupt(self) -> None:
        """Ends what other threads do on it now, with a `demat.StoreError` for them.

        >>> from demat import sqlite
        >>> with sqlite.open(":memory:") as database:
        ...     database.interrupt()
        """
        self._native.interrupt()

    def close(self) -> None:
        """Closes it; transactions that are open are undone, and so are the rows of a `demat.writer` that is open. Again
        it does nothing.

        >>> from demat import sqlite
        >>> database = sqlite.open(":memory:")
        >>> database.close()
        """
        with self._lock:
            writer = None if self._writer is None else self._writer()
            if writer is not None:
                writer._given_up()
            if self._watches and not self.closed:
                if self._is_in_transaction():
                    self._native.execute("rollback", None)
                for watch in list(self._watches):
                    watch.last_look()
            self._native.close()
            self._changed()

    @property
    def closed(self) -> bool:
        """Whether it was closed."""
        return self._native.closed

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def __repr__(self) -> str:
        return f"<{'closed ' if self.closed else ''}database {self._path!r}>"


def _columns(indexes: Iterable[str | Iterable[str]]) -> list[list[str]]:
    if isinstance(indexes, str | Mapping):
        raise TypeError("indexes are a list of columns, or of lists of columns")
    return [[index] if isinstance(index, str) else list(index) for index in indexes]
