"""The annotations that a class has itself, whichever way the interpreter keeps them."""

from __future__ import annotations

import sys
from typing import Any

if sys.version_info >= (3, 14):
    import annotationlib

    def own_annotations(cls: type) -> dict[str, Any]:
        """Name to annotation, of the class itself and not of what it inherits from; unresolved names as references."""
        return annotationlib.get_annotations(cls, format=annotationlib.Format.FORWARDREF)

else:

    def own_annotations(cls: type) -> dict[str, Any]:
        """Name to annotation, of the class itself and not of what it inherits from; strings as they were written."""
        found = cls.__dict__.get("__annotations__")
        return found if isinstance(found, dict) else {}


def declarer(cls: type, name: str) -> type:
    """The class that a field comes from: the first, going up from the class, that has an annotation for it."""
    return next((base for base in cls.__mro__ if name in own_annotations(base)), cls)
