"""orjson: no types, but it writes dataclasses."""

import orjson

from zoo.engines import Prepare
from zoo.inputs import Inputs, Work


def untyped(inputs: Inputs) -> Work:
    """Dicts and lists."""
    return Work(orjson.loads, inputs.texts["json"])


def encode(inputs: Inputs) -> Work:
    """Dataclasses."""
    return Work(orjson.dumps, inputs.objects)


def encode_untyped(inputs: Inputs) -> Work:
    """Dicts and lists."""
    return Work(orjson.dumps, inputs.plain)


ENGINES: dict[str, dict[str, Prepare]] = {
    "orjson": {
        "json/untyped": untyped,
        "json/encode": encode,
        "json/encode-untyped": encode_untyped,
        "small/untyped": untyped,
        "small/encode": encode,
        "small/encode-untyped": encode_untyped,
    },
}
