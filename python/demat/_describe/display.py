"""Types as people write them, for messages."""

from __future__ import annotations

import re
from typing import Any

# Modules, classes and functions that something was defined in; nothing within quotes, as in `Literal['a.b']`.
_HOMES = re.compile(r"""('[^']*'|"[^"]*")|(?:[^\W\d]\w*\.(?:<locals>\.)?)+""")


def display(tp: Any) -> str:
    """A type as it would be written in source: `list[int]`, `Task`, `Callable[[int], str]`."""
    if isinstance(tp, str):
        return tp
    if isinstance(tp, type) and not hasattr(tp, "__origin__"):
        return tp.__name__
    try:
        return _HOMES.sub(lambda found: found[1] or "", repr(tp))
    except RecursionError:
        return "…"
