"""Network addresses: text in every format, and numbers or bytes in Protocol Buffers where a field says so."""

from __future__ import annotations

import io
import pickle
import subprocess
import sys
from dataclasses import dataclass, field
from ipaddress import (
    IPv4Address,
    IPv4Interface,
    IPv4Network,
    IPv6Address,
    IPv6Interface,
    IPv6Network,
    ip_address,
    ip_interface,
    ip_network,
)
from pathlib import Path
from typing import Annotated, Any

import demat
import pyarrow as pa
import pytest
from demat import Field, Hook, csv, json, ndjson, proto, sqlite
from demat.net import IpAddress, IpInterface, IpNetwork, SocketAddress
from hypothesis import given
from hypothesis import strategies as st


@dataclass
class Host:
    four: IPv4Address
    six: IPv6Address
    any: IpAddress
    at: SocketAddress
    near: IPv4Interface
    near6: IPv6Interface
    net: IPv4Network
    net6: IPv6Network
    either: IpNetwork
    maybe: IPv4Address | None = None


HOST = Host(
    IPv4Address("127.0.0.1"),
    IPv6Address("2001:db8::1"),
    ip_address("::"),
    SocketAddress(IPv6Address("::1"), 8080),
    IPv4Interface("192.0.2.5/24"),
    IPv6Interface("2001:db8::5/32"),
    IPv4Network("10.0.0.0/8"),
    IPv6Network("2001:db8::/32"),
    ip_network("10.0.0.0/9"),
)
TEXTS = [
    "127.0.0.1",
    "2001:db8::1",
    "::",
    "[::1]:8080",
    "192.0.2.5/24",
    "2001:db8::5/32",
    "10.0.0.0/8",
    "2001:db8::/32",
    "10.0.0.0/9",
]


def test_json():
    data = json.encode(HOST)
    assert list(json.decode(data).values()) == [*TEXTS, None]
    assert json.decode(data, Host) == HOST
    assert json.encode(HOST, type=Host) == data
    assert json.decode('["10.0.0.1"]', list[IPv4Address]) == [IPv4Address("10.0.0.1")]
    assert json.decode('{"::1": ["1.2.3.4:5"]}', dict[IPv6Address, list[SocketAddress]]) == {
        IPv6Address("::1"): [SocketAddress(IPv4Address("1.2.3.4"), 5)]
    }
    assert json.encode({ip_address("::1"): ip_interface("1.2.3.4/8")}) == b'{"::1":"1.2.3.4/8"}'
    interface: Any = json.decode('"1.2.3.4/8"', IpInterface)
    assert interface == ip_interface("1.2.3.4/8")


def test_rows_and_records():
    rows = [HOST, HOST]
    assert csv.encode(rows).splitlines()[1].decode() == ",".join([*TEXTS, ""])
    assert csv.decode(csv.encode(rows), list[Host]) == rows
    assert ndjson.decode(ndjson.encode(rows), list[Host]) == rows
    assert list(ndjson.read(ndjson.encode(rows), Host)) == rows
    file = io.BytesIO()
    csv.write(file, rows)
    assert list(csv.read(file.getvalue(), Host)) == rows


def test_sqlite(tmp_path: Path):
    @dataclass
    class Peer:
        id: Annotated[IPv4Address, Field(key=True)]
        at: SocketAddress
        maybe: IpAddress | None = None

    rows = [
        Peer(IPv4Address(n), SocketAddress(ip_address("::1"), n), None if n % 2 else ip_address(n)) for n in range(5)
    ]
    with sqlite.open(tmp_path / "hosts.db") as database:
        table = database.table("peers", Peer)
        table.insert(rows)
        assert list(table) == rows
    import sqlite3

    with sqlite3.connect(tmp_path / "hosts.db") as plain:
        assert plain.execute("select * from peers order by id limit 1").fetchone() == ("0.0.0.0", "[::1]:0", "0.0.0.0")


def test_columns_are_text():
    columns = demat.columns_of([HOST, HOST])
    table = pa.table(columns)
    assert {str(kind).removeprefix("large_").removesuffix("_view") for kind in table.schema.types} == {"string"}
    assert table.column("at").to_pylist() == ["[::1]:8080"] * 2
    assert columns.records(Host) == [HOST, HOST]
    assert pa.table(json.columns(json.encode([HOST]), Host)).column("four").to_pylist() == ["127.0.0.1"]


def test_protocol_buffers_have_text():
    data = proto.encode(HOST)
    assert data.startswith(b"\n\x09127.0.0.1\x12\x0b2001:db8::1\x1a\x02::\x22\x0a[::1]:8080")
    assert proto.decode(data, Host) == HOST
    assert proto.decode(data, Host, lazy=True) == HOST
    assert "string four = 1" in demat.schema(Host, to="proto")


