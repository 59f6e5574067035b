"""The gate stands before every route: hostile `Host` and origin headers, with each method, on each path.

The paths come from the served routes and from the pages of the server, so a new kind of route in `World` enters by
itself. Add a hostile head to `HOSTS` or `PAGES`.
"""

from __future__ import annotations

import http.client
import re
from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass

import demat
import pytest
from requested import ask
from world import World

READS = ("GET", "HEAD", "OPTIONS")
CHANGES = ("POST", "PUT", "PATCH", "DELETE", "BREW")
METHODS = (*READS, *CHANGES)

Headers = tuple[tuple[str, str], ...]

# Heads that no request may have, whatever it does. `PORT` is the port of the server.
HOSTS: dict[str, tuple[Headers, int]] = {
    "no host": ((), 400),
    "the same host twice": ((("Host", "localhost"), ("Host", "localhost")), 400),
    "two hosts": ((("Host", "localhost"), ("Host", "evil.example")), 400),
    "two hosts, ours last": ((("Host", "evil.example"), ("Host", "localhost")), 400),
    "an empty host": ((("Host", ""),), 400),
    "a list of hosts": ((("Host", "localhost, evil.example"),), 400),
    "a user": ((("Host", "evil@localhost"),), 400),
    "a path": ((("Host", "localhost/evil.example"),), 400),
    "unknown host": ((("Host", "evil.example"),), 421),
    "unknown host, our port": ((("Host", "evil.example:PORT"),), 421),
    "our name below another": ((("Host", "localhost.evil.example"),), 421),
    "another address": ((("Host", "192.0.2.1:PORT"),), 421),
    "a name for any address": ((("Host", "0.0.0.0:PORT"),), 421),
    "forwarded": ((("Host", "evil.example"), ("X-Forwarded-Host", "localhost"), ("Forwarded", "host=localhost")), 421),
}

OWN = ("Host", "localhost:PORT")

# Heads that browsers send for pages of other origins: such pages may change nothing, and may not see what they read.
PAGES: dict[str, Headers] = {
    "another site": (OWN, ("Origin", "http://evil.example")),
    "another port": (OWN, ("Origin", "http://localhost:1")),
    "no port": (OWN, ("Origin", "http://localhost")),
    "another name of ours": (OWN, ("Origin", "http://127.0.0.1:PORT")),
    "our name below another": (OWN, ("Origin", "http://localhost:PORT.evil.example")),
    "another scheme": (OWN, ("Origin", "file://localhost:PORT")),
    "null": (OWN, ("Origin", "null")),
    "null of the same origin": (OWN, ("Origin", "null"), ("Sec-Fetch-Site", "same-origin")),
    "empty": (OWN, ("Origin", "")),
    "two origins, ours first": (OWN, ("Origin", "http://localhost:PORT"), ("Origin", "http://evil.example")),
    "two origins, ours last": (OWN, ("Origin", "http://evil.example"), ("Origin", "http://localhost:PORT")),
    "a list of origins": (OWN, ("Origin", "http://localhost:PORT http://evil.example")),
    "cross-site": (OWN, ("Sec-Fetch-Site", "cross-site")),
    "same-site": (OWN, ("Sec-Fetch-Site", "same-site")),
    "unknown site": (OWN, ("Sec-Fetch-Site", "anything")),
    "cross-site, our origin": (OWN, ("Origin", "http://localhost:PORT"), ("Sec-Fetch-Site", "cross-site")),
    "cross-site, then same-origin": (OWN, ("Sec-Fetch-Site", "cross-site"), ("Sec-Fetch-Site", "same-origin")),
    "same-origin, then cross-site": (OWN, ("Sec-Fetch-Site", "same-origin"), ("Sec-Fetch-Site", "cross-site")),
    "preflight": (
        OWN,
        ("Origin", "http://evil.example"),
        ("Access-Control-Request-Method", "DELETE"),
        ("Access-Control-Request-Headers", "content-type"),
    ),
}

# Heads of programs, and of the server's own pages.
ADMITTED: dict[str, Headers] = {
    "no origin": (OWN,),
    "no port": (("Host", "localhost"),),
    "address": (("Host", "127.0.0.1:PORT"), ("Origin", "http://127.0.0.1:PORT")),
    "IPv6": (("Host", "[::1]:PORT"), ("Origin", "http://[::1]:PORT")),
    "own page": (OWN, ("Origin", "http://localhost:PORT"), ("Sec-Fetch-Site", "same-origin")),
    "behind TLS": (OWN, ("Origin", "https://localhost:PORT")),
    "address bar": (OWN, ("Sec-Fetch-Site", "none")),
}


