"""Forms: fields with types, files of any length, and what is no form."""

from __future__ import annotations

import gc
import os
import socket
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Annotated, Any
from urllib.parse import urlsplit

import demat
import pytest
from requested import ask

KEPT: list[demat.Upload] = []


def person(
    name: Annotated[str, demat.Form(), demat.Field(min_length=1)],
    age: Annotated[int, demat.Form("the-age"), demat.Field(ge=0)] = 0,
    tags: Annotated[list[str], demat.Form("tag")] = [],  # noqa: B006
) -> list[Any]:
    return [name, age, tags]


def save(photo: demat.Upload, title: Annotated[str, demat.Form()] = "") -> list[Any]:
    KEPT[:] = [photo]
    data = photo.read()
    return [photo.filename, photo.media_type, photo.size, len(data), sum(data[:100]), title]


def several(files: list[demat.Upload], maybe: demat.Upload | None = None, x: int = 0) -> list[Any]:
    return [[file.read().decode() for file in files], maybe and maybe.filename, x]


ROUTES = {
    "/person": person,
    "/save": save,
    "/several": several,
    "/large": demat.route(save, max_body=8 << 20),
}


@pytest.fixture(scope="module")
def url() -> Iterator[str]:
    with demat.serve(ROUTES, port=0, background=True, max_body=1 << 20) as server:
        yield server.url


def part(name: str, value: bytes, filename: str | None = None, kind: str | None = None) -> bytes:
    file = "" if filename is None else f'; filename="{filename}"'
    more = "" if kind is None else f"\r\nContent-Type: {kind}"
    return f'--b\r\nContent-Disposition: form-data; name="{name}"{file}{more}\r\n\r\n'.encode() + value + b"\r\n"


def post(url: str, path: str, *parts: bytes, **headers: str) -> Any:
    headers = {"content_type": "multipart/form-data; boundary=b", **headers}
    return ask(url, "POST", path, b"".join(parts) + b"--b--\r\n", **headers)


def test_fields_have_types(url: str) -> None:
    for body, status, expected in [
        (b"name=Ann+B&the-age=7&tag=a&tag=b", 200, ["Ann B", 7, ["a", "b"]]),
        (b"name=%C3%A9", 200, ["é", 0, []]),
        (b"", 422, "expected the field `name`"),
        (b"name=", 422, "the field `name`"),
        (b"name=a&the-age=-1", 422, "the field `the-age`"),
        (b"name=a&the-age=x", 422, "the field `the-age`"),
        (b"name=a&name=b", 400, "`name` is said twice"),
        (b"name=a&other=b", 422, "no field `other`"),
        (b"name=%ff", 400, ""),
    ]:
        got = ask(url, "POST", "/person", body, content_type="application/x-www-form-urlencoded")
        assert got.status == status, (body, got.body)
        assert got.json() == expected if status == 200 else expected in got.json()["error"]["message"]
    got = post(url, "/person", part("name", "ü".encode()), part("the-age", b"5"), part("tag", b""))
    assert (got.status, got.json()) == (200, ["ü", 5, [""]])


def test_files_are_received_whole(url: str) -> None:
    for size in (0, 1, 100_000, 262_144, 262_145, 1_000_000):
        data = os.urandom(size)
        got = post(url, "/save", part("photo", data, "a.bin", "image/png"), part("title", b"t"))
        assert got.json() == ["a.bin", "image/png", size, size, sum(data[:100]), "t"]
        assert KEPT[0].file.closed
    data = os.urandom(5_000_000)
    assert post(url, "/save", part("photo", data, "a")).status == 413
    assert post(url, "/large", part("photo", data, "a")).json()[:4] == ["a", None, 5_000_000, 5_000_000]
    assert post(url, "/large", part("photo", data + data, "a")).status == 413
    got = post(url, "/several", part("files", b"x", "1"), part("files", b"y", "2"), part("maybe", b"z", "m"))
    assert got.json() == [["x", "y"], "m", 0]
    # A file that was not chosen is none.
    form = part("files", b"x", "1") + part("maybe", b"", "") + b"--b--"
    got = ask(url, "POST", "/several?x=5", form, content_type='multipart/form-data; boundary="b"')
    assert got.json() == [["x"], None, 5]
    assert post(url, "/several").status == 422


