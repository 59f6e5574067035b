"""`reserve`: keeps the memory that many objects leave behind."""

from __future__ import annotations

from ._native import reserve as _reserve


def reserve(size: int | None = None, /) -> int:
    """Keeps up to `size` bytes of the memory that dropped objects leave behind, for those that come next.

    Python gives memory back to the system when a large result is dropped, and the system has to clear it again for the
    next one. A program that decodes one large result after the other saves that: its next objects take the memory that
    the last ones left. Off by default, as memory that is kept is nobody else's. It is about objects of all kinds, and
    all of the process.

    - `size`: the most to keep, in bytes; 0 gives everything back now, and keeps nothing; None changes nothing

    Returns the number of bytes that are kept, beside those that objects use.

    Raises RuntimeError where Python has no such memory to keep: with `PYTHONMALLOC=malloc`, for one. Raises
    OverflowError for a negative size.

    >>> import demat
    >>> demat.reserve(0)
    0
    """
    return _reserve(size)
