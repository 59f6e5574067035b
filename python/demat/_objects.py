"""Objects as the source of `copy`."""

from __future__ import annotations

from itertools import chain, islice
from os import PathLike
from typing import TYPE_CHECKING, Any

from . import _native
from ._columns import columns_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

# How many objects are encoded at once where the copy reads lines.
_MANY = 256
# Instances of these are rows without a class of their own.
_BUILTIN = (dict, list, tuple, str, int, float)


def is_chunk(item: object) -> bool:
    """Whether an item of an iterable is a piece of a place's bytes."""
    return isinstance(item, (str, bytes, bytearray, memoryview))


def is_live(src: Any) -> bool:
    """Whether the source waits for objects that are made meanwhile: `demat.Changes`, which is not imported for this."""
    return getattr(src, "_is_live", False) is True


def objects_of(src: Any) -> tuple[Iterable[Any] | None, Any]:
    """The objects, if the source is an iterable of them; and the source, of which nothing is lost."""
    if is_live(src):
        return src, src
    if isinstance(src, (list, tuple, set, frozenset)):
        return (None if any(is_chunk(item) for item in islice(src, 1)) else src), src
    # Places, mappings and columns are iterable, too.
    if isinstance(src, (str, PathLike)) or not hasattr(src, "__iter__") or hasattr(src, "keys"):
        return None, src
    if any(hasattr(src, name) for name in ("read", "recv", "__arrow_c_stream__", "__arrow_c_array__")) or _is_buffer(
        src
    ):
        return None, src
    items = iter(src)
    try:
        first = next(items)
    except StopIteration:
        return None, iter(())
    items = chain([first], items)
    return (None if is_chunk(first) else items), items


def _is_buffer(src: Any) -> bool:
    try:
        memoryview(src).release()
    except TypeError:
        return False
    return True


def copied(objects: Iterable[Any], dst: Any, settings: dict[str, Any], changed: set[str]) -> tuple[int, int, int]:
    """Copies objects to a place. Returns how many records were written and refused, and how many bytes were read."""
    for name in ("read", "at", "encoding"):
        if name in changed:
            raise ValueError(f"{name}= is about a place that is read, and these are objects")
    cls: Any = settings["type"]
    write: dict[str, Any] = settings["write"] or {}
    name = _native.format_name(dst, settings["to"])
    # Of a source that waits, each object is written before the next one is waited for, and none are to learn from.
    live = is_live(objects)
    if live and cls is None:
        cls = settings["type"] = _module("Change")
    plain = not live and not changed - {"type", "to", "write", "compression"} and not _is_shape(cls)
    module: Any = _module(name) if plain and name in _native.FORMATS else None
    if hasattr(module, "write"):
        return module.write(dst, objects, cls, compression=settings["compression"], **write), 0, 0
    if plain and isinstance(objects, (list, tuple)) and _have_columns(objects, cls):
        options = {key: write[key] for key in ("naive", "decimals") if key in write}
        columns = columns_of(objects, cls, **options)
        left = {key: value for key, value in write.items() if key not in options}
        records, rejected, _, read = _native.copy(columns, dst, {**settings, "type": None, "write": left or None})
        return records, rejected, read
    lines = _lines(objects, cls, 1 if live else _MANY)
    records, rejected, _, read = _native.copy(lines, dst, {**settings, "from_": _native.LINES})
    return records, rejected, read


def _is_shape(cls: object) -> bool:
    """Whether a type is the text of a Shape, or the path of a message."""
    return isinstance(cls, str)


def _have_columns(objects: list[Any] | tuple[Any, ...], cls: Any) -> bool:
    if cls is None:
        return len(objects) > 0 and not isinstance(objects[0], _BUILTIN)
    return isinstance(cls, type) and not issubclass(cls, _BUILTIN)


def _lines(objects: Iterable[Any], cls: Any, many: int) -> Iterator[bytes]:
    encode, typed = _module(_native.LINES).encode, cls is not None and not _is_shape(cls)
    items = iter(objects)
    while some := list(islice(items, many)):
        # The copy checks rows without a class.
        yield encode(some, type=list[cls]) if typed and not isinstance(some[0], dict) else encode(some)


def _module(name: str) -> Any:
    """The format's module, if it has one."""
    return getattr(__import__("demat", fromlist=(name,)), name, None)
