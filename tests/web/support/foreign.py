"""A server of foreign pages, which try to change what another server has."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import parse_qs, urlsplit


class _Pages(BaseHTTPRequestHandler):
    def do_GET(self) -> None:
        """Serves an empty page. `report` is the address to which the browser sends violations of its policy."""
        query = parse_qs(urlsplit(self.path).query)
        body = b"<!doctype html><title>foreign</title><p>foreign"
        self.send_response(200)
        self.send_header("Content-Type", "text/html")
        self.send_header("Content-Length", str(len(body)))
        if "report" in query:
            self.send_header("Content-Security-Policy", f"img-src 'none'; report-uri {query['report'][0]}")
        self.end_headers()
        self.wfile.write(body)

    def do_POST(self) -> None:
        """Redirects a POST, with its body, to `to`."""
        self.rfile.read(int(self.headers.get("Content-Length", 0)))
        self.send_response(307)
        self.send_header("Location", parse_qs(urlsplit(self.path).query)["to"][0])
        self.send_header("Access-Control-Allow-Origin", "*")
        self.send_header("Content-Length", "0")
        self.end_headers()

    def log_message(self, *_: object) -> None:
        """Logs nothing."""


@contextmanager
def foreign_port() -> Iterator[int]:
    """Serves the pages at every name of this machine; returns the port."""
    with ThreadingHTTPServer(("127.0.0.1", 0), _Pages) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        yield server.server_address[1]
        server.shutdown()
        thread.join()
