"""Fingerprints of what an engine answers, by Python's own means."""

import marshal
import zlib
from collections.abc import Iterable
from typing import Any


def output(written: bytes | bytearray | memoryview) -> str:
    """`bytes=… crc=…` of an output in memory."""
    return f"bytes={len(written)} crc={zlib.crc32(written):08x}"


def value(root: Any) -> str:
    """`marshalled=… crc=…` of plain Python objects, keys in the order that they stand in.

    Marshal's version 2 has a form for each built-in type and none for subclasses, writes floats as their bits, and
    knows nothing of identity; and it is quick enough to be asked about a million dicts after every call.
    """
    written = marshal.dumps(root, 2)
    return f"marshalled={len(written)} crc={zlib.crc32(written):08x}"


def names(texts: Iterable[str]) -> str:
    """`rows=… crc=…` of a column of texts."""
    column = [*texts]
    return f"rows={len(column)} crc={zlib.crc32(chr(10).join(column).encode()):08x}"
