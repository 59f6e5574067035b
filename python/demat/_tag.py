"""Tags of CBOR."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Any

from ._field import Field


@dataclass(frozen=True)
class Tag:
    """A value with a tag that Demat has no type for, such as 32 for a URI.

    Without a type, such a value is read as a dict of `tag` and `value`. A hook maps it to a class of the program. The
    tags of datetimes, dates, ints, decimals and UUIDs are read and written as these only.

    >>> from demat import Hook, cbor
    >>> cbor.encode(cbor.Tag(32, "urn:a"))
    b'\\xd8 eurn:a'
    >>> cbor.decode(b"\\xd8 eurn:a", cbor.Tag)
    Tag(tag=32, value='urn:a')
    >>> Amount = Hook(
    ...     wire=cbor.Tag,
    ...     decode=lambda tag: complex(*tag.value),
    ...     encode=lambda value: cbor.Tag(43000, [value.real, value.imag]),
    ... )
    >>> data = cbor.encode(1 + 2j, hooks={complex: Amount})
    >>> cbor.decode(data, complex, hooks={complex: Amount})
    (1+2j)
    """

    tag: Annotated[int, Field(ge=0, le=2**64 - 1, cbor="tag")]
    """The number of the tag."""
    value: Any
    """The value that has the tag."""
