"""Spark's filters as conditions of `copy`, where both mean the same."""

# pyright: reportMissingImports=false

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from pyspark.sql import datasource as api
from pyspark.sql import types

from .. import _native
from .._describe import describe
from .._errors import Error

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

_COMPARED = {
    api.EqualTo: "=",
    api.GreaterThan: ">",
    api.GreaterThanOrEqual: ">=",
    api.LessThan: "<",
    api.LessThanOrEqual: "<=",
}
# What means something else in a condition.
_WORDS = {"and", "or", "not", "in", "is", "like", "between", "contains", "null", "true", "false"}
# How many values conditions have at most, together. With those of a condition of the user's, it may be too many for a
# copy still: that is tried.
_MOST = 200
# The Spark type of fields that conditions see as the column has them.
_COLUMNS = {"int": types.LongType, "str": types.StringType, "bool": types.BooleanType}
# Those that are null in the column where a condition sees null.
_NULLS = {*_COLUMNS, "float", "bytes", "date", "datetime", "timedelta", "record", "list", "dict"}


def plain_fields(type: Any) -> dict[str, str]:
    """Returns the kinds of the fields whose values stand in the columns as conditions see them: before a class
    converts them.

    There is none if the class makes its instances by code of its own, which may change each of them.
    """
    try:
        root, records, *_ = _native.parse_shape(type) if isinstance(type, str) else describe(type, {})
    except Error:
        # The path of a message.
        return {}
    if root[0] != "record":
        return {}
    record: Mapping[str, Any] = records[root[1]]
    if record["make"] not in ("fields", "dict") or record["post_init"] is not None:
        return {}
    return {field["name"]: _kind(field["node"]) for field in record["fields"] if field["init"] is not None}


def _kind(node: Any) -> str:
    while node[0] in ("optional", "checked", "noted"):
        node = node[1]
    return str(node[0])


def pushed(filters: Iterable[Any], schema: Any, fields: Mapping[str, str]) -> tuple[list[str], list[Any]]:
    """Returns the conditions that say the same as some of the filters, and the filters that Spark is to apply.

    `fields` has the kinds of the plain fields.
    """
    said: list[str] = []
    left: list[Any] = []
    values = 0
    for filter in filters:
        more = len(filter.value) if isinstance(filter, api.In) else 1
        condition = _condition(filter, schema, fields) if values + more <= _MOST else None
        if condition is None:
            left.append(filter)
        else:
            said.append(condition)
            values += more
    return said, left


def _condition(filter: Any, schema: Any, fields: Mapping[str, str]) -> str | None:
    column = getattr(filter, "attribute", None)
    if column is None or len(column) != 1 or column[0] not in schema.fieldNames() or not _is_name(column[0]):
        return None
    kind, name = schema[column[0]].dataType, column[0]
    if fields.get(name) not in _NULLS:
        return None
    if isinstance(filter, api.IsNotNull):
        return f"{name} is not null"
    if isinstance(filter, api.IsNull):
        return f"{name} is null"
    if not isinstance(kind, _COLUMNS.get(fields[name], ())):
        return None
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
