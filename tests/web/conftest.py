"""The pages in a real browser, over the server of `examples/tasks.py`.

Where Chromium is not there, or the page is not built, the tests say so and are skipped: `make browser web`.
"""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect, sync_playwright
from server import PAGE, Server
from tables import Tables
from todos import Todos
from watched import watched_pages

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
# Chromium sends requests only for the tests. In a container it runs as root, so it has no sandbox.
QUIET = (
    "--no-sandbox --disable-gpu --disable-quic --no-first-run --disable-background-networking"
    " --disable-component-update --disable-sync"
)
# Every name below `.example` is this machine, for pages of foreign sites.
NAMES = "--host-resolver-rules=MAP *.example 127.0.0.1"

expect.set_options(timeout=10_000)


# Of a module, and not of the session: while Playwright is there, nothing else of this thread can run an event loop.
@pytest.fixture(scope="module")
def chromium() -> Iterator[Browser]:
    if CHROMIUM is None:
        pytest.skip("chromium is not there; `make browser` installs it")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=[*QUIET.split(), NAMES])
        yield browser
        browser.close()


@pytest.fixture
def server(tmp_path: Path) -> Iterator[Server]:
    if not PAGE.exists():
        pytest.skip("the TodoMVC page, which it serves, is not built; `make web` does it, where npm is there")
    server = Server(tmp_path)
    server.start()
    yield server
    server.stop()


@pytest.fixture
def new_page(chromium: Browser, server: Server) -> Iterator[Callable[..., Page]]:
    """Makes pages of the task server, as `watched_pages` does."""
    with watched_pages(chromium, server.url) as make:
        yield make


@pytest.fixture
def page(new_page: Callable[..., Page]) -> Page:
    return new_page()


@pytest.fixture
def todos(page: Page, server: Server) -> Todos:
    """The TodoMVC page, with nothing in it yet."""
    return Todos(page, server.url)


@pytest.fixture
def tables(page: Page, server: Server) -> Tables:
    """The browser of tables, over seven tasks."""
    for number in range(1, 8):
        server.add(f"Task {number}", completed=number % 3 == 0, order=None if number % 2 else 10 - number)
    return Tables(page, server.url)
