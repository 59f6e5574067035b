"""Pages in which any error fails the test."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from playwright.sync_api import Browser, Page


@contextmanager
def watched_pages(chromium: Browser, url: str) -> Iterator[Callable[..., Page]]:
    """Makes pages, each in a context of its own with the given options. They may only send requests to the server.

    At the end, the test fails if a page had an uncaught exception, a dialog, a console error (except for unsuccessful
    responses), or a request to another server.
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
