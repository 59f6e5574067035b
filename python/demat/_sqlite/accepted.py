"""Goes on after values that a table refuses: `on_error` of `Table.load`."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, Any, Literal

from demat import _errors

from .made import Made, located

if TYPE_CHECKING:
    from .database import Database

Rejects = list[tuple[_errors.Error, Any]] | Callable[[_errors.Error, Any], object]


class Accepted:
    """Iterates over pairs of index and value, and hands over the dicts that the class's own code refuses."""

    __slots__ = ("_made", "_rejects", "_values")

    def __init__(self, values: Iterable[Any], type: Any, rejects: Rejects | None) -> None:
        if isinstance(values, (str, bytes, bytearray, memoryview, Mapping)):
            found = values.__class__.__name__
            raise TypeError(f"what is written is an iterable of records, and {found} is one value: put it into a list")
        made = Made.of(values, type, None)
        self._made = made if isinstance(made, Made) else None
        self._values = iter(values)
        self._rejects = rejects

    def __iter__(self) -> Iterator[tuple[int, Any]]:
        for index, value in enumerate(self._values):
            if self._made is None or not isinstance(value, dict):
                yield index, value
                continue
            try:
                (instance,) = self._made.instances(value)
            except ValueError as error:
                refused = located(error, index)
                if not isinstance(refused, _errors.Error):
                    raise
                self.hand_over(refused, value)
            else:
                yield index, instance

    def hand_over(self, error: _errors.Error, value: Any) -> None:
        """Gives a refused value to who collects them."""
        if isinstance(self._rejects, list):
            self._rejects.append((error, value))
        elif self._rejects is not None:
            self._rejects(error, value)


def inserted(database: Database, table: str, type: Any, values: Accepted) -> int:
    """Inserts the values that are not refused, in one transaction; returns how many."""
    count = 0
    with database.transaction():
        for index, value in values:
            try:
                count += database._native.tell(table, [value], type, "insert", None, False)[0]
            except _errors.Error as error:
                if not _is_of_value(error):
                    raise
                values.hand_over(_at(error, index), value)
    return count


def options(on_error: Literal["stop", "skip", "collect"], rejects: Rejects | None) -> dict[str, Any] | None:
    """Returns both as options of the native module; None if errors stop."""
    if on_error == "stop" and rejects is None:
        return None
    return {"on_error": on_error, "rejects": rejects}


def _is_of_value(error: _errors.Error) -> bool:
    """Whether a value is refused, and nothing is broken."""
    if isinstance(error, _errors.InternalError):
        return False
    if not isinstance(error, _errors.StoreError):
        return True
    # The primary code of SQLITE_CONSTRAINT is 19. Without a code, the table has no place for a field.
    return error.sqlite_code & 0xFF == 19 if error.sqlite_code is not None else error.path != "$[0]"


def _at(error: _errors.Error, index: int) -> _errors.Error:
    """Returns the error of a value that was alone as that of an item."""
    path = f"$[{index}]{(error.path or '$[0]')[4:]}"
    said = {name: getattr(error, name) for name in ("expected", "found", "value", "reason")}
    found = type(error)(f"{error.reason} at `{path}` (record {index + 1})", path=path, record=index + 1, **said)
    if isinstance(error, _errors.StoreError) and isinstance(found, _errors.StoreError):
        found.sqlite_code, found.sqlite_name = error.sqlite_code, error.sqlite_name
    found.__cause__ = error.__cause__
    return found
