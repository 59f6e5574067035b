"""The browser of tables: rows are edited, added and deleted."""

from __future__ import annotations

import pytest
from eventually import eventually
from playwright.sync_api import expect
from server import Server
from tables import Tables

LARGE = 9_007_199_254_740_993  # a float has no place for its last digit


def test_a_cell_is_edited(tables: Tables, server: Server) -> None:
    edit = tables.edit(1, "title")
    expect(edit).to_have_value("Task 2")
    edit.fill("Rest")
    edit.press("Enter")
    expect(tables.cell(1, "title")).to_have_text("Rest")
    expect(tables.cell(1, "title")).to_be_focused()
    assert server.ask("GET", "/tasks/2")["title"] == "Rest"


def test_leaving_saves_and_escape_does_not(tables: Tables, server: Server) -> None:
    tables.edit(0, "title").fill("Rest")
    tables.cell(3, "title").click()
    expect(tables.cell(0, "title")).to_have_text("Rest")
    eventually(lambda: server.ask("GET", "/tasks/1")["title"], "Rest")
    edit = tables.edit(1, "title")
    edit.fill("Sleep")
    edit.press("Escape")
    expect(tables.cell(1, "title")).to_have_text("Task 2")
    expect(tables.editor).to_have_count(0)
    assert server.ask("GET", "/tasks/2")["title"] == "Task 2"


@pytest.mark.parametrize(("text", "value"), [("7", 7), ("-1", -1), ("", None), (str(LARGE), LARGE)])
def test_numbers_keep_their_digits(tables: Tables, server: Server, text: str, value: int | None) -> None:
    edit = tables.edit(1, "order")
    edit.fill(text)
    edit.press("Enter")
    expect(tables.cell(1, "order")).to_have_text("null" if value is None else text)
    eventually(lambda: server.ask("GET", "/tasks/2")["order"], value)
    expect(tables.edit(1, "order")).to_have_value(text)


def test_no_value(tables: Tables, server: Server) -> None:
    tables.edit(1, "order")
    tables.page.get_by_label("null for order of row 2").click()
    expect(tables.cell(1, "order")).to_have_text("null")
    eventually(lambda: server.ask("GET", "/tasks/2")["order"], None)


def test_a_choice(tables: Tables, server: Server) -> None:
    edit = tables.edit(0, "completed")
    edit.select_option("true")
    edit.press("Enter")
    expect(tables.cell(0, "completed")).to_have_text("true")
    eventually(lambda: server.ask("GET", "/tasks/1")["completed"], True)


def test_what_is_no_number_is_not_sent(tables: Tables, server: Server) -> None:
    edit = tables.edit(1, "order")
    edit.fill("seven")
    edit.press("Enter")
    expect(tables.alert).to_contain_text("order: a whole number is wanted")
    expect(edit).to_have_attribute("aria-invalid", "true")
    edit.fill("7")
    edit.press("Enter")
    expect(tables.cell(1, "order")).to_have_text("7")
    expect(tables.alert).to_be_hidden()


def test_what_the_server_refuses_can_be_mended(tables: Tables) -> None:
    edit = tables.edit(1, "order")
    edit.fill("9" * 30)
    edit.press("Enter")
    expect(tables.alert).to_be_visible()
    expect(edit).to_be_focused()
    edit.fill("17")
    edit.press("Enter")
    expect(tables.cell(1, "order")).to_have_text("17")
    expect(tables.alert).to_be_hidden()


def test_keys_and_what_the_server_makes_are_not_edited(tables: Tables) -> None:
    tables.cell(0, "id").dblclick()
    tables.page.wait_for_timeout(200)
    expect(tables.editor).to_have_count(0)
    expect(tables.cell(0, "id")).to_have_attribute("aria-readonly", "true")


def test_lines_are_kept(tables: Tables, server: Server) -> None:
    edit = tables.edit(0, "title")
    edit.fill("one")
    edit.press("Shift+Enter")
    edit.type("two")
    edit.press("Enter")
    eventually(lambda: server.ask("GET", "/tasks/1")["title"], "one\ntwo")


def test_who_comes_second_is_told(tables: Tables, server: Server) -> None:
    edit = tables.edit(1, "title")
    edit.fill("Rest")
    server.ask("PATCH", "/tasks/2", {"title": "Sleep"})
    edit.press("Enter")
    expect(tables.alert).to_contain_text("Somebody changed this row meanwhile")
    expect(tables.cell(1, "title")).to_have_text("Sleep")
    assert server.ask("GET", "/tasks/2")["title"] == "Sleep"


def test_a_row_that_is_gone(tables: Tables, server: Server) -> None:
    edit = tables.edit(1, "title")
    edit.fill("Rest")
    server.ask("DELETE", "/tasks/2")
    edit.press("Enter")
    expect(tables.alert).to_contain_text("Somebody deleted this row meanwhile.")
    tables.shows("id", *"134567")


