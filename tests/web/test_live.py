"""The tasks are the server's: two pages show the same, and so do a reload and a server that was away."""

from __future__ import annotations

from eventually import eventually
from playwright.sync_api import expect
from server import Server
from todos import Todos

HIDE = """hidden => {
    Object.defineProperty(document, 'hidden', {value: hidden, configurable: true});
    document.dispatchEvent(new Event('visibilitychange'));
}"""


def test_two_pages_show_the_same(todos: Todos, server: Server) -> None:
    other = Todos(todos.page.context.new_page(), server.url)
    todos.add("Clean room", "Check mail")
    other.shows("Clean room", "Check mail")
    other.toggle("Check mail")
    expect(todos.items.nth(1)).to_have_class("completed")
    edit = todos.edit("Clean room")
    edit.fill("Clean rooms")
    edit.press("Enter")
    other.shows("Clean rooms", "Check mail")
    other.clear.click()
    todos.shows("Clean rooms")
    expect(todos.clear).to_be_hidden()
    other.item("Clean rooms").hover()
    other.item("Clean rooms").locator(".destroy").click()
    expect(todos.main).to_be_hidden()


def test_what_others_do_does_not_disturb_who_writes(todos: Todos, server: Server) -> None:
    todos.add("Clean room")
    todos.new.fill("Check ")
    server.add("Rest")
    todos.shows("Clean room", "Rest")
    expect(todos.new).to_have_value("Check ")
    edit = todos.edit("Rest")
    edit.fill("Rest a")
    task = server.ask("GET", "/tasks?title=Rest")[0]
    server.ask("PATCH", f"/tasks/{task['id']}", {"title": "Sleep"})
    server.add("Eat")
    expect(todos.items).to_have_count(3)
    expect(edit).to_be_focused()
    edit.press("Escape")
    todos.shows("Clean room", "Sleep", "Eat")


def test_a_task_that_somebody_deletes_goes_while_it_is_edited(todos: Todos, server: Server) -> None:
    task = server.add("Clean room")
    todos.edit("Clean room").fill("Clean rooms")
    server.ask("DELETE", f"/tasks/{task['id']}")
    expect(todos.main).to_be_hidden()
    expect(todos.notice).to_be_hidden()
    assert server.tasks() == []


def test_everything_may_go_at_once(todos: Todos, server: Server) -> None:
    todos.add("Clean room", "Check mail")
    eventually(lambda: len(server.tasks()), 2)
    server.ask("DELETE", "/tasks")
    expect(todos.main).to_be_hidden()


def test_a_reload_changes_nothing(todos: Todos, server: Server) -> None:
    todos.add("Clean room", "Check mail")
    todos.toggle("Check mail")
    eventually(server.tasks, [("Clean room", False), ("Check mail", True)])
    todos.page.reload()
    todos.shows("Clean room", "Check mail")
    expect(todos.items).to_have_class(["", "completed"])
    expect(todos.new).to_be_focused()


def test_editing_is_not_kept(todos: Todos, server: Server) -> None:
    server.add("Clean room")
    todos.edit("Clean room").fill("Clean")
    todos.page.reload()
    todos.shows("Clean room")
    expect(todos.page.locator(".edit")).to_have_count(0)


def test_the_server_goes_and_comes_back(todos: Todos, server: Server) -> None:
    todos.add("Clean room")
    eventually(server.tasks, [("Clean room", False)])
    server.stop()
    expect(todos.connection).to_have_text("The server is away; trying again…")
    todos.shows("Clean room")
    todos.add("Check mail")
    expect(todos.notice).to_contain_text("“Check mail” was not added: the server can’t be reached.")
    expect(todos.new).to_have_value("Check mail")
    todos.shows("Clean room")
    server.start()
    expect(todos.connection).to_have_text("")
    todos.new.press("Enter")
    todos.shows("Clean room", "Check mail")
    eventually(server.tasks, [("Clean room", False), ("Check mail", False)])
    server.add("Rest")
    todos.shows("Clean room", "Check mail", "Rest")
    todos.page.get_by_label("Dismiss the message").click()
    expect(todos.notice).to_be_hidden()


def test_a_task_that_is_added_as_the_server_ends_is_added_or_told(todos: Todos, server: Server) -> None:
    todos.add("Clean room")
    server.stop()
    expect(todos.connection).not_to_have_text("")
    server.start()
    expect(todos.connection).to_have_text("")
    eventually(lambda: bool(server.tasks()) or todos.new.input_value() == "Clean room", True)
    if not server.tasks():
        expect(todos.notice).to_contain_text("“Clean room” was not added")
        todos.new.press("Enter")
    todos.shows("Clean room")
    eventually(server.tasks, [("Clean room", False)])


def test_what_was_done_while_the_server_was_away_from_the_page_is_seen(todos: Todos, server: Server) -> None:
    todos.add("Clean room")
    eventually(server.tasks, [("Clean room", False)])
    server.stop()
    expect(todos.connection).not_to_have_text("")
    server.start()
    server.add("Check mail")
    todos.shows("Clean room", "Check mail")


def test_a_page_that_nobody_sees_lets_its_connection_go(todos: Todos, server: Server) -> None:
    server.add("Clean room")
    todos.shows("Clean room")
    todos.page.evaluate(HIDE, True)
    server.add("Check mail")
    todos.page.wait_for_timeout(300)
    todos.shows("Clean room")
    todos.page.evaluate(HIDE, False)
    todos.shows("Clean room", "Check mail")
    expect(todos.connection).to_have_text("")
