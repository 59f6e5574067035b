"""What each model of definitions/python.toml gives to a call, and how what comes back is fingerprinted."""

import csv
import io
import json
import tempfile
from collections.abc import Callable
from operator import attrgetter
from typing import Any, NamedTuple

import answers
import fingerprints
import proto_data
import proto_models

RECORD = attrgetter("hi", "there", "comment")
JSON = b'[{"hi":1,"there":2,"comment":"comment"}]'
NDJSON = b'{"hi":1,"there":2,"comment":"comment"}\n'
CSV = b"hi,there,comment\n1,2,comment\n"
STOPS = (
    b"trip_id,arrival_time,departure_time,stop_id,stop_sequence,stop_headsign,"
    b"pickup_type,drop_off_type,shape_dist_traveled\n"
    b"a,04:00:00,04:00:20,7,1,,0,1,0.000\n"
)
TASK = b'{"id":1,"title":"warm","done":false}'


class Job(NamedTuple):
    """What an engine may know before the clock runs."""

    data: bytes
    rows: int
    path: str = ""


class Model(NamedTuple):
    """One kind of job. `cls` below is the class of the rows that the engine makes or takes, or None."""

    given: Callable[[Job, Any], Any]
    """The one argument of the call."""
    answer: Callable[[Any, Any], str]
    """The fingerprint of what the call returned."""
    warm: Job
    """A job too small to matter, done first: plans are compiled and libraries loaded before anything counts."""
    small: bool = False
    """The engine brings a loop over calls that are too short to be timed one by one."""


def data(job: Job, _: Any) -> bytes:
    """The file."""
    return job.data


def place(job: Job, _: Any) -> str:
    """The file's path; what is no file yet is written to one."""
    if job.path:
        return job.path
    with tempfile.NamedTemporaryFile(suffix=".data", delete=False) as file:
        file.write(job.data)
    return file.name


def records(job: Job, cls: Any) -> list[Any]:
    """Instances like those of the file, each with a text of its own as a decoder would have made it."""
    return [cls(hi=i, there=2 * i, comment=b"comment".decode()) for i in range(1, job.rows + 1)]


def document(job: Job, _: Any) -> Any:
    """The file's plain lists and dicts."""
    return json.loads(job.data)


def task(job: Job, cls: Any) -> Any:
    """The small message's object."""
    return cls(**json.loads(job.data))


def of_records(result: Any, cls: Any) -> str:
    """Every field of every record, in order; each record of the very class that was asked for."""
    if {*map(type, result)} != {cls}:
        raise TypeError(f"expected {cls}, found {[*map(type, result[:3])]} and so on")
    return answers.rows(map(RECORD, result))


def of_value(result: Any, _: Any) -> str:
    """An untyped document."""
    return answers.value(result)


def of_bytes(result: Any, _: Any) -> str:
    """An output that can be written in one way only."""
    return fingerprints.output(result)


def of_json(result: Any, _: Any) -> str:
    """An output whose floats and escapes may be spelled in several ways."""
    return answers.value(json.loads(result))


def of_csv(result: Any, _: Any) -> str:
    """An output whose line ends and quotes may differ."""
    rows = csv.DictReader(io.StringIO(bytes(result).decode(), newline=""), strict=True)
    return answers.rows((int(row["hi"]), int(row["there"]), row["comment"]) for row in rows)


def of_columns(result: Any, _: Any) -> str:
    """Columns, as whatever takes Arrow's sees them."""
    import pyarrow

    return answers.rows(zip(*(column.to_pylist() for column in pyarrow.table(result).columns), strict=True))


def of_stops(result: Any, _: Any) -> str:
    """The columns of stop_times."""
    import pyarrow

    return answers.stops_columns([column.to_pylist() for column in pyarrow.table(result).columns])


def of_sum(result: Any, _: Any) -> str:
    """One number."""
    return f"sum={int(result)}"


def of_task(result: Any, cls: Any) -> str:
    """The small message's object, or its JSON."""
    if type(result) is not cls:
        raise TypeError(f"expected {cls}, found {type(result)}")
    return answers.task(result.id, result.title, result.done)


def of_task_json(result: Any, _: Any) -> str:
    """The small message's JSON."""
    return fingerprints.output(result)


def message(maker: str) -> Job:
    """The smallest data of one of the makers of messages."""
    return Job(b"".join(proto_data.MAKERS[maker](1)), 1)


MODELS = {
    "decode-slots": Model(data, of_records, Job(JSON, 1)),
    "decode-dict-class": Model(data, of_records, Job(JSON, 1)),
    "decode-untyped": Model(data, of_value, Job(JSON, 1)),
    "encode-slots": Model(records, of_bytes, Job(JSON, 1)),
    "encode-slots-into": Model(records, of_bytes, Job(JSON, 1)),
    "encode-dicts": Model(document, of_json, Job(JSON, 1)),
    "small-decode": Model(data, of_task, Job(TASK, 1), small=True),
    "small-decode-oneshot": Model(data, of_task, Job(TASK, 1), small=True),
    "small-encode": Model(task, of_task_json, Job(TASK, 1), small=True),
    "small-encode-oneshot": Model(task, of_task_json, Job(TASK, 1), small=True),
    "ndjson-decode": Model(data, of_records, Job(NDJSON, 1)),
    "ndjson-encode": Model(records, of_bytes, Job(NDJSON, 1)),
    "csv-decode": Model(data, of_records, Job(CSV, 1)),
    "csv-encode": Model(records, of_csv, Job(CSV, 1)),
    "json-columns": Model(place, of_columns, Job(JSON, 1)),
    "json-columns-two": Model(place, of_columns, Job(JSON, 1)),
    "ndjson-columns": Model(place, of_columns, Job(NDJSON, 1)),
    "ndjson-columns-two": Model(place, of_columns, Job(NDJSON, 1)),
    "stops-columns": Model(place, of_stops, Job(STOPS, 1)),
    "stops-columns-two": Model(place, of_stops, Job(STOPS, 1)),
    "json-column-sum": Model(place, of_sum, Job(JSON, 1)),
    "json-read-sum": Model(place, of_sum, Job(JSON, 1)),
    "ndjson-read-sum": Model(place, of_sum, Job(NDJSON, 1)),
    "json-first": Model(place, of_sum, Job(JSON, 1)),
    "objects-columns": Model(records, of_columns, Job(JSON, 1)),
    "proto-last": Model(data, proto_models.of_text, message("short_record"), small=True),
    "proto-decode-record": Model(data, proto_models.of_record, message("short_record"), small=True),
    "proto-decode-three": Model(data, proto_models.of_three, message("three"), small=True),
    "proto-encode-record": Model(proto_models.record, of_bytes, message("short_record"), small=True),
    "proto-encode-three": Model(proto_models.three, of_bytes, message("three"), small=True),
    "proto-numbers": Model(data, proto_models.of_array, message("numbers"), small=True),
    "proto-numbers-asarray": Model(data, proto_models.of_array, message("numbers"), small=True),
    "proto-nested": Model(data, proto_models.of_item, message("nested"), small=True),
    "proto-scan": Model(place, proto_models.of_sum, message("short_records")),
    "proto-columns": Model(place, proto_models.of_names, message("short_records")),
    "proto-columns-one": Model(place, proto_models.of_names, message("short_records")),
    "proto-json": Model(data, of_json, message("short_records")),
}
