"""What shows at once is taken back where the server does not have it so."""

from __future__ import annotations

import json

from eventually import eventually
from playwright.sync_api import Route, expect
from server import Server
from todos import Todos

REFUSAL = {"error": {"status": 422, "kind": "check", "message": "there is no time for that", "path": "$.completed"}}


class Held:
    """Requests that wait until the test lets them go."""

    def __init__(self, todos: Todos, method: str) -> None:
        self.routes: list[Route] = []
        todos.page.route(
            "**/tasks**",
            lambda route: self.routes.append(route) if route.request.method == method else route.continue_(),
        )

    def one(self, todos: Todos) -> Route:
        eventually(lambda: todos.page.wait_for_timeout(10) or len(self.routes), 1)
        return self.routes.pop()


def refuse(route: Route) -> None:
    route.fulfill(status=422, content_type="application/json", body=json.dumps(REFUSAL))


def test_a_change_shows_before_the_server_has_answered(todos: Todos, server: Server) -> None:
    server.add("Clean room")
    todos.shows("Clean room")
    held = Held(todos, "PATCH")
    todos.toggle("Clean room")
    expect(todos.items).to_have_class("completed")
    assert server.tasks() == [("Clean room", False)]
    held.one(todos).continue_()
    eventually(lambda: todos.page.wait_for_timeout(10) or server.tasks(), [("Clean room", True)])
    expect(todos.items).to_have_class("completed")


def test_what_is_refused_is_taken_back_and_said(todos: Todos, server: Server) -> None:
    server.add("Clean room")
    held = Held(todos, "PATCH")
    todos.toggle("Clean room")
    expect(todos.items).to_have_class("completed")
    refuse(held.one(todos))
    expect(todos.items).to_have_class("")
    expect(todos.items.locator(".toggle")).not_to_be_checked()
    expect(todos.notice).to_have_attribute("role", "alert")
    expect(todos.notice).to_contain_text("The task was not saved: there is no time for that.")


def test_a_deleted_task_comes_back_where_that_is_refused(todos: Todos, server: Server) -> None:
    server.add("Clean room")
    held = Held(todos, "DELETE")
    todos.item("Clean room").hover()
    todos.item("Clean room").locator(".destroy").click()
    expect(todos.items).to_have_count(0)
    refuse(held.one(todos))
    todos.shows("Clean room")
    expect(todos.notice).to_contain_text("The task was not deleted: there is no time for that.")


def test_a_title_that_is_refused_is_given_back(todos: Todos, server: Server) -> None:
    held = Held(todos, "POST")
    todos.add("Clean room")
    todos.shows("Clean room")
    refuse(held.one(todos))
    expect(todos.items).to_have_count(0)
    expect(todos.new).to_have_value("Clean room")
    todos.new.press("Enter")
    held.one(todos).continue_()
    todos.shows("Clean room")
    eventually(lambda: todos.page.wait_for_timeout(10) or server.tasks(), [("Clean room", False)])


def test_answers_that_are_no_errors_of_the_server(todos: Todos, server: Server) -> None:
    server.add("Clean room")
    held = Held(todos, "PATCH")
    todos.toggle("Clean room")
    held.one(todos).fulfill(status=502, content_type="text/html", body="<h1>Bad gateway</h1>")
    expect(todos.notice).to_contain_text("The task was not saved: the server answered 502 Bad Gateway.")
    expect(todos.items).to_have_class("")


def test_a_task_that_is_gone(todos: Todos, server: Server) -> None:
    task = server.add("Clean room")
    held = Held(todos, "PATCH")
    todos.toggle("Clean room")
    expect(todos.items).to_have_class("completed")
    server.ask("DELETE", f"/tasks/{task['id']}")
    held.one(todos).continue_()
    expect(todos.items).to_have_count(0)
    expect(todos.notice).to_contain_text("The task was not saved: somebody deleted it.")


def test_deleting_what_is_gone_is_no_error(todos: Todos, server: Server) -> None:
    task = server.add("Clean room")
    held = Held(todos, "DELETE")
    todos.item("Clean room").hover()
    todos.item("Clean room").locator(".destroy").click()
    server.ask("DELETE", f"/tasks/{task['id']}")
    held.one(todos).continue_()
    expect(todos.items).to_have_count(0)
    todos.page.wait_for_timeout(200)
    expect(todos.notice).to_be_hidden()
