"""Folders as routes: what HTTP says of static files."""

from __future__ import annotations

import gzip
import os
from collections.abc import Iterator

import demat
import pytest
from requested import ask

TEXT = b"0123456789" * 500


@pytest.fixture(scope="module")
def url(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    folder = tmp_path_factory.mktemp("www")
    (folder / "sub").mkdir()
    (folder / "index.html").write_text("<a href='sub/'>")
    (folder / "sub" / "index.html").write_text("<p>sub")
    (folder / "app.js").write_bytes(TEXT)
    (folder / ".env").write_text("secret")
    (folder / "out").symlink_to(folder.parent)
    for path in folder.rglob("*"):
        if path.is_file():
            os.utime(path, (1_420_167_845, 1_420_167_845))
    with demat.serve({"/www": folder, "/rows": [{"a": 1}]}, port=0, background=True) as server:
        yield server.url


def test_a_folder_is_at_its_slash(url: str) -> None:
    for path in ("/www", "/www/sub"):
        got = ask(url, "GET", f"{path}?v=3")
        assert (got.status, got.headers["location"]) == (308, f"{path}/?v=3")
    assert ask(url, "GET", "/www/").body == b"<a href='sub/'>"
    assert ask(url, "GET", "/www/app.js/").status == 404


def test_a_query_gets_past_caches_of_files_only(url: str) -> None:
    assert ask(url, "GET", "/www/app.js?v=3").body == TEXT
    assert ask(url, "GET", "/rows?v=3").status == 400


def test_a_download_goes_on_where_it_broke_off(url: str) -> None:
    whole = ask(url, "GET", "/www/app.js")
    assert whole.headers["accept-ranges"] == "bytes"
    for version in (whole.headers["etag"], whole.headers["last-modified"]):
        rest = ask(url, "GET", "/www/app.js", range="bytes=100-", if_range=version)
        assert (rest.status, rest.headers["content-range"]) == (206, "bytes 100-4999/5000")
        assert whole.body[:100] + rest.body == TEXT
    other = ask(url, "GET", "/www/app.js", range="bytes=100-", if_range='"other"')
    assert (other.status, other.body) == (200, TEXT)
    behind = ask(url, "GET", "/www/app.js", range="bytes=5000-")
    assert (behind.status, behind.headers["content-range"]) == (416, "bytes */5000")


def test_what_is_known_is_not_sent_again(url: str) -> None:
    got = ask(url, "GET", "/www/app.js")
    assert got.headers["last-modified"] == "Fri, 02 Jan 2015 03:04:05 GMT"
    assert ask(url, "GET", "/www/app.js", if_modified_since=got.headers["last-modified"]).status == 304
    assert ask(url, "GET", "/www/app.js", if_none_match=got.headers["etag"]).status == 304


def test_texts_are_compressed(url: str) -> None:
    got = ask(url, "GET", "/www/app.js", accept_encoding="gzip")
    assert (got.headers["content-encoding"], got.headers["vary"]) == ("gzip", "accept-encoding")
    assert gzip.decompress(got.body) == TEXT
    assert "content-encoding" not in ask(url, "GET", "/www/app.js", accept_encoding="gzip", range="bytes=0-1").headers


def test_nothing_else_is_served(url: str) -> None:
    for path in ("/www/.env", "/www/%2eenv", "/www/out/", "/www/out/www0/.env", "/www/..%2f.env", "/www/nothing"):
        got = ask(url, "GET", path)
        assert got.status in (400, 404), path
        assert b"secret" not in got.body
