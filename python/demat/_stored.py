"""Stores as the source and the targets of `copy`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ._store import Store

if TYPE_CHECKING:
    from . import _native

# The format in between, unless another one is named: it keeps the kinds of all values, such as dates and bytes.
_KEPT = "cbor"


def read(store: Store, format: str | None) -> tuple[bytes, str]:
    """The value of a store, in a format."""
    format = format or _KEPT
    return _native_of(store).encode("/", "", format), format


class Put:
    """A target that gathers the bytes of a value, for a store."""

    __slots__ = ("_format", "_parts", "_store", "name")

    def __init__(self, store: Store, format: str | None, packing: str | None) -> None:
        if packing not in ("auto", None):
            raise ValueError("a value of a store is not compressed")
        self._store = store
        self._format = format or _KEPT
        self._parts: list[bytes] = []
        self.name = str(store) if type(store).__str__ is not object.__str__ else type(store).__name__

    @property
    def format(self) -> str:
        """The format of the bytes."""
        return self._format

    def write(self, data: bytes) -> int:
        """Takes bytes."""
        self._parts.append(data)
        return len(data)

    def finish(self) -> None:
        """Replaces the value of the store."""
        _native_of(self._store).give("put", "/", b"".join(self._parts), self._format)


def _native_of(store: Store) -> _native.Store:
    from .store import native_of

    return native_of(store)


def put(target: Any, format: str | None, packing: str | None) -> tuple[Any, str | None, str | None]:
    """The target with its format and its compression: one that gathers bytes, if the target is a store."""
    if not isinstance(target, Store):
        return target, format, packing
    own = Put(target, format, packing)
    return own, own.format, None
