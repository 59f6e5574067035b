"""msgspec: into its own Struct, and into the same dataclasses as everybody."""

from collections.abc import Callable
from dataclasses import MISSING, fields, is_dataclass
from functools import cache
from types import UnionType
from typing import Any, Union, get_args, get_origin

import msgspec

from zoo.engines import Prepare
from zoo.inputs import Inputs, Work
from zoo.plain import hints, tag_of


@cache
def struct(wanted: Any) -> Any:
    """The type with a Struct for each dataclass, as users of msgspec write it; a tag belongs to the Struct itself."""
    if get_origin(wanted) in (Union, UnionType):
        return Union[tuple(struct(argument) for argument in get_args(wanted))]  # noqa: UP007
    if get_origin(wanted) in (list, dict):
        return get_origin(wanted)[tuple(struct(argument) for argument in get_args(wanted))]
    if not is_dataclass(wanted):
        return wanted
    defaults = {field.name: field.default for field in fields(wanted)}
    tag = tag_of(wanted)
    made = []
    for name, own in hints(wanted).items():
        # A class that contains itself says so by its name, which msgspec looks up in the module.
        typed = f"{wanted.__name__} | None" if wanted in get_args(own) else struct(own)
        if name != tag:
            made.append((name, typed) if defaults[name] is MISSING else (name, typed, defaults[name]))
    tagged = {"tag_field": tag, "tag": get_args(hints(wanted)[tag])[0]} if tag else {}
    globals()[wanted.__name__] = cls = msgspec.defstruct(wanted.__name__, made, module=__name__, **tagged)
    return cls


def own(inputs: Inputs, kind: str) -> Any:
    """The type of a record."""
    return struct(inputs.kind.record) if kind == "struct" else inputs.kind.record


def root(inputs: Inputs, kind: str) -> Any:
    """The type of a document."""
    return own(inputs, kind) if inputs.kind.single else list[own(inputs, kind)]


def cls(inputs: Inputs, kind: str) -> Any:
    """The class of the records, if there is one only."""
    return None if get_args(inputs.kind.record) else own(inputs, kind)


def typed(kind: str) -> dict[str, Prepare]:
    """The jobs with a type."""

    def decode(inputs: Inputs) -> Work:
        return Work(msgspec.json.Decoder(root(inputs, kind)).decode, inputs.texts["json"], cls(inputs, kind))

    def read(inputs: Inputs) -> Work:
        return Work(msgspec.json.Decoder(root(inputs, kind)).decode, inputs.texts["json"])

    def lines(inputs: Inputs) -> Work:
        return Work(msgspec.json.Decoder(own(inputs, kind)).decode_lines, inputs.texts["ndjson"], cls(inputs, kind))

    def objects(inputs: Inputs) -> Any:
        return (
            msgspec.json.decode(inputs.texts["json"], type=root(inputs, kind)) if kind == "struct" else inputs.objects
        )

    def encode(inputs: Inputs) -> Work:
        return Work(msgspec.json.Encoder().encode, objects(inputs))

    def encode_lines(inputs: Inputs) -> Work:
        return Work(msgspec.json.Encoder().encode_lines, objects(inputs))

    def decode_packed(inputs: Inputs) -> Work:
        return Work(msgspec.msgpack.Decoder(root(inputs, kind)).decode, inputs.texts["msgpack"], cls(inputs, kind))

    def encode_packed(inputs: Inputs) -> Work:
        return Work(msgspec.msgpack.Encoder().encode, objects(inputs))

    return {
        "msgpack/decode": decode_packed,
        "msgpack/encode": encode_packed,
        "small/msgpack-decode": decode_packed,
        "small/msgpack-encode": encode_packed,
        "json/decode": decode,
        "json/read": read,
        "json/encode": encode,
        "ndjson/decode": lines,
        "ndjson/read": lines,
        "ndjson/encode": encode_lines,
        "small/decode": decode,
        "small/encode": encode,
    }


def untyped(inputs: Inputs) -> Work:
    """Dicts and lists."""
    return Work(msgspec.json.Decoder().decode, inputs.texts["json"])


def encode_untyped(inputs: Inputs) -> Work:
    """Dicts and lists."""
    return Work(msgspec.json.Encoder().encode, inputs.plain)


def untyped_packed(inputs: Inputs) -> Work:
    """Dicts and lists of MessagePack."""
    return Work(msgspec.msgpack.Decoder().decode, inputs.texts["msgpack"])


def encode_untyped_packed(inputs: Inputs) -> Work:
    """Dicts and lists as MessagePack."""
    return Work(msgspec.msgpack.Encoder().encode, inputs.plain_packed)


ENGINES: dict[str, dict[str, Callable[[Inputs], Work]]] = {
    "msgspec": {
        "json/untyped": untyped,
        "json/encode-untyped": encode_untyped,
        "small/untyped": untyped,
        "small/encode-untyped": encode_untyped,
        "msgpack/untyped": untyped_packed,
        "msgpack/encode-untyped": encode_untyped_packed,
    },
    "msgspec-struct": typed("struct"),
    "msgspec-dataclass": typed("dataclass"),
}
