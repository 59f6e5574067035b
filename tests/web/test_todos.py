"""What the TodoMVC specification says of adding, completing, counting and clearing."""

from __future__ import annotations

import pytest
from eventually import eventually
from playwright.sync_api import expect
from server import Server
from todos import Todos


def test_nothing_is_there_but_the_input_which_has_the_focus(todos: Todos) -> None:
    expect(todos.new).to_be_focused()
    expect(todos.new).to_have_attribute("placeholder", "What needs to be done?")
    expect(todos.main).to_be_hidden()
    expect(todos.footer).to_be_hidden()


def test_enter_adds_at_the_end_and_clears_the_input(todos: Todos, server: Server) -> None:
    todos.add("Clean room", "Check mail")
    todos.shows("Clean room", "Check mail")
    expect(todos.new).to_have_value("")
    expect(todos.main).to_be_visible()
    expect(todos.footer).to_be_visible()
    eventually(server.tasks, [("Clean room", False), ("Check mail", False)])


def test_titles_are_trimmed_and_nothing_is_no_title(todos: Todos, server: Server) -> None:
    todos.add("   ", "", "  Clean\troom  ", " ")
    todos.shows("Clean room")
    eventually(lambda: [title.split() for title, _ in server.tasks()], [["Clean", "room"]])
    expect(todos.new).to_have_value(" ")


def test_many_that_come_at_once_keep_their_order(todos: Todos, server: Server) -> None:
    titles = [f"Task {number}" for number in range(25)]
    todos.add(*titles)
    todos.shows(*titles)
    eventually(server.tasks, [(title, False) for title in titles])
    todos.shows(*titles)


def test_a_checkbox_completes_a_task_and_takes_it_back(todos: Todos, server: Server) -> None:
    todos.add("Clean room", "Check mail")
    todos.toggle("Check mail")
    expect(todos.item("Check mail")).to_have_class("completed")
    expect(todos.item("Clean room")).to_have_class("")
    eventually(server.tasks, [("Clean room", False), ("Check mail", True)])
    todos.toggle("Check mail")
    expect(todos.item("Check mail")).to_have_class("")
    eventually(server.tasks, [("Clean room", False), ("Check mail", False)])


@pytest.mark.parametrize("clicks", [5, 6])
def test_the_last_click_counts(todos: Todos, server: Server, clicks: int) -> None:
    todos.add("Clean room")
    for _ in range(clicks):
        todos.toggle("Clean room")
    eventually(server.tasks, [("Clean room", clicks % 2 == 1)])
    todos.page.wait_for_timeout(200)
    assert todos.item("Clean room").locator(".toggle").is_checked() == (clicks % 2 == 1)


def test_the_counter_knows_how_to_count(todos: Todos) -> None:
    todos.add("Clean room")
    expect(todos.count).to_have_text("1 item left")
    expect(todos.count.locator("strong")).to_have_text("1")
    todos.add("Check mail")
    expect(todos.count).to_have_text("2 items left")
    todos.toggle("Clean room")
    todos.toggle("Check mail")
    expect(todos.count).to_have_text("0 items left")


def test_all_are_marked_and_taken_back(todos: Todos, server: Server) -> None:
    todos.add("Clean room", "Check mail", "Rest")
    todos.toggle("Check mail")
    mark = todos.page.get_by_text("Mark all as complete")
    mark.click()
    expect(todos.items).to_have_class(["completed"] * 3)
    expect(todos.all).to_be_checked()
    eventually(server.tasks, [("Clean room", True), ("Check mail", True), ("Rest", True)])
    mark.click()
    expect(todos.items).to_have_class([""] * 3)
    expect(todos.all).not_to_be_checked()
    eventually(server.tasks, [("Clean room", False), ("Check mail", False), ("Rest", False)])


def test_mark_all_follows_the_tasks(todos: Todos) -> None:
    todos.add("Clean room", "Check mail")
    expect(todos.all).not_to_be_checked()
    todos.toggle("Clean room")
    expect(todos.all).not_to_be_checked()
    todos.toggle("Check mail")
    expect(todos.all).to_be_checked()
    todos.toggle("Clean room")
    expect(todos.all).not_to_be_checked()
    todos.toggle("Clean room")
    todos.add("Rest")
    expect(todos.all).not_to_be_checked()


def test_completed_tasks_are_cleared(todos: Todos, server: Server) -> None:
    todos.add("Clean room", "Check mail", "Rest")
    expect(todos.clear).to_be_hidden()
    todos.toggle("Clean room")
    todos.toggle("Rest")
    expect(todos.clear).to_have_text("Clear completed")
    todos.clear.click()
    todos.shows("Check mail")
    expect(todos.clear).to_be_hidden()
    eventually(server.tasks, [("Check mail", False)])


def test_mark_all_is_off_after_clearing(todos: Todos) -> None:
    todos.add("Clean room")
    todos.page.get_by_text("Mark all as complete").click()
    todos.clear.click()
    expect(todos.main).to_be_hidden()
    todos.add("Check mail")
    expect(todos.all).not_to_be_checked()


def test_a_task_is_deleted(todos: Todos, server: Server) -> None:
    todos.add("Clean room", "Check mail")
    item = todos.item("Clean room")
    destroy = item.locator(".destroy")
    todos.new.hover()
    expect(destroy).to_have_css("opacity", "0")
    item.hover()
    expect(destroy).to_have_css("opacity", "1")
    destroy.click()
    todos.shows("Check mail")
    eventually(server.tasks, [("Check mail", False)])
    todos.item("Check mail").hover()
    todos.item("Check mail").locator(".destroy").click()
    expect(todos.footer).to_be_hidden()


def test_a_task_can_be_changed_before_the_server_knows_it(todos: Todos, server: Server) -> None:
    todos.page.route("**/tasks", lambda route: (todos.page.wait_for_timeout(300), route.continue_()))
    todos.add("Clean room")
    todos.toggle("Clean room")
    eventually(lambda: todos.page.wait_for_timeout(20) or server.tasks(), [("Clean room", True)])
    expect(todos.item("Clean room")).to_have_class("completed")
