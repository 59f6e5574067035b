"""An asyncio protocol over a parser."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from ._parser import Parser


class ParserProtocol(asyncio.Protocol):
    """Feeds a parser with what a connection receives, as `Parser.protocol` returns it."""

    def __init__(self, parser: Parser[Any]) -> None:
        self.parser = parser
        self.done: asyncio.Future[int] = asyncio.get_running_loop().create_future()
        self._transport: asyncio.BaseTransport | None = None

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Keeps the transport, to close it after an error."""
        self._transport = transport

    def data_received(self, data: bytes) -> None:
        """Feeds the parser; an error closes the connection."""
        if not self.done.done():
            try:
                self.parser.feed(data)
            except Exception as error:
                self.done.set_exception(error)
            else:
                return
        # Nobody waits any more, or it has failed.
        if self._transport is not None:
            self._transport.close()

    def connection_lost(self, exc: Exception | None) -> None:
        """Ends the input."""
        if self.done.done():
            return
        if exc is not None:
            self.done.set_exception(exc)
            return
        try:
            self.parser.close()
        except Exception as error:
            self.done.set_exception(error)
        else:
            self.done.set_result(self.parser.record)
