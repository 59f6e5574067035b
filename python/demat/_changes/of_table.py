"""Changes of a table of SQLite, by temporary triggers of its connection."""

from __future__ import annotations

from contextlib import suppress
from itertools import count
from threading import Event, Thread, get_ident
from typing import TYPE_CHECKING, Any

from .._errors import StoreError
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
        # What has ended it.
        self._error: Exception | None = None
        # Changes that are not reported yet: the kinds by the keys.
        self._last: dict[tuple[Any, ...], str] = {}
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
        is_own = database._began_by == get_ident()
        # The lock is had by the thread that has it, and by any if there is no transaction.
        if not is_own and database._transactions and database._lock.acquire(blocking=False):
            is_own = database._transactions > 0
            database._lock.release()
        if is_own:
            raise RuntimeError("changes are reported when the transaction has ended: wait for them outside of it")

    def close(self) -> None:
        """Ends it. The thread removes the triggers, as soon as no transaction is open."""
        self._ends = True
        self._wakes.set()

    def settle(self) -> None:
        """Removes the triggers at once, if nothing is at work."""
        if self._database._lock.acquire(blocking=False):
            try:
                # Otherwise the thread does it.
                with suppress(StoreError):
                    self.removed()
            finally:
                self._database._lock.release()

    def removed(self) -> bool:
        """Removes the triggers of a watch that has ended, and returns whether they are gone. Needs the lock."""
        database = self._database
        if not self._ends:
            return False
        if self in database._watches:
            if not database.closed:
                # What a transaction removes comes back if it is rolled back.
                if database._is_in_transaction():
                    return False
                self._disarm(database)
            database._watches.remove(self)
        return True

    def look(self) -> None:
        """Reports what has changed since the last look, unless the watch has ended. Needs the lock.

        Within a transaction nothing is reported: it may be rolled back. Where others hold a lock the next look does it.
        """
        database = self._database
        try:
            if not (self._ends or database.closed or database._is_in_transaction()):
                self._report(database)
        except Exception as error:
            if not _is_busy(error):
                self._error = error
                self._ends = True

    def last_look(self) -> None:
        """Reports the last changes before the database is closed. Needs the lock.

        If they can't be read, since another connection holds a lock, the watch ends with an error.
        """
        self.look()
        if not self._ends and self._last:
            self._error = StoreError("the database was closed while others held a lock: the last changes are not known")
        self._ends = True

    def _run(self) -> None:
        try:
            while not self._is_over():
                self._wakes.wait(_LOOK)
                self._wakes.clear()
        except Exception as error:
            self._error = self._error or error
        finally:
            self._queue.end(self._error)

    def _is_over(self) -> bool:
        database = self._database
        with database._lock:
            self.look()
            self._ends = self._ends or database.closed
            if self._ends:
                # Its reader need not wait for the triggers to be gone.
                self._queue.end(self._error)
            return self.removed()

    def _report(self, database: Database) -> None:
        version = _version(database)
        rows = self._taken(database)
        if rows is None or version != self._version:
            self._version = version
            self._last.clear()
            self._queue.give(Change("reset", None))
            return
        # Of several changes of a row the last counts, as its value is the one that there is now.
        for row in rows:
            key = tuple(list(row.values())[2:])
            self._last.pop(key, None)
            self._last[key] = row["kind"]
        if len(self._last) > self._limit:
            self._last.clear()
            self._queue.give(Change("reset", None))
        # They stay until they are reported: another connection may lock the table meanwhile.
        while self._last:
            key, kind = next(iter(self._last.items()))
            change = self._change(kind, key)
            del self._last[key]
            self._queue.give(change)

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
        if None in key:
            # Of a key that is NULL there may be many rows.
            return Change("reset", None)
        own = key[0] if len(key) == 1 else key
        if kind == "delete":
            return Change("delete", own)
        if not self._values:
            return Change("put", own)
        where = " and ".join(f"{name} is ?" for name in self._keys)
        value = self._table.select(where, *key).first()
        return Change("delete", own) if value is None else Change("put", own, value)


def _is_busy(error: Exception) -> bool:
    name = getattr(error, "sqlite_name", None) or ""
    return name.startswith(("SQLITE_BUSY", "SQLITE_LOCKED"))


def _version(database: Database) -> int:
    """A number that differs once another connection has changed the file."""
    row = database.query("pragma data_version").first()
    return 0 if row is None else int(row["data_version"])
