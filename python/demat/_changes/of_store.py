"""Changes of a store, by the events that a server has for them."""

from __future__ import annotations

import secrets
from contextlib import suppress
from http.client import HTTPConnection, HTTPException, HTTPResponse
from socket import SHUT_RDWR
from threading import Thread
from typing import TYPE_CHECKING, Any

from .. import json
from .._errors import DecodeError, EncodeError, NotFound, StoreError
from .change import Change

if TYPE_CHECKING:
    from ..store import Store
    from .queue import Queue

# Where the store stands: apart from the server's own pages.
_ROOT = "/store"
# The longest line of an event.
_LONGEST = 64 << 10


class StoreWatch:
    """Reports the changes of a store to a queue, on a thread.

    A server of its own serves the store on the loopback interface, to those who know its token. It has the changes that
    are made through the store and through all layers over it, and its own bounds for who reads slowly.
    """

    def __init__(self, store: Store, at: str, queue: Queue, values: bool) -> None:
        from .._serve.serve import serve

        self._queue = queue
        self._values = values
        self._store = store
        self._root = "" if at == "/" else at
        self._headers = {"Authorization": f"Bearer {secrets.token_urlsafe(32)}"}
        token = self._headers["Authorization"].removeprefix("Bearer ")
        self._server = serve(
            {_ROOT: store}, port=0, background=True, token=token, browser=False, unrepresentable="refuse"
        )
        self._events = HTTPConnection(self._server.host, self._server.port)
        self._reads = HTTPConnection(self._server.host, self._server.port)
        self._ends = False
        try:
            # The server answers when the subscription has begun.
            self._response = self._opened()
        except BaseException:
            self._events.close()
            self._server.stop()
            raise
        Thread(target=self._run, name="demat-watch", daemon=True).start()

    def _opened(self) -> HTTPResponse:
        self._events.request("GET", _ROOT + self._root, headers={**self._headers, "Accept": "text/event-stream"})
        # The response has it from here on.
        self._socket: Any = self._events.sock
        response = self._events.getresponse()
        if response.status == 200 and response.headers.get_content_type() == "text/event-stream":
            return response
        with response:
            error = response.read() if response.status != 200 else b""
        if response.status == 404:
            raise NotFound(f"`{self._root or '/'}`: not found")
        if response.status in (200, 406):
            raise StoreError("the store does not report changes")
        raise StoreError(f"the store does not report changes: {_message(error)}")

    def check(self) -> None:
        """Does nothing: the thread waits for no one who waits for it."""

    def settle(self) -> None:
        """Does nothing: there is nothing in the store."""

    def close(self) -> None:
        """Ends it. Again it does nothing."""
        if self._ends:
            return
        self._ends = True
        # It may have ended by itself.
        with suppress(OSError):
            self._socket.shutdown(SHUT_RDWR)
        self._server.stop()

    def _run(self) -> None:
        try:
            for name, data in _events(self._response):
                if name == "change":
                    self._queue.give(self._change(json.decode(data)))
            ended: Exception = StoreError("the store reports no more changes")
        except Exception as error:
            ended = error
        finally:
            self._response.close()
            self._events.close()
            self._reads.close()
        self._queue.end(ended)

    def _change(self, said: dict[str, str]) -> Change:
        verb, key = said["verb"], said["at"].removeprefix(_ROOT) or "/"
        if key == (self._root or "/") or self._root.startswith(f"{key.rstrip('/')}/"):
            # The whole, or what it is in, with which it goes; also where it is not known what has changed.
            return Change("delete" if verb == "delete" else "reset", self._root or "/")
        if verb == "delete":
            return Change("delete", key)
        if not self._values:
            return Change("put", key)
        self._reads.request("GET", _ROOT + key, headers=self._headers)
        response = self._reads.getresponse()
        data = response.read()
        if response.status == 404:
            # It was deleted since, which is the next change.
            return Change("delete", key)
        if response.status == 200:
            return Change("put", key, json.decode(data), _tag(response))
        try:
            # Here the store says itself what is wrong.
            return Change("put", key, self._store.get(key))
        except NotFound:
            return Change("delete", key)
        except EncodeError:
            # There is a value, which JSON can't say.
            return Change("reset", key)
        except Exception as error:
            raise StoreError(f"`{key}`: {_message(data)}") from error


def _message(data: bytes) -> str:
    """What an answer of the server says is wrong."""
    try:
        text = str(json.decode(data)["error"]["message"])
    except (DecodeError, LookupError, TypeError):
        text = data.decode(errors="replace")
    return text.replace(f"`{_ROOT}`", "`/`").replace(f"`{_ROOT}/", "`/")


def _tag(response: HTTPResponse) -> str | None:
    tag = response.headers.get("ETag")
    return None if tag is None else tag.removeprefix("W/").strip('"')


def _events(response: HTTPResponse) -> Any:
    """The names and the data of server-sent events, until the connection ends."""
    name = data = ""
    while True:
        try:
            line = response.readline(_LONGEST).decode()
        except (HTTPException, OSError, ValueError, AttributeError):
            # The connection was closed, or the response while it was read.
            return
        if not line.endswith("\n"):
            return
        field, _, text = line.rstrip("\r\n").partition(":")
        if field == "event":
            name = text.strip()
        elif field == "data":
            data += text.strip()
        elif not line.strip():
            yield name, data
            name = data = ""
