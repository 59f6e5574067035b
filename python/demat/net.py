"""Network addresses: those of `ipaddress`, and an address with a port.

Every format has them as text, as they are written everywhere: JSON, CSV, SQLite, Arrow's columns, and Protocol Buffers
unless a field says otherwise. They need no import of this module: a field is an `ipaddress.IPv4Address`. Here is what
that module lacks:

- `IpAddress`, `IpInterface` and `IpNetwork`: of either version, as one text
- `SocketAddress`: an address and a port

Each is an entry like those that `demat.hook` makes, and gives way to one of yours. What is no address is a
`demat.ValidationError` with its path and position.

>>> from dataclasses import dataclass
>>> from ipaddress import IPv4Address
>>> from demat import json
>>> from demat.net import SocketAddress
>>> @dataclass
... class Peer:
...     ip: IPv4Address
...     at: SocketAddress
>>> peer = json.decode('{"ip": "10.0.0.1", "at": "[::1]:8080"}', Peer)
>>> peer
Peer(ip=IPv4Address('10.0.0.1'), at=SocketAddress(ip=IPv6Address('::1'), port=8080))
>>> json.encode(peer)
b'{"ip":"10.0.0.1","at":"[::1]:8080"}'
"""

from __future__ import annotations

import ipaddress
from collections.abc import Callable
from dataclasses import dataclass
from ipaddress import (
    IPv4Address,
    IPv4Interface,
    IPv4Network,
    IPv6Address,
    IPv6Interface,
    IPv6Network,
)
from typing import Annotated, Any, TypeAlias

from ._hook import Hook

__all__ = ["IpAddress", "IpInterface", "IpNetwork", "SocketAddress"]


def _read(make: Callable[[str], Any], name: str) -> Callable[[str], Any]:
    """What makes one of a text."""

    def read(text: str) -> Any:
        try:
            return make(text)
        except ValueError:
            raise ValueError(f"expected {name}, found {text!r}") from None

    return read


def _address(value: IPv4Address | IPv6Address) -> str:
    """The text of an address: the same in all versions of Python, and that of other languages."""
    if isinstance(value, IPv4Interface | IPv6Interface):
        # They are addresses to Python, and their text is not one of an address.
        raise ValueError(f"expected an IP address, found the interface {str(value)!r}")
    if isinstance(value, IPv6Address) and value.ipv4_mapped is not None:
        zone = f"%{value.scope_id}" if value.scope_id else ""
        return f"::ffff:{value.ipv4_mapped}{zone}"
    return str(value)


@dataclass(frozen=True, slots=True)
class SocketAddress:
    """An IP address and a port from 0 to 65535: `1.2.3.4:80`, `[::1]:80`.

    - `ip`: an `ipaddress.IPv4Address` or `IPv6Address`
    - `port`: an int

    Immutable, and equal where both are. Raises ValueError for a port that there is not, TypeError for what is no
    address.

    >>> from ipaddress import ip_address
    >>> address = SocketAddress(ip_address("::1"), 80)
    >>> str(address), address.port
    ('[::1]:80', 80)
    """

    ip: IPv4Address | IPv6Address
    port: int

    def __post_init__(self) -> None:
        if type(self.ip) not in (IPv4Address, IPv6Address):
            raise TypeError(f"ip must be an IPv4Address or an IPv6Address, not {self.ip!r}")
        if isinstance(self.port, bool) or not isinstance(self.port, int):
            raise TypeError(f"port must be an int, not {self.port!r}")
        if not 0 <= self.port <= 65535:
            raise ValueError(f"port must be from 0 to 65535, not {self.port}")

    @classmethod
    def parse(cls, text: str) -> SocketAddress:
        """The address that a text says. Raises ValueError where it says none.

        >>> SocketAddress.parse("127.0.0.1:80")
        SocketAddress(ip=IPv4Address('127.0.0.1'), port=80)
        """
        host, colon, port = text.rpartition(":")
        bracketed = host.startswith("[") and host.endswith("]")
        if not colon or not (port.isascii() and port.isdecimal()):
            raise ValueError(f"expected an IP address and a port, found {text!r}")
        try:
            return cls(IPv6Address(host[1:-1]) if bracketed else IPv4Address(host), int(port))
        except ValueError:
            raise ValueError(f"expected an IP address and a port, found {text!r}") from None

    def __str__(self) -> str:
        host = _address(self.ip)
        return f"[{host}]:{self.port}" if self.ip.version == 6 else f"{host}:{self.port}"


def _entry(make: Callable[[str], Any], name: str, write: Callable[[Any], str] = str) -> Hook:
    def written(value: Any) -> str:
        try:
            return write(value)
        except (ArithmeticError, AttributeError, LookupError) as error:
            # The object's attributes are broken: its constructor would not have made these.
            raise ValueError(f"expected {name}, found a broken one: {error}") from error

    return Hook(wire=str, decode=_read(make, name), encode=written)


_ADDRESS = _entry(ipaddress.ip_address, "an IP address", _address)

IpAddress: TypeAlias = Annotated[IPv4Address | IPv6Address, _ADDRESS]
"""An `ipaddress.IPv4Address` or `IPv6Address`, whichever the text is."""

IpInterface: TypeAlias = Annotated[IPv4Interface | IPv6Interface, _entry(ipaddress.ip_interface, "an IP interface")]
"""An `ipaddress.IPv4Interface` or `IPv6Interface`: an address and its network, as `192.0.2.5/24`."""

IpNetwork: TypeAlias = Annotated[IPv4Network | IPv6Network, _entry(ipaddress.ip_network, "an IP network")]
"""An `ipaddress.IPv4Network` or `IPv6Network`, as `192.0.2.0/24`; bits behind the prefix are refused."""

# The entries: what `demat.hook` would be told. `_describe` looks here where a class is one of these.
ENTRIES: dict[type, Hook] = {
    IPv4Address: _entry(IPv4Address, "an IPv4 address", _address),
    IPv6Address: _entry(IPv6Address, "an IPv6 address", _address),
    IPv4Interface: _entry(IPv4Interface, "an IPv4 interface"),
    IPv6Interface: _entry(IPv6Interface, "an IPv6 interface"),
    IPv4Network: _entry(IPv4Network, "an IPv4 network"),
    IPv6Network: _entry(IPv6Network, "an IPv6 network"),
    SocketAddress: _entry(SocketAddress.parse, "an IP address and a port"),
}

# What a word of `.proto` files means for texts that are addresses, by what reads these.
WIRES: dict[Any, dict[str, str]] = {
    ENTRIES[IPv4Address].decode: {"fixed32": "ipv4", "bytes": "ip"},
    ENTRIES[IPv6Address].decode: {"bytes": "ip"},
    _ADDRESS.decode: {"bytes": "ip"},
    ENTRIES[SocketAddress].decode: {"bytes": "ip_port"},
}