@dataclass
class Gate:
    world: World
    server: demat.Server
    paths: list[str]
    connection: http.client.HTTPConnection

    def send(self, method: str, path: str, headers: Headers) -> http.client.HTTPResponse:
        """Sends exactly these headers, beside those of a body, and reads the answer."""
        body = b'{"title": "evil"}' if method in {"POST", "PUT", "PATCH"} else b""
        self.connection.putrequest(method, path, skip_host=True, skip_accept_encoding=True)
        for name, value in headers:
            self.connection.putheader(name, value.replace("PORT", str(self.server.port)))
        if body:
            self.connection.putheader("Content-Type", "application/json")
            self.connection.putheader("Content-Length", str(len(body)))
        self.connection.endheaders(body)
        answer = self.connection.getresponse()
        answer.read()
        return answer


def paths_of(routes: dict[str, object], url: str) -> list[str]:
    """Returns each route's path and one below it, the pages of the server, and a path without a route."""
    own = [route.rpartition(" ")[2] for route in routes]
    page = ask(url, "GET", "/-/").body.decode()
    files = [f"/-/{name}" for name in re.findall(r'(?:href|src)="(?:\./)?([\w.]+)"', page)]
    assert len(files) >= 2, page
    builtin = ["/-", "/-/", *files, "/openapi.json", "/health", "/metrics", "/nothing", "*"]
    return [*own, *(f"{path}/1" for path in own), *builtin]


@pytest.fixture(scope="module")
def gate(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Gate]:
    world = World(tmp_path_factory.mktemp("gate"))
    with demat.serve(world.routes, port=0, background=True) as inner:
        routes = {**world.routes, "/remote": demat.store.remote(inner.url + "/table")}
        with (
            demat.serve(routes, port=0, background=True) as server,
            closing(http.client.HTTPConnection(server.host, server.port, timeout=20)) as connection,
        ):
            yield Gate(world, server, paths_of(routes, server.url), connection)


@pytest.mark.parametrize("name", HOSTS)
def test_no_request_with_a_wrong_host_is_answered(gate: Gate, name: str) -> None:
    headers, status = HOSTS[name]
    before = gate.world.state()
    gate.world.calls.clear()
    for path in gate.paths:
        for method in METHODS:
            answer = gate.send(method, path, headers)
            assert answer.status == status, (method, path)
    assert gate.world.calls == []
    assert gate.world.state() == before


@pytest.mark.parametrize("name", PAGES)
def test_foreign_pages_change_nothing(gate: Gate, name: str) -> None:
    before = gate.world.state()
    gate.world.calls.clear()
    for path in gate.paths:
        for method in CHANGES:
            answer = gate.send(method, path, PAGES[name])
            assert answer.status == 403, (method, path)
            assert not [header for header in answer.headers if header.lower().startswith("access-control-")]
    assert gate.world.calls == []
    assert gate.world.state() == before


@pytest.mark.parametrize("name", PAGES)
def test_foreign_pages_may_not_see_what_they_read(gate: Gate, name: str) -> None:
    for path in gate.paths:
        for method in READS:
            answer = gate.send(method, path, PAGES[name])
            assert answer.status not in {403, 421}, (method, path)
            assert not [header for header in answer.headers if header.lower().startswith("access-control-")]


@pytest.mark.parametrize("name", ADMITTED)
def test_programs_and_own_pages_pass(gate: Gate, name: str) -> None:
    """The condition never holds, so that the changes that the gate lets through change nothing."""
    stale = ("If-Match", '"fedcba9876543210-0"')
    before = gate.world.state()
    passed = set()
    for path in gate.paths:
        for method in METHODS:
            answer = gate.send(method, path, (*ADMITTED[name], stale))
            assert answer.status not in {403, 421}, (method, path)
            passed.add((method, answer.status))
    assert gate.world.state() == before
    # Without the gate, each method gets as far as the condition, or further.
    assert {("GET", 200), ("OPTIONS", 204)} <= passed
    assert {(method, 412) for method in ("POST", "PUT", "PATCH", "DELETE")} <= passed


def test_a_request_without_the_gates_objections_changes_the_table(gate: Gate) -> None:
    """The same request as a hostile one, but for its origin, works: the matrix can fail."""
    before = gate.world.tasks.select().all()
    assert gate.send("DELETE", "/table/1", PAGES["another site"]).status == 403
    assert gate.world.tasks.select().all() == before
    assert gate.send("DELETE", "/table/1", ADMITTED["own page"]).status == 204
    assert gate.world.tasks.select().all() == before[1:]
    gate.world.tasks.insert(before[:1])


def test_every_route_is_in_the_matrix(gate: Gate) -> None:
    """The description lists every route; each of them has a path here."""
    described = ask(gate.server.url, "GET", "/openapi.json").json()["paths"]
    assert {f"/{path.split('/')[1]}" for path in described} - set(gate.paths) == set()
