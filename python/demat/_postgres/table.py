"""`Table`: rows of one class."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, Any, Generic, Literal, TypeVar, overload

from .._errors import StoreError
from .._own_places import given_records
from .._sqlite.made import Made, told
from .rows import Rows
from .where import Where, filtered, ordered, quoted

if TYPE_CHECKING:
    import builtins

    from .._changes.changes import Changes
    from .._formats import ModuleName
    from .database import Database

T = TypeVar("T")
U = TypeVar("U")


class Table(Generic[T]):
    """A table of a database, and the class that its rows are of. `Database.table` gives it.

    The table's columns are looked up once, when it is made.

    >>> from demat import postgres
    >>> with postgres.connect(url) as database:
    ...     database.execute("create table tags (id int primary key, name text)")
    ...     tags = database.table("tags")
    ...     tags.insert([{"id": 1, "name": "a"}, {"id": 2, "name": "b"}])
    ...     [tag.name for tag in tags]
    0
    2
    ['a', 'b']
    """

    __slots__ = ("_columns", "_database", "_key", "_name", "_quoted", "_type")

    def __init__(self, database: Database, name: str, type: Any) -> None:
        self._database = database
        self._name = name
        self._type = type
        self._quoted, columns, self._key = database._native.columns(name)
        self._columns: dict[str, str] = dict(columns)

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
    def insert(self, values: Iterable[T | Mapping[str, Any]], *, ids: Literal[False] = False) -> int: ...
    @overload
    def insert(self, values: Iterable[T | Mapping[str, Any]], *, ids: Literal[True]) -> list[int]: ...

    def insert(self, values: Iterable[T | Mapping[str, Any]], *, ids: bool = False) -> int | list[int]:
        """Adds rows by binary COPY, all of them or none; returns how many, or their keys.

        - `values`: any iterable of instances, or of dicts with the names of columns; what a dict leaves out has the
          table's default
        - `ids`: return the keys, in the order of the values, instead of their number. The key is one int, which the
          server may make. The rows pass through a temporary table, which takes about twice as long

        Values are validated against the class, as `decode` validates them: bounds, lengths, patterns. For a dict the
        class's own code runs, too (`__post_init__`, hooks, defaults); an instance has passed it already.

        Raises `demat.ValidationError` if a value does not fit the class, `demat.EncodeError` if a column can't hold a
        value, and `demat.StoreError` if the server refuses a row; all with the row's number as `record`, except for
        what only the table itself refuses where `ids` is given. `demat.StoreError`, too, if `ids` is given for a table
        whose key is not one int.

        >>> from demat import postgres
        >>> with postgres.connect(url) as database:
        ...     database.execute("create table tags (name text primary key)")
        ...     database.table("tags").insert({"name": name} for name in ("a", "b"))
        ...     database.execute("create table notes (id serial primary key, text text)")
        ...     database.table("notes").insert([{"text": "a"}, {"text": "b", "id": 7}, {"text": "c"}], ids=True)
        0
        2
        0
        [1, 7, 2]
        """
        return self._tell(values, "number")[1] if ids else self._tell(values, "insert")[0]

    def upsert(self, values: Iterable[T | Mapping[str, Any]]) -> int:
        """Adds rows, or replaces those of their keys; returns how many keys. As `insert`, and the table needs a key.

        Of several values with one key, the last counts.

        >>> from demat import postgres
        >>> with postgres.connect(url) as database:
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
        return self._tell(values, "upsert")[0]

    def update(self, values: Iterable[T | Mapping[str, Any]]) -> int:
        """Changes the rows of the values' keys; returns how many there were. A value whose key is not there changes
        none.

        Of a dict, only the columns that it has are changed. Otherwise as `insert`, and the table needs a key. Rows with
        the same columns are sent together; of several with one key among these, the last counts. Where the class has
        code of its own, the existing row completes a dict first.

        >>> from demat import postgres
        >>> with postgres.connect(url) as database:
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
        return self._tell(values, "update")[0]

    def _tell(self, values: Iterable[Any], verb: str) -> tuple[int, list[int]]:
        database = self._database
        values = given_records(values, self._type)
        with database._lock:

            def tell(values: Any) -> tuple[int, list[int]]:
                if verb == "update" and isinstance(values, Made):
                    # The rows that complete the dicts can't be read while others are written.
                    values = list(values)
                return database._native.tell(self._name, values, self._type, verb)

            return told(values, self._type, self if verb == "update" else None, tell)

    def _row_of(self, part: Mapping[str, Any]) -> T | None:
        """Returns the row with the key of a partial row; None if there is none. Raises StoreError without a key."""
        missing = [name for name in self._key if name not in part]
        if missing:
            raise StoreError(f"a row of the table `{self._name}` to change lacks its key `{missing[0]}`")
        if not self._key:
            return None
        return self.select({name: part[name] for name in self._key}).first()

    def delete(self, where: Where = None, /, *values: Any, **equal: Any) -> int:
        """Deletes the rows that match a condition; returns how many. `delete("true")` deletes all.

        The condition is said as to `select`. Raises TypeError where none is said.

        >>> from demat import postgres
        >>> with postgres.connect(url) as database:
        ...     database.execute("create table t (id int primary key, done bool)")
        ...     t = database.table("t")
        ...     t.insert({"id": id, "done": id > 2} for id in range(5))
        ...     t.delete(done=True)
        ...     t.delete("id < $1", 1)
        0
        5
        2
        1
        """
        condition, params = filtered(where, values, equal, self._columns)
        if condition is None:
            raise TypeError('which rows to delete is not said; delete("true") deletes all')
        return self._database.execute(f"DELETE FROM {self._quoted} WHERE {condition}", params)

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

        - `where`: a condition in SQL, with `$1`, `$2`, … for `values`; no value is ever made part of the SQL
        - by name: what columns are equal to; None means NULL, and a list any of its values. A mapping in place of
          `where` says the same of columns whose names are taken by the parameters below
        - `order`: a column, or several, to sort by; with a `-` before it the greatest come first
        - `limit`, `offset`: the maximum number of rows, and the number of rows to skip first
        - `fields`: these columns only; rows are dicts then, or of the `type` that is given
        - `recycle`: an instance that nobody has any more is filled again for a later row, as by `demat.json.read`

        >>> from demat import postgres
        >>> with postgres.connect(url) as database:
        ...     database.execute("create table t (id int primary key, name text)")
        ...     t = database.table("t")
        ...     t.insert({"id": id, "name": name} for id, name in enumerate("abcd"))
        ...     t.select("id > $1 and name < $2", 0, "d", fields=["name"]).all()
        ...     t.select(name=["a", "d"], order="-id", fields=["id"]).all()
        0
        4
        [{'name': 'b'}, {'name': 'c'}]
        [{'id': 3}, {'id': 0}]
        """
        condition, params = filtered(where, values, equal, self._columns)
        wanted = list(self._columns) if fields is None else [fields] if isinstance(fields, str) else list(fields)
        for name in wanted:
            if name not in self._columns:
                raise TypeError(f"there is no column {name!r}; there are {', '.join(self._columns)}")
        sql = f"SELECT {', '.join(map(quoted, wanted))} FROM {self._quoted}"
        if condition is not None:
            sql += f" WHERE {condition}"
        sql += ordered(order, self._columns) + _bounded("LIMIT", limit) + _bounded("OFFSET", offset)
        type = type or (self._type if fields is None else None)
        return Rows(self._database, sql, params, type, recycle, copied=not params)

    def notify(self, on: bool = True) -> None:
        """Makes triggers that send a notification of each change of the table. `changes` needs them, and servers of
        the table hear them.

        They are four, `demat_notify_insert` and so on, with a function `demat_notify` in the table's schema. They tell
        the keys of the rows that a statement has changed, if these are at most a hundred; otherwise that the table has
        changed. If they are there already, nothing is done. `on`: False removes them.

        Raises `demat.StoreError` for a view, and if the user may not do that.

        >>> from demat import postgres
        >>> with postgres.connect(url) as database:
        ...     database.execute("create table tags (name text primary key)")
        ...     tags = database.table("tags")
        ...     tags.notify()
        ...     tags.notify(False)
        0
        """
        with self._database._lock:
            self._database._native.notify(self._name, on)

    def changes(self, *, values: bool = True, limit: int | None = None, queue: int = 1024) -> Changes:
        """The changes of its rows from now on, as they are committed: an iterator, and an asynchronous one.

        Each is a `demat.Change`, whose `key` is that of the row, a UUID as text, and whose `value` is the row as it is
        when the change is reported. It is a `reset` with the key None where no keys are told: of more than a hundred
        rows at once, and of keys of other types than int, text, bool, enum and UUID. So is an interruption of the
        connection, which is opened again.

        - `values`: False: report keys only, and read no rows
        - `limit`: end after so many changes; None: at `close`
        - `queue`: the number of changes that wait for a slow reader; more of them become one `reset`

        The watch has connections of its own. Raises `demat.StoreError` if `notify` was not called for the table, and
        ValueError if an option is out of range.

        >>> from demat import postgres
        >>> with postgres.connect(url) as database:
        ...     database.execute("create table tags (name text primary key, count int)")
        ...     tags = database.table("tags")
        ...     tags.notify()
        ...     with tags.changes() as changes:
        ...         tags.insert([{"name": "a", "count": 1}])
        ...         change = next(changes)
        ...     change.kind, change.key, change.value.count
        0
        1
        ('put', 'a', 1)
        """
        from .._changes.changes import Changes, checked
        from .._changes.of_postgres import PostgresWatch
        from .._changes.queue import Queue

        checked(queue, limit)
        waiting = Queue(queue, None)
        return Changes(waiting, PostgresWatch(self, waiting, values), limit)

    def _apart(self) -> Table[T]:
        """The table by another connection to its server."""
        from .database import Database

        return Table(Database._beside(self._database), self._name, self._type)

    def count(self, where: Where = None, /, *values: Any, **equal: Any) -> int:
        """How many rows there are for which a condition holds, which is said as to `select`.

        >>> from demat import postgres
        >>> with postgres.connect(url) as database:
        ...     database.execute("create table t (id int primary key)")
        ...     database.table("t").count("id > 5")
        0
        0
        """
        condition, params = filtered(where, values, equal, self._columns)
        sql = f"SELECT count(*) AS n FROM {self._quoted}" + (f" WHERE {condition}" if condition else "")
        counted: dict[str, Any] | None = self._database.query(sql, params).first()
        return 0 if counted is None else int(counted["n"])

    def encode(
        self, format: ModuleName = "json", /, where: Where = None, *values: Any, options: Any = None, **equal: Any
    ) -> bytes:
        """Rows in a format, with no object made of any. `options` are those of the format's `encode`; the rest
        says which rows, as to `select`.

        >>> from demat import postgres
        >>> with postgres.connect(url) as database:
        ...     database.execute("create table t (id int primary key, done bool)")
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


def _bounded(word: str, count: int | None) -> str:
    if count is None:
        return ""
    if not isinstance(count, int) or count < 0:
        raise ValueError(f"{word.lower()} is an int from 0, or None, not {count!r}")
    return f" {word} {int(count)}"
