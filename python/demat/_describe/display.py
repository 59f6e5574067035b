"""Types as people write them, for messages."""

from __future__ import annotations

import re
from typing import Any

_MODULES = re.compile(r"\b(?:typing|typing_extensions|builtins|collections\.abc|__main__)\.")


def display(tp: Any) -> str:
    """A type as it would be written in source: `list[int]`, `Task`, `Callable[[int], str]`."""
    if isinstance(tp, str):
        return tp
    plain = isinstance(tp, type) and not hasattr(tp, "__origin__")
    text = f"{tp.__module__}.{tp.__qualname__}" if plain else repr(tp)
    # The functions that a class was defined in are no part of what people call it.
    return _MODULES.sub("", re.sub(r"[\w.]+\.<locals>\.", "", text))
