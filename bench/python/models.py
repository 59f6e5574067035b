"""What each model of definitions/python.toml gives to a call, and how what comes back is fingerprinted."""

import csv
import io
import json
from collections.abc import Callable
from operator import attrgetter
from typing import Any, NamedTuple

import answers

RECORD = attrgetter("hi", "there", "comment")
JSON = b'[{"hi":1,"there":2,"comment":"comment"}]'
NDJSON = b'{"hi":1,"there":2,"comment":"comment"}\n'
CSV = b"hi,there,comment\n1,2,comment\n"
TASK = b'{"id":1,"title":"warm","done":false}'


class Job(NamedTuple):
    """What an engine may know before the clock runs."""

    data: bytes
    rows: int


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
    return answers.output(result)


def of_json(result: Any, _: Any) -> str:
    """An output whose floats and escapes may be spelled in several ways."""
    return answers.value(json.loads(result))


def of_csv(result: Any, _: Any) -> str:
    """An output whose line ends and quotes may differ."""
    rows = csv.DictReader(io.StringIO(bytes(result).decode(), newline=""), strict=True)
    return answers.rows((int(row["hi"]), int(row["there"]), row["comment"]) for row in rows)


def of_task(result: Any, cls: Any) -> str:
    """The small message's object, or its JSON."""
    if type(result) is not cls:
        raise TypeError(f"expected {cls}, found {type(result)}")
    return answers.task(result.id, result.title, result.done)


def of_task_json(result: Any, _: Any) -> str:
    """The small message's JSON."""
    return answers.output(result)


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
}
