"""polars, into frames, by one thread; it is told the types, and guesses nothing."""

import os

os.environ["POLARS_MAX_THREADS"] = "1"

import polars as pl

from shapes import DictRecord

RECORD = {"hi": pl.Int64, "there": pl.Int64, "comment": pl.String}
STOP = {
    "trip_id": pl.String,
    "arrival_time": pl.String,
    "departure_time": pl.String,
    "stop_id": pl.String,
    "stop_sequence": pl.Int64,
    "stop_headsign": pl.String,
    "pickup_type": pl.Int64,
    "drop_off_type": pl.Int64,
    "shape_dist_traveled": pl.Float64,
}


def lists(records: list[DictRecord]) -> pl.DataFrame:
    """A list a column, made by Python, as who knows the fields can write it."""
    return pl.DataFrame(
        {
            "hi": [record.hi for record in records],
            "there": [record.there for record in records],
            "comment": [record.comment for record in records],
        },
        schema=RECORD,
    )


ENGINES = {
    "polars": {
        "json-columns": lambda job: (lambda path: pl.read_json(path, schema=RECORD), None),
        "ndjson-columns": lambda job: (lambda path: pl.read_ndjson(path, schema=RECORD), None),
        "stops-columns": lambda job: (lambda path: pl.read_csv(path, schema=STOP), None),
        "json-column-sum": lambda job: (lambda path: pl.read_json(path, schema={"hi": pl.Int64})["hi"].sum(), None),
        "objects-columns": lambda job: (lambda records: pl.DataFrame(records, schema=RECORD), DictRecord),
    },
    "python-lists": {"objects-columns": lambda job: (lists, DictRecord)},
}
