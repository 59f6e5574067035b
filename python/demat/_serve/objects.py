"""Objects as a store: what a reference leads to, and what becomes of what is given."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import FrozenInstanceError, fields, is_dataclass
from importlib import import_module
from threading import RLock
from typing import Any

from demat import Raw, _errors, _native, json

from .._describe import describe
from .mended import mended

_ENCODE: dict[str, Callable[[Any], bytes]] = {name: import_module(f"demat.{name}").encode for name in _native.FORMATS}


class Objects:
    """A list, a dict or an instance, as it is at each request.

    References lead by index into lists, by key into dicts, and by name into instances.
    """

    __slots__ = ("_item", "_lock", "_root", "_unrepresentable")

    def __init__(self, root: Any, item: Any, unrepresentable: str = "refuse") -> None:
        self._unrepresentable = unrepresentable
        self._root = root
        self._item = item
        self._lock = RLock()

    def encode(self, at: tuple[str, ...], query: str | None, format: str) -> bytes:
        """What a reference leads to, in a format."""
        value = self._find(at)
        encode = _ENCODE[format]
        try:
            return encode(value if query is None else _asked(value, query))
        except _errors.EncodeError:
            if self._unrepresentable == "refuse" or format not in ("json", "ndjson"):
                raise
        # Mends the value before the query runs, since conditions compare the replaced values.
        about = f"GET /{'/'.join(at)}"
        if query is None:
            return mended(value, self._unrepresentable, about, encode)
        return encode(_chosen(mended(value, self._unrepresentable, about, json.encode), query))

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
            if is_dataclass(owner):
                value = json.decode(data, Raw)  # its class says what it is
            there = _has(owner, name)
            if isinstance(owner, list) and not there:
                raise _errors.NotFound(f"there is no item {name} in the list")
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
        with self._lock:
            old = self._find(at)
            if isinstance(old, list):
                raise _refused("conflict", "items are patched by their numbers, or by conditions")
            new = self._patched(old, data, self._type(at))
            if isinstance(old, dict) and self._type(at) is None:
                old.update(new)
                return
            if not at:
                raise _refused("not_allowed", "the whole can't be patched")
            owner = self._find(at[:-1])
            if is_dataclass(owner):
                _assign(owner, at[-1], new)
            else:
                _set(owner, at[-1], new)

    def _patched(self, old: Any, data: bytes, type_: Any) -> Any:
        """Returns the value with the patch applied. It is validated as a whole, and the old value is unchanged."""
        given = json.decode(data)
        if isinstance(given, dict) and isinstance(old, dict) and type_ is None:
            return old | given
        whole = json.encode(old)
        if isinstance(old, list) or not isinstance(given, dict) or not whole.startswith(b"{"):
            raise _errors.ValidationError("a patch is of the fields of a record, or of the keys of a dict")
        # As they are written, since a float would lose digits of a decimal.
        there, part = json.decode(whole, dict[str, Raw]), json.decode(data, dict[str, Raw])
        # Fields that are left out of the data, such as None, are there, too.
        known = {*there, *(_fields(old).values() if is_dataclass(old) else ())}
        unknown = [name for name in part if name not in known]
        if unknown:
            raise _errors.ValidationError(f"there is no field `{unknown[0]}`")
        return json.decode(json.encode(there | part), type(old) if is_dataclass(old) else type_)

    def change_each(self, at: tuple[str, ...], query: str, data: bytes | None) -> int:
        """Deletes or patches the items of a list that match a query; returns their number."""
        with self._lock:
            owner = self._find(at)
            if not isinstance(owner, list):
                raise _refused("bad_query", "a list has items to choose from, and this is none")
            chosen = _native.chosen(json.encode(owner), query)
            if data is None:
                gone = set(chosen)
                owner[:] = [item for index, item in enumerate(owner) if index not in gone]
            else:
                new = [self._patched(owner[index], data, self._item if not at else None) for index in chosen]
                for index, item in zip(chosen, new, strict=True):
                    owner[index] = item
            return len(chosen)

    def post(self, at: tuple[str, ...], data: bytes) -> list[str]:
        """Adds a value to what a reference leads to; gives the value's own reference."""
        value = _decoded(data, self._item if not at else None)
        with self._lock:
            owner = self._find(at)
            if isinstance(owner, list):
                owner.append(value)
                return [*at, str(len(owner) - 1)]
            if isinstance(owner, dict):
                numbers = [number for key in owner if (number := _number(str(key))) is not None]
                name = str(max(numbers, default=0) + 1)
                owner[name] = value
                return [*at, name]
            raise _refused("not_allowed", "nothing can be added to it")

    def delete(self, at: tuple[str, ...]) -> None:
        """Takes a value away; of the whole, everything in it."""
        with self._lock:
            if not at:
                if not isinstance(self._root, list | dict):
                    raise _refused("not_allowed", "it can't be emptied")
                self._root.clear()
                return
            owner, name = self._find(at[:-1]), at[-1]
            if not _has(owner, name):
                raise _errors.NotFound(f"there is no {name}")
            if isinstance(owner, list):
                del owner[int(name)]
            elif isinstance(owner, dict):
                del owner[_key(owner, name)]
            else:
                raise _refused("not_allowed", f"{name} can't be taken away")

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
        except _errors.NotFound:
            # That nothing is there is what is to be said, and not that it can't be changed.
            return ["get", "put", "patch", "delete"]
        if not at:
            if not isinstance(value, list | dict):
                return ["get"]
            return (
                ["get", "put", "patch", "post", "delete"]
                if isinstance(value, list)
                else ["get", "put", "post", "delete"]
            )
        if isinstance(value, list | dict) and self._type(at) is None:
            return ["get", "put", "patch", "post", "delete"]
        return ["get", "put", "patch", "delete"]


