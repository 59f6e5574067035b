"""Which rows: SQL with a value for each `$1`, or what columns are equal to."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

# SQL that says which rows, or what columns are equal to, for columns that are called as a parameter is.
Where = str | Mapping[str, Any] | None


def filtered(
    where: Where, values: tuple[Any, ...], equal: Mapping[str, Any], columns: Mapping[str, str]
) -> tuple[str | None, list[Any] | None]:
    """Returns the SQL condition and its values; None for all rows. `columns` maps names to types."""
    if isinstance(where, Mapping):
        if values:
            raise TypeError("values are for the `$1` of a condition in SQL, and a mapping has its own")
        equal = {**where, **equal}
        where = None
    if where is None and values:
        raise TypeError("values are for the `$1` of a condition in SQL, and there is none")
    if where is not None and not isinstance(where, str):
        raise TypeError(f"where is a str of SQL or a mapping of columns to values, not {type(where).__name__}")
    conditions = [] if where is None else [f"({where}\n)"]
    given = list(values)
    for name, value in equal.items():
        if name not in columns:
            raise TypeError(f"there is no column {name!r}; there are {', '.join(columns)}")
        conditions.append(_equal(name, columns[name], value, given))
    if not conditions:
        return None, None
    return " AND ".join(conditions), given


def _equal(name: str, declared: str, value: Any, given: list[Any]) -> str:
    """Returns the condition that a column equals a value or one of several; appends the values to those given."""
    column = quoted(name)
    if value is None:
        return f"{column} IS NULL"
    is_several = isinstance(value, list | tuple | set | frozenset) and not declared.endswith("[]")
    if not is_several:
        given.append(value)
        return f"{column} = ${len(given)}"
    own = [one for one in value if one is not None]
    given.append(own)
    condition = f"{column} = ANY(${len(given)})"
    # In SQL, `= NULL` is never true, so None needs a test of its own.
    return condition if len(own) == len(value) else f"({column} IS NULL OR {condition})"


def ordered(order: str | Iterable[str] | None, columns: Mapping[str, str]) -> str:
    """Returns ` ORDER BY …`: columns, of which `-id` has the greatest first."""
    if order is None:
        return ""
    names = [order] if isinstance(order, str) else list(order)
    parts = []
    for name in names:
        column = name.removeprefix("-")
        if column not in columns:
            raise TypeError(f"there is no column {column!r} to sort by; there are {', '.join(columns)}")
        parts.append(f"{quoted(column)}{' DESC' if name.startswith('-') else ''}")
    return f" ORDER BY {', '.join(parts)}" if parts else ""


def quoted(name: str) -> str:
    """Returns a name in SQL."""
    from demat._native import quoted_postgres_name

    return quoted_postgres_name(name)
