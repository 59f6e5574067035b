"""msgspec's `Raw`: the JSON of a value, as it stands; msgspec is never imported here."""

from __future__ import annotations

import sys
from typing import Any

from .._hook import Hook


def hook(tp: Any) -> Hook | None:
    """The entry of that class; None for any other."""
    theirs: Any = getattr(sys.modules.get("msgspec"), "Raw", None)
    if theirs is None or tp is not theirs:
        return None
    from .. import Raw

    def decoded(raw: Raw) -> Any:
        # A cell of a table holds no JSON, which is what everybody takes it for.
        if raw.format not in ("json", "ndjson"):
            raise ValueError(f"a `msgspec.Raw` is JSON, and not {raw.format}; make it a `demat.Raw`")
        return theirs(bytes(raw))

    def encoded(value: Any) -> Raw:
        return Raw(bytes(value))

    return Hook(wire=Raw, decode=decoded, encode=encoded)