def _refused(fault: str, message: str) -> _errors.StoreError:
    """Returns a StoreError with a fault code, which decides the HTTP status."""
    error = _errors.StoreError(message)
    error._fault = fault
    return error


def _number(name: str) -> int | None:
    """Returns the index that a name denotes. Each index has one spelling; the length limit keeps `int` fast."""
    if not (name.isascii() and name.isdecimal() and len(name) < 20):
        return None
    number = int(name)
    return number if str(number) == name else None


def _part(value: Any, name: str) -> Any:
    if isinstance(value, list):
        number = _number(name)
        if number is not None and number < len(value):
            return value[number]
    elif isinstance(value, dict):
        return value[_key(value, name)]
    elif not name.startswith("_") and is_dataclass(value) and any(field.name == name for field in fields(value)):
        try:
            return getattr(value, name)
        except AttributeError:
            pass
    raise _errors.NotFound(f"there is no `{name}`")


def _key(owner: dict[Any, Any], name: str) -> Any:
    if name in owner:
        return name
    number = _number(name.removeprefix("-"))
    if number is not None and str(number := -number if name.startswith("-") else number) == name and number in owner:
        return number
    raise _errors.NotFound(f"there is no `{name}`")


def _has(owner: Any, name: str) -> bool:
    try:
        _part(owner, name)
    except _errors.NotFound:
        return False
    return True


def _set(owner: Any, name: str, value: Any) -> None:
    if isinstance(owner, list):
        owner[int(name)] = value
    elif isinstance(owner, dict):
        try:
            owner[_key(owner, name)] = value
        except _errors.NotFound:
            owner[name] = value
    elif is_dataclass(owner) and _has(owner, name):
        # The class checks the whole: its annotations may be texts, or those of a base class.
        whole = {**json.decode(json.encode(owner), dict[str, Raw]), _fields(owner)[name]: value}
        _assign(owner, name, getattr(json.decode(json.encode(whole), type(owner)), name))
    else:
        raise _errors.NotFound(f"there is no `{name}`")


def _assign(owner: Any, name: str, value: Any) -> None:
    try:
        setattr(owner, name, value)
    except FrozenInstanceError:
        raise _refused("conflict", f"`{name}` is part of a frozen instance: change that as a whole") from None


def _fields(value: Any) -> dict[str, str]:
    """The fields of an instance, and what they are called in data."""
    root, records = describe(type(value), {"place": "json"})
    said = records[root[1]].get("fields") if root[0] == "record" else None
    return (
        {field.name: field.name for field in fields(value)}
        if said is None
        else {own["name"]: own["key"] for own in said}
    )


def _decoded(data: bytes, type_: Any) -> Any:
    return json.decode(data) if type_ is None else json.decode(data, type_)


def _asked(value: Any, query: str) -> Any:
    """What a query wants of a list."""
    return _chosen(json.encode(value), query)


def _chosen(data: bytes, query: str) -> Any:
    return json.decode(_native.queried(data, query))
