"""ssrjson: no types and no dataclasses."""

import ssrjson

from zoo.engines import Prepare
from zoo.inputs import Inputs, Work


def untyped(inputs: Inputs) -> Work:
    """Dicts and lists."""
    return Work(ssrjson.loads, inputs.texts["json"])


def encode_untyped(inputs: Inputs) -> Work:
    """Dicts and lists, as bytes like everybody's."""
    return Work(ssrjson.dumps_to_bytes, inputs.plain)


ENGINES: dict[str, dict[str, Prepare]] = {
    "ssrjson": {
        "json/untyped": untyped,
        "json/encode-untyped": encode_untyped,
        "small/untyped": untyped,
        "small/encode-untyped": encode_untyped,
    },
}
