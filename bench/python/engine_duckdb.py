"""DuckDB, into Arrow's tables, by one thread; it is told the types, and guesses nothing."""

from collections.abc import Callable
from typing import Any

import duckdb

RECORD = "{hi: 'BIGINT', there: 'BIGINT', comment: 'VARCHAR'}"
STOP = (
    "{trip_id: 'VARCHAR', arrival_time: 'VARCHAR', departure_time: 'VARCHAR', stop_id: 'VARCHAR', "
    "stop_sequence: 'BIGINT', stop_headsign: 'VARCHAR', pickup_type: 'BIGINT', drop_off_type: 'BIGINT', "
    "shape_dist_traveled: 'DOUBLE'}"
)
DIALECT = "header = true, auto_detect = false, delim = ',', quote = '\"', escape = '\"'"


def table(source: str) -> tuple[Callable[..., Any], Any]:
    """All of a file."""
    connection = duckdb.connect(config={"threads": 1})
    return lambda path: connection.sql(f"from {source.format(path=path)}").to_arrow_table(), None


def summed() -> tuple[Callable[..., Any], Any]:
    """One field."""
    connection = duckdb.connect(config={"threads": 1})

    def query(path: str) -> int:
        source = f"read_json('{path}', format = 'array', columns = {{hi: 'BIGINT'}})"
        return connection.execute(f"select sum(hi) from {source}").fetchall()[0][0]

    return query, None


def json(form: str) -> tuple[Callable[..., Any], Any]:
    """Records of JSON."""
    columns = RECORD.replace("{", "{{").replace("}", "}}")
    return table(f"read_json('{{path}}', format = '{form}', columns = {columns})")


def csv() -> tuple[Callable[..., Any], Any]:
    """Rows of CSV."""
    columns = STOP.replace("{", "{{").replace("}", "}}")
    return table(f"read_csv('{{path}}', columns = {columns}, {DIALECT})")


ENGINES = {
    "duckdb": {
        "json-columns": lambda job: json("array"),
        "ndjson-columns": lambda job: json("newline_delimited"),
        "stops-columns": lambda job: csv(),
        "json-column-sum": lambda job: summed(),
    },
}
