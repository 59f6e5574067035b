"""Text in memory as a place for bytes."""

from __future__ import annotations

import codecs
from collections.abc import Callable


def writes(write: Callable[[str], object]) -> Callable[[bytes], None]:
    """Returns a `write` for bytes in UTF-8, which may be cut within a character, over one for text.

    >>> import io
    >>> text = io.StringIO()
    >>> write = writes(text.write)
    >>> for byte in "é!".encode():
    ...     write(bytes([byte]))
    >>> text.getvalue()
    'é!'
    """
    decoder = codecs.getincrementaldecoder("utf-8")()

    def taken(data: bytes) -> None:
        write(decoder.decode(data))

    return taken
