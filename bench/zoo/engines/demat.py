"""Demat, into the kind's own classes."""

from collections.abc import Callable
from importlib import import_module
from typing import Annotated, Any, get_args

import demat.json
import demat.msgpack
import demat.nbt
from demat import Field

from zoo.definition import ZOO
from zoo.engines import Prepare
from zoo.inputs import Inputs, Work
from zoo.kind import Kind
from zoo.references import wrapped


def record(kind: Kind) -> Any:
    """The type of a record, as a user of Demat writes it: a union says by which field it is told apart."""
    return Annotated[kind.record, Field(tag="kind")] if kind.name == "unions" else kind.record


def root(kind: Kind) -> Any:
    """The type of a document."""
    return record(kind) if kind.single else list[record(kind)]


# A form of a format that is a format of the zoo: its module, and the options that write it.
FORMS = {"bplist": ("plist", {"variant": "binary"})}


def decode(name: str) -> Prepare:
    """A prepared decoder."""

    def prepare(inputs: Inputs) -> Work:
        verbs = import_module(f"demat.{FORMS.get(name, (name,))[0]}")
        cls = None if get_args(inputs.kind.record) else inputs.kind.record
        return Work(verbs.Decoder(root(inputs.kind)).decode, inputs.texts[name], cls)

    return prepare


def read(name: str, *, recycle: bool) -> Prepare:
    """A reader, whose records are let go of."""

    def prepare(inputs: Inputs) -> Work:
        verbs, own = import_module(f"demat.{name}"), record(inputs.kind)
        return Work(lambda data: verbs.read(data, own, recycle=recycle), inputs.texts[name])

    return prepare


def columns(name: str) -> Prepare:
    """Columns by one thread."""

    def prepare(inputs: Inputs) -> Work:
        verbs, own = import_module(f"demat.{name}"), inputs.kind.record
        return Work(lambda path: verbs.columns(path, own, threads=1), str(inputs.paths[name]))

    return prepare


def encode(name: str) -> Prepare:
    """A prepared encoder, which finds out the class by itself."""
    module, options = FORMS.get(name, (name, {}))
    return lambda inputs: Work(import_module(f"demat.{module}").Encoder(**options).encode, inputs.objects)


def decode_document(inputs: Inputs) -> Work:
    """NBT's records are in a field of the document."""
    decode_ = demat.nbt.Decoder(wrapped(inputs.kind, record(inputs.kind))).decode
    call = decode_ if inputs.kind.single else lambda data: decode_(data).records
    return Work(call, inputs.texts["nbt"], None)


def encode_document(inputs: Inputs) -> Work:
    """The same, written."""
    values = inputs.objects
    return Work(demat.nbt.Encoder().encode, values if inputs.kind.single else wrapped(inputs.kind)(values))


def untyped(inputs: Inputs) -> Work:
    """Dicts and lists."""
    return Work(demat.json.Decoder(Any).decode, inputs.texts["json"])


def encode_untyped(inputs: Inputs) -> Work:
    """Dicts and lists."""
    return Work(demat.json.Encoder().encode, inputs.plain)


def untyped_packed(inputs: Inputs) -> Work:
    """Dicts and lists of MessagePack."""
    return Work(demat.msgpack.Decoder(Any).decode, inputs.texts["msgpack"])


def encode_untyped_packed(inputs: Inputs) -> Work:
    """Dicts and lists as MessagePack."""
    return Work(demat.msgpack.Encoder().encode, inputs.plain_packed)


# The jobs of every format that the zoo covers; zoo.toml says which of them are measured.
VERBS: dict[str, Callable[[str], Prepare]] = {
    "decode": decode,
    "read": lambda name: read(name, recycle=True),
    "columns": columns,
    "encode": encode,
}
COVERED = [name for name, how in ZOO["formats"].items() if how == "covered"]

ENGINES: dict[str, dict[str, Callable[[Inputs], Work]]] = {
    "demat": {
        **{f"{name}/{verb}": make(name) for name in COVERED for verb, make in VERBS.items()},
        "json/untyped": untyped,
        "json/encode-untyped": encode_untyped,
        "small/decode": decode("json"),
        "small/untyped": untyped,
        "small/encode": encode("json"),
        "small/encode-untyped": encode_untyped,
        **{f"small/{name}-decode": decode(name) for name in COVERED},
        **{f"small/{name}-encode": encode(name) for name in COVERED},
        "nbt/decode": decode_document,
        "nbt/encode": encode_document,
        "msgpack/untyped": untyped_packed,
        "msgpack/encode-untyped": encode_untyped_packed,
    },
    "demat-fresh": {f"{name}/read": read(name, recycle=False) for name in COVERED},
}
