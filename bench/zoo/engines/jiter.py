"""jiter, pydantic's parser, by itself."""

import jiter

from zoo.engines import Prepare
from zoo.inputs import Inputs, Work


def untyped(inputs: Inputs) -> Work:
    """Dicts and lists."""
    return Work(jiter.from_json, inputs.texts["json"])


ENGINES: dict[str, dict[str, Prepare]] = {"jiter": {"json/untyped": untyped, "small/untyped": untyped}}
