"""Pictures of the pages, in light and dark, narrow and wide, and what axe finds there; kept in `tests/web/out/`."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from looks import AXE, findings, picture
from playwright.sync_api import Page, expect
from server import Server
from tables import Tables
from todos import Todos

SCHEMES = pytest.mark.parametrize("scheme", ["light", "dark"])
WIDTHS = pytest.mark.parametrize("width", [360, 1000])

pytestmark = pytest.mark.skipif(not AXE.exists(), reason="axe-core is not there; `make web` fetches it, where npm is")


def looked_at(page: Page, name: str) -> None:
    picture(page, name)
    assert findings(page, name) == []


@pytest.fixture
def filled(server: Server) -> None:
    for number in range(1, 61):
        server.add(f"Task {number}", completed=number % 3 == 0, order=None if number % 2 else number * 1000)
    long = "A title that goes on for a while, over more than one line where the page is narrow"
    for title in [long, "שלום עולם", "<b>not bold</b>"]:
        server.add(title, completed=title == long)


@SCHEMES
@WIDTHS
def test_todomvc(new_page: Callable[..., Page], server: Server, scheme: str, width: int) -> None:
    page = new_page(color_scheme=scheme, viewport={"width": width, "height": 800})
    todos = Todos(page, server.url)
    looked_at(page, f"todomvc-empty-{scheme}-{width}")
    for title in ["Clean room", "Check mail", "Rest", "A title that goes on for a while, over more than one line"]:
        server.add(title, completed=title == "Check mail")
    expect(todos.items).to_have_count(4)
    todos.item("Check mail").hover()
    looked_at(page, f"todomvc-{scheme}-{width}")
    todos.choose("Active")
    todos.edit("Rest")
    looked_at(page, f"todomvc-editing-{scheme}-{width}")
    server.stop()
    expect(todos.connection).not_to_have_text("")
    page.keyboard.type("!")
    page.keyboard.press("Enter")
    expect(todos.notice).to_be_visible()
    looked_at(page, f"todomvc-away-{scheme}-{width}")


@SCHEMES
@WIDTHS
def test_tables(filled: None, new_page: Callable[..., Page], server: Server, scheme: str, width: int) -> None:
    page = new_page(color_scheme=scheme, viewport={"width": width, "height": 640})
    tables = Tables(page, server.url)
    tables.sort("id")
    tables.sort("id")
    expect(tables.cell(0, "id")).to_have_text("63")
    tables.cell(2, "title").click()
    looked_at(page, f"tables-{scheme}-{width}")
    tables.edit(3, "order")
    looked_at(page, f"tables-editing-{scheme}-{width}")
    page.keyboard.press("Escape")
    page.locator("#add").click()
    looked_at(page, f"tables-adding-{scheme}-{width}")
    page.locator("#cancel").click()
    tables.cell(1, "title").press("Delete")
    expect(page.locator("#confirm")).to_be_visible()
    looked_at(page, f"tables-deleting-{scheme}-{width}")
    page.keyboard.press("Escape")
    page.locator("#download summary").click()
    looked_at(page, f"tables-download-{scheme}-{width}")
    page.keyboard.press("Escape")
    tables.filter("title").fill("nothing has this title")
    expect(page.locator("#empty")).to_be_visible()
    looked_at(page, f"tables-empty-{scheme}-{width}")


@SCHEMES
def test_the_scheme_is_the_users(todos: Todos, scheme: str) -> None:
    todos.page.emulate_media(color_scheme=scheme)
    channels = todos.page.evaluate("getComputedStyle(document.body).backgroundColor.match(/\\d+/g).map(Number)")
    assert (max(channels) < 60) == (scheme == "dark")


def test_the_focus_is_seen(todos: Todos, server: Server) -> None:
    server.add("Clean room", completed=True)
    expect(todos.items).to_have_count(1)
    seen = """() => {
        const at = document.activeElement;
        const marked = at.matches('.toggle, .toggle-all') ? at.nextElementSibling : at;
        return [at.className, getComputedStyle(marked).outlineStyle, getComputedStyle(marked).opacity];
    }"""
    names = []
    while True:
        todos.page.keyboard.press("Tab")
        name, outline, opacity = todos.page.evaluate(seen)
        if not todos.page.evaluate("document.querySelector('.todoapp').contains(document.activeElement)"):
            break
        names.append(name)
        assert (outline, opacity) == ("solid", "1"), name
    assert names == ["toggle-all", "toggle", "rename", "destroy", "selected", "", "", "clear-completed"]
