"""The reference packages of MessagePack: `msgpack`, in Cython, and `ormsgpack`, in Rust."""

from collections.abc import Callable
from importlib import import_module
from typing import Any

from zoo.inputs import Inputs, Work, unpacked


def untyped(inputs: Inputs) -> Work:
    """Dicts and lists."""
    return Work(unpacked, inputs.texts["msgpack"])


def encode_untyped(inputs: Inputs) -> Work:
    """Dicts and lists."""
    pack = import_module("msgpack").packb
    return Work(lambda value: pack(value, datetime=True), inputs.plain_packed)


def fast_untyped(inputs: Inputs) -> Work:
    """Dicts and lists, with instants as datetimes."""
    ormsgpack = import_module("ormsgpack")
    option = ormsgpack.OPT_DATETIME_AS_TIMESTAMP_EXT
    return Work(lambda data: ormsgpack.unpackb(data, option=option), inputs.texts["msgpack"])


def fast_encode(inputs: Inputs) -> Work:
    """Dataclasses."""
    ormsgpack = import_module("ormsgpack")
    option = ormsgpack.OPT_DATETIME_AS_TIMESTAMP_EXT
    return Work(lambda value: ormsgpack.packb(value, option=option), inputs.objects)


def fast_encode_untyped(inputs: Inputs) -> Work:
    """Dicts and lists."""
    return fast_encode(inputs)._replace(given=inputs.plain_packed)


ENGINES: dict[str, dict[str, Callable[[Inputs], Any]]] = {
    "msgpack": {"msgpack/untyped": untyped, "msgpack/encode-untyped": encode_untyped},
    "ormsgpack": {
        "msgpack/untyped": fast_untyped,
        "msgpack/encode": fast_encode,
        "msgpack/encode-untyped": fast_encode_untyped,
        "small/msgpack-encode": fast_encode,
    },
}
