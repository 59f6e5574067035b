"""polars, into frames, by one thread; it is told the types, and guesses nothing."""

import os
from datetime import date, datetime
from typing import Any

os.environ["POLARS_MAX_THREADS"] = "1"

import polars as pl

from zoo.columnar import schema
from zoo.engines import Prepare
from zoo.inputs import Inputs, Work

SCALARS = {
    int: pl.Int64,
    float: pl.Float64,
    str: pl.String,
    bool: pl.Boolean,
    date: pl.Date,
    datetime: pl.Datetime("us", "UTC"),
}


def columns(name: str) -> Prepare:
    """A file."""

    def prepare(inputs: Inputs) -> Work:
        types: Any = schema(inputs.kind.record, SCALARS, pl.List, pl.Struct)
        read = {"json": pl.read_json, "ndjson": pl.read_ndjson, "csv": pl.read_csv}[name]
        return Work(lambda path: read(path, schema=types), str(inputs.paths[name]))

    return prepare


ENGINES: dict[str, dict[str, Prepare]] = {
    "polars": {f"{name}/columns": columns(name) for name in ("json", "ndjson", "csv")}
}
