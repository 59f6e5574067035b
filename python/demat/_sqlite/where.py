"""Which rows: SQL with a value for each `?`, or what columns are equal to."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from importlib import import_module
from typing import Any

# SQL that says which rows, or what columns are equal to, for columns that are called as a parameter is.
Where = str | Mapping[str, Any] | None


def filtered(
    where: Where, values: tuple[Any, ...], equal: Mapping[str, Any], columns: Iterable[str]
) -> tuple[str | None, Any]:
    """The condition in SQL, and its values; None where all rows are meant."""
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
    known = set(columns)
    for number, (name, value) in enumerate(equal.items()):
        if name not in known:
            raise TypeError(f"there is no column {name!r}; there are {', '.join(columns)}")
        condition, own = _equal(name, value)
        if named is None:
            given += own
        else:
            # Beside values by name these have to have one, too.
            for index, one in enumerate(own):
                named[f"demat_{number}_{index}"] = one
                condition = condition.replace("?", f":demat_{number}_{index}", 1)
        conditions.append(condition)
    if not conditions:
        return None, None
    return " AND ".join(conditions), given if named is None else named


def _equal(name: str, value: Any) -> tuple[str, list[Any]]:
    native: Any = import_module("demat._native")
    # A `?` in a name would be taken for one of ours.
    column = native.quoted_name(name)
    if value is None:
        return f"{column} IS NULL", []
    if isinstance(value, list | tuple | set | frozenset):
        return f"{column} IN ({', '.join('?' * len(value))})", list(value)
    return f"{column} = ?", [value]


def ordered(order: str | Iterable[str] | None) -> list[tuple[str, bool]]:
    """Columns, and whether the greatest come first: `-id`."""
    if order is None:
        return []
    names = (order,) if isinstance(order, str) else tuple(order)
    return [(name.removeprefix("-"), name.startswith("-")) for name in names]
