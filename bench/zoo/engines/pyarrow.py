"""pyarrow, into tables, by one thread; it is told the types, and guesses nothing. It reads no JSON arrays."""

from datetime import date, datetime
from typing import Any

import pyarrow as pa
from pyarrow import csv, json

from zoo.columnar import schema
from zoo.engines import Prepare
from zoo.inputs import Inputs, Work

SCALARS = {
    int: pa.int64(),
    float: pa.float64(),
    str: pa.string(),
    bool: pa.bool_(),
    date: pa.date32(),
    datetime: pa.timestamp("us", "UTC"),
}


def types(inputs: Inputs) -> Any:
    """The columns' types."""
    return schema(inputs.kind.record, SCALARS, pa.list_, lambda own: pa.struct([*own.items()]))


def lines(inputs: Inputs) -> Work:
    """One document a line."""
    parse = json.ParseOptions(explicit_schema=pa.schema([*types(inputs).items()]))
    return Work(
        lambda path: json.read_json(path, json.ReadOptions(use_threads=False), parse), str(inputs.paths["ndjson"])
    )


def rows(inputs: Inputs) -> Work:
    """CSV; an empty text is null, as with everybody else."""
    convert = csv.ConvertOptions(column_types=types(inputs), strings_can_be_null=True, null_values=[""])
    parse = csv.ParseOptions(newlines_in_values=b'"' in inputs.texts["csv"])
    return Work(
        lambda path: csv.read_csv(path, csv.ReadOptions(use_threads=False), parse, convert), str(inputs.paths["csv"])
    )


ENGINES: dict[str, dict[str, Prepare]] = {"pyarrow": {"ndjson/columns": lines, "csv/columns": rows}}
