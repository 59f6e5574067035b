"""What has been said about classes from outside of their annotations: by `configure` and by `hook`."""

from __future__ import annotations

import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any
    from weakref import WeakKeyDictionary

# For classes that can't be given an attribute: those made in C. Weak, so as not to keep any class alive.
_others: WeakKeyDictionary[type, dict[str, Any]] | None = None

_version = 0


def version() -> int:
    """How many declarations there have been: plans that were made under an older number may be wrong now."""
    return _version


def own(cls: type) -> dict[str, Any]:
    """What was declared for the class itself, and not for one that it inherits from. Not to be changed."""
    declared = cls.__dict__.get("__demat__")
    if declared is None and _others is not None:
        declared = _others.get(cls)
    return {} if declared is None else declared


def declare(cls: type, entries: dict[str, Any]) -> None:
    """Adds entries to what is declared for the class, over those of the same name."""
    global _others, _version
    # A new dict each time: `dataclass(slots=True)` makes a new class with the attributes of the old one, and what is
    # declared for one of both must not change the other.
    declared = {**own(cls), **entries}
    try:
        cls.__demat__ = declared  # type: ignore[attr-defined]
    except TypeError:
        if _others is None:
            from weakref import WeakKeyDictionary

            _others = WeakKeyDictionary()
        _others[cls] = declared
    _version += 1
    # Whoever has not loaded the native module has no plans.
    native = sys.modules.get("demat._native")
    if native is not None:
        native.forget_plans()
