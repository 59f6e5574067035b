"""pydantic: its own models, and the same dataclasses as everybody through a TypeAdapter."""

from collections.abc import Callable, Iterable
from typing import Any

import pydantic_core
from pydantic import BaseModel, TypeAdapter

from shapes import DictRecord, Record, Task


class ModelRecord(BaseModel):
    """A row, as pydantic wants it."""

    hi: int
    there: int
    comment: str


class ModelTask(BaseModel):
    """The small message, as pydantic wants it."""

    id: int
    title: str
    done: bool


def decode(cls: Any) -> tuple[Callable[..., Any], Any]:
    """A whole array."""
    return TypeAdapter(list[cls]).validate_json, cls


def small_model_decode(times: Iterable[None], data: bytes) -> Any:
    """The model's own method."""
    for _ in times:
        found = ModelTask.model_validate_json(data)
    return found


def small_decode() -> tuple[Callable[..., Any], Any]:
    """A prepared adapter."""
    adapter = TypeAdapter(Task)

    def loop(times: Iterable[None], data: bytes) -> Any:
        for _ in times:
            found = adapter.validate_json(data)
        return found

    return loop, Task


def small_encode(cls: Any) -> tuple[Callable[..., Any], Any]:
    """A prepared adapter; a model's own `model_dump_json` gives a str, which is not what is asked."""
    adapter = TypeAdapter(cls)

    def loop(times: Iterable[None], task: Any) -> bytes:
        for _ in times:
            found = adapter.dump_json(task)
        return found

    return loop, cls


ENGINES = {
    "pydantic": {
        "decode-untyped": lambda job: (pydantic_core.from_json, None),
        "encode-dicts": lambda job: (pydantic_core.to_json, None),
    },
    "pydantic-model": {
        "decode-slots": lambda job: decode(ModelRecord),
        "encode-slots": lambda job: (TypeAdapter(list[ModelRecord]).dump_json, ModelRecord),
        "small-decode": lambda job: (small_model_decode, ModelTask),
        "small-encode": lambda job: small_encode(ModelTask),
    },
    "pydantic-dataclass": {
        "decode-slots": lambda job: decode(Record),
        "decode-dict-class": lambda job: decode(DictRecord),
        "encode-slots": lambda job: (TypeAdapter(list[Record]).dump_json, Record),
        "small-decode": lambda job: small_decode(),
        "small-encode": lambda job: small_encode(Task),
    },
}