@dataclass
class Peer:
    four: Annotated[IPv4Address, Field(1, wire="fixed32")]
    six: Annotated[IPv6Address, Field(2, wire="bytes")]
    any: Annotated[IpAddress, Field(3, wire="bytes")]
    at: Annotated[SocketAddress, Field(4, wire="bytes")]
    maybe: Annotated[IPv4Address | None, Field(5, wire="fixed32")] = None
    many: Annotated[list[IPv4Address], Field(6, wire="fixed32")] = field(default_factory=list)
    ends: Annotated[list[SocketAddress], Field(7, wire="bytes")] = field(default_factory=list)
    names: Annotated[dict[IPv4Address, IpAddress], Field(8, wire="key fixed32, bytes")] = field(default_factory=dict)


PEER = Peer(
    IPv4Address("127.0.0.1"),
    IPv6Address("::1"),
    ip_address("9.8.7.6"),
    SocketAddress(ip_address("1.2.3.4"), 443),
    IPv4Address("0.0.0.0"),
    [IPv4Address("10.0.0.1"), IPv4Address("10.0.0.2")],
    [SocketAddress(ip_address("::2"), 1)],
    {IPv4Address("1.1.1.1"): ip_address("::3")},
)


def test_numbers_and_bytes():
    data = proto.encode(PEER)
    # A number without sign, as `fixed32` has it, of which the network's first byte is the highest.
    assert data.startswith(b"\x0d" + (0x7F000001).to_bytes(4, "little"))
    # Bytes are in the network's order.
    assert b"\x12\x10" + IPv6Address("::1").packed in data
    assert b"\x1a\x04\x09\x08\x07\x06" in data
    assert b"\x22\x06\x01\x02\x03\x04" + (443).to_bytes(2, "big") in data
    assert b"\x2d\0\0\0\0" in data
    assert b"\x32\x08\x01\0\0\x0a\x02\0\0\x0a" in data
    assert proto.decode(data, Peer) == PEER
    own = proto.decode(data, Peer, lazy=True)
    assert own == PEER
    assert proto.encode(own) == data
    own.four = IPv4Address("10.0.0.9")
    assert proto.decode(proto.encode(own), Peer).four == IPv4Address("10.0.0.9")
    # All other formats have the text.
    assert json.decode(json.encode(PEER))["many"] == ["10.0.0.1", "10.0.0.2"]
    text = demat.schema(Peer, to="proto")
    assert "optional fixed32 four = 1" in text
    assert "repeated fixed32 many = 6" in text
    assert "bytes at = 4" in text
    assert "map<fixed32, bytes> names = 8" in text


def test_texts_that_are_addresses():
    @dataclass
    class Plain:
        four: Annotated[str, Field(1, wire="ipv4")]
        at: Annotated[str, Field(2, wire="ip_port")]

    data = proto.encode(Plain("127.0.0.1", "[::1]:80"))
    assert data == b"\x0d\x01\0\0\x7f\x12\x12" + IPv6Address("::1").packed + b"\0\x50"
    assert proto.decode(data, Plain) == Plain("127.0.0.1", "[::1]:80")
    with pytest.raises(demat.EncodeError, match="expected an IPv4 address, found `x`"):
        proto.encode(Plain("x", ""))
    again: Any = demat.define(demat.schema(Plain, to="shape"), format="shape")
    assert proto.decode(data, again).four == "127.0.0.1"


@pytest.mark.parametrize(
    ("type_", "text", "message"),
    [
        (IPv4Address, "1.2.3", "expected an IPv4 address, found '1.2.3'"),
        (IPv4Address, "01.2.3.4", "expected an IPv4 address, found '01.2.3.4'"),
        (IPv4Address, "::1", "expected an IPv4 address, found '::1'"),
        (IPv6Address, "1.2.3.4", "expected an IPv6 address, found '1.2.3.4'"),
        (IpAddress, "", "expected an IP address, found ''"),
        (IpAddress, "1.2.3.4/8", "expected an IP address, found '1.2.3.4/8'"),
        (IPv4Network, "10.0.0.1/8", "expected an IPv4 network, found '10.0.0.1/8'"),
        (IPv6Interface, "::1/129", "expected an IPv6 interface, found '::1/129'"),
        (SocketAddress, "1.2.3.4", "expected an IP address and a port, found '1.2.3.4'"),
        (SocketAddress, "::1:80", "expected an IP address and a port, found '::1:80'"),
        (SocketAddress, "[1.2.3.4]:80", "expected an IP address and a port, found '\\[1.2.3.4\\]:80'"),
        (SocketAddress, "1.2.3.4:65536", "expected an IP address and a port, found '1.2.3.4:65536'"),
        (SocketAddress, "1.2.3.4:+1", "expected an IP address and a port"),
        (SocketAddress, "1.2.3.4:", "expected an IP address and a port"),
        (SocketAddress, "1.2.3.4:\u0661", "expected an IP address and a port"),
    ],
)
def test_what_is_no_address(type_: Any, text: str, message: str):
    with pytest.raises(demat.ValidationError, match=rf"^{message}.* at `\$\[0\]` \(line 1, column 2\)$") as found:
        json.decode(json.encode([text]), list[type_])
    assert found.value.path == "$[0]"