def test_what_others_do_waits_until_the_edit_is_over(tables: Tables, server: Server) -> None:
    edit = tables.edit(1, "title")
    edit.fill("Rest")
    server.add("Task 8")
    tables.page.wait_for_timeout(400)
    expect(edit).to_have_value("Rest")
    expect(tables.rows).to_have_count(7)
    edit.press("Enter")
    expect(tables.rows).to_have_count(8)


def test_an_edit_that_takes_a_row_out_of_the_filter(tables: Tables) -> None:
    tables.filter("title").fill("Task 2")
    tables.shows("id", "2")
    edit = tables.edit(0, "title")
    edit.fill("Rest")
    edit.press("Enter")
    expect(tables.rows).to_have_count(0)


def test_a_row_is_deleted_when_that_is_confirmed(tables: Tables, server: Server) -> None:
    dialog = tables.page.locator("#confirm")
    tables.page.get_by_label("Delete row 2", exact=True).click()
    expect(dialog).to_contain_text("Delete row 2?")
    expect(dialog).to_contain_text("title: Task 2, completed: false, order: 8")
    dialog.get_by_text("Keep it").click()
    expect(dialog).to_be_hidden()
    assert len(server.tasks()) == 7
    tables.page.get_by_label("Delete row 2", exact=True).click()
    dialog.get_by_role("button", name="Delete").click()
    tables.shows("id", *"134567")
    assert len(server.tasks()) == 6


def test_a_row_that_changed_is_not_deleted(tables: Tables, server: Server) -> None:
    tables.page.get_by_label("Delete row 2", exact=True).click()
    expect(tables.page.locator("#confirm")).to_be_visible()
    server.ask("PATCH", "/tasks/2", {"title": "Sleep"})
    tables.page.locator("#confirm").get_by_role("button", name="Delete").click()
    expect(tables.alert).to_contain_text("nothing was done to it")
    expect(tables.cell(1, "title")).to_have_text("Sleep")


def test_a_row_that_is_gone_is_deleted(tables: Tables, server: Server) -> None:
    tables.page.get_by_label("Delete row 2", exact=True).click()
    expect(tables.page.locator("#confirm")).to_be_visible()
    server.ask("DELETE", "/tasks/2")
    tables.page.locator("#confirm").get_by_role("button", name="Delete").click()
    tables.shows("id", *"134567")
    expect(tables.alert).to_be_hidden()


def test_a_row_is_added(tables: Tables, server: Server) -> None:
    tables.page.locator("#add").click()
    form = tables.page.locator("#form")
    form.get_by_label("title").fill("Rest")
    form.get_by_label("order").fill("17")
    form.get_by_role("button", name="Add").click()
    expect(form).to_be_hidden()
    expect(tables.cell(7, "title")).to_have_text("Rest")
    expect(tables.cell(7, "completed")).to_have_text("false")
    expect(tables.cell(7, "order")).to_have_text("17")
    assert len(server.tasks()) == 8


def test_a_row_that_is_refused_is_still_in_the_form(tables: Tables, server: Server) -> None:
    tables.page.locator("#add").click()
    form = tables.page.locator("#form")
    assert "title" in form.locator("label").all_text_contents()
    form.get_by_label("title").fill("Rest")
    order = form.get_by_label("order")
    order.fill("9" * 30)
    form.get_by_label("title").press("Enter")
    expect(form.get_by_role("alert")).not_to_have_text("")
    expect(order).to_have_attribute("aria-invalid", "true")
    expect(order).to_be_focused()
    order.fill("17")
    order.press("Enter")
    expect(tables.cell(7, "title")).to_have_text("Rest")
    expect(tables.cell(7, "order")).to_have_text("17")


def test_the_keyboard_goes_from_cell_to_cell(tables: Tables, server: Server) -> None:
    keys = tables.page.keyboard
    tables.cell(0, "id").click()
    for key, row, name in [
        ("ArrowDown", 1, "id"),
        ("ArrowRight", 1, "title"),
        ("ArrowUp", 0, "title"),
        ("ArrowUp", 0, "title"),
        ("ArrowLeft", 0, "id"),
        ("Control+End", 6, ""),
        ("Home", 6, "id"),
        ("Control+Home", 0, "id"),
        ("ArrowRight", 0, "title"),
    ]:
        keys.press(key)
        expected = tables.cell(row, name) if name else tables.page.get_by_label("Delete row 7", exact=True)
        expect(expected).to_be_focused()
    expect(tables.page.locator("tbody [tabindex='0']")).to_have_count(1)
    keys.press("Enter")
    expect(tables.editor).to_be_focused()
    keys.type("Rest")
    keys.press("Enter")
    expect(tables.cell(0, "title")).to_be_focused()
    expect(tables.cell(0, "title")).to_have_text("Rest")
    server.add("Task 8")
    expect(tables.rows).to_have_count(8)
    expect(tables.cell(0, "title")).to_be_focused()
    keys.press("Delete")
    expect(tables.page.locator("#confirm")).to_be_visible()
    keys.press("Escape")
    expect(tables.page.locator("#confirm")).to_be_hidden()
    expect(tables.cell(0, "title")).to_be_focused()
    assert len(server.tasks()) == 8
