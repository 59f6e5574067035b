"""pyarrow, into tables, by one thread; it is told the types, and guesses nothing. It reads no JSON arrays."""

from dataclasses import asdict

import pyarrow as pa
from pyarrow import csv, json

from shapes import DictRecord

RECORD = pa.schema({"hi": pa.int64(), "there": pa.int64(), "comment": pa.string()})
STOP = {
    "trip_id": pa.string(),
    "arrival_time": pa.string(),
    "departure_time": pa.string(),
    "stop_id": pa.string(),
    "stop_sequence": pa.int64(),
    "stop_headsign": pa.string(),
    "pickup_type": pa.int64(),
    "drop_off_type": pa.int64(),
    "shape_dist_traveled": pa.float64(),
}


def lines(path: str) -> pa.Table:
    """One document a line."""
    return json.read_json(path, json.ReadOptions(use_threads=False), json.ParseOptions(explicit_schema=RECORD))


def rows(path: str) -> pa.Table:
    """CSV; an empty text is null, as with everybody else."""
    convert = csv.ConvertOptions(column_types=STOP, strings_can_be_null=True, null_values=[""])
    return csv.read_csv(path, csv.ReadOptions(use_threads=False), convert_options=convert)


def objects(records: list[DictRecord]) -> pa.Table:
    """By way of dicts, which are what it takes."""
    return pa.Table.from_pylist([asdict(record) for record in records], schema=RECORD)


ENGINES = {
    "pyarrow": {
        "ndjson-columns": lambda job: (lines, None),
        "stops-columns": lambda job: (rows, None),
        "objects-columns": lambda job: (objects, DictRecord),
    },
}
