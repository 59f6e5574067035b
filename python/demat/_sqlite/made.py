"""Rows that are dicts, made instances of the table's class where only Python can judge them."""

from __future__ import annotations

import builtins
from collections.abc import Callable, Iterable, Iterator
from typing import TYPE_CHECKING, Any, TypeVar

from demat import _native

if TYPE_CHECKING:
    from .table import Table

R = TypeVar("R")


class Made:
    """Values, with an instance in the place of each dict."""

    __slots__ = ("_table", "_type", "_values", "raised")

    def __init__(self, values: Iterable[Any], type: Any, table: Table[Any] | None) -> None:
        self._values = values
        self._type = type
        self._table = table
        # The error of the dict that is none.
        self.raised: Exception | None = None

    @classmethod
    def of(cls, values: Iterable[Any], type: Any, table: Table[Any] | None) -> Iterable[Any]:
        """The values, so, where it makes a difference; themselves, where not."""
        if not isinstance(type, builtins.type):
            return values
        judged, filled = _native.is_judged(type)
        if not judged and (table is not None or not filled):
            return values
        return cls(values, type, table)

    def __iter__(self) -> Iterator[Any]:
        for index, value in enumerate(self._values):
            if not isinstance(value, dict):
                yield value
                continue
            try:
                instances = self._instances(value)
            except ValueError as error:
                self.raised = located(error, index)
                raise
            yield from instances

    def _instances(self, value: dict[str, Any]) -> list[Any]:
        from demat import json

        if self._table is not None:
            there = self._table._row_of(value)
            if there is None:
                # No row has the key, so nothing is changed.
                return []
            value = {**json.decode(json.encode(there)), **value}
        return [json.decode(json.encode(value), self._type)]


def told(values: Iterable[Any], type: Any, table: Table[Any] | None, tell: Callable[[Any], R]) -> R:
    """What `tell` gives, of the values; in the place of each dict is an instance where the class has rules or defaults
    of its own.

    Rules that only Python knows are `__post_init__`, constructors, hooks, and what a model validates. With `table`,
    dicts are parts of rows that it has, and the row's other columns complete them.
    """
    made = Made.of(values, type, table)
    try:
        return tell(made)
    except Exception:
        raised(made)
        raise


def raised(values: Any) -> None:
    """Raises what a dict among the values was refused for, which its reader knows as an error of its own."""
    if isinstance(values, Made) and values.raised is not None:
        raise values.raised from values.raised.__cause__


def located(error: ValueError, index: int) -> ValueError:
    """The error, as one of the record at an index."""
    from demat import Error

    if not isinstance(error, Error) or error.record is not None:
        return error
    path = f"$[{index}]{(error.path or '$')[1:]}"
    message = str(error).replace(f"`{error.path}`", f"`{path}`") if error.path else str(error)
    said = {name: getattr(error, name) for name in ("expected", "found", "reason")}
    found = type(error)(message, path=path, record=index + 1, **said)
    found.__cause__ = error.__cause__
    return found
