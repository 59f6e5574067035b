"""Stores that a program writes, as the native module calls them."""

from __future__ import annotations

import inspect
from collections.abc import AsyncIterator, Callable, Iterator
from datetime import datetime
from hashlib import blake2b
from itertools import islice
from threading import Lock
from typing import Any

from demat import _errors, _native

from .._store import Store
from .generated import from_async
from .response import FAULTS, HTTPError
from .signature import hints_of

# The methods that a store may have, and what they take.
_METHODS = {
    "get": ("path",),
    "put": ("path", "value"),
    "patch": ("path", "value"),
    "post": ("path", "value"),
    "delete": ("path",),
    "children": ("path",),
    "version": ("path",),
    "watch": ("path", "tell"),
}
_VERBS = ("get", "put", "patch", "post", "delete")
# Where an instance keeps the state that all its native stores share.
_STATE = "_demat_state"

_lock = Lock()

Path = tuple[str, ...]


class ProgramStore:
    """The methods of a store, with what they return and raise checked."""

    __slots__ = ("_methods", "given", "name", "offers", "state")

    def __init__(self, store: Store) -> None:
        if isinstance(store, type):
            raise TypeError(f"{store.__name__} is a class: its instances are stores")
        self.name = type(store).__name__
        self._methods: dict[str, Callable[..., Any]] = {}
        # What a value is decoded as, by the verb that it is given with.
        self.given: dict[str, Any] = {}
        for name, takes in _METHODS.items():
            # Only the class counts, so that all instances offer the same.
            if getattr(type(store), name, None) is None:
                continue
            method = getattr(store, name)
            self._methods[name] = method
            parameters = _parameters(f"{self.name}.{name}", method, takes)
            if takes[-1] == "value":
                hint = hints_of(method).get(parameters[1], Any)
                if hint is not Any:
                    self.given[name] = hint
        if not any(name in self._methods for name in _VERBS):
            raise TypeError(f"{self.name} has none of the methods {', '.join(_VERBS)}, so it is no store")
        self.offers = list(self._methods)
        self.state = _state_of(store)

    def get(self, path: Path) -> Any:
        """The value; None if there is none."""
        return self._called("get", path)

    def put(self, path: Path, value: Any) -> bool:
        """Stores a value. Returns whether the method says that it is new."""
        return self._called("put", path, value) is True

    def patch(self, path: Path, value: Any) -> None:
        """Changes a part of a value."""
        self._called("patch", path, value)

    def post(self, path: Path, value: Any) -> list[str]:
        """Adds a value. Returns the path of what was added."""
        name = self._called("post", path, value)
        if name is None:
            return list(path)
        if isinstance(name, tuple):
            return [self._name("post", own) for own in name]
        return [*path, self._name("post", name)]

    def delete(self, path: Path) -> None:
        """Deletes a value."""
        self._called("delete", path)

    def children(self, path: Path) -> Iterator[Any]:
        """The names within, in an iterator."""
        names = self._called("children", path)
        if isinstance(names, AsyncIterator):
            return from_async(names)
        if isinstance(names, str | bytes):
            raise TypeError(f"{self.name}.children returns names, not one {type(names).__name__}")
        if names is None:
            raise _errors.NotFound("")
        return iter(names)

    def some_names(self, names: Iterator[Any], count: int) -> list[str]:
        """The next names, at most `count`; none at the end."""
        # The body of a generator runs here.
        with _Refusals():
            return [self._name("children", name) for name in islice(names, count)]

    def version(self, path: Path) -> int | None:
        """The version as a number of 64 bits; None if there is no value."""
        version = self._called("version", path)
        if version is None:
            return None
        if isinstance(version, int) and 0 <= version < 1 << 64:
            return int(version)
        if not isinstance(version, int | float | str | bytes | datetime):
            raise TypeError(
                f"{self.name}.version returns an int, float, str, bytes or datetime, not {type(version).__name__}"
            )
        return int.from_bytes(blake2b(repr(version).encode(), digest_size=8).digest())

    def watch(self, path: Path, tell: Callable[..., None]) -> Callable[[], object] | None:
        """Subscribes to changes. Returns what ends the subscription."""
        end = self._called("watch", path, tell)
        if end is not None and not callable(end):
            raise TypeError(f"{self.name}.watch returns a function or None, not {type(end).__name__}")
        return end  # type: ignore[no-any-return]

    def _called(self, name: str, *arguments: Any) -> Any:
        with _Refusals():
            result = self._methods[name](*arguments)
            if inspect.iscoroutine(result):
                from .loop import waited

                return waited(result)
            return result

    def _name(self, method: str, name: Any) -> str:
        if isinstance(name, str):
            return name
        if isinstance(name, int) and not isinstance(name, bool):
            return str(name)
        raise TypeError(f"{self.name}.{method} returns names, which are str or int, not {type(name).__name__}")


def _state_of(store: Store) -> _native.StoreState:
    """The state of an instance. A copy, whose `__dict__` has the original's state, gets its own."""
    with _lock:
        kept: tuple[int, _native.StoreState] | None = vars(store).get(_STATE)
        if kept is None or kept[0] != id(store):
            kept = vars(store)[_STATE] = (id(store), _native.StoreState())
        return kept[1]


class _Refusals:
    """Turns what a method raises to refuse into errors that the native module knows."""

    def __enter__(self) -> None:
        pass

    def __exit__(self, kind: object, error: BaseException | None, traceback: object) -> None:
        if isinstance(error, KeyError):
            # The native module words it, as of any store.
            raise _errors.NotFound("") from error
        if isinstance(error, HTTPError) and error.status in FAULTS:
            refused = _errors.StoreError(error.message)
            refused._fault = FAULTS[error.status]
            raise refused from error


def _parameters(name: str, method: Any, takes: tuple[str, ...]) -> list[str]:
    """The names of a method's parameters, which can be called with as many arguments."""
    if not callable(method):
        raise TypeError(f"{name} is no method")
    signature = inspect.signature(method)
    try:
        bound = signature.bind(*takes)
    except TypeError as error:
        raise TypeError(f"{name} is called with ({', '.join(takes)}): {error}") from None
    return [*bound.arguments, *takes[len(bound.arguments) :]]
