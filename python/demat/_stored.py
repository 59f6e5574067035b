"""Values of stores as places: every verb that takes a place asks here first whether it is one."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ._errors import StoreError
from ._store import Store

if TYPE_CHECKING:
    from collections.abc import Iterable

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

    def read(self, format: str | None = None, options: Iterable[str] = ()) -> tuple[bytes, Any]:
        """The value in a format, and that format. Raises ValueError for options of another layout of the format."""
        format = format or KEPT
        refuse_layout(format, options)
        return self._store.encode(self.at, self._query, format), format

    def packed(self, format: str | None, options: dict[str, Any]) -> tuple[bytes, dict[str, Any]]:
        """The value in a format, and the options to read it by. Raises ValueError for those of another layout."""
        refuse_packing(options.get("compression"))
        # Bytes of a value may begin as packed ones do.
        return self.read(format, options)[0], {**options, "compression": None}

    def put(self, format: str | None, packing: str | None, options: Iterable[str] = ()) -> Put:
        """A target that replaces the value. Raises ValueError for options of another layout of the format."""
        refuse_packing(packing)
        refuse_layout(format or KEPT, options)
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


def put(
    target: Any, format: str | None, packing: str | None, options: Iterable[str]
) -> tuple[Any, str | None, str | None]:
    """The target with its format and its compression: one that gathers bytes, if it is a value of a store."""
    stored = Stored.of(target)
    if stored is None:
        return target, format, packing
    own = stored.put(format, packing, options)
    return own, own.format, None


def refuse_twice(targets: Iterable[Any]) -> None:
    """Raises ValueError if two targets are one value of a scheme."""
    seen: set[tuple[str, str]] = set()
    for target in targets:
        from . import _scheme

        found = _scheme.split(target)
        if found is None:
            continue
        one = (found[0], "/" + found[1].strip("/"))
        if one in seen:
            raise ValueError(f"{target}: a place can't be two targets of one copy")
        seen.add(one)


def layout_of(format: str) -> tuple[str, ...]:
    """The options that say how the bytes of a format are laid out."""
    from ._formats import FORMATS

    return next((own.layout for own in FORMATS if format in (own.name, *own.dialects)), ())


def refuse_layout(format: str, options: Iterable[str]) -> None:
    """Raises ValueError for an option of another layout: the store has the bytes as the format is by default, and
    would take a row for the header."""
    names = list(options)
    layout = layout_of(format) if names else ()
    for name in names:
        if name in layout:
            raise ValueError(f"a value of a store is {format} as it is by default: leave out {name}=")


def refuse_packing(packing: str | None) -> None:
    """Raises ValueError for a compression: a value of a store has none."""
    if packing not in ("auto", None):
        raise ValueError("a value of a store is not compressed")


def refuse_stored(place: Any, why: str) -> None:
    """Raises ValueError if a place is a value of a store, for a verb that needs a file."""
    stored = Stored.of(place)
    if stored is not None:
        raise ValueError(f"{why}, and {stored.name} is a value of a store")
