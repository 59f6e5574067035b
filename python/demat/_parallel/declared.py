"""Whether a worker reads a type as the program does: what `hook` and `configure` say reaches it by imports only."""

from __future__ import annotations

from hashlib import sha256
from typing import Any

from .._describe import describe


def fingerprint(type: Any) -> str:
    """Returns a text that is the same in another process, if the type is read and written the same way there."""
    if type is None or isinstance(type, str):
        return ""
    try:
        return sha256(repr(_named(describe(type, {}))).encode()).hexdigest()
    except TypeError:
        # The copy says what is wrong with the type.
        return ""


def _named(part: Any) -> Any:
    """A description with names in place of classes and functions, and without the values of other classes."""
    if isinstance(part, (tuple, list)):
        return [_named(inner) for inner in part]
    if isinstance(part, dict):
        return [(_named(key), _named(value)) for key, value in part.items()]
    if part is None or part.__class__ in (bool, int, float, str, bytes):
        return part
    named = part if hasattr(part, "__qualname__") else part.__class__
    module = getattr(named, "__module__", None)
    # A worker has the program's own file as a module of this name.
    return f"{'__main__' if module == '__mp_main__' else module}.{named.__qualname__}"
