"""Results that can be gone through once: iterators and generators, also asynchronous ones."""

from __future__ import annotations

from collections import abc
from collections.abc import AsyncIterator, Callable, Coroutine, Iterator
from contextlib import ExitStack
from functools import reduce
from operator import or_
from types import UnionType
from typing import Annotated, Any, Union, get_args, get_origin

from .scalars import is_alias

_ONCE = (abc.Iterator, abc.Generator, abc.AsyncIterable, abc.AsyncIterator, abc.AsyncGenerator)
# How many items of an asynchronous iterator are awaited before they are written.
_SOME = 256


def as_iterable(annotation: Any) -> Any:
    """The annotation with `Iterable[T]` for an iterator or a generator of `T`: what is only written is the same list.

    >>> from collections.abc import AsyncIterator, Generator
    >>> as_iterable(Generator[int, None, None] | None)
    collections.abc.Iterable[int] | None
    >>> as_iterable(AsyncIterator[str])
    collections.abc.Iterable[str]
    >>> as_iterable(list[int])
    list[int]
    """
    if is_alias(annotation):
        own = as_iterable(annotation.__value__)
        return annotation if own is annotation.__value__ else own
    origin, arguments = get_origin(annotation), get_args(annotation)
    if annotation in _ONCE or origin in _ONCE:
        return abc.Iterable[arguments[0]] if arguments else abc.Iterable  # type: ignore[valid-type]
    if origin is Annotated:
        own = as_iterable(arguments[0])
        return annotation if own is arguments[0] else Annotated[(own, *arguments[1:])]
    if origin in (Union, UnionType):
        parts = [as_iterable(part) for part in arguments]
        is_same = all(own is part for own, part in zip(parts, arguments, strict=True))
        return annotation if is_same else reduce(or_, parts)
    return annotation


def gone_through(result: Any, stack: ExitStack) -> Any:
    """What the function returned, or the items that it awaits. Generators are closed by the stack."""
    if isinstance(result, abc.AsyncIterable) and not isinstance(result, abc.Iterable):
        items = aiter(result)
        if isinstance(items, abc.AsyncGenerator):
            stack.callback(_waited, items.aclose)
        return from_async(items)
    if isinstance(result, abc.Generator):
        stack.callback(result.close)
    return result


def is_once(result: Any) -> bool:
    """Whether it can be gone through only once."""
    return isinstance(result, abc.Iterator)


def from_async(items: AsyncIterator[Any], some: int = _SOME) -> Iterator[Any]:
    """The items of an asynchronous iterator, which the event loop of the async functions runs."""

    async def awaited() -> list[Any]:
        found = []
        async for item in items:
            found.append(item)
            if len(found) == some:
                break
        return found

    while found := _waited(awaited):
        yield from found


def _waited(function: Callable[[], Coroutine[Any, Any, Any]]) -> Any:
    from .loop import waited

    return waited(function())
