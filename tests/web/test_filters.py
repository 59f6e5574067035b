"""What the TodoMVC specification says of routes."""

from __future__ import annotations

import pytest
from playwright.sync_api import LocatorAssertions, expect
from todos import Todos


@pytest.fixture
def filtered(todos: Todos) -> Todos:
    """The page with three tasks, of which the second is done."""
    todos.add("Clean room", "Check mail", "Rest")
    # The page shows a change before the server has it, and a reload would be the quicker one.
    with todos.page.expect_response(lambda answer: answer.request.method in ("PATCH", "PUT")):
        todos.toggle("Check mail")
    expect(todos.count).to_have_text("2 items left")
    return todos


def selected(todos: Todos) -> LocatorAssertions:
    return expect(todos.page.locator(".filters a.selected"))


def test_each_shows_its_tasks(filtered: Todos) -> None:
    for name, route, titles in [
        ("Active", "#/active", ["Clean room", "Rest"]),
        ("Completed", "#/completed", ["Check mail"]),
        ("All", "#/", ["Clean room", "Check mail", "Rest"]),
    ]:
        filtered.choose(name)
        filtered.shows(*titles)
        selected(filtered).to_have_text(name)
        assert filtered.page.url.endswith(route)
        expect(filtered.count).to_have_text("2 items left")


@pytest.mark.parametrize(
    ("route", "name", "count"), [("#/active", "Active", 2), ("#!/completed", "Completed", 1), ("#/nonsense", "All", 3)]
)
def test_a_route_is_kept_on_reload(filtered: Todos, route: str, name: str, count: int) -> None:
    filtered.page.goto(f"{filtered.url}/{route}")
    selected(filtered).to_have_text(name)
    filtered.page.reload()
    selected(filtered).to_have_text(name)
    expect(filtered.items).to_have_count(count)


def test_back_goes_back(filtered: Todos) -> None:
    filtered.choose("Active")
    filtered.choose("Completed")
    filtered.page.go_back()
    selected(filtered).to_have_text("Active")
    filtered.shows("Clean room", "Rest")
    filtered.page.go_back()
    selected(filtered).to_have_text("All")


def test_a_task_that_fits_no_longer_goes(filtered: Todos) -> None:
    filtered.choose("Active")
    filtered.toggle("Clean room")
    filtered.shows("Rest")
    filtered.choose("Completed")
    filtered.shows("Clean room", "Check mail")
    filtered.toggle("Check mail")
    filtered.shows("Clean room")


def test_new_tasks_are_active(filtered: Todos) -> None:
    filtered.choose("Completed")
    filtered.add("Sleep")
    filtered.shows("Check mail")
    expect(filtered.count).to_have_text("3 items left")
    filtered.choose("Active")
    filtered.shows("Clean room", "Rest", "Sleep")


def test_main_and_footer_stay_where_a_filter_lets_nothing_through(todos: Todos) -> None:
    todos.add("Clean room")
    todos.choose("Completed")
    expect(todos.items).to_have_count(0)
    expect(todos.footer).to_be_visible()
    expect(todos.all).to_be_attached()


def test_mark_all_is_of_all_and_not_of_those_that_are_shown(filtered: Todos) -> None:
    filtered.choose("Completed")
    expect(filtered.all).not_to_be_checked()
    filtered.page.get_by_text("Mark all as complete").click()
    filtered.shows("Clean room", "Check mail", "Rest")
