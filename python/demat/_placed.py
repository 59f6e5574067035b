"""`read`, `write` and `columns` of the formats, with values of stores among their places.

The native module opens all other places. Each function here costs it one more call.
"""

from __future__ import annotations

from ._store import Store

# Formats are used without `typing`, which takes longer to import than they do.
TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Coroutine
    from typing import Any

    from ._native import Format
    from ._stored import Put


def read_of(verbs: Format) -> Callable[..., Any]:
    """Returns the function `read` of a format's module."""
    verb, name = verbs.read, verbs.name

    def read(place: Any, /, *args: Any, **options: Any) -> Any:
        if place.__class__ is not bytes and isinstance(place, (str, Store)):
            place, options = _opened(name, place, options)
        return verb(place, *args, **options)

    return _named(read, verbs)


def columns_of(verbs: Format) -> Callable[..., Any]:
    """Returns the function `columns` of a format's module."""
    verb = verbs.columns

    def columns(place: Any, /, *args: Any, **options: Any) -> Any:
        if isinstance(place, (str, Store)):
            place, _ = _opened(verbs.name, place, dict.fromkeys(options))
        return verb(place, *args, **options)

    return _named(columns, verbs)


def write_of(verbs: Format) -> Callable[..., Any]:
    """Returns the function `write` of a format's module."""
    verb = verbs.write

    def write(place: Any, values: Any, /, *args: Any, **options: Any) -> Any:
        if isinstance(place, (str, Store)):
            from ._stored import Stored

            stored = Stored.of(place)
            if stored is not None:
                target = stored.put(verbs.name, options.pop("compression", "auto"), options)
                return finished(verb(target, _iterated(values), *args, **options), target)
        elif callable(place):
            from ._async_writer import refusing_awaitables

            place = refusing_awaitables(place)
        return verb(place, _iterated(values), *args, **options)

    return _named(write, verbs)


def _opened(name: str, place: str | Store, options: dict[str, Any]) -> tuple[Any, dict[str, Any]]:
    """The place to read and the options: the bytes of a value in the format, if the place is a value of a store."""
    if isinstance(place, str) and ":" not in place:
        return place, options
    from ._stored import Stored

    stored = Stored.of(place)
    return (place, options) if stored is None else stored.packed(name, options)


def _iterated(values: Any) -> Any:
    """The values to write. Changes can be iterated in both ways; here they are iterated by a loop that waits."""
    return (value for value in values) if getattr(values, "_is_live", False) else values


def finished(written: Any, target: Put) -> Any:
    """Replaces the value once all is written; returns the number of records, or a coroutine that does both."""
    if not isinstance(written, int):
        return _awaited(written, target)
    target.finish()
    return written


async def _awaited(written: Coroutine[Any, Any, int], target: Put) -> int:
    count = await written
    target.finish()
    return count


def _named(function: Callable[..., Any], verbs: Format) -> Callable[..., Any]:
    # So that it is found again where it is, as by pickle.
    function.__module__ = f"demat.{verbs.name}"
    function.__qualname__ = function.__name__
    function.__doc__ = getattr(verbs, function.__name__).__doc__
    return function
