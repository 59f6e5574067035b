"""Objects as the source of `copy`."""

from __future__ import annotations

from itertools import chain, islice
from os import PathLike
from typing import TYPE_CHECKING, Any

from . import _native, _stored
from ._columns import columns_of
from ._part import part_of
from ._store import Store

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

# How many objects are encoded at once where the copy reads them.
_MANY = 256
# Instances of these are rows without a class of their own.
_BUILTIN = (dict, list, tuple, str, int, float)
# Formats whose columns are those of the class. Others say with each record what it has.
_OF_CLASS = ("arrow", "parquet", "sqlite")
# Formats that say no more than a line of JSON does.
_JSON = ("json", "ndjson")


def is_chunk(item: object) -> bool:
    """Whether an item of an iterable is a piece of a place's bytes."""
    return isinstance(item, (str, bytes, bytearray, memoryview))


def is_live(src: Any) -> bool:
    """Whether the source waits for objects that are made meanwhile: `demat.Changes`, which is not imported for this."""
    return getattr(src, "_is_live", False) is True


def is_columns(src: Any) -> bool:
    """Whether the source are columns of a library."""
    return hasattr(src, "__arrow_c_stream__") or hasattr(src, "__arrow_c_array__")


def objects_of(src: Any) -> tuple[Iterable[Any] | None, Any]:
    """The objects, if the source is an iterable of them; and the source, of which nothing is lost."""
    if is_live(src):
        return src, src
    if isinstance(src, (list, tuple, set, frozenset)):
        return (None if any(is_chunk(item) for item in islice(src, 1)) else src), src
    # Places, mappings and columns are iterable, too.
    if isinstance(src, (str, PathLike)) or not hasattr(src, "__iter__") or hasattr(src, "keys"):
        return None, src
    if hasattr(src, "read") or hasattr(src, "recv") or is_columns(src) or _is_buffer(src):
        return None, src
    items = iter(src)
    try:
        first = next(items)
    except StopIteration:
        # Bytes have a format, which is said: these are no objects.
        return (), ()
    items = chain([first], items)
    return (None if is_chunk(first) else items), items


def refuse_place(values: Any) -> None:
    """Raises TypeError for a place, or one value, where records are to be written."""
    if is_columns(values):
        return
    name = type(values).__name__
    if isinstance(values, str) or hasattr(values, "keys") or _is_buffer(values):
        raise TypeError(f"what is written is an iterable of records, and {name} is one value: put it into a list")
    if isinstance(values, (PathLike, Store)) or hasattr(values, "read") or hasattr(values, "recv"):
        raise TypeError(f"what is written is an iterable of records, and {name} is a place: `demat.copy` moves it")


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
    targets = [(dst, settings["to"]), *((other, to) for other, to, *_ in settings["others"])]
    names = [_native.format_name(target, to) for target, to in targets]
    is_collection = [_is_collection(target) for target, _ in targets]
    # Of a source that waits, each object is written before the next one is waited for, and none are to learn from.
    live = is_live(objects)
    if live and cls is None:
        cls = settings["type"] = _module("Change")
    is_text = _is_text(cls)
    plain = not live and not changed - {"type", "to", "write", "compression"} and not is_text
    module: Any = _module(names[0]) if plain and names[0] in _native.FORMATS and not is_collection[0] else None
    if hasattr(module, "write"):
        return module.write(dst, objects, cls, compression=settings["compression"], **write), 0, 0
    if plain and names[0] != "sqlite" and isinstance(objects, (list, tuple)) and _have_columns(objects, cls):
        options = {key: write[key] for key in ("naive", "decimals", "narrow", "dictionary") if key in write}
        columns = columns_of(objects, cls, **options)
        left = {key: value for key, value in write.items() if key not in options}
        records, rejected, _, read = _native.copy(columns, dst, {**settings, "type": None, "write": left or None})
        return records, rejected, read
    items = iter(objects)
    first = [] if live else list(islice(items, _MANY))
    if cls is None and (any(is_collection) or not set(names).isdisjoint(_OF_CLASS)):
        cls = settings["type"] = _class_of(first)
    # The copy checks rows without a class as data, which may have more fields.
    strict = not is_text and cls is not None and not (first and isinstance(first[0], dict))
    # Lines of JSON have fewer kinds of values than most targets.
    is_json = settings["mapping"] == "canonical" or (not any(is_collection) and set(names) <= set(_JSON))
    format = _native.LINES if is_json else _stored.KEPT
    laid: dict[str, Any] = {} if is_json else {"sequence": True}
    encoded = _encoded(chain(first, items), None if is_text else cls, 1 if live else _MANY, format, laid)
    settings = {**settings, "from_": format, "read": laid or None, "strict": strict}
    records, rejected, _, read = _native.copy(encoded, dst, settings)
    return records, rejected, read


def _is_text(cls: object) -> bool:
    """Whether a type is the text of a Shape, or the path of a message."""
    return isinstance(cls, str)


def _is_collection(target: Any) -> bool:
    part = part_of(target)
    return part is not None and part.kind == "lmdb"


def _have_columns(objects: list[Any] | tuple[Any, ...], cls: Any) -> bool:
    if cls is None:
        return len(objects) > 0 and not isinstance(objects[0], _BUILTIN)
    return isinstance(cls, type) and not issubclass(cls, _BUILTIN)


def _class_of(objects: list[Any]) -> Any:
    """The class that all of the objects have, if it has fields."""
    kinds = {value.__class__ for value in objects}
    kind = kinds.pop() if len(kinds) == 1 else None
    return kind if kind is not None and has_fields(kind) else None


def has_fields(kind: Any) -> bool:
    """Whether the instances of a class are records, whose fields the class says.

    Raises TypeError for one with hooks for single places: on their way the values are in none of them.
    """
    from ._describe import described, placed

    try:
        (root, _), places, _ = described(kind)
    except TypeError:
        return False
    if root[0] == "record" and places:
        raise placed(kind, places)
    return bool(root[0] == "record")


class _Bytes:
    """Bytes that a writer has written."""

    __slots__ = ("_parts",)

    def __init__(self) -> None:
        self._parts: list[bytes] = []

    def write(self, data: bytes) -> int:
        """Takes bytes."""
        self._parts.append(data)
        return len(data)

    def take(self) -> bytes:
        """Gives them, once."""
        data = b"".join(self._parts)
        self._parts.clear()
        return data


def _encoded(objects: Iterable[Any], cls: Any, many: int, format: str, options: dict[str, Any]) -> Iterator[bytes]:
    """The bytes of records one behind the other, each time of so many."""
    held = _Bytes()
    # Rows without a class are checked by the copy.
    plain = _native.open_writer(held, None, format, options)
    typed = plain if cls is None else _native.open_writer(held, cls, format, options)
    items = iter(objects)
    while some := list(islice(items, many)):
        (plain if isinstance(some[0], dict) else typed).write_all(some)
        yield held.take()


def _module(name: str) -> Any:
    """The format's module, if it has one."""
    return getattr(__import__("demat", fromlist=(name,)), name, None)
