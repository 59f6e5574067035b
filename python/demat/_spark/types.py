"""Columns as Spark has them: its schema, and batches that fit it."""

# pyright: reportMissingImports=false

from __future__ import annotations

import io
from typing import TYPE_CHECKING, Any

import pyarrow as pa
from pyspark.sql.pandas.types import from_arrow_type, to_arrow_schema
from pyspark.sql.types import StringType, StructField, StructType

from .. import _native
from .._copy import _DEFAULTS

if TYPE_CHECKING:
    from .options import Options

STREAM = "arrow"
"""The format of batches as a stream."""
# What Arrow calls columns whose values are text of another kind.
_TEXT = "arrow.json"


def arrow_schema(options: Options) -> pa.Schema:
    """The Arrow schema of the records, with all fields: that of a copy of none of them."""
    type = options.type()
    if type is None:
        raise ValueError("say option type, 'module:Class', or option shape: the records are not looked at for it")
    out = io.BytesIO()
    write = {"naive": options.naive, "decimals": options.decimals}
    _native.copy(b"", out, {**_DEFAULTS, "type": type, "from_": _native.LINES, "to": STREAM, "write": write})
    with pa.ipc.open_stream(out.getvalue()) as stream:
        return stream.schema


def spark_schema(options: Options) -> Any:
    """The schema of the data frame: the fields that are chosen, and one for refused records if they are kept."""
    fields = arrow_schema(options)
    names = options.fields or fields.names
    unknown = [name for name in names if name not in fields.names]
    if unknown:
        raise ValueError(f"option fields: there is no field {unknown[0]!r}; there are {', '.join(fields.names)}")
    made = StructType([StructField(name, _spark(fields.field(name).type, name), True) for name in names])
    if options.mode == "PERMISSIVE":
        if options.corrupt in names:
            raise ValueError(f"the records have a field {options.corrupt}: say another columnNameOfCorruptRecord")
        made = made.add(options.corrupt, StringType(), True)
    return made


def _spark(type: Any, path: str) -> Any:
    """The Spark type of a column. Raises ValueError if there is none."""
    return from_arrow_type(_plain(type, path), prefer_timestamp_ntz=True)


def _plain(type: Any, path: str) -> Any:
    """The Arrow type that Spark has a type for, with all within nullable."""
    if pa.types.is_dictionary(type):
        return _plain(type.value_type, path)
    if isinstance(type, pa.BaseExtensionType) and type.extension_name == _TEXT:
        return _plain(type.storage_type, path)
    if pa.types.is_struct(type):
        return pa.struct([pa.field(field.name, _plain(field.type, f"{path}.{field.name}"), True) for field in type])
    if pa.types.is_map(type):
        return pa.map_(_plain(type.key_type, f"{path}.*"), _plain(type.item_type, f"{path}.*"))
    if pa.types.is_list(type):
        return pa.list_(_plain(type.value_type, f"{path}[*]"))
    if isinstance(type, pa.BaseExtensionType) or pa.types.is_fixed_size_binary(type):
        raise ValueError(f"`{path}`: Spark has no type for {type}; declare the field as text (`str`)")
    if pa.types.is_time(type) or pa.types.is_null(type):
        raise ValueError(
            f"`{path}`: Spark has no type for {type} that all of its sources take; declare the field as `str`"
        )
    return type


def declared(schema: Any) -> pa.Schema:
    """The Arrow schema that Spark expects batches of."""
    return to_arrow_schema(schema, timezone="UTC")


def fitted(batch: Any, to: pa.Schema) -> Any:
    """A batch with the columns and the types of a schema."""
    columns = []
    for field in to:
        index = batch.schema.get_field_index(field.name)
        column = pa.nulls(batch.num_rows, field.type) if index < 0 else _as(batch.column(index), field.type)
        columns.append(column)
    return pa.RecordBatch.from_arrays(columns, schema=to)


def _as(column: Any, type: Any) -> Any:
    if isinstance(column, pa.ExtensionArray):
        column = column.storage
    if pa.types.is_dictionary(column.type):
        column = column.dictionary_decode()
    return column if column.type == type else column.cast(type)
