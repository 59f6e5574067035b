"""Hook for msgspec's `Raw`, a JSON value kept as its bytes. This module never imports msgspec."""

from __future__ import annotations

import sys
from typing import Any

from .._hook import Hook


def hook(tp: Any) -> Hook | None:
    """Returns the hook for `msgspec.Raw`; None for any other class."""
    theirs: Any = getattr(sys.modules.get("msgspec"), "Raw", None)
    if theirs is None or tp is not theirs:
        return None
    from .. import Raw

    def decoded(raw: Raw) -> Any:
        # A CSV cell is not JSON, but every reader of a `msgspec.Raw` takes its bytes for JSON.
        if raw.format not in ("json", "ndjson"):
            raise ValueError(f"a `msgspec.Raw` is JSON, and not {raw.format}; make it a `demat.Raw`")
        return theirs(bytes(raw))

    def encoded(value: Any) -> Raw:
        return Raw(bytes(value))

    return Hook(wire=Raw, decode=decoded, encode=encoded)
