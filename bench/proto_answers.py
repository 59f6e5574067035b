"""The answers that definitions/proto.toml must give, of the bytes as proto_data.py reads them."""

from collections.abc import Callable
from operator import itemgetter
from pathlib import Path
from typing import Any

import proto_data
from fingerprints import names, output, value


def columns(data: bytes) -> str:
    """The names of a file's records."""
    return names(proto_data.of_record(one)[5] for one in proto_data.messages(data))


def documents(data: bytes) -> str:
    """A file's records as a list of JSON."""
    return value([proto_data.as_json(proto_data.of_record(one)) for one in proto_data.messages(data)])


def last(data: bytes) -> str:
    """The last field of a record."""
    return f"text={proto_data.of_record(data)[5]!r}"


def nested(data: bytes) -> str:
    """How many messages there are in one, and the number of the one in the middle."""
    items = [*proto_data.fields(data)]
    return f"len={len(items)} item={dict(proto_data.fields(items[len(items) // 2][1]))[1]}"


def numbers(data: bytes) -> str:
    """How many packed numbers of 32 bits there are, and their sum."""
    values = memoryview(dict(proto_data.fields(data))[1]).cast("I")
    return f"count={len(values)} sum={sum(values)}"


def scan(data: bytes) -> str:
    """The sum of the addresses of a file's records."""
    return f"sum={sum(map(itemgetter(2), map(proto_data.of_record, proto_data.messages(data))))}"


def record(data: bytes) -> str:
    """All fields of a record."""
    return value([*proto_data.of_record(data)])


def three(data: bytes) -> str:
    """All fields of the record of three messages."""
    return value([[*one] if isinstance(one, tuple) else one for one in proto_data.of_three(data)])


def of_file(answer: Callable[[bytes], str]) -> Callable[[Path], str]:
    """The same of a path."""
    return lambda path: answer(path.read_bytes())


BYTES: dict[str, Callable[[Any], str]] = {
    "proto-last": last,
    "proto-decode-record": record,
    "proto-decode-three": three,
    "proto-encode-record": output,
    "proto-encode-three": output,
    "proto-numbers": numbers,
    "proto-numbers-asarray": numbers,
    "proto-nested": nested,
    "proto-scan": scan,
    "proto-columns": columns,
    "proto-columns-one": columns,
    "proto-json": documents,
}
MODELS = {name: of_file(answer) for name, answer in BYTES.items()}
