"""An answer that fails after its first bytes never looks complete, in any format and version of HTTP.

The failure is logged, and the server goes on.
"""

from __future__ import annotations

import socket
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import demat
import formats
import pytest

ROWS = 60_000
# Parquet has tests of its own: the server sends it by row groups of a million rows. So has MessagePack: an array begins
# with its count, so the server sends nothing before the last row.
FORMATS = [name for name in formats.STREAMED if name in formats.SERVED and name not in ("parquet", "msgpack")]


@dataclass
class Received:
    """All bytes up to the end of the connection, and how that ended."""

    head: str
    body: bytes
    is_reset: bool

    @property
    def status(self) -> int:
        return int(self.head.split(" ")[1])

    @property
    def is_complete(self) -> bool:
        """Whether a client takes the answer for a complete one."""
        head = self.head.lower()
        if "transfer-encoding: chunked" in head:
            return self.body.endswith(b"0\r\n\r\n")
        if "content-length: " in head:
            return len(self.body) == int(head.split("content-length: ")[1].split("\r\n")[0])
        return not self.is_reset


def receive(server: demat.Server, path: str, version: str = "1.1", headers: str = "") -> Received:
    with closing(socket.create_connection((server.host, server.port), timeout=20)) as connection:
        request = f"GET {path} HTTP/{version}\r\nHost: localhost\r\nConnection: close\r\n{headers}\r\n"
        connection.sendall(request.encode())
        parts: list[bytes] = []
        is_reset = False
        try:
            while part := connection.recv(1 << 20):
                parts.append(part)
        except ConnectionResetError:
            is_reset = True
    head, _, body = b"".join(parts).partition(b"\r\n\r\n")
    return Received(head.decode(), body, is_reset)


def create(path: Path, rows: int = ROWS, text: str = "hex(randomblob(20))") -> sqlite3.Connection:
    database = sqlite3.connect(path)
    database.execute("create table r (id integer primary key, x real, t text)")
    numbers = f"with recursive n(i) as (select 1 union all select i + 1 from n where i < {rows})"
    database.execute(f"{numbers} insert into r select i, 1.5, {text} from n")
    database.commit()
    return database


def with_damaged_page(path: Path) -> str:
    create(path).close()
    data = bytearray(path.read_bytes())
    at = len(data) // 4096 * 9 // 10 * 4096
    data[at : at + 100] = b"\xff" * 100
    path.write_bytes(data)
    return "is damaged"


def with_bad_row(path: Path) -> str:
    with closing(create(path)) as database:
        database.execute(f"update r set t = cast(x'61ff62' as text) where id = {ROWS * 9 // 10}")
        database.commit()
    return "expected text in UTF-8"


@pytest.fixture(scope="module", params=[with_damaged_page, with_bad_row])
def broken(request: Any, tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[demat.Server, str]]:
    """A server of a table that fails after nine tenths of its rows, and what the log says about it."""
    make: Callable[[Path], str] = request.param
    path = tmp_path_factory.mktemp("broken") / "broken.db"
    why = make(path)
    with demat.serve({"/": demat.sqlite.open(path)}, port=0, background=True, unrepresentable="refuse") as server:
        yield server, why


@pytest.mark.parametrize("headers", ["", "Accept-Encoding: gzip\r\n", "Accept-Encoding: zstd\r\n"])
@pytest.mark.parametrize("version", ["1.0", "1.1"])
@pytest.mark.parametrize("format", FORMATS)
def test_a_broken_answer_does_not_look_complete(
    broken: tuple[demat.Server, str], format: str, version: str, headers: str, capfd: pytest.CaptureFixture[str]
) -> None:
    server, why = broken
    got = receive(server, f"/r?format={format}", version, headers)
    assert got.status == 200
    assert not got.is_complete, (got.head, len(got.body))
    assert version == "1.0" or len(got.body) > 500_000
    (line,) = capfd.readouterr().err.splitlines()
    assert line.startswith(f"demat: GET /r?format={format}: the answer broke off: ")
    assert why in line
    # The same server still answers completely.
    good = receive(server, f"/r?format={format}&id.lt=30000", version, headers)
    assert good.status == 200
    assert good.is_complete
    assert capfd.readouterr().err == ""


def test_an_array_with_its_count_is_sent_whole_or_not_at_all(
    broken: tuple[demat.Server, str], capfd: pytest.CaptureFixture[str]
) -> None:
    server, why = broken
    got = receive(server, "/r?format=msgpack")
    assert (got.status, got.is_complete, got.is_reset) == (500, True, False)
    assert why in capfd.readouterr().err
    good = receive(server, "/r?format=msgpack&id.lt=9")
    assert (good.status, good.is_complete) == (200, True)


def test_parquet_that_breaks_off(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    """A bad row in the second row group."""
    path = tmp_path / "large.db"
    with closing(create(path, 1_200_000, "'text'")) as database:
        database.execute("update r set t = cast(x'61ff62' as text) where id = 1199000")
        database.commit()
    with demat.serve({"/": demat.sqlite.open(path)}, port=0, background=True, unrepresentable="refuse") as server:
        got = receive(server, "/r?format=parquet")
        assert (got.status, got.is_complete) == (200, False)
        assert "GET /r?format=parquet: the answer broke off: expected text in UTF-8" in capfd.readouterr().err
        assert receive(server, "/r?format=parquet&id.lt=9").is_complete


def test_parquet_that_fails_before_its_first_bytes(
    broken: tuple[demat.Server, str], capfd: pytest.CaptureFixture[str]
) -> None:
    """What fails within the first row group is an error with a status, logged once."""
    server, why = broken
    got = receive(server, "/r?format=parquet")
    assert (got.status, got.is_complete) == (500, True)
    (line,) = capfd.readouterr().err.splitlines()
    assert line.startswith("demat: GET /r?format=parquet 500: ")
    assert why in line


def test_a_server_that_stops_resets_an_answer_without_an_end(tmp_path: Path) -> None:
    """A client of HTTP/1.0 would take an ordinary close for the end of the answer."""
    path = tmp_path / "stopped.db"
    create(path, 400_000).close()
    server = demat.serve({"/": demat.sqlite.open(path)}, port=0, background=True, stop_timeout=0.2)
    with closing(socket.create_connection((server.host, server.port), timeout=20)) as connection:
        connection.sendall(b"GET /r HTTP/1.0\r\nHost: localhost\r\n\r\n")
        assert connection.recv(100).startswith(b"HTTP/1.0 200")
        server.stop()
        with pytest.raises(ConnectionResetError):
            while connection.recv(1 << 20):
                pass


@pytest.mark.parametrize("version", ["1.0", "1.1"])
def test_complete_answers_are_complete(tmp_path: Path, version: str) -> None:
    path = tmp_path / "good.db"
    create(path).close()
    with demat.serve({"/": demat.sqlite.open(path)}, port=0, background=True) as server:
        for format in FORMATS:
            got = receive(server, f"/r?format={format}", version)
            assert (got.status, got.is_complete, got.is_reset) == (200, True, False), format
            if format == "ndjson":
                assert got.body.count(b"}\n") == ROWS
