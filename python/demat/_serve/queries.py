"""Saved queries: SQL that the program names, and that clients run with parameters."""

from __future__ import annotations

import inspect
import math
import re
import sys
import time
from collections.abc import Iterable, Mapping
from contextlib import closing
from itertools import islice
from typing import TYPE_CHECKING, Annotated, Any

from demat import _errors

from .markers import Query
from .response import HTTPError, Response

if TYPE_CHECKING:
    from demat._sqlite.database import Database

# Where they stand, each under its name.
PATH = "/-/queries/"
_NAME = re.compile(r"[A-Za-z0-9_][A-Za-z0-9_.\-]*")
# The header of an answer that has not all rows.
TRUNCATED = "demat-truncated"


class Rows(list[dict[str, Any]]):
    """The rows of a query."""

    __slots__ = ("name", "unrepresentable")

    def __init__(self, rows: Iterable[dict[str, Any]], name: str, unrepresentable: str) -> None:
        super().__init__(rows)
        self.name = name
        self.unrepresentable = unrepresentable

    def representable(self) -> list[dict[str, Any]] | None:
        """Returns the rows for a format that lacks infinities. None if nothing is to be replaced."""
        replaced = 0

        def shown(value: Any) -> Any:
            nonlocal replaced
            if not isinstance(value, float) or math.isfinite(value):
                return value
            replaced += 1
            return str(value) if self.unrepresentable == "text" else None

        if self.unrepresentable == "refuse":
            return None
        rows = [{key: shown(value) for key, value in row.items()} for row in self]
        if not replaced:
            return None
        what = "text" if self.unrepresentable == "text" else "null"
        sys.stderr.write(f"demat: {self.name}: {what} instead of {replaced} numbers that are not finite\n")
        return rows


def saved(
    queries: Mapping[str, str | tuple[Database, str]],
    served: Iterable[Any],
    *,
    seconds: float,
    rows: int,
    unrepresentable: str,
) -> dict[str, Any]:
    """The routes of the queries. `served` has what the other routes serve: the database is that of its tables.

    Raises TypeError or ValueError for what can't be run, with what SQLite says.
    """
    if not isinstance(queries, Mapping):
        raise TypeError("queries is a mapping from names to SQL")
    if isinstance(rows, bool) or not isinstance(rows, int) or rows < 1:
        raise ValueError(f"query_rows must be a positive int, not {rows!r}")
    if not (isinstance(seconds, int | float) and 0 < seconds < 1e9):
        raise ValueError(f"query_timeout must be a number of seconds above 0, not {seconds!r}")
    paths = _paths(served)
    routes = {}
    for name, what in queries.items():
        if not isinstance(name, str) or not _NAME.fullmatch(name):
            raise ValueError(f"a query is called by letters, digits, `-`, `_` and `.`, and not {name!r}")
        path, sql = _placed(name, what, paths)
        routes[f"GET {PATH}{name}"] = _function(name, path, sql, seconds, rows, unrepresentable)
    return routes


def _paths(served: Iterable[Any]) -> list[str]:
    """The files of the databases that are served."""
    from demat._sqlite.database import Database
    from demat._sqlite.table import Table

    from .route import Route

    found: dict[str, None] = {}
    for what in served:
        own = what.what if isinstance(what, Route) else what
        if isinstance(own, Table):
            own = own._database
        if isinstance(own, Database):
            found[own.path] = None
    return list(found)


def _placed(name: str, what: Any, paths: list[str]) -> tuple[str, str]:
    """The file and the SQL of a query."""
    from demat._sqlite.database import Database

    if isinstance(what, tuple) and len(what) == 2 and isinstance(what[0], Database) and isinstance(what[1], str):
        path, sql = what[0].path, what[1]
    elif isinstance(what, str):
        if len(paths) != 1:
            several = "several databases are" if paths else "no database is"
            raise TypeError(f"the query {name!r}: {several} served; say which is meant: (database, sql)")
        path, sql = paths[0], what
    else:
        raise TypeError(f"the query {name!r} is SQL, or (database, sql), and not {type(what).__name__}")
    if path in ("", ":memory:"):
        raise TypeError(f"the query {name!r}: it needs a connection of its own, and a database in memory has only one")
    return path, sql


def _opened(path: str, seconds: float) -> Database:
    """A connection that only reads, for so many seconds."""
    from demat._sqlite.database import Database

    database = Database(path, readonly=True, create=False, timeout=seconds)
    try:
        database._native.restrict(seconds)
    except BaseException:
        database.close()
        raise
    return database


def _parameters(name: str, path: str, sql: str, seconds: float) -> list[str]:
    """The names of the parameters, after a look whether SQLite can run it."""
    try:
        with closing(_opened(path, seconds)) as database:
            said = database._native.parameters(sql)
    except _errors.StoreError as error:
        raise ValueError(f"the query {name!r} can't be run: {error}") from None
    names = []
    for own in said:
        if own is None or own[0] != ":":
            raise ValueError(f"the query {name!r}: a parameter has a name, as in `:day`; {own or '?'!r} has none")
        names.append(own[1:])
    return names


def _function(name: str, path: str, sql: str, seconds: float, rows: int, unrepresentable: str) -> Any:
    names = _parameters(name, path, sql, seconds)

    def run(**values: str) -> Response[Any]:
        begun = time.monotonic()
        params = {own: values[f"p{index}"] for index, own in enumerate(names)}
        try:
            with closing(_opened(path, seconds)) as database:
                found = list(islice(database.query(sql, params or None), rows + 1))
        except _errors.Error as error:
            if time.monotonic() - begun >= seconds:
                raise HTTPError(503, f"the query takes longer than {seconds:g} s") from None
            raise HTTPError(400, str(error)) from None
        given = Rows(found[:rows], PATH + name, unrepresentable)
        return Response(given, headers={TRUNCATED: str(rows)} if len(found) > rows else None)

    # The names of parameters in SQL may be none in Python.
    arguments = [
        inspect.Parameter(f"p{index}", inspect.Parameter.KEYWORD_ONLY, annotation=Annotated[str, Query(own)])
        for index, own in enumerate(names)
    ]
    run.__signature__ = inspect.Signature(arguments)  # type: ignore[attr-defined]
    run.__annotations__ = {own.name: own.annotation for own in arguments} | {"return": Response[Any]}
    run.__name__ = f"query-{name}"
    more = f"At most {rows} rows; if there are more, the header `{TRUNCATED}` says so. Parameters are texts."
    run.__doc__ = f"The saved query `{name}`.\n\n{more}\n\n```sql\n{inspect.cleandoc(sql)}\n```"
    return run
