"""What `configure` said about a class and those that it inherits from."""

from __future__ import annotations

from typing import Any, get_origin

from .. import _declared


def configured(cls: type) -> dict[str, Any]:
    """The class's settings by the names of `configure`, its own over those that it inherits."""
    found: dict[str, Any] = {}
    for base in reversed(_line(cls)):
        declared = dict(_declared.own(base))
        declared.pop("hook", None)
        if base is not cls:
            declared.pop("tag_value", None)
        found.update(declared)
    return found


def _line(cls: type) -> list[type]:
    """The class and those that it inherits from, nearest first."""
    if not hasattr(cls, "__required_keys__"):
        return list(cls.__mro__)
    # A TypedDict is a dict and nothing else at run time; what it inherited from it still knows, in most cases.
    line = [cls]
    for base in getattr(cls, "__orig_bases__", ()):
        origin = get_origin(base) or base
        if isinstance(origin, type):
            line += _line(origin)
    return line
