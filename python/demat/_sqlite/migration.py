"""`Migration`: how a table becomes the one of its class."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from demat import _native

    from .database import Database

_WORDS = ("drop", "narrow")


class Step(NamedTuple):
    """A step of a migration."""

    what: str
    """What it does, in words."""
    sql: str
    """Its statement."""


class Loss(NamedTuple):
    """What a migration would lose of the rows."""

    word: str
    """The word for `allow` that permits it: `"drop"` or `"narrow"`."""
    what: str
    """What is lost, in words."""


class Migration:
    """How a table becomes the one of its class: to look at, and to apply. `Database.migration` gives it.

    It is false if there is nothing to do. Its `str` is SQL, with comments: all steps in their transaction, and at the
    end what is lost.

    >>> from dataclasses import dataclass
    >>> from demat import sqlite
    >>> @dataclass
    ... class Task:
    ...     title: str
    ...     done: bool = False
    >>> database = sqlite.open(":memory:")
    >>> _ = database.execute("create table tasks (title text not null, author text)")
    >>> migration = database.migration("tasks", Task)
    >>> bool(migration)
    True
    >>> for step in migration.steps:
    ...     print(step.what)
    drop the column `author`
    add the column `done`
    >>> migration.losses
    [Loss(word='drop', what='the column `author` with its 0 values')]
    >>> migration.apply(allow={"drop"})
    >>> bool(database.migration("tasks", Task))
    False
    >>> database.close()
    """

    __slots__ = ("_database", "_name", "_native")

    def __init__(self, database: Database, name: str, native: _native.Migration) -> None:
        self._database = database
        self._name = name
        self._native = native

    @property
    def steps(self) -> list[Step]:
        """The steps, in order."""
        return [Step(what, sql) for what, sql in self._native.steps()]

    @property
    def losses(self) -> list[Loss]:
        """What would be lost, each with the word that permits it."""
        return [Loss(word, what) for word, what in self._native.losses()]

    def apply(self, *, allow: Iterable[str] = ()) -> None:
        """Takes all steps in one transaction, or none.

        - `allow`: what may be lost: `"drop"`, `"narrow"`, as to `Database.table`

        Raises `demat.StoreError` if something would be lost that is not allowed, if the table was changed since the
        migration was planned, if a foreign key would refer to nothing, or if the file is locked. Raises `ValueError` if
        the database is closed.
        """
        drop, narrow = allowed(allow)
        with self._database._lock:
            if self._database.closed:
                raise ValueError("the database is closed")
            self._database._end_watches()
            self._native.apply(drop, narrow)

    def __bool__(self) -> bool:
        return bool(self._native.steps())

    def __str__(self) -> str:
        return self._native.sql()

    def __repr__(self) -> str:
        count = len(self._native.steps())
        return f"<migration of {self._name!r}, {count} step{'' if count == 1 else 's'}>"


def allowed(allow: Iterable[str]) -> tuple[bool, bool]:
    """Returns whether columns may be dropped, and narrowed."""
    words = {allow} if isinstance(allow, str) else set(allow)
    for word in words:
        if word not in _WORDS:
            raise ValueError(f"allow={word!r} is none of {', '.join(map(repr, _WORDS))}")
    return "drop" in words, "narrow" in words
