"""The input of every job: JSON, NDJSON and CSV by the standard library, MessagePack by `msgpack`, Protocol Buffers by
zoo/wire.py, other formats by their reference packages (zoo/references.py).
"""

import csv
import io
import json
import re
from collections.abc import Callable, Iterator
from dataclasses import fields
from datetime import datetime
from enum import Enum
from typing import Any

import msgpack

from zoo.kind import Kind
from zoo.plain import DECIMAL, plain, rfc3339
from zoo.references import REFERENCES
from zoo.seeded import Seeded
from zoo.wire import behind, message

NUMBERS = re.compile(f'"{DECIMAL}([^"]*)"')


def text(value: Any, kind: Kind) -> str:
    """One value as JSON, spelled as the kind says."""
    pretty = kind.spelling == "pretty"
    written = json.dumps(
        value,
        ensure_ascii=kind.spelling == "ascii",
        indent=2 if pretty else None,
        separators=(",", ": " if pretty else ":"),
    )
    return NUMBERS.sub(r"\1", written) if DECIMAL in written else written


def plains(kind: Kind, values: list[Any], instant: Callable[[datetime], Any] = rfc3339) -> Iterator[Any]:
    """The records as dicts, with their keys in the order of the kind and their instants in the form of the format."""
    seed = Seeded(f"{kind.name} keys")
    for value in values:
        made = plain(value, sparse=kind.spelling == "sparse", instant=instant)
        yield dict(seed.shuffled([*made.items()])) if kind.spelling == "shuffled" else made


def json_of(kind: Kind, values: list[Any]) -> bytes:
    """One array, or the one message."""
    if kind.single:
        return text(next(plains(kind, values)), kind).encode()
    return text([*plains(kind, values)], kind).encode()


def ndjson_of(kind: Kind, values: list[Any]) -> bytes:
    """A record on each line."""
    return "".join(text(value, kind) + "\n" for value in plains(kind, values)).encode()


def cell(value: Any) -> str:
    """A scalar in a table: the empty cell is None."""
    if value is None:
        return ""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, Enum):
        return str(value.value)
    return str(value) if isinstance(value, str) else str(plain(value)).removeprefix(DECIMAL)


def csv_of(kind: Kind, values: list[Any]) -> bytes:
    """A header, then a row for each record."""
    out = io.StringIO(newline="")
    writer = csv.writer(out, lineterminator="\n")
    names = [field.name for field in fields(kind.record)]
    writer.writerow(names)
    writer.writerows([cell(getattr(value, name)) for name in names] for value in values)
    return out.getvalue().encode()


def proto_of(kind: Kind, values: list[Any]) -> bytes:
    """Messages behind their lengths, or the one message by itself."""
    if kind.single:
        return message(kind.record, values[0])
    return b"".join(behind(message(kind.record, value)) for value in values)


def msgpack_of(kind: Kind, values: list[Any]) -> bytes:
    """One array, or the one message; instants are timestamps."""
    records = [*plains(kind, values, instant=lambda value: value)]
    return msgpack.packb(records[0] if kind.single else records, datetime=True)


def by_reference(name: str) -> Callable[[Kind, list[Any]], bytes]:
    """The function that writes a format by its reference package."""
    return lambda kind, values: REFERENCES[name](kind).write(values[0] if kind.single else values)


FORMATS: dict[str, Callable[[Kind, list[Any]], bytes]] = {
    "json": json_of,
    "ndjson": ndjson_of,
    "csv": csv_of,
    "proto": proto_of,
    "msgpack": msgpack_of,
    **{name: by_reference(name) for name in REFERENCES},
}
