"""Extension types of MessagePack."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

from ._field import Field


@dataclass(frozen=True)
class Ext:
    """A value of an extension type: a code that applications define, and bytes.

    Without a type, an extension type is read as a dict of `code` and `data`. A hook maps it to a class of the program.

    >>> from demat import Hook, msgpack
    >>> msgpack.encode(msgpack.Ext(5, b"abc"))
    b'\\xc7\\x03\\x05abc'
    >>> msgpack.decode(b"\\xc7\\x03\\x05abc", msgpack.Ext)
    Ext(code=5, data=b'abc')
    >>> Amount = Hook(
    ...     wire=msgpack.Ext,
    ...     decode=lambda ext: complex(ext.data.decode()),
    ...     encode=lambda value: msgpack.Ext(7, str(value).encode()),
    ... )
    >>> data = msgpack.encode(1 + 2j, hooks={complex: Amount})
    >>> data
    b'\\xc7\\x06\\x07(1+2j)'
    >>> msgpack.decode(data, complex, hooks={complex: Amount})
    (1+2j)
    """

    code: Annotated[int, Field(ge=-128, le=127, msgpack="ext")]
    """The type: 0 to 127 are for applications. -1, the timestamp, is read and written as a datetime only."""
    data: bytes
    """The content."""
