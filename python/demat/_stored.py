"""Values of stores as places: every verb that takes a place asks here first whether it is one."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ._errors import StoreError
from ._store import Store

if TYPE_CHECKING:
    from . import _native

# The format in between, unless another one is named: it keeps the kinds of most values, such as dates, times of a zone
# and bytes. Datetimes without a zone, times of day and timedeltas become text: CBOR has no kinds for them.
KEPT = "cbor"


class Stored:
    """A value of a store."""

    __slots__ = ("_query", "_store", "at", "name")

    def __init__(self, store: _native.Store, name: str, at: str, query: str) -> None:
        self._store = store
        self.name = name
        self.at = at
        self._query = query

    @classmethod
    def of(cls, place: Any) -> Stored | None:
        """The value that a place means: all of a store, or what the text of a scheme leads to."""
        if isinstance(place, Store):
            from .store import native_of

            return cls(native_of(place), f"a {type(place).__name__}", "/", "")
        if not isinstance(place, str) or ":" not in place:
            return None
        from . import _scheme

        found = _scheme.split(place)
        if found is None:
            return None
        at, _, query = found[1].partition("?")
        return cls(_scheme.native_store(found[0]), place, at, query)

    def read(self, format: str | None = None) -> tuple[bytes, Any]:
        """The value in a format, and that format."""
        format = format or KEPT
        return self._store.encode(self.at, self._query, format), format

    def put(self, format: str | None, packing: str | None) -> Put:
        """A target that replaces the value."""
        refuse_packing(packing)
        if self._query:
            raise StoreError(f"a query says what is read, and {self.name} is written to")
        return Put(self._store, self.name, self.at, format or KEPT)


class Put:
    """A target that gathers the bytes of a value."""

    __slots__ = ("_at", "_parts", "_store", "format", "name")

    def __init__(self, store: _native.Store, name: str, at: str, format: str) -> None:
        self._store = store
        self._at = at
        self._parts: list[bytes] = []
        self.name = name
        self.format = format

    def write(self, data: bytes) -> int:
        """Takes bytes."""
        self._parts.append(data)
        return len(data)

    def finish(self) -> None:
        """Replaces the value."""
        self._store.give("put", self._at, b"".join(self._parts), self.format)


def put(target: Any, format: str | None, packing: str | None) -> tuple[Any, str | None, str | None]:
    """The target with its format and its compression: one that gathers bytes, if it is a value of a store."""
    stored = Stored.of(target)
    if stored is None:
        return target, format, packing
    own = stored.put(format, packing)
    return own, own.format, None


def refuse_packing(packing: str | None) -> None:
    """Raises ValueError for a compression: a value of a store has none."""
    if packing not in ("auto", None):
        raise ValueError("a value of a store is not compressed")


def refuse_stored(place: Any, why: str) -> None:
    """Raises ValueError if a place is a value of a store, for a verb that needs a file."""
    stored = Stored.of(place)
    if stored is not None:
        raise ValueError(f"{why}, and {stored.name} is a value of a store")
