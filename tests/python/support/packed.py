"""JSON text as MessagePack, key by key: repeated keys and the order of keys stay, as no dict would keep them."""

from __future__ import annotations

import json
import struct
from typing import Any


def packed(text: str | bytes, *, wide: bool = False) -> bytes:
    """The same value in MessagePack. With `wide`, all headers of maps, lists and texts are in their longest form."""
    return _value(json.loads(text, object_pairs_hook=_Pairs), wide)


class _Pairs(list[tuple[str, Any]]):
    """The members of an object."""


def _value(value: Any, wide: bool) -> bytes:
    match value:
        case None:
            return b"\xc0"
        case bool():
            return b"\xc3" if value else b"\xc2"
        case int():
            if 0 <= value < 128:
                return bytes([value])
            return b"\xd3" + struct.pack(">q", value)
        case float():
            return b"\xcb" + struct.pack(">d", value)
        case str():
            content = value.encode()
            return _header(len(content), 0xA0, 32, 0xDB, wide) + content
        case _Pairs():
            members = b"".join(_value(key, wide) + _value(member, wide) for key, member in value)
            return _header(len(value), 0x80, 16, 0xDF, wide) + members
        case list():
            return _header(len(value), 0x90, 16, 0xDD, wide) + b"".join(_value(item, wide) for item in value)
        case _:
            raise TypeError(value)


def _header(count: int, short: int, limit: int, long: int, wide: bool) -> bytes:
    return bytes([short | count]) if count < limit and not wide else struct.pack(">BI", long, count)
