"""Objects as a store: what a reference leads to, and what becomes of what is given."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import is_dataclass
from threading import RLock
from typing import Any

from demat import _errors, _native, csv, json, ndjson, proto

_ENCODE: dict[str, Callable[[Any], bytes]] = {
    "json": json.encode,
    "ndjson": ndjson.encode,
    "csv": csv.encode,
    "proto": proto.encode,
}


class Objects:
    """A list, a dict or an instance, as it is at each request.

    References lead by index into lists, by key into dicts, and by name into instances.
    """

    __slots__ = ("_item", "_lock", "_root")

    def __init__(self, root: Any, item: Any) -> None:
        self._root = root
        self._item = item
        self._lock = RLock()

    def encode(self, at: tuple[str, ...], query: str | None, format: str) -> bytes:
        """What a reference leads to, in a format."""
        value = self._find(at)
        if query is not None:
            value = _asked(value, query)
        return _ENCODE[format](value)

    def _find(self, at: tuple[str, ...]) -> Any:
        value = self._root
        for name in at:
            value = _part(value, name)
        return value

    def _type(self, at: tuple[str, ...]) -> Any:
        """The type of what is given to a reference."""
        if not at:
            if self._item is None:
                return None
            generic: dict[str, Any] = {"list": list, "dict": dict}
            item = self._item if isinstance(self._root, list) else (str, self._item)
            return generic[type(self._root).__name__][item]
        if len(at) == 1:
            return self._item
        return None

    def put(self, at: tuple[str, ...], data: bytes) -> bool:
        """Gives a reference a value; whether there was none."""
        value = _decoded(data, self._type(at))
        with self._lock:
            if not at:
                return self._replace(value)
            owner, name = self._find(at[:-1]), at[-1]
            there = _has(owner, name)
            if isinstance(owner, list) and not there:
                raise LookupError(f"there is no item {name} in the list")
            _set(owner, name, value)
            return not there

    def _replace(self, value: Any) -> bool:
        root = self._root
        if isinstance(root, list) and isinstance(value, list):
            root[:] = value
        elif isinstance(root, dict) and isinstance(value, dict):
            root.clear()
            root.update(value)
        else:
            raise _errors.ValidationError(f"expected a {type(root).__name__}, found a {type(value).__name__}")
        return False

    def patch(self, at: tuple[str, ...], data: bytes) -> None:
        """Gives parts of what a reference leads to new values."""
        part = json.decode(data)
        with self._lock:
            old = self._find(at)
            if not isinstance(part, dict) or isinstance(old, list):
                raise _errors.ValidationError("a patch is of the fields of a record, or of the keys of a dict")
            if isinstance(old, dict) and self._type(at) is None:
                old.update(part)
                return
            # What comes of it is checked as a whole before anything is changed.
            whole = json.decode(json.encode(old))
            unknown = [name for name in part if name not in whole]
            if unknown:
                raise _errors.ValidationError(f"there is no field `{unknown[0]}`")
            new = json.decode(json.encode(whole | part), type(old) if is_dataclass(old) else self._type(at))
            if not at:
                raise LookupError("the whole can't be patched")
            _set(self._find(at[:-1]), at[-1], new)

    def post(self, at: tuple[str, ...], data: bytes) -> list[str]:
        """Adds a value to what a reference leads to; gives the value's own reference."""
        value = _decoded(data, self._item if not at else None)
        with self._lock:
            owner = self._find(at)
            if isinstance(owner, list):
                owner.append(value)
                return [*at, str(len(owner) - 1)]
            if isinstance(owner, dict):
                numbers = [int(key) for key in owner if str(key).isdecimal()]
                name = str(max(numbers, default=0) + 1)
                owner[name] = value
                return [*at, name]
            raise LookupError("nothing can be added to it")

    def delete(self, at: tuple[str, ...]) -> None:
        """Takes a value away; of the whole, everything in it."""
        with self._lock:
            if not at:
                if not isinstance(self._root, list | dict):
                    raise LookupError("it can't be emptied")
                self._root.clear()
                return
            owner, name = self._find(at[:-1]), at[-1]
            if not _has(owner, name):
                raise LookupError(f"there is no {name}")
            if isinstance(owner, list):
                del owner[int(name)]
            elif isinstance(owner, dict):
                del owner[_key(owner, name)]
            else:
                raise LookupError(f"{name} can't be taken away")

    def children(self, at: tuple[str, ...]) -> list[str]:
        """The names within."""
        value = self._find(at)
        if isinstance(value, list):
            return [str(index) for index in range(len(value))]
        if isinstance(value, dict):
            return [str(key) for key in value]
        return list(json.decode(json.encode(value))) if is_dataclass(value) else []

    def allows(self, at: tuple[str, ...]) -> list[str]:
        """What is done with it."""
        try:
            value = self._find(at)
        except LookupError:
            # That nothing is there is what is to be said, and not that it can't be changed.
            return ["get", "put", "patch", "delete"]
        if not at:
            return ["get", "put", "post", "delete"] if isinstance(value, list | dict) else ["get"]
        if isinstance(value, list | dict) and self._type(at) is None:
            return ["get", "put", "patch", "post", "delete"]
        return ["get", "put", "patch", "delete"]


def _part(value: Any, name: str) -> Any:
    if isinstance(value, list):
        if name.isdecimal() and int(name) < len(value):
            return value[int(name)]
    elif isinstance(value, dict):
        return value[_key(value, name)]
    elif not name.startswith("_") and is_dataclass(value):
        try:
            return getattr(value, name)
        except AttributeError:
            pass
    raise LookupError(f"there is no `{name}`")


def _key(owner: dict[Any, Any], name: str) -> Any:
    if name in owner:
        return name
    if name.lstrip("-").isdecimal() and int(name) in owner:
        return int(name)
    raise LookupError(f"there is no `{name}`")


def _has(owner: Any, name: str) -> bool:
    try:
        _part(owner, name)
    except LookupError:
        return False
    return True


def _set(owner: Any, name: str, value: Any) -> None:
    if isinstance(owner, list):
        owner[int(name)] = value
    elif isinstance(owner, dict):
        try:
            owner[_key(owner, name)] = value
        except LookupError:
            owner[name] = value
    elif is_dataclass(owner) and _has(owner, name):
        setattr(owner, name, json.decode(json.encode(value), type(owner).__annotations__.get(name, Any)))
    else:
        raise LookupError(f"there is no `{name}`")


def _decoded(data: bytes, type_: Any) -> Any:
    return json.decode(data) if type_ is None else json.decode(data, type_)


def _asked(value: Any, query: str) -> Any:
    """What a query wants of a list."""
    return json.decode(_native.queried(json.encode(value), query))
