"""Changes of a table of SQLite, by temporary triggers of its connection."""

from __future__ import annotations

from itertools import count
from threading import Event, Thread
from typing import TYPE_CHECKING, Any

from .._native import quoted_name
from .change import Change

if TYPE_CHECKING:
    from .._sqlite.database import Database
    from .._sqlite.table import Table
    from .queue import Queue

# How many seconds pass at most until changes by others are seen.
_LOOK = 1.0

_VERBS = ("insert", "delete", "update")
_numbers = count(1)


class TableWatch:
    """Reports the changes of a table to a queue, on a thread.

    Triggers write the keys of the rows that this connection changes into a temporary table, in the transaction of the
    change: what is rolled back is not reported. Once the transaction has ended, the thread reads them, with the rows.
    That another connection has changed the file is seen by its version, and reported as `reset`.
    """

    def __init__(self, table: Table[Any], queue: Queue, limit: int, values: bool) -> None:
        self._table = table
        self._database = table._database
        self._queue = queue
        self._limit = limit
        self._values = values
        self._log = f"demat_changes_{next(_numbers)}"
        self._wakes = Event()
        self._ends = False
        database = self._database
        with database._lock:
            self._keys = self._keys_of(table)
            self._arm(database)
            self._version = _version(database)
            database._watches.append(self)
        Thread(target=self._run, name="demat-changes", daemon=True).start()

    @staticmethod
    def _keys_of(table: Table[Any]) -> list[str]:
        """The columns that say which row it is, in SQL."""
        database, name = table._database, table.name
        kind = database.query("select type from sqlite_schema where lower(name) = lower(?)", [name]).first()
        if kind is None or kind["type"] != "table":
            raise ValueError(f"{name!r} is no table, so no trigger tells of its changes")
        rows = database.query("select name, pk from pragma_table_info(?) order by pk", [name]).all()
        keys = [row["name"] for row in rows if row["pk"] > 0]
        if keys:
            return [quoted_name(key) for key in keys]
        taken = {row["name"].lower() for row in rows}
        numbers = [name for name in ("rowid", "oid", "_rowid_") if name not in taken]
        if not numbers:
            raise ValueError(f"the table {table.name!r} has no key, and its columns hide the numbers of its rows")
        return [numbers[0]]

    def _arm(self, database: Database) -> None:
        """Makes the temporary table and the triggers."""
        log, table = self._log, quoted_name(self._table.name)
        columns = [f"k{at}" for at in range(len(self._keys))]
        into = f"insert into {log}(kind, {', '.join(columns)})"
        old, new = (", ".join(f"{row}.{key}" for key in self._keys) for row in ("old", "new"))
        moved = " or ".join(f"old.{key} is not new.{key}" for key in self._keys)
        database.execute(f"create temp table if not exists {log}(seq integer primary key, kind, {', '.join(columns)})")
        does = (
            f"{into} values ('put', {new});",
            f"{into} values ('delete', {old});",
            f"{into} select 'delete', {old} where {moved}; {into} values ('put', {new});",
        )
        for verb, body in zip(_VERBS, does, strict=True):
            database.execute(
                f"create temp trigger if not exists {log}_{verb} after {verb} on main.{table}"
                f" when (select coalesce(max(seq), 0) from {log}) <= {self._limit} begin {body} end"
            )

    def _disarm(self, database: Database) -> None:
        for verb in _VERBS:
            database.execute(f"drop trigger if exists temp.{self._log}_{verb}")
        database.execute(f"drop table if exists temp.{self._log}")

    def changed(self) -> None:
        """Has the thread look."""
        self._wakes.set()

    def check(self) -> None:
        """Raises RuntimeError within a transaction of this thread, for whose end the watch waits."""
        database = self._database
        # The lock is had by the thread that has it, and by any if there is no transaction.
        if database._transactions and database._lock.acquire(blocking=False):
            is_own = database._transactions > 0
            database._lock.release()
            if is_own:
                raise RuntimeError("changes are reported when the transaction has ended: wait for them outside of it")

    def close(self) -> None:
        """Ends it. The thread removes the triggers, as soon as no transaction of another thread is open."""
        self._ends = True
        self._wakes.set()

    def _run(self) -> None:
        ended: Exception | None = None
        while not self._ends and ended is None:
            self._wakes.wait(_LOOK)
            self._wakes.clear()
            ended = self._looked()
        database = self._database
        with database._lock:
            database._watches.remove(self)
            if not database.closed:
                self._disarm(database)
        self._queue.end(ended)

    def _looked(self) -> Exception | None:
        """Reports what has changed; returns what ends the watch."""
        database = self._database
        with database._lock:
            if database.closed:
                self._ends = True
            elif not self._ends:
                try:
                    self._report(database)
                except Exception as error:
                    return error
        return None

    def _report(self, database: Database) -> None:
        version = _version(database)
        rows = self._taken(database)
        if rows is None or version != self._version:
            self._version = version
            self._queue.give(Change("reset", None))
            return
        # Of several changes of a row the last counts, as its value is the one that there is now.
        last = {tuple(list(row.values())[2:]): row for row in rows}
        for row in rows:
            key = tuple(list(row.values())[2:])
            if last[key] is row:
                self._queue.give(self._change(row["kind"], key))

    def _taken(self, database: Database) -> list[dict[str, Any]] | None:
        """The rows of the log, which is empty from then on. None if there were too many, or if it was lost."""
        names = [self._log, *(f"{self._log}_{verb}" for verb in _VERBS)]
        there = database.query(f"select name from sqlite_temp_schema where name in ({', '.join('?' * 4)})", names).all()
        if len(there) < len(names):
            # The table was dropped and made again, or this began in a transaction that was rolled back.
            self._disarm(database)
            self._arm(database)
            return None
        rows: list[dict[str, Any]] = database.query(f"select * from temp.{self._log} order by seq").all()
        if rows:
            database.execute(f"delete from temp.{self._log}")
        return rows if len(rows) <= self._limit else None

    def _change(self, kind: str, key: tuple[Any, ...]) -> Change:
        own = key[0] if len(key) == 1 else key
        if kind == "delete":
            return Change("delete", own)
        if not self._values:
            return Change("put", own)
        where = " and ".join(f"{name} is ?" for name in self._keys)
        value = self._table.select(where, *key).first()
        return Change("delete", own) if value is None else Change("put", own, value)


def _version(database: Database) -> int:
    """A number that differs once another connection has changed the file."""
    row = database.query("pragma data_version").first()
    return 0 if row is None else int(row["data_version"])
