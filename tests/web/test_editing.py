"""What the TodoMVC specification says of editing."""

from __future__ import annotations

import pytest
from eventually import eventually
from playwright.sync_api import expect
from server import Server
from todos import Todos


@pytest.fixture
def edited(todos: Todos, server: Server) -> Todos:
    """The page with three tasks."""
    for title in ["Clean room", "Check mail", "Rest"]:
        server.add(title)
    todos.shows("Clean room", "Check mail", "Rest")
    return todos


def test_a_double_click_begins(edited: Todos) -> None:
    edit = edited.edit("Check mail")
    expect(edit).to_be_focused()
    expect(edit).to_have_value("Check mail")
    item = edited.items.nth(1)
    expect(item).to_have_class("editing")
    expect(item.locator(".view")).to_be_hidden()
    expect(edited.page.locator(".edit")).to_have_count(1)


def test_enter_saves(edited: Todos, server: Server) -> None:
    edit = edited.edit("Check mail")
    edit.fill("  Check all mail ")
    edit.press("Enter")
    edited.shows("Clean room", "Check all mail", "Rest")
    expect(edited.items.nth(1)).to_have_class("")
    eventually(server.tasks, [("Clean room", False), ("Check all mail", False), ("Rest", False)])


def test_leaving_saves(edited: Todos, server: Server) -> None:
    edit = edited.edit("Check mail")
    edit.fill("Check all mail")
    edited.new.click()
    edited.shows("Clean room", "Check all mail", "Rest")
    eventually(server.tasks, [("Clean room", False), ("Check all mail", False), ("Rest", False)])


def test_escape_does_not(edited: Todos, server: Server) -> None:
    changes: list[str] = []
    edited.page.on("request", lambda request: changes.append(request.method) if request.method != "GET" else None)
    edit = edited.edit("Check mail")
    edit.fill("Check all mail")
    edit.press("Escape")
    edited.shows("Clean room", "Check mail", "Rest")
    expect(edited.page.locator(".edit")).to_have_count(0)
    edited.new.click()
    edited.page.wait_for_timeout(200)
    assert changes == []
    assert server.tasks()[1] == ("Check mail", False)


@pytest.mark.parametrize("leave", ["Enter", "blur"])
@pytest.mark.parametrize("title", ["", "   "])
def test_a_title_that_is_empty_deletes(edited: Todos, server: Server, leave: str, title: str) -> None:
    edit = edited.edit("Check mail")
    edit.fill(title)
    if leave == "Enter":
        edit.press("Enter")
    else:
        edited.new.click()
    edited.shows("Clean room", "Rest")
    eventually(server.tasks, [("Clean room", False), ("Rest", False)])


def test_a_title_that_stays_is_not_sent(edited: Todos) -> None:
    changes: list[str] = []
    edited.page.on("request", lambda request: changes.append(request.method) if request.method != "GET" else None)
    edited.edit("Check mail").press("Enter")
    edited.shows("Clean room", "Check mail", "Rest")
    edited.page.wait_for_timeout(200)
    assert changes == []


def test_state_and_title_do_not_mix(edited: Todos, server: Server) -> None:
    edited.toggle("Check mail")
    edit = edited.edit("Check mail")
    edit.fill("Check all mail")
    edit.press("Enter")
    expect(edited.items.nth(1)).to_have_class("completed")
    eventually(server.tasks, [("Clean room", False), ("Check all mail", True), ("Rest", False)])


def test_line_breaks_that_an_input_cannot_show_are_not_lost(todos: Todos, server: Server) -> None:
    server.add("two\nlines")
    todos.edit("two").press("Enter")
    todos.page.wait_for_timeout(200)
    assert server.tasks() == [("two\nlines", False)]


def test_enter_that_ends_a_composition_saves_nothing(edited: Todos) -> None:
    compose = (
        "input => input.dispatchEvent(new KeyboardEvent('keydown', {key: 'Enter', isComposing: true, bubbles: true}))"
    )
    edited.new.fill("日本")
    edited.new.evaluate(compose)
    expect(edited.new).to_have_value("日本")
    edit = edited.edit("Rest")
    edit.evaluate(compose)
    expect(edit).to_be_focused()


def test_the_keyboard_does_everything(todos: Todos, server: Server) -> None:
    keys = todos.page.keyboard
    todos.add("Clean room", "Check mail")
    todos.shows("Clean room", "Check mail")

    def name() -> str:
        return todos.page.evaluate("document.activeElement.className")

    keys.press("Tab")
    assert name() == "toggle-all"
    keys.press("Tab")
    assert name() == "toggle"
    keys.press("Space")
    expect(todos.items.nth(0)).to_have_class("completed")
    keys.press("F2")
    expect(todos.page.locator(".edit")).to_be_focused()
    keys.press("End")
    keys.type("s")
    keys.press("Enter")
    todos.shows("Clean rooms", "Check mail")
    expect(todos.items.nth(0).locator(".toggle")).to_be_focused()
    keys.press("Tab")
    assert name() == "rename"
    expect(todos.items.nth(0).locator(".rename")).to_have_css("opacity", "1")
    keys.press("Enter")
    keys.press("Escape")
    expect(todos.items.nth(0).locator(".toggle")).to_be_focused()
    keys.press("Tab")
    keys.press("Tab")
    assert name() == "destroy"
    expect(todos.items.nth(0).locator(".destroy")).to_have_css("opacity", "1")
    keys.press("Enter")
    todos.shows("Check mail")
    expect(todos.items.nth(0).locator(".toggle")).to_be_focused()
    eventually(server.tasks, [("Check mail", False)])
