"""In which form functions answer: formats and compression, and what caches must know of these."""

from __future__ import annotations

import gzip
from dataclasses import dataclass
from typing import Annotated, Any
from urllib.request import urlopen

import demat
import pytest
from requested import ask

BIG = [{"n": number} for number in range(1000)]


def big() -> list[dict[str, int]]:
    return BIG


def small() -> int:
    return 1


def picture() -> demat.Response[bytes]:
    return demat.Response(b"x" * 5000, media_type="image/png", headers={"Vary": "Cookie"})


def page() -> demat.Response[str]:
    return demat.Response("x" * 5000, media_type="text/html", headers={"ETag": '"1"'})


def own() -> demat.Response[bytes]:
    body = gzip.compress(b"x" * 5000, compresslevel=0)
    return demat.Response(body, media_type="text/plain", headers={"Content-Encoding": "gzip"})


def fixed() -> demat.Response[str]:
    return demat.Response("x" * 5000, media_type="text/plain", headers={"Cache-Control": "no-transform"})


def nothing() -> None:
    pass


@pytest.fixture(scope="module")
def url() -> Any:
    routes = {f"/{own.__name__}": own for own in (big, small, picture, page, own, fixed, nothing)}
    with demat.serve({**routes, "/table": BIG}, port=0, background=True) as server:
        yield server.url


def test_caches_keep_formats_apart(url: str) -> None:
    for path in ("/big", "/small", "/nothing", "/table"):
        assert ask(url, "GET", path).headers["vary"] == "accept, accept-encoding"
    with urlopen(url + "/picture") as answer:
        assert answer.headers.get_all("vary") == ["Cookie", "accept, accept-encoding"]


def test_functions_are_compressed_as_tables_are(url: str) -> None:
    plain = ask(url, "GET", "/big")
    assert "content-encoding" not in plain.headers
    for path in ("/big", "/table"):
        for accept in ("application/json", "text/csv", "application/cbor"):
            packed = ask(url, "GET", path, accept=accept, accept_encoding="gzip")
            assert packed.headers["content-encoding"] == "gzip"
            assert len(packed.body) < len(plain.body)
    packed = ask(url, "GET", "/big", accept_encoding="gzip")
    assert gzip.decompress(packed.body) == plain.body
    assert ask(url, "GET", "/big", accept_encoding="zstd, gzip").headers["content-encoding"] == "zstd"
    assert "content-encoding" not in ask(url, "GET", "/small", accept_encoding="gzip").headers
    assert ask(url, "GET", "/small", accept_encoding="gzip, identity;q=0").headers["content-encoding"] == "gzip"
    assert ask(url, "GET", "/small", accept_encoding="identity;q=0").status == 406


def test_what_the_function_made_itself_stays(url: str) -> None:
    assert "content-encoding" not in ask(url, "GET", "/picture", accept_encoding="gzip").headers
    assert "content-encoding" not in ask(url, "GET", "/fixed", accept_encoding="gzip").headers
    got = ask(url, "GET", "/own", accept_encoding="gzip")
    assert gzip.decompress(got.body) == b"x" * 5000
    got = ask(url, "GET", "/page", accept_encoding="gzip")
    assert (gzip.decompress(got.body), got.headers["etag"]) == (b"x" * 5000, 'W/"1"')
    assert ask(url, "GET", "/page").headers["etag"] == '"1"'


@dataclass
class Row:
    id: Annotated[int, demat.Field(key=True)]


def test_known_answers_say_how_they_differ() -> None:
    with demat.sqlite.open(":memory:") as database:
        rows = database.table("rows", Row)
        with demat.serve({"/rows": rows}, port=0, background=True) as server:
            tag = ask(server.url, "GET", "/rows").headers["etag"]
            known = ask(server.url, "GET", "/rows", if_none_match=tag)
            assert (known.status, known.headers["vary"]) == (304, "accept, accept-encoding")