@pytest.mark.skipif(sys.platform != "linux", reason="counts the open files by /proc")
def test_temporary_files_are_closed(url: str) -> None:
    data = os.urandom(600_000)

    def count() -> int:
        gc.collect()
        open_files = [file.resolve().name for file in Path("/proc/self/fd").iterdir() if file.is_symlink()]
        return sum("(deleted)" in name for name in open_files)

    KEPT.clear()
    before = count()
    for _ in range(3):
        assert post(url, "/save", part("photo", data, "a")).status == 200
        # Refused after the file was received: by the parser, and by the function's types.
        assert post(url, "/save", part("photo", data, "a"), part("other", b"x")).status == 422
        assert post(url, "/several?x=y", part("files", data, "a")).status == 422
    assert count() == before


def test_what_is_no_form_is_refused(url: str) -> None:
    whole = part("name", b"a") + b"--b--\r\n"
    for body, kind, status in [
        (whole, "multipart/form-data", 400),
        (whole, "multipart/form-data; boundary=", 400),
        (whole, "multipart/form-data; boundary=" + "b" * 71, 400),
        (whole, "multipart/form-data; boundary=b; boundary=b", 400),
        (whole, "multipart/form-data; boundary=c", 400),
        (whole, "multipart/mixed; boundary=b", 415),
        (whole, "application/json", 415),
        (whole, "text/plain", 415),
        (whole[:-5], "multipart/form-data; boundary=b", 400),
        (whole + b"more", "multipart/form-data; boundary=b", 400),
        (b"", "multipart/form-data; boundary=b", 422),
        (b"--b--", "multipart/form-data; boundary=b", 422),
        (b"--b\r\n" + b"X: y\r\n" * 10_000, "multipart/form-data; boundary=b", 413),
        (b"--b\r\n" + b"x" * 100_000, "multipart/form-data; boundary=b", 413),
        (part("name", b"a" * 1_048_000) + b"--b--", "multipart/form-data; boundary=b", 200),
        (part("name", b"a" * 1_048_570) + b"--b--", "multipart/form-data; boundary=b", 413),
        (part("tag", b"") * 1_001 + b"--b--", "multipart/form-data; boundary=b", 413),
        (part("name", b"a", "file") + b"--b--", "multipart/form-data; boundary=b", 422),
    ]:
        got = ask(url, "POST", "/person", body, content_type=kind)
        assert got.status == status, (body[:60], kind, got.body[:200])
    got = ask(url, "POST", "/save", b"photo=x", content_type="application/x-www-form-urlencoded")
    assert got.status == 422
    assert post(url, "/person", part("name", b"a"), content_encoding="gzip").status == 415
    # Forms of pages of other origins are refused, as every change is.
    assert post(url, "/person", part("name", b"a"), origin="https://evil.example").status == 403


def test_a_form_that_breaks_off_leaves_nothing(url: str) -> None:
    where = urlsplit(url)
    head = f"POST /large HTTP/1.1\r\nHost: {where.netloc}\r\nContent-Type: multipart/form-data; boundary=b\r\n"
    with socket.create_connection((where.hostname or "", where.port or 0), timeout=20) as connection:
        connection.sendall(f"{head}Content-Length: 2000000\r\n\r\n".encode())
        connection.sendall(part("photo", b"x" * 900_000, "a"))
        connection.shutdown(socket.SHUT_WR)
        assert connection.recv(100).startswith(b"HTTP/1.1 400")
    assert ask(url, "GET", "/health").status == 200


def test_forms_are_described(url: str) -> None:
    paths = ask(url, "GET", "/openapi.json").json()["paths"]
    content = paths["/person"]["post"]["requestBody"]["content"]
    assert set(content) == {"multipart/form-data", "application/x-www-form-urlencoded"}
    assert content["multipart/form-data"]["schema"] == {
        "type": "object",
        "properties": {
            "name": {"type": "string", "minLength": 1},
            "the-age": {"type": "integer", "minimum": 0, "default": 0},
            "tag": {"type": "array", "items": {"type": "string"}, "default": []},
        },
        "additionalProperties": False,
        "required": ["name"],
    }
    schema = paths["/save"]["post"]["requestBody"]["content"]["multipart/form-data"]["schema"]
    assert schema["properties"]["photo"]["format"] == "binary"
    assert set(paths["/save"]["post"]["requestBody"]["content"]) == {"multipart/form-data"}
