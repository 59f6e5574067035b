"""What stands at a path, as the native server takes it."""

from __future__ import annotations

from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from .components import Components

# The folder of the package's web pages.
PAGES = Path(__file__).parent.parent / "web"

_METHODS = ("GET", "POST", "PUT", "PATCH", "DELETE")


def routed(path: str, what: Any, unrepresentable: str, components: Components) -> tuple[Any, ...]:
    """Returns a route for the native server: its path, methods, options, kind, and the arguments of that kind.

    The methods are None if the route serves all that its target supports. Schemas of functions go to `components`.
    """
    from .route import Route
    from .template import refuse_rest

    said, _, own = path.rpartition(" ")
    if not own.startswith("/"):
        raise ValueError(f"a route begins with a slash, and {path!r} does not")
    refuse_rest(own)
    route = what if isinstance(what, Route) else Route(what, bulk=False)
    methods = [method.upper() for method in said.split()]
    said_of = mounted(own, methods, route.what, unrepresentable, components, route.status)
    kind = said_of[0]
    if route.bulk and kind in ("function", "files"):
        raise TypeError(f"what is served at {own!r} is no collection, and has no bulk")
    if route.status is not None and kind != "function":
        raise TypeError(f"what is served at {own!r} is no function, and has no status of its own")
    if route.max_body is not None and kind == "files":
        raise TypeError(f"what is served at {own!r} takes no bodies")
    if kind == "files" and (route.write is not None or (route.read is not None and said_of[2])):
        raise TypeError(
            f"what is served at {own!r} needs no such role: pages of the package are open, and files only read"
        )
    options = route.bulk, route.max_body, route.read, route.write
    if kind == "function":
        return own, None, options, *said_of
    unknown = [method for method in methods if method not in _METHODS]
    if unknown or (kind == "files" and methods and methods != ["GET"]):
        raise ValueError(f"{path!r}: nothing is served by {(unknown or methods)[0]}")
    return own, methods or None, options, *said_of


def mounted(
    own: str,
    methods: list[str],
    what: Any,
    unrepresentable: str = "refuse",
    components: Components | None = None,
    status: int | None = None,
) -> tuple[Any, ...]:
    """Returns the kind of `what`, followed by the arguments of that kind."""
    from demat._lmdb.collection import Collection
    from demat._lmdb.environment import Environment
    from demat._postgres.database import Database as PostgresDatabase
    from demat._postgres.table import Table as PostgresTable
    from demat._sqlite.database import Database
    from demat._sqlite.table import Table
    from demat._store import Store as BaseStore
    from demat.store import native_of

    if isinstance(what, BaseStore):
        return "store", native_of(what)
    if isinstance(what, Table):
        root, records = _described(what.type)
        return "table", what._database._native, what.name, root, records
    if isinstance(what, Database):
        return "table", what._native, None, None, None
    if isinstance(what, PostgresTable):
        root, records = _described(what.type)
        return "postgres", what._database._native, what.name, root, records
    if isinstance(what, PostgresDatabase):
        return "postgres", what._native, None, None, None
    if isinstance(what, Collection):
        root, records = _described(what.type)
        return "collection", what._native, root, records
    if isinstance(what, Environment):
        return "collections", what._native
    if isinstance(what, Path) or (isinstance(what, PathLike) and not callable(what)):
        # The package's pages ask for the token themselves, so the server serves them without it.
        return "files", what, Path(what).resolve().parent == PAGES.resolve()
    if callable(what) and not isinstance(what, type):
        from .function import Function

        function = Function(what, own, methods, components, status)
        return "function", function, function.methods, function.operation, function.takes
    if isinstance(what, type):
        raise TypeError(f"a class can't be served at {own!r}, but its instances can")
    from .objects import Objects

    item = None
    if isinstance(what, tuple) and len(what) == 2 and isinstance(what[0], list | dict):
        what, item = what
    whole: Any = None
    if item is not None:
        whole = list[item] if isinstance(what, list) else dict[str, item]  # type: ignore[valid-type]
    root, records = _described(whole) if whole is not None else (None, None)
    return "objects", Objects(what, item, unrepresentable), root, records


def _described(type_: Any) -> tuple[Any, Any]:
    from demat._describe import describe

    return describe(type_)
