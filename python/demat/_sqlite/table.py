"""`Table`: rows of one class."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, Any, Generic, Literal, TypeVar, overload
from warnings import warn

from .._own_places import given_records
from .accepted import Accepted, inserted, options
from .made import told
from .rows import Rows
from .where import Where, filtered, ordered

if TYPE_CHECKING:
    import builtins

    from .._changes.changes import Changes
    from .._errors import Error
    from .._formats import ModuleName
    from .database import Database

T = TypeVar("T")
U = TypeVar("U")


class Table(Generic[T]):
    """A table of a database, and the class that its rows are of. `Database.table` gives it.

    >>> from dataclasses import dataclass
    >>> from demat import sqlite
    >>> @dataclass
    ... class Point:
    ...     x: float
    ...     y: float
    >>> with sqlite.open(":memory:") as database:
    ...     points = database.table("points", Point)
    ...     points.insert([Point(1, 2), Point(3, 4)])
    ...     len(points), [point.x for point in points]
    2
    (2, [1.0, 3.0])
    """

    __slots__ = ("_columns", "_database", "_keeps", "_made", "_name", "_type")

    def __init__(self, database: Database, name: str, type: Any, *, made: bool = False) -> None:
        self._database = database
        self._name = name
        self._type = type
        # Whether the type was made for the table.
        self._made = made
        self._keeps = {column.name: column for column in database._native.columns(name, type)}
        self._columns = list(self._keeps)

    @property
    def name(self) -> str:
        """Its name."""
        return self._name

    @property
    def type(self) -> builtins.type[T]:
        """The class of its rows: the one that was given, or one that was made for the table that was there."""
        made: builtins.type[T] = self._type
        return made

    @property
    def columns(self) -> tuple[str, ...]:
        """The names of its columns, in order."""
        return tuple(self._columns)

    @overload
    def insert(
        self, values: Iterable[T | Mapping[str, Any]], *, batch: int | None = None, ids: Literal[False] = False
    ) -> int: ...
    @overload
    def insert(
        self, values: Iterable[T | Mapping[str, Any]], *, batch: int | None = None, ids: Literal[True]
    ) -> list[int]: ...

    def insert(
        self, values: Iterable[T | Mapping[str, Any]], *, batch: int | None = None, ids: bool = False
    ) -> int | list[int]:
        """Adds rows, all of them or none; returns how many, or the row ids that SQLite assigned.

        - `values`: any iterable of instances, or of dicts with the names of columns; what a dict leaves out has the
          table's default
        - `batch`: the number of rows in a transaction, for more rows than one transaction should hold. After an error,
          the committed batches stay
        - `ids`: return the row ids, in the order of the values, instead of their number. The id is the key if that is
          one int, or the `rowid` if there is no key

        Values are validated against the class, as `decode` validates them: bounds, lengths, patterns. For a dict the
        class's own code runs, too (`__post_init__`, hooks, defaults); an instance has passed it already.

        Raises `demat.ValidationError` if a value does not fit the class, `demat.StoreError` if SQLite refuses a row,
        or if `ids` is given for rows whose key is not an int, and `demat.EncodeError` if a column can't hold a value;
        all with the row's number as `record`.

        >>> from demat import sqlite
        >>> with sqlite.open(":memory:") as database:
        ...     database.execute("create table tags (name text primary key)")
        ...     database.table("tags").insert({"name": name} for name in ("a", "b"))
        ...     database.execute("create table notes (id integer primary key, text text)")
        ...     database.table("notes").insert([{"text": "a"}, {"text": "b", "id": 7}, {"text": "c"}], ids=True)
        0
        2
        0
        [1, 7, 8]
        """
        return self._tell(values, "insert", batch, ids=True)[1] if ids else self._tell(values, "insert", batch)[0]

    def load(
        self,
        values: Iterable[T | Mapping[str, Any]],
        *,
        on_error: Literal["stop", "skip", "collect"] = "stop",
        rejects: list[tuple[Error, Any]] | Callable[[Error, Any], object] | None = None,
    ) -> int:
        """Adds rows to a table that has none, many times as fast as `insert`: all of them or none; gives how many.

        The pages of the table and of its indexes are built beside, and taken over by SQLite in one transaction.
        Where that can't be done the rows are inserted, and a RuntimeWarning says why: there are rows already, a trigger
        or a foreign key, an index over an expression or over some of the rows, or a transaction is open.

        - `on_error`: where a value is refused: `stop` there, and load nothing; `skip` it; or `collect` it in `rejects`.
          Two rows with one key stop it, unless one comes right behind the other, or rows are inserted: then the second
          of them is refused
        - `rejects`: with `collect`: a list that gets the error and the value of each, or a callable that is called
          with them

        Raises what `insert` raises.

        >>> from dataclasses import dataclass
        >>> from demat import sqlite
        >>> @dataclass
        ... class Point:
        ...     x: float
        ...     y: float
        >>> with sqlite.open(":memory:") as database:
        ...     database.table("points", Point).load(Point(x, x) for x in range(100_000))
        ...     rejects = []
        ...     rows = [{"x": 1, "y": 2}, {"x": 1, "y": "?"}]
        ...     database.table("more", Point).load(rows, on_error="collect", rejects=rejects)
        100000
        1
        >>> [value for error, value in rejects]
        [{'x': 1, 'y': '?'}]
        """
        database = self._database
        lenient = options(on_error, rejects)
        with database._lock:
            database._end_watches()
            try:
                return self._loaded(values, lenient, rejects)
            finally:
                database._changed()

    def _loaded(self, values: Iterable[Any], lenient: Any, rejects: Any) -> int:
        database = self._database
        if lenient is not None:
            accepted = Accepted(values, self._type, rejects)
            loaded = database._native.load(self._name, accepted, self._type, lenient)
            if isinstance(loaded, str):
                warn(f"the rows are inserted one by one: {loaded}", RuntimeWarning, stacklevel=3)
                return inserted(database, self._name, self._type, accepted)
            return loaded

        def load(values: Any) -> int | str:
            return database._native.load(self._name, values, self._type)

        loaded = told(values, self._type, None, load)
        if isinstance(loaded, str):
            warn(f"the rows are inserted one by one: {loaded}", RuntimeWarning, stacklevel=3)
            return self._tell(values, "insert", None)[0]
        return loaded

    def upsert(self, values: Iterable[T | Mapping[str, Any]], *, batch: int | None = None) -> int:
        """Adds rows, or replaces those of their keys; gives how many. As `insert`, and the table needs a key.

        >>> from demat import sqlite
        >>> with sqlite.open(":memory:") as database:
        ...     database.execute("create table tags (name text primary key, count int)")
        ...     tags = database.table("tags")
        ...     tags.insert([{"name": "a", "count": 1}])
        ...     tags.upsert([{"name": "a", "count": 2}, {"name": "b", "count": 3}])
        ...     tags.encode()
        0
        1
        2
        b'[{"name":"a","count":2},{"name":"b","count":3}]'
        """
        return self._tell(values, "upsert", batch)[0]

    def update(self, values: Iterable[T | Mapping[str, Any]], *, batch: int | None = None) -> int:
        """Changes the rows of the values' keys; gives how many there were. A value whose key is not there changes none.

        Of a dict, only the columns that it has are changed. Otherwise as `insert`, and the table needs a key. If a
        value equals the stored one (a timestamp in another spelling, JSON with other spaces), the stored bytes stay.

        >>> from demat import sqlite
        >>> with sqlite.open(":memory:") as database:
        ...     database.execute("create table tags (name text primary key, count int, color text default 'red')")
        ...     tags = database.table("tags")
        ...     tags.insert([{"name": "a", "count": 1}])
        ...     tags.update([{"name": "a", "color": "blue"}, {"name": "b", "color": "green"}])
        ...     tags.encode()
        0
        1
        1
        b'[{"name":"a","count":1,"color":"blue"}]'
        """
        return self._tell(values, "update", batch)[0]

    def _tell(self, values: Iterable[Any], verb: str, batch: int | None, *, ids: bool = False) -> tuple[int, list[int]]:
        if batch is not None and (not isinstance(batch, int) or batch < 1):
            raise ValueError(f"batch must be 1 or more rows, or None for all in one transaction, not {batch!r}")
        database = self._database
        values = given_records(values, self._type)
        with database._lock:

            def tell(values: Any) -> tuple[int, list[int]]:
                return database._native.tell(self._name, values, self._type, verb, batch, ids)

            try:
                return told(values, self._type, self if verb == "update" else None, tell)
            finally:
                database._changed()

    def _row_of(self, part: Mapping[str, Any]) -> T | None:
        """Returns the row with the key of a partial row; None if there is none or the key is incomplete."""
        sql = "SELECT name FROM pragma_table_info(?) WHERE pk > 0"
        names = [row["name"] for row in self._database.query(sql, [self._name])]
        if not names or any(name not in part for name in names):
            return None
        return self.select({name: part[name] for name in names}).first()

    def delete(self, where: Where = None, /, *values: Any, **equal: Any) -> int:
        """Deletes the rows that match a condition; returns how many of this table. `delete("true")` deletes all.

        Rows that foreign keys or triggers change besides are not counted.

        The condition is said as to `select`. Raises TypeError where none is said.

        >>> from demat import sqlite
        >>> with sqlite.open(":memory:") as database:
        ...     database.execute("create table t (id integer primary key, done bool)")
        ...     t = database.table("t")
        ...     t.insert({"id": id, "done": id > 2} for id in range(5))
        ...     t.delete(done=True)
        ...     t.delete("id < ?", 1)
        0
        5
        2
        1
        """
        condition, params = filtered(where, values, equal, self._keeps)
        if condition is None:
            raise TypeError('which rows to delete is not said; delete("true") deletes all')
        return self._database.execute(f"DELETE FROM {_quoted(self._name)} WHERE {condition}", params)

    @overload
    def select(
        self,
        where: Where = None,
        /,
        *values: Any,
        order: str | Iterable[str] | None = None,
        limit: int | None = None,
        offset: int | None = None,
        fields: None = None,
        type: None = None,
        recycle: bool = False,
        **equal: Any,
    ) -> Rows[T]: ...
    @overload
    def select(
        self,
        where: Where = None,
        /,
        *values: Any,
        order: str | Iterable[str] | None = None,
        limit: int | None = None,
        offset: int | None = None,
        fields: Iterable[str],
        type: None = None,
        recycle: bool = False,
        **equal: Any,
    ) -> Rows[dict[str, Any]]: ...
    @overload
    def select(
        self,
        where: Where = None,
        /,
        *values: Any,
        order: str | Iterable[str] | None = None,
        limit: int | None = None,
        offset: int | None = None,
        fields: Iterable[str] | None = None,
        type: builtins.type[U],
        recycle: bool = False,
        **equal: Any,
    ) -> Rows[U]: ...

    def select(
        self,
        where: Where = None,
        /,
        *values: Any,
        order: str | Iterable[str] | None = None,
        limit: int | None = None,
        offset: int | None = None,
        fields: Iterable[str] | None = None,
        type: Any = None,
        recycle: bool = False,
        **equal: Any,
    ) -> Rows[Any]:
        """The rows for which a condition holds; all, where none is said.

        - `where`: a condition in SQL, with a `?` for each of `values`, or a `:name` for each in one dict of them; no
          value is ever made part of the SQL
        - by name: what columns are equal to; None means NULL, and a list any of its values. A mapping in place of
          `where` says the same of columns whose names are taken by the parameters below
        - `order`: a column, or several, to sort by; with a `-` before it the greatest come first
        - `limit`, `offset`: the maximum number of rows, and the number of rows to skip first
        - `fields`: these columns only; rows are dicts then, or of the `type` that is given
        - `recycle`: an instance that nobody has any more is filled again for a later row, as by `demat.json.read`

        >>> from demat import sqlite
        >>> with sqlite.open(":memory:") as database:
        ...     database.execute("create table t (id integer primary key, name text)")
        ...     t = database.table("t")
        ...     t.insert({"id": id, "name": name} for id, name in enumerate("abcd"))
        ...     t.select("id > ? and name < ?", 0, "d", fields=["name"]).all()
        ...     t.select(name=["a", "d"], order="-id", fields=["id"]).all()
        0
        4
        [{'name': 'b'}, {'name': 'c'}]
        [{'id': 3}, {'id': 0}]
        """
        condition, params = filtered(where, values, equal, self._keeps)
        database = self._database
        wanted = [] if fields is None else [fields] if isinstance(fields, str) else list(fields)
        with database._lock:
            by = ordered(order)
            sql = database._native.select(self._name, self._type, wanted, condition, by, limit, offset)
        # All of a table is read by its pages.
        every = condition is None and order is None and limit is None and not offset
        whole = (self._name, wanted or self._columns) if every else None
        made = self._made and type is None
        return Rows(database, sql, params, type or (self._type if fields is None else None), recycle, whole, made)

    def changes(self, *, values: bool = True, limit: int | None = None, queue: int = 1024) -> Changes:
        """The changes of its rows from now on, as they are committed: an iterator, and an asynchronous one.

        Each is a `demat.Change`, whose `key` is that of the row, as SQLite keeps it, and whose `value` is the row as it
        is when the change is reported. Temporary triggers report what this `Database` changes, also by `execute`. That
        another connection or process has changed the file, if only another table, is seen within a second, and is one
        `reset`. While there is a watch, `load` inserts its rows one by one, and a migration that makes the table anew
        is refused.

        - `values`: False: report keys only, and read no rows
        - `limit`: end after so many changes; None: at `close`
        - `queue`: the number of changes that wait for a slow reader; more of them become one `reset`

        Not seen are rows that `INSERT OR REPLACE` removes for another unique column than the key: SQLite runs no
        trigger for them.

        Raises ValueError if it is no table but a view, or if an option is out of range.

        >>> from demat import sqlite
        >>> with sqlite.open(":memory:") as database:
        ...     database.execute("create table tags (name text primary key, count int)")
        ...     tags = database.table("tags")
        ...     with tags.changes() as changes:
        ...         tags.insert([{"name": "a", "count": 1}])
        ...         change = next(changes)
        ...     change.kind, change.key, change.value.count
        0
        1
        ('put', 'a', 1)
        """
        from .._changes.changes import Changes, checked
        from .._changes.of_table import TableWatch
        from .._changes.queue import Queue

        checked(queue, limit)
        waiting = Queue(queue, None)
        return Changes(waiting, TableWatch(self, waiting, queue, values), limit)

    def count(self, where: Where = None, /, *values: Any, **equal: Any) -> int:
        """How many rows there are for which a condition holds, which is said as to `select`.

        >>> from demat import sqlite
        >>> with sqlite.open(":memory:") as database:
        ...     database.execute("create table t (id integer primary key)")
        ...     database.table("t").count("id > 5")
        0
        0
        """
        condition, params = filtered(where, values, equal, self._keeps)
        sql = f"SELECT count(*) AS n FROM {_quoted(self._name)}" + (f" WHERE {condition}" if condition else "")
        counted: dict[str, Any] | None = self._database.query(sql, params).first()
        return 0 if counted is None else int(counted["n"])

    def encode(
        self, format: ModuleName = "json", /, where: Where = None, *values: Any, options: Any = None, **equal: Any
    ) -> bytes:
        """Rows in a format, with no object made of any. `options` are those of the format's `encode`; the rest
        says which rows, as to `select`.

        >>> from demat import sqlite
        >>> with sqlite.open(":memory:") as database:
        ...     database.execute("create table t (id integer primary key, done bool)")
        ...     t = database.table("t")
        ...     t.insert([{"id": 1, "done": True}, {"id": 2, "done": None}])
        ...     t.encode(), t.encode("csv", done=None)
        0
        2
        (b'[{"id":1,"done":true},{"id":2,"done":null}]', b'id,done\\n2,\\n')
        """
        return self.select(where, *values, **equal).encode(format, **(options or {}))

    def __iter__(self) -> Iterator[T]:
        return iter(self.select())

    def __len__(self) -> int:
        return self.count()

    def __bool__(self) -> bool:
        # It is a table, whether it has rows or not.
        return True

    def __repr__(self) -> str:
        return f"<table {self._name!r} of {self._type.__name__}>"


def _quoted(name: str) -> str:
    from demat._native import quoted_name

    return quoted_name(name)
