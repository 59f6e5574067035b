"""Spark's filters as conditions of `copy`, where both mean the same."""

# pyright: reportMissingImports=false

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from pyspark.sql import datasource as api
from pyspark.sql import types

if TYPE_CHECKING:
    from collections.abc import Iterable

_COMPARED = {
    api.EqualTo: "=",
    api.GreaterThan: ">",
    api.GreaterThanOrEqual: ">=",
    api.LessThan: "<",
    api.LessThanOrEqual: "<=",
}
# What means something else in a condition.
_WORDS = {"and", "or", "not", "in", "is", "like", "between", "contains", "null", "true", "false"}


def pushed(filters: Iterable[Any], schema: Any) -> tuple[list[str], list[Any]]:
    """Returns the conditions that say the same as some of the filters, and the filters that Spark is to apply."""
    said: list[str] = []
    left: list[Any] = []
    for filter in filters:
        condition = _condition(filter, schema)
        if condition is None:
            left.append(filter)
        else:
            said.append(condition)
    return said, left


def _condition(filter: Any, schema: Any) -> str | None:
    column = getattr(filter, "attribute", None)
    if column is None or len(column) != 1 or column[0] not in schema.fieldNames() or not _is_name(column[0]):
        return None
    kind, name = schema[column[0]].dataType, column[0]
    if isinstance(filter, api.IsNotNull):
        return f"{name} is not null"
    if isinstance(filter, api.IsNull):
        return f"{name} is null"
    if isinstance(filter, api.In):
        values = [_literal(value, kind) for value in filter.value]
        known = [value for value in values if value is not None]
        return f"{name} in ({', '.join(known)})" if values and len(known) == len(values) else None
    word = _COMPARED.get(type(filter))
    value = _literal(getattr(filter, "value", None), kind)
    if word is None or value is None:
        return None
    # The order of texts is that of their characters there, and that of their bytes in Spark.
    if isinstance(kind, types.StringType) and word != "=":
        return None
    if isinstance(kind, types.BooleanType):
        return (name if filter.value else f"not {name}") if word == "=" else None
    return f"{name} {word} {value}"


def _is_name(column: str) -> bool:
    """Whether a condition can have the name of a column as it is."""
    return column.isascii() and column.isidentifier() and column.lower() not in _WORDS


def _literal(value: Any, kind: Any) -> str | None:
    """A value as a condition writes it; None where the two may compare it in another way."""
    if isinstance(kind, types.BooleanType) and isinstance(value, bool):
        return str(value).lower()
    if isinstance(kind, types.LongType) and isinstance(value, int) and not isinstance(value, bool):
        return str(value)
    if isinstance(kind, types.StringType) and isinstance(value, str) and "\0" not in value:
        return "'" + value.replace("'", "''") + "'"
    return None
