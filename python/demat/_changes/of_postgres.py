"""Changes of a table of PostgreSQL, by the triggers that `Table.notify` makes."""

from __future__ import annotations

from threading import Thread
from typing import TYPE_CHECKING, Any
from uuid import UUID

from .. import json
from .._errors import StoreError
from .._native import PostgresListener
from .change import Change

if TYPE_CHECKING:
    from .._postgres.table import Table
    from .queue import Queue

# How many seconds pass at most until the end is seen.
_LOOK = 0.25


class PostgresWatch:
    """Reports the changes of a table to a queue, on a thread with connections of its own.

    One connection listens. Another one reads the rows, if they are wanted. Where the first is interrupted, it is opened
    again, and what was told meanwhile is one `reset`.
    """

    def __init__(self, table: Table[Any], queue: Queue, values: bool) -> None:
        self._table = table
        self._queue = queue
        self._ends = False
        self._listener = PostgresListener(table._database._native, table.name)
        self._rows = table._apart() if values else None
        Thread(target=self._run, name="demat-watch", daemon=True).start()

    def check(self) -> None:
        """Raises RuntimeError within a transaction of this thread, which tells nothing before its end."""
        if self._table._database._is_in_transaction_of_this_thread():
            raise RuntimeError("changes are reported when the transaction has ended: wait for them outside of it")

    def settle(self) -> None:
        """Does nothing: the triggers stay."""

    def close(self) -> None:
        """Ends it. Again it does nothing."""
        self._ends = True

    def _run(self) -> None:
        ended: Exception | None = None
        try:
            while not self._ends:
                for told in self._listener.wait(_LOOK):
                    for change in self._changes(None if told is None else json.decode(told)):
                        self._queue.give(change)
        except Exception as error:
            ended = error
        finally:
            self._listener.close()
            if self._rows is not None:
                self._rows._database.close()
        self._queue.end(ended)

    def _changes(self, keys: dict[str, list[list[Any]]] | None) -> list[Change]:
        if keys is None:
            return [Change("reset", None)]
        deletes = [Change("delete", _key(values)) for values in keys["delete"]]
        if self._rows is None:
            return deletes + [Change("put", _key(values)) for values in keys["put"]]
        puts = []
        for values in keys["put"]:
            row = self._row(self._rows, values)
            puts.append(Change("delete", _key(values)) if row is None else Change("put", _key(values), row))
        return deletes + puts

    def _row(self, rows: Table[Any], key: list[Any]) -> Any:
        where = {
            name: UUID(value) if rows._columns[name] == "uuid" else value
            for name, value in zip(rows._key, key, strict=True)
        }
        try:
            return rows.select(where).first()
        except StoreError:
            if self._ends:
                return None
        # The connection may have ended: another one.
        rows._database.close()
        self._rows = self._table._apart()
        return self._rows.select(where).first()


def _key(values: list[Any]) -> Any:
    return values[0] if len(values) == 1 else tuple(values)
