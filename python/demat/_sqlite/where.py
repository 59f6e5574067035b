"""Which rows: SQL with a value for each `?`, or what columns are equal to."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from .._native import TableColumn

# SQL that says which rows, or what columns are equal to, for columns that are called as a parameter is.
Where = str | Mapping[str, Any] | None


def filtered(
    where: Where, values: tuple[Any, ...], equal: Mapping[str, Any], columns: Mapping[str, TableColumn]
) -> tuple[str | None, Any]:
    """Returns the SQL condition and its values; None for all rows. `columns` has each by its name."""
    if isinstance(where, Mapping):
        if values:
            raise TypeError("values are for the `?` of a condition in SQL, and a mapping has its own")
        equal = {**where, **equal}
        where = None
    if where is None and values:
        raise TypeError("values are for the `?` of a condition in SQL, and there is none")
    if where is not None and not isinstance(where, str):
        raise TypeError(f"where is a str of SQL or a mapping of columns to values, not {type(where).__name__}")
    conditions = [] if where is None else [f"({where}\n)"]
    named: dict[str, Any] | None = None
    if len(values) == 1 and isinstance(values[0], Mapping):
        named = dict(values[0])
    given = list(values)
    for number, (name, value) in enumerate(equal.items()):
        column = columns.get(name)
        if column is None:
            raise TypeError(f"there is no column {name!r}; there are {', '.join(columns)}")
        conditions.append(_equal(number, column, value, given, named))
    if not conditions:
        return None, None
    return " AND ".join(conditions), given if named is None else named


def _equal(number: int, column: TableColumn, value: Any, given: list[Any], named: dict[str, Any] | None) -> str:
    """Returns the condition that a column equals a value or one of several; appends the values to those given."""
    native: Any = import_module("demat._native")
    if value is None:
        return f"{native.quoted_name(column.name)} IS NULL"
    several = isinstance(value, list | tuple | set | frozenset)
    own = [_own(column, one) for one in (value if several else (value,))]
    if any(one is None for one in own):
        # In SQL, `= NULL` is never true, so None needs a test of its own.
        rest = _equal(number, column, [one for one in own if one is not None], given, named)
        return f"({native.quoted_name(column.name)} IS NULL OR {rest})"
    if named is None:
        condition, times = column.compared(several, ["?"] * len(own))
        given += [one for one in own for _ in range(times)]
    else:
        # SQLite can't mix `?` with named values here, so these get names, too.
        names = [f"demat_{number}_{index}" for index in range(len(own))]
        condition, _ = column.compared(several, [f":{one}" for one in names])
        named.update(zip(names, own, strict=True))
    return condition


def _own(column: TableColumn, value: Any) -> Any:
    """Returns a value as the column stores it: ints beyond 64 bits become text if the column keeps digits."""
    beyond = type(value) is int and not -(2**63) <= value < 2**63
    return str(value) if beyond and column.keeps_digits else value


def ordered(order: str | Iterable[str] | None) -> list[tuple[str, bool]]:
    """Columns, and whether the greatest come first: `-id`."""
    if order is None:
        return []
    names = (order,) if isinstance(order, str) else tuple(order)
    return [(name.removeprefix("-"), name.startswith("-")) for name in names]
