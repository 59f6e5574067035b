"""Calls a function with its arguments, and the functions that these depend on."""

from __future__ import annotations

import contextlib
import functools
import inspect
from collections.abc import Callable
from contextlib import AbstractAsyncContextManager, ExitStack
from typing import Any, TypeVar

from .markers import Depends
from .signature import Body, Parameter, Signature

T = TypeVar("T")


def called(
    function: Callable[..., Any],
    signature: Signature,
    values: dict[Parameter | Body, Any],
    request: Any,
    stack: ExitStack,
) -> Any:
    """What the function returns. `values` has the arguments that are not left to their defaults.

    Generators that it depends on are closed by the stack.
    """
    found: dict[Callable[..., Any], Any] = {}

    def arguments(of: Callable[..., Any]) -> dict[str, Any]:
        own = {}
        for name, source in signature.sources[of].items():
            if isinstance(source, Depends):
                own[name] = found[source.function]
            elif not isinstance(source, Parameter | Body):
                own[name] = request
            elif source in values:
                own[name] = values[source]
        return own

    for dependency in signature.dependencies:
        found[dependency] = _resolved(dependency, arguments(dependency), stack)
    return _awaited(function(**arguments(function)))


def closing(act: Callable[[ExitStack], T]) -> T:
    """What `act` returns, after the generators on its stack are closed.

    A generator may clean up after an exception, and raise another one. It can't suppress one: there is no answer then.
    """
    failure: BaseException | None = None
    done: list[T] = []
    with ExitStack() as stack:
        try:
            done.append(act(stack))
        except BaseException as error:
            failure = error
            raise
    if failure is not None:
        raise failure
    return done[0]


def _resolved(dependency: Callable[..., Any], arguments: dict[str, Any], stack: ExitStack) -> Any:
    own = _plain(dependency)
    if inspect.isgeneratorfunction(own):
        return stack.enter_context(contextlib.contextmanager(dependency)(**arguments))
    if inspect.isasyncgenfunction(own):
        return stack.enter_context(_Waited(contextlib.asynccontextmanager(dependency)(**arguments)))
    return _awaited(dependency(**arguments))


def _plain(function: Any) -> Any:
    """The function behind an instance that can be called. `inspect` itself looks through partial functions."""
    if inspect.isroutine(function) or isinstance(function, type | functools.partial):
        return function
    return type(function).__call__


def _awaited(result: Any) -> Any:
    if inspect.iscoroutine(result):
        from .loop import waited

        return waited(result)
    return result


class _Waited(contextlib.AbstractContextManager[Any]):
    """An asynchronous context on the loop of asynchronous functions."""

    def __init__(self, inner: AbstractAsyncContextManager[Any]) -> None:
        self._inner = inner

    def __enter__(self) -> Any:
        return _awaited(self._enter())

    async def _enter(self) -> Any:
        return await self._inner.__aenter__()

    def __exit__(self, *raised: object) -> bool | None:
        is_handled: bool | None = _awaited(self._exit(*raised))
        return is_handled

    async def _exit(self, *raised: Any) -> bool | None:
        return await self._inner.__aexit__(*raised)
