"""DuckDB, into Arrow's tables, by one thread; it is told the types, and guesses nothing."""

from datetime import date, datetime
from typing import Any

import duckdb

from zoo.columnar import schema
from zoo.engines import Prepare
from zoo.inputs import Inputs, Work

SCALARS = {int: "BIGINT", float: "DOUBLE", str: "VARCHAR", bool: "BOOLEAN", date: "DATE", datetime: "TIMESTAMPTZ"}
DIALECT = "header = true, auto_detect = false, delim = ',', quote = '\"', escape = '\"'"


def struct(types: dict[str, str]) -> str:
    """A record's type."""
    return f"STRUCT({', '.join(f'{name} {own}' for name, own in types.items())})"


def columns(name: str) -> Prepare:
    """A file."""

    def prepare(inputs: Inputs) -> Work:
        types: Any = schema(inputs.kind.record, SCALARS, lambda own: f"{own}[]", struct)
        listed = "{" + ", ".join(f"{field}: '{own}'" for field, own in types.items()) + "}"
        form = {"json": "format = 'array'", "ndjson": "format = 'newline_delimited'", "csv": DIALECT}[name]
        function = "read_csv" if name == "csv" else "read_json"
        connection = duckdb.connect(config={"threads": 1})
        connection.execute("set timezone = 'UTC'")
        return Work(
            lambda path: connection.sql(f"from {function}('{path}', columns = {listed}, {form})").to_arrow_table(),
            str(inputs.paths[name]),
        )

    return prepare


ENGINES: dict[str, dict[str, Prepare]] = {
    "duckdb": {f"{name}/columns": columns(name) for name in ("json", "ndjson", "csv")}
}
