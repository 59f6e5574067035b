"""Pages in which nothing may go wrong."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from playwright.sync_api import Browser, Page


@contextmanager
def watched_pages(chromium: Browser, url: str) -> Iterator[Callable[..., Page]]:
    """Makes pages (in a context of its own, of which the options can be given) that are to ask nobody but the server.

    Whatever is wrong in one of them fails the test at its end: an exception that nobody caught, a dialog, an error of
    the console (but for answers that are no success), a request to somebody else.
    """
    wrong: list[str] = []
    contexts = []

    def said(kind: str, text: str) -> None:
        if kind == "error" and not text.startswith("Failed to load resource"):
            wrong.append(f"console: {text}")

    def asked(address: str) -> None:
        if not address.startswith((f"{url}/", "data:", f"blob:{url}/")):
            wrong.append(f"asked {address}")

    def watched(page: Page) -> None:
        page.on("pageerror", lambda error: wrong.append(f"not caught: {error}"))
        page.on("console", lambda message: said(message.type, message.text))
        page.on("request", lambda request: asked(request.url))
        page.on("dialog", lambda dialog: (wrong.append(f"dialog: {dialog.message}"), dialog.dismiss()))

    def make(**options: Any) -> Page:
        context = chromium.new_context(**options)
        contexts.append(context)
        context.on("page", watched)
        return context.new_page()

    yield make
    for context in contexts:
        context.close()
    assert wrong == []
