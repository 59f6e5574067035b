"""pydantic: its own models, and the same dataclasses as everybody through a TypeAdapter."""

from collections.abc import Callable
from dataclasses import MISSING, fields, is_dataclass
from functools import cache
from types import UnionType
from typing import Annotated, Any, Union, get_args, get_origin

import pydantic_core
from pydantic import Field, TypeAdapter, create_model

from zoo.engines import Prepare
from zoo.inputs import Inputs, Work
from zoo.plain import hints, tag_of


@cache
def model(wanted: Any) -> Any:
    """The type with a model for each dataclass, as users of pydantic write it."""
    if get_origin(wanted) in (Union, UnionType):
        return Union[tuple(model(argument) for argument in get_args(wanted))]  # noqa: UP007
    if get_origin(wanted) in (list, dict):
        return get_origin(wanted)[tuple(model(argument) for argument in get_args(wanted))]
    if not is_dataclass(wanted):
        return wanted
    defaults = {field.name: ... if field.default is MISSING else field.default for field in fields(wanted)}
    made: dict[str, Any] = {}
    for name, own in hints(wanted).items():
        # A class that contains itself says so by its name.
        made[name] = (f"{wanted.__name__} | None" if wanted in get_args(own) else model(own), defaults[name])
    cls = create_model(wanted.__name__, __module__=__name__, **made)
    cls.model_rebuild(_types_namespace={wanted.__name__: cls})
    return cls


def record(inputs: Inputs, kind: str) -> Any:
    """The type of a record; a union is told apart by its tag."""
    own = model(inputs.kind.record) if kind == "model" else inputs.kind.record
    members = get_args(inputs.kind.record)
    return Annotated[own, Field(discriminator=tag_of(members[0]))] if members else own


def typed(kind: str) -> dict[str, Prepare]:
    """The jobs with a type."""

    def adapter(inputs: Inputs) -> TypeAdapter[Any]:
        own = record(inputs, kind)
        return TypeAdapter(own if inputs.kind.single else list[own])

    def decode(inputs: Inputs) -> Work:
        cls = None if get_args(inputs.kind.record) else record(inputs, kind)
        return Work(adapter(inputs).validate_json, inputs.texts["json"], cls)

    def read(inputs: Inputs) -> Work:
        return decode(inputs)._replace(cls=None)

    def encode(inputs: Inputs) -> Work:
        made = adapter(inputs)
        return Work(made.dump_json, made.validate_json(inputs.texts["json"]) if kind == "model" else inputs.objects)

    return {
        "json/decode": decode,
        "json/read": read,
        "json/encode": encode,
        "small/decode": decode,
        "small/encode": encode,
    }


def encode_untyped(inputs: Inputs) -> Work:
    """Dicts and lists."""
    return Work(pydantic_core.to_json, inputs.plain)


ENGINES: dict[str, dict[str, Callable[[Inputs], Work]]] = {
    "pydantic": {"json/encode-untyped": encode_untyped, "small/encode-untyped": encode_untyped},
    "pydantic-model": typed("model"),
    "pydantic-dataclass": typed("dataclass"),
}
