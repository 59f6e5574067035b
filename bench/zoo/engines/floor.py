"""Floors: python/floor.c makes the same objects again, from the objects themselves; an output is copied."""

from dataclasses import fields, is_dataclass
from types import UnionType
from typing import Any, Union, get_args, get_origin

import floor
from zoo.engines import Prepare
from zoo.inputs import Inputs, Work
from zoo.plain import hints


def register(wanted: Any, done: set[Any]) -> None:
    """Tells the floor where the fields of each class within a type are."""
    if get_origin(wanted) in (list, dict, Union, UnionType):
        for argument in get_args(wanted):
            register(argument, done)
    elif is_dataclass(wanted) and wanted not in done:
        done.add(wanted)
        floor.register(wanted, tuple(field.name for field in fields(wanted)))
        for own in hints(wanted).values():
            register(own, done)


def decode(inputs: Inputs) -> Work:
    """The same records."""
    register(inputs.kind.record, set())
    value = inputs.objects
    cls = None if get_args(inputs.kind.record) else inputs.kind.record
    return Work(lambda data: floor.copy(value), None, cls)


def untyped(inputs: Inputs) -> Work:
    """The same dicts and lists."""
    value = inputs.plain
    return Work(lambda data: floor.copy(value), None)


def untyped_packed(inputs: Inputs) -> Work:
    """The same dicts and lists of MessagePack."""
    value = inputs.plain_packed
    return Work(lambda data: floor.copy(value), None)


def write(name: str) -> Prepare:
    """The same bytes, in one piece."""

    def prepare(inputs: Inputs) -> Work:
        return Work(bytes, bytearray(inputs.texts[name]))

    return prepare


ENGINES: dict[str, dict[str, Prepare]] = {
    "floor": {
        "json/decode": decode,
        "json/untyped": untyped,
        "json/encode": write("json"),
        "json/encode-untyped": write("json"),
        "ndjson/decode": decode,
        "ndjson/encode": write("ndjson"),
        "proto/decode": decode,
        "proto/encode": write("proto"),
        "msgpack/decode": decode,
        "msgpack/untyped": untyped_packed,
        "msgpack/encode": write("msgpack"),
        "msgpack/encode-untyped": write("msgpack"),
        "csv/decode": decode,
        "csv/encode": write("csv"),
        "small/decode": decode,
        "small/untyped": untyped,
        "small/encode": write("json"),
        "small/encode-untyped": write("json"),
        "small/proto-decode": decode,
        "small/proto-encode": write("proto"),
        "small/msgpack-decode": decode,
        "small/msgpack-encode": write("msgpack"),
    },
}
