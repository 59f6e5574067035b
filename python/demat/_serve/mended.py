"""Replaces values that JSON can't represent, so that the rest of an object can be encoded."""

from __future__ import annotations

import copy
import sys
from collections.abc import Callable
from dataclasses import fields, is_dataclass
from typing import Any

from demat import _errors, json


def mended(value: Any, how: str, at: str, encode: Callable[[Any], bytes]) -> bytes:
    """Encodes a value that `encode` refused, with null or text in place of the parts that JSON can't represent.

    Reports the first twenty replacements on standard error, and then the number of further ones.
    """
    lines: list[str] = []
    told = encode(_whole(value, how, "$", lines))
    for line in lines[:20]:
        sys.stderr.write(f"demat: {at}: {how} instead of the value {line}\n")
    if len(lines) > 20:
        sys.stderr.write(f"demat: {at}: {how} instead of {len(lines) - 20} more values\n")
    return told


def _whole(value: Any, how: str, path: str, lines: list[str]) -> Any:
    if isinstance(value, dict):
        return {key: _whole(part, how, f"{path}.{key}", lines) for key, part in value.items()}
    if isinstance(value, list | tuple | set | frozenset):
        return [_whole(part, how, f"{path}[{index}]", lines) for index, part in enumerate(value)]
    if is_dataclass(value) and not isinstance(value, type):
        own = copy.copy(value)
        for field in fields(value):
            if hasattr(value, field.name):
                part = _whole(getattr(value, field.name), how, f"{path}.{field.name}", lines)
                object.__setattr__(own, field.name, part)
        return own
    try:
        json.encode(value)
    except _errors.EncodeError as error:
        if not isinstance(value, float | str):
            raise
        lines.append(f"at {path!a}: {error}")
        if how != "text":
            return None
        return (
            str(value)
            if isinstance(value, float)
            else value.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
        )
    return value