def test_what_is_no_text():
    with pytest.raises(demat.ValidationError, match=r"expected `str`, found `int` 1 at `\$\[0\]`"):
        json.decode("[1]", list[IPv4Address])
    with pytest.raises(demat.ValidationError, match="expected an IPv4 address, found 'x'") as found:
        csv.decode(b"ip\nx\n", list[Near])
    assert found.value.record == 1
    with pytest.raises(demat.ValidationError, match="expected an IPv6 address, found '1.2.3.4'"):
        proto.decode(b"\x12\x04\x01\x02\x03\x04", Peer)
    with pytest.raises(demat.ValidationError, match="expected an IP address, found other bytes"):
        proto.decode(b"\x12\x03\x01\x02\x03", Peer)
    with pytest.raises(demat.EncodeError, match="expected an IP address, found the interface '1.2.3.4/8'"):
        json.encode(Near(IPv4Interface("1.2.3.4/8")))


@dataclass
class Near:
    ip: IPv4Address


def test_a_hook_of_the_programs_comes_first():
    hooks = {IPv4Address: Hook(wire=int, decode=IPv4Address, encode=int)}
    assert json.encode(Near(IPv4Address(5)), hooks=hooks) == b'{"ip":5}'
    assert json.decode('{"ip": 5}', Near, hooks=hooks) == Near(IPv4Address(5))

    @dataclass
    class Own:
        ip: Annotated[IPv4Address, hooks[IPv4Address]]

    assert json.encode(Own(IPv4Address(5))) == b'{"ip":5}'
    code = "import demat, ipaddress as ip; demat.hook(ip.IPv4Address, wire=int, decode=ip.IPv4Address, encode=int); "
    code += "print(demat.json.encode(ip.IPv4Address(7)))"
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, check=True).stdout == b"b'7'\n"


def test_a_wire_that_does_not_suit():
    for wire in ("fixed64", "sint32"):

        @dataclass
        class Wrong:
            ip: Annotated[IPv4Address, Field(wire=wire)]

        with pytest.raises(TypeError, match=f"`{wire}` does not suit the type: this is text"):
            proto.decode(b"", Wrong)


@given(st.ip_addresses(), st.integers(0, 65535))
def test_any_address(address: Any, port: int):
    end = SocketAddress(address, port)
    assert SocketAddress.parse(str(end)) == end
    assert json.decode(json.encode([address, end]), tuple[IpAddress, SocketAddress]) == (address, end)
    peer = Peer(IPv4Address(int(address) & 0xFFFFFFFF), IPv6Address(int(address)), address, end)
    assert proto.decode(proto.encode(peer), Peer) == peer


def test_addresses_of_both_versions():
    # The text that other languages write, and Python does from 3.13 on.
    assert json.encode(ip_address("::ffff:1.2.3.4")) == b'"::ffff:1.2.3.4"'
    assert json.decode('"::ffff:1.2.3.4"', IPv6Address) == IPv6Address("::ffff:102:304")
    assert json.decode(json.encode(ip_address("fe80::1%eth0")), IpAddress) == ip_address("fe80::1%eth0")
    assert json.encode(ip_address("2001:DB8:0:0:1:0:0:1")) == b'"2001:db8::1:0:0:1"'


def test_socket_addresses():
    address = SocketAddress(ip_address("1.2.3.4"), 80)
    assert (str(address), hash(address)) == ("1.2.3.4:80", hash(SocketAddress.parse("1.2.3.4:80")))
    assert pickle.loads(pickle.dumps(address)) == address
    with pytest.raises(ValueError, match="port must be from 0 to 65535, not 65536"):
        SocketAddress(ip_address("1.2.3.4"), 65536)
    for ip, port in [("1.2.3.4", 1), (ip_interface("1.2.3.4/8"), 1), (ip_address("1.2.3.4"), True)]:
        with pytest.raises(TypeError, match="must be an"):
            SocketAddress(ip, port)  # type: ignore[arg-type]


def test_nothing_is_imported_that_is_not_used():
    code = "import sys, demat.json; demat.json.decode('[1]', list[int]); print('ipaddress' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, check=True).stdout == b"False\n"
