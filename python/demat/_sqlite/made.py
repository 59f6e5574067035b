"""Turns dicts into instances of the table's class, where only Python code can validate or complete them."""

from __future__ import annotations

import builtins
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any, Protocol, TypeVar

from demat import _native

R = TypeVar("R")


class Completing(Protocol):
    """A table that completes the rows of an update."""

    def _row_of(self, part: Mapping[str, Any]) -> Any: ...


class Made:
    """Iterates over values and replaces each dict with an instance."""

    __slots__ = ("_table", "_type", "_values", "raised")

    def __init__(self, values: Iterable[Any], type: Any, table: Completing | None) -> None:
        self._values = values
        self._type = type
        self._table = table
        # The error of the first dict that the class refused.
        self.raised: Exception | None = None

    @classmethod
    def of(cls, values: Iterable[Any], type: Any, table: Completing | None) -> Iterable[Any]:
        """Returns the values wrapped in `Made` if the class needs it; else unchanged."""
        if not isinstance(type, builtins.type):
            return values
        judged, filled, placed = _native.is_judged(type)
        if placed:
            return _instances(values, type)
        if not judged and (table is not None or not filled):
            return values
        return cls(values, type, table)

    def __iter__(self) -> Iterator[Any]:
        for index, value in enumerate(self._values):
            if not isinstance(value, dict):
                yield value
                continue
            try:
                instances = self.instances(value)
            except ValueError as error:
                self.raised = located(error, index)
                raise
            yield from instances

    def instances(self, value: dict[str, Any]) -> list[Any]:
        """Returns the instance for a dict; none if it changes no row."""
        from demat import json

        if self._table is not None:
            there = self._table._row_of(value)
            if there is None:
                # No row has this key, so the update changes nothing.
                return []
            value = {**json.decode(json.encode(there)), **value}
        return [json.decode(json.encode(value), self._type)]


def _instances(values: Iterable[Any], type: Any) -> Iterator[Any]:
    """Yields the values; refuses dicts, whose values could be those of any place."""
    for value in values:
        if isinstance(value, dict):
            raise TypeError(f"`{type.__name__}` has hooks for single places: write instances of it, not dicts")
        yield value


def told(values: Iterable[Any], type: Any, table: Completing | None, tell: Callable[[Any], R]) -> R:
    """Returns what `tell` returns for the values. First replaces dicts with instances if the class has Python rules.

    Python rules are `__post_init__`, constructors, hooks, factories and a model's validators. With `table`, each dict
    is a partial row, and the existing row completes it.
    """
    made = Made.of(values, type, table)
    try:
        return tell(made)
    except Exception:
        raised(made)
        raise


def raised(values: Any) -> None:
    """Re-raises the error of a refused dict, which the native code had wrapped in its own."""
    if isinstance(values, Made) and values.raised is not None:
        raise values.raised from values.raised.__cause__


def located(error: ValueError, index: int) -> ValueError:
    """Returns the error with `record` set from the index of the value."""
    from demat import Error

    if not isinstance(error, Error) or error.record is not None:
        return error
    path = f"$[{index}]{(error.path or '$')[1:]}"
    message = str(error).replace(f"`{error.path}`", f"`{path}`") if error.path else str(error)
    said = {name: getattr(error, name) for name in ("expected", "found", "reason")}
    found = type(error)(message, path=path, record=index + 1, **said)
    found.__cause__ = error.__cause__
    return found
