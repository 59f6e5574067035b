"""What schemathesis sends, with ints written as ints: to JSON Schema 1.0 is one, and to Demat a float."""

from __future__ import annotations

from typing import Any

import schemathesis


def exact(value: Any) -> Any:
    """A value in which no float is whole."""
    if isinstance(value, float) and value.is_integer():
        return int(value)
    if isinstance(value, list):
        return [exact(item) for item in value]
    if isinstance(value, dict):
        return {key: exact(item) for key, item in value.items()}
    return value


@schemathesis.hook
def map_body(context: Any, body: Any) -> Any:
    """Each body, before it is sent."""
    return exact(body)
