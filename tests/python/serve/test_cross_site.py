"""Foreign pages change nothing: neither with requests that need no preflight, nor through DNS rebinding."""

from __future__ import annotations

import socket
from contextlib import closing
from typing import TYPE_CHECKING, Any

import demat
import pytest
from requested import ask

if TYPE_CHECKING:
    from collections.abc import Iterator

BODY = b'{"a": 1}'


@pytest.fixture
def served() -> Iterator[tuple[list[Any], demat.Server]]:
    items: list[Any] = [1]
    with demat.serve({"/items": demat.route(items, bulk=True)}, port=0, background=True) as server:
        yield items, server


def raw(server: demat.Server, head: str, body: bytes = b"") -> int:
    """Sends exactly these bytes, and returns the status."""
    with closing(socket.create_connection((server.host, server.port), timeout=20)) as connection:
        connection.sendall(head.replace("\n", "\r\n").encode("latin-1") + body)
        return int(connection.recv(65536).split(b" ", 2)[1])


def post(server: demat.Server, *headers: str, host: str = "localhost") -> int:
    lines = [f"Host: {host}", f"Content-Length: {len(BODY)}", "Connection: close", *headers]
    return raw(server, "POST /items HTTP/1.1\n" + "\n".join(lines) + "\n\n", BODY)


JSON = "Content-Type: application/json"


def test_what_a_page_can_send_unasked_is_refused(served: tuple[list[Any], demat.Server]) -> None:
    items, server = served
    for headers, status in (
        ([], 415),
        (["Content-Type: text/plain"], 415),
        (["Content-Type: text/plain;charset=UTF-8"], 415),
        (["Content-Type: application/x-www-form-urlencoded"], 415),
        (["Content-Type: multipart/form-data; boundary=x"], 415),
        (["Content-Type: text/plain; application/json"], 415),
        ([JSON, "Content-Type: text/plain"], 415),
        ([JSON, "Origin: http://evil.example"], 403),
        ([JSON, "Origin: null"], 403),
        ([JSON, "Origin: http://localhost"], 403),
        ([JSON, f"Origin: http://localhost:{server.port}", "Origin: http://evil.example"], 403),
        ([JSON, "Sec-Fetch-Site: cross-site"], 403),
        ([JSON, "Sec-Fetch-Site: same-site"], 403),
    ):
        assert post(server, *headers, host=f"localhost:{server.port}") == status, headers
        assert items == [1], headers
    for origin in ("http://evil.example", "null"):
        assert raw(server, f"DELETE /items HTTP/1.1\nHost: localhost\nOrigin: {origin}\n\n") == 403
    assert items == [1]
    own = f"localhost:{server.port}"
    assert post(server, JSON, host=own) == 201
    assert post(server, JSON, f"Origin: http://{own}", "Sec-Fetch-Site: same-origin", host=own) == 201
    assert post(server, JSON, "Sec-Fetch-Site: none", host=own) == 201
    assert len(items) == 4


def test_curl_is_told_what_to_send(served: tuple[list[Any], demat.Server]) -> None:
    _, server = served
    got = ask(server.url, "POST", "/items", BODY, content_type="application/x-www-form-urlencoded")
    assert got.status == 415
    assert "send Content-Type: application/json" in got.json()["error"]["message"]


def test_hosts_are_those_that_are_served(served: tuple[list[Any], demat.Server]) -> None:
    items, server = served
    for head, status in (
        ("", 400),
        ("Host: localhost\nHost: localhost\n", 400),
        ("Host: \n", 400),
        ("Host: localhost/\n", 400),
        ("Host: user@localhost\n", 400),
        ("Host: evil.example\n", 421),
        (f"Host: evil.example:{server.port}\n", 421),
        ("Host: localhost.evil.example\n", 421),
        ("Host: 192.0.2.1\n", 421),
        ("Host: localhost\n", 200),
        ("Host: LocalHost:1\n", 200),
        ("Host: [::1]\n", 200),
        (f"Host: 127.0.0.1:{server.port}\n", 200),
    ):
        for path in ("/items", "/health", "/metrics", "/-/", "/openapi.json"):
            assert raw(server, f"GET {path} HTTP/1.1\n{head}Connection: close\n\n") == status, (path, head)
        assert raw(server, f"OPTIONS /items HTTP/1.1\n{head}Connection: close\n\n") in {status, 204}, head
    assert raw(server, "GET http://evil.example/items HTTP/1.1\nHost: localhost\n\n") == 400
    assert raw(server, "GET http://localhost/items HTTP/1.1\nHost: localhost\n\n") == 200
    assert post(server, JSON, "Origin: http://evil.example", host="evil.example") == 421
    assert items == [1]


def test_hosts_and_origins_can_be_named() -> None:
    items: list[Any] = []
    options: dict[str, Any] = {"hosts": ["example.org"], "cors": ["https://friend.example", "http://other.example:81"]}
    with demat.serve({"/items": items}, port=0, background=True, **options) as server:
        assert post(server, JSON, host="Example.ORG:8080") == 201
        assert post(server, JSON, "Origin: https://example.org", host="example.org") == 201
        assert post(server, JSON, "Origin: https://friend.example", "Sec-Fetch-Site: cross-site") == 201
        assert post(server, JSON, "Origin: http://other.example") == 403
        for origin, allowed in (
            ("https://friend.example", True),
            ("http://other.example:81", True),
            ("http://evil.example", False),
        ):
            got = ask(server.url, "GET", "/items", origin=origin)
            assert got.headers.get("access-control-allow-origin") == (origin if allowed else None)
            assert "origin" in got.headers["vary"].lower()
    assert len(items) == 3
    for bad in (
        {"hosts": ["http://a"]},
        {"hosts": "example.org"},
        {"hosts": [""]},
        {"cors": "example.org"},
        {"cors": ["https://a/"]},
    ):
        with pytest.raises((demat.Error, TypeError, ValueError)):
            demat.serve({"/items": []}, port=0, background=True, **bad)


def test_any_address_will_do_where_all_are_listened_at() -> None:
    with demat.serve({"/items": [1]}, host="0.0.0.0", port=0, background=True) as server:
        local = ("127.0.0.1", server.port)
        for host, status in (("192.0.2.1", 200), ("[2001:db8::1]:80", 200), ("localhost", 200), ("evil.example", 421)):
            with closing(socket.create_connection(local, timeout=20)) as connection:
                connection.sendall(f"GET /items HTTP/1.1\r\nHost: {host}\r\n\r\n".encode())
                assert int(connection.recv(65536).split(b" ", 2)[1]) == status, host
