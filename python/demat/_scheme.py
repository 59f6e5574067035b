"""`scheme`: stores by name, as places: `todo:/tasks/1`."""

from __future__ import annotations

import os
import re
from collections.abc import Callable
from functools import cache
from importlib.metadata import EntryPoint, entry_points
from threading import RLock
from typing import TYPE_CHECKING, Any

from ._store import Store

if TYPE_CHECKING:
    from . import _native

_GROUP = "demat.schemes"
_NAME = re.compile("[a-z][a-z0-9+.-]+")
# These mean something else already.
_TAKEN = ("file", "http", "https", "lmdb", "postgres", "postgresql")

_lock = RLock()
_makers: dict[str, Store | Callable[[], Store]] = {}
# Stores that were used. A scheme keeps its store, so that a cache keeps what it has.
_made: dict[str, _native.Store] = {}
# Threads that use a scheme first at the same time wait for the one that makes its store.
_turns: dict[str, RLock] = {}
# They wait for at most this many seconds: the function may import what a waiting thread is importing. Then they make a
# store themselves.
_PATIENCE = 5.0


def scheme(name: str, store: Store | Callable[[], Store] | None) -> None:
    """Registers a scheme, so that `name:/tasks/1` is the value at `/tasks/1` of a store, wherever a place is read or
    written: by `demat.copy`, by `read`, `write` and `columns` of the formats, by `demat.writer` and `demat.define`. A
    query may follow what is read: `todo:/tasks?done=false&limit=10`. What is written to a place replaces its value.

    - `store`: any store; or a function, or a class, that returns one when the scheme is used first. If it takes more
      than five seconds, other threads that wait for the store may call it, too: the first store is kept. None removes
      the scheme.

    A package registers a scheme for its users by an entry point in the group `demat.schemes`, which is loaded at the
    first use: `todo = "package.module:TodoStore"`. Such schemes are places of the `demat` command, too.

    A file with the whole text as its name takes precedence. Raises ValueError for a name that is taken, or that is not
    two or more of lowercase letters, digits, `+`, `.` and `-`, from a letter on.

    >>> import demat, io
    >>> from demat import store
    >>> demat.scheme("todo", store.memory({"tasks": [{"id": 1, "title": "write"}, {"id": 2, "title": "rest"}]}))
    >>> file = io.BytesIO()
    >>> demat.copy("todo:/tasks?id.gt=1", file, to="csv").records
    1
    >>> file.getvalue()
    b'id,title\\n2,rest\\n'
    >>> demat.scheme("todo", None)
    """
    if not isinstance(name, str) or not _NAME.fullmatch(name):
        raise ValueError(f"{name!r} is no name of a scheme: two or more of a-z, 0-9, +, . and -, from a letter on")
    if name in _TAKEN:
        raise ValueError(f"the scheme {name!r} means something else already")
    if store is not None and not isinstance(store, Store) and not callable(store):
        raise TypeError(
            f"a scheme leads to a store, or to a function that returns one, not to a {type(store).__name__}"
        )
    with _lock:
        if store is None:
            if _makers.pop(name, None) is None:
                raise ValueError(f"there is no scheme {name!r}")
            _made.pop(name, None)
            return
        if name in _makers:
            raise ValueError(f"there is a scheme {name!r} already; `demat.scheme({name!r}, None)` removes it")
        _makers[name] = store
        _made.pop(name, None)


def has(name: str) -> bool:
    """Whether there is such a scheme. Nothing is loaded to know."""
    return name in _makers or (name not in _TAKEN and name in _entry_points())


def split(place: Any) -> tuple[str, str] | None:
    """The scheme of a place and what follows the colon; None if it is a place of another kind."""
    if not isinstance(place, str):
        return None
    name, colon, rest = place.partition(":")
    if not colon or not _NAME.fullmatch(name) or not has(name) or os.path.exists(place):
        return None
    return name, rest


def native_store(name: str) -> _native.Store:
    """The store of a scheme, which is made if this is its first use."""
    from .store import native_of

    made = _made.get(name)
    if made is not None:
        return made
    # No lock is held: a module that another thread imports may use a scheme, and this thread may wait for that import.
    maker = _makers.get(name)
    store = _loaded(name) if maker is None else maker
    if isinstance(store, Store):
        return _published(name, maker, native_of(store))
    with _lock:
        turn = _turns.setdefault(name, RLock())
    has_turn = turn.acquire(timeout=_PATIENCE)
    try:
        made = _made.get(name)
        if made is not None:
            return made
        store = store()
        if not isinstance(store, Store):
            raise TypeError(f"the scheme {name!r} leads to a {type(store).__name__}, which is no store")
        return _published(name, maker, native_of(store))
    finally:
        if has_turn:
            turn.release()


def _published(name: str, maker: Store | Callable[[], Store] | None, made: _native.Store) -> _native.Store:
    """The store of a scheme: `made`, unless another thread was faster. A scheme that has changed does not keep it."""
    with _lock:
        return _made.setdefault(name, made) if _makers.get(name) is maker else made


def _loaded(name: str) -> Store | Callable[[], Store]:
    found = _entry_points().get(name, [])
    if len(found) != 1:
        by = " and ".join(sorted(point.value for point in found)) or "nothing"
        raise ValueError(f"the scheme {name!r} is registered by {by}")
    loaded: Store | Callable[[], Store] = found[0].load()
    return loaded


@cache
def _entry_points() -> dict[str, list[EntryPoint]]:
    found: dict[str, list[EntryPoint]] = {}
    for point in entry_points(group=_GROUP):
        # A package that is found twice, such as in a checkout, registers its schemes once.
        if point.value not in [other.value for other in found.setdefault(point.name, [])]:
            found[point.name].append(point)
    return found
