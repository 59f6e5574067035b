"""`Database`: a connection to a server."""

import builtins
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from threading import RLock, get_ident
from typing import Any, Self, TypeVar, overload

from demat import _native

from .rows import Rows
from .table import Table

T = TypeVar("T")


def connect(url: str) -> "Database":
    """Connects to a database: `postgresql://user:password@host:port/name?parameters`.

    The parameters are those of libpq that can be honoured: `host` (a folder with the server's socket, too), `sslmode`
    (`disable`, `prefer`, `require`, `verify-full`), `sslrootcert`, `connect_timeout`, `application_name`, `options`,
    `target_session_attrs`; others are refused. What is not given is taken from `PGHOST`, `PGPORT`, `PGUSER`,
    `PGPASSWORD`, `PGDATABASE`, `PGSSLMODE` and `PGSSLROOTCERT`.

    Raises `demat.StoreError` where the server can't be reached, or does not let the user in. No message shows the
    password.

    >>> from demat import postgres
    >>> database = postgres.connect(url)
    >>> database.tables
    []
    >>> database.close()
    """
    return Database(url)


class Database:
    """A connection that is open. It closes at the end of a `with`, or by `close`.

    It may be used by several threads: they take turns, and while the server works, the others run. While rows of one
    statement are being read, another statement is refused: read all of them, or close them.

    Errors are `demat.StoreError`, with what the server says; `sqlstate` of it is the error's code, and `constraint` the
    constraint that was violated.

    >>> from demat import StoreError, postgres
    >>> with postgres.connect(url) as database:
    ...     try:
    ...         database.query("select a from t").all()
    ...     except StoreError as error:
    ...         print(error.sqlstate, "-", error.reason)
    42P01 - relation "t" does not exist (at character 15 of the statement): SQLSTATE 42P01
    """

    __slots__ = ("__weakref__", "_began_by", "_lock", "_native")

    def __init__(self, url: str) -> None:
        self._lock = RLock()
        self._native = _native.PostgresDatabase(url)
        # The thread whose transaction is open.
        self._began_by: int | None = None

    @classmethod
    def _beside(cls, other: "Database") -> "Database":
        """Another connection to the same database."""
        own = cls.__new__(cls)
        own._lock = RLock()
        own._native = other._native.beside()
        own._began_by = None
        return own

    def _is_in_transaction_of_this_thread(self) -> bool:
        return self._began_by == get_ident()

    @property
    def address(self) -> str:
        """The URL that it was connected by, without the password."""
        return self._native.address

    @property
    def tables(self) -> list[str]:
        """The names of the tables and views that are found without a schema, in alphabetical order."""
        with self._lock:
            return self._native.tables()

    @overload
    def table(self, name: str, type: builtins.type[T], *, create: bool = True) -> Table[T]: ...
    @overload
    def table(self, name: str, type: None = None) -> Table[Any]: ...

    def table(self, name: str, type: Any = None, *, create: bool = True) -> Table[Any]:
        """A table of rows of a class: it is made where it is not there, and else checked to be the one of the class.

        - `name`: `tasks`, or `schema.tasks`; a part with a dot in it stands in double quotes
        - `type`: any class that Demat knows. Its fields are the columns; `demat.Field(key=True, unique=True,
          index=True, references="people(id)", sql="varchar(220)")` says of each what its type does not. Where the type
          is left out the table has to be there, and says itself what its rows are: `table.type` is a class made of it
        - `create`: False only checks, and makes nothing

        What is made: a column is NOT NULL where None is none of its values, has the field's default, and is checked for
        whole numbers as bounds, for lengths, and for an enum's values. A key that is one int numbers rows itself.

        Raises `demat.StoreError` where a table that is there differs, with a list of the differences: further
        constraints, another order and other types that keep the same values are none. TypeError where the class can't
        be described.

        >>> from dataclasses import dataclass
        >>> from demat import StoreError, postgres
        >>> @dataclass
        ... class Person:
        ...     name: str
        >>> with postgres.connect(url) as database:
        ...     people = database.table("people", Person)
        ...     database.execute("alter table people add column age int")
        ...     try:
        ...         database.table("people", Person)
        ...     except StoreError as error:
        ...         print(error.reason)
        0
        the table `people` is not the one of the type, by 1 difference: the column `age` is not in the type
        """
        with self._lock:
            if type is None:
                made = self._defined(name, sys._getframe(1).f_globals.get("__name__", "__main__"))
                return Table(self, name, made)
            from .._describe import describe

            root, records = describe(type, {"place": "sql"})
            self._native.make(name, root, records, create)
            return Table(self, name, type)

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

        - `params`: a value for each of `$1`, `$2`, …, in a list or tuple. The server says of which type each is; cast
          it where that is not the one that is meant: `$1::date`
        - `type`: a class whose fields are columns of the statement, whatever their order; further columns are ignored,
          unless the class forbids them

        Raises `demat.StoreError` where two columns have one name, and `demat.EncodeError` where a parameter's type
        does not hold a value.

        >>> from dataclasses import dataclass
        >>> from demat import postgres
        >>> @dataclass
        ... class Total:
        ...     name: str
        ...     sum: int
        >>> with postgres.connect(url) as database:
        ...     database.query("select $1::text as name, 3 + $2::int as sum", ["x", 4], Total).all()
        [Total(name='x', sum=7)]
        """
        return Rows(self, sql, params, type)

    def execute(self, sql: str, params: Any = None) -> int:
        """Runs a statement; returns how many rows it added, changed or deleted. `params` are as to `query`.

        Where no transaction is open it is one of its own.

        >>> from demat import postgres
        >>> with postgres.connect(url) as database:
        ...     database.execute("create table t (a int)")
        ...     database.execute("insert into t values ($1), ($2)", (1, 2))
        0
        2
        """
        with self._lock:
            return self._native.execute(sql, params)

    @contextmanager
    def transaction(self) -> Iterator[Self]:
        """What is done within is done as a whole: all of it, or, where an error comes out, nothing.

        Other threads wait until it ends. Within another transaction it is a part of that one, and can fail alone. After
        an error of the server within, nothing but its end is possible: commit it, and that raises.

        >>> from demat import postgres
        >>> database = postgres.connect(url)
        >>> with database.transaction():
        ...     _ = database.execute("create table t (a int)")
        ...     with database.transaction():
        ...         _ = database.execute("insert into t values (1)")
        >>> database.query("select a from t").all()
        [{'a': 1}]
        >>> database.close()
        """
        with self._lock:
            self._native.begin()
            outer, self._began_by = self._began_by, get_ident()
            try:
                yield self
            except BaseException:
                self._native.end(False)
                raise
            else:
                self._native.end(True)
            finally:
                self._began_by = outer

    def interrupt(self) -> None:
        """Ends what the server does for other threads on it now, with a `demat.StoreError` for them.

        >>> from demat import postgres
        >>> with postgres.connect(url) as database:
        ...     database.interrupt()
        """
        self._native.interrupt()

    def close(self) -> None:
        """Closes it; transactions that are open are undone. Again it does nothing.

        >>> from demat import postgres
        >>> database = postgres.connect(url)
        >>> database.close()
        """
        with self._lock:
            self._native.close()

    @property
    def closed(self) -> bool:
        """Whether it was closed."""
        return self._native.closed

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def __repr__(self) -> str:
        return f"<{'closed ' if self.closed else ''}database {self.address!r}>"
