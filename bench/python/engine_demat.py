"""Demat, into plain dataclasses."""

from collections.abc import Callable, Iterable
from importlib import import_module
from typing import Any

import demat.json

from shapes import DictRecord, Record, Task


def encode_into() -> tuple[Callable[..., Any], Any]:
    """Into a buffer that is kept."""
    encoder, buffer = demat.json.Encoder(), bytearray()

    def into(rows: list[Any]) -> bytearray:
        encoder.encode_into(rows, buffer)
        return buffer

    return into, Record


def small_decode() -> tuple[Callable[..., Any], Any]:
    """A prepared decoder."""
    decoder = demat.json.Decoder(Task)

    def loop(times: Iterable[None], data: bytes) -> Any:
        for _ in times:
            found = decoder.decode(data)
        return found

    return loop, Task


def small_decode_oneshot() -> tuple[Callable[..., Any], Any]:
    """The function, told the type each time."""

    def loop(times: Iterable[None], data: bytes) -> Any:
        for _ in times:
            found = demat.json.decode(data, Task)
        return found

    return loop, Task


def small_encode() -> tuple[Callable[..., Any], Any]:
    """A prepared encoder."""
    encoder = demat.json.Encoder()

    def loop(times: Iterable[None], task: Any) -> bytes:
        for _ in times:
            found = encoder.encode(task)
        return found

    return loop, Task


def small_encode_oneshot() -> tuple[Callable[..., Any], Any]:
    """The function."""

    def loop(times: Iterable[None], task: Any) -> bytes:
        for _ in times:
            found = demat.json.encode(task)
        return found

    return loop, Task


MODELS = {
    "decode-slots": lambda job: (demat.json.Decoder(list[Record]).decode, Record),
    "decode-dict-class": lambda job: (demat.json.Decoder(list[DictRecord]).decode, DictRecord),
    "decode-untyped": lambda job: (demat.json.Decoder(Any).decode, None),
    "encode-slots": lambda job: (demat.json.Encoder().encode, Record),
    "encode-slots-into": lambda job: encode_into(),
    "encode-dicts": lambda job: (demat.json.Encoder().encode, None),
    "small-decode": lambda job: small_decode(),
    "small-decode-oneshot": lambda job: small_decode_oneshot(),
    "small-encode": lambda job: small_encode(),
    "small-encode-oneshot": lambda job: small_encode_oneshot(),
}


def rows(name: str) -> dict[str, Callable[..., Any]]:
    """The models of a format that is a list of records; none where this Demat hasn't got the format."""
    try:
        verbs = import_module(f"demat.{name}")
    except ModuleNotFoundError:
        return {}
    return {
        f"{name}-decode": lambda job: (verbs.Decoder(list[Record]).decode, Record),
        f"{name}-encode": lambda job: (verbs.Encoder().encode, Record),
    }


ENGINES = {"demat": MODELS | rows("ndjson") | rows("csv")}
