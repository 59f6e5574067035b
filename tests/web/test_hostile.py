"""Titles are texts, whatever they look like."""

from __future__ import annotations

import pytest
from eventually import eventually
from playwright.sync_api import expect
from server import Server
from tables import Tables
from todos import Todos

HOSTILE = [
    "<img src=x onerror=alert(1)>",
    "</script><script>alert(1)</script>",
    "<b>bold</b> &amp; &lt;entities&gt;",
    """quotes " and ' and ` and \\""",
    "javascript:alert(1)",
    "{{constructor.constructor('alert(1)')()}} ${alert(1)} %s %00",
    "שלום עולם",
    "مرحبا (left) بالعالم",
    "\u202egnorw si siht",
    "🎉👩‍👩‍👧‍👦🇩🇪 e\u0301",
    "' OR 1=1; DROP TABLE tasks; --",
    "=HYPERLINK(1)",
    "a  b",
    "x" * 10_000,
    "long " * 2_000 + "end",
]
NAMES = pytest.mark.parametrize("title", HOSTILE, ids=lambda title: ascii(title[:20]))


@NAMES
def test_they_are_added_edited_and_shown_as_texts(todos: Todos, server: Server, title: str) -> None:
    todos.add(title)
    eventually(server.tasks, [(title, False)])
    label = todos.items.locator("label")
    assert label.evaluate("label => label.textContent") == title
    label.dblclick(position={"x": 70, "y": 10})
    edit = todos.page.locator(".edit")
    expect(edit).to_have_value(title)
    edit.press("End")
    edit.press("!")
    edit.press("Enter")
    eventually(server.tasks, [(f"{title}!", False)])
    todos.page.reload()
    expect(todos.items).to_have_count(1)
    assert label.evaluate("label => label.textContent") == f"{title}!"
    assert todos.page.locator("img, main script, .todo-list b").count() == 0
    checkbox = todos.items.locator(".toggle")
    if len(title) < 100:
        expect(checkbox).to_have_accessible_name(" ".join(f"{title}!".split()))
    wide = "document.documentElement.scrollWidth - document.documentElement.clientWidth"
    assert todos.page.evaluate(wide) == 0


def test_all_of_them_in_a_table(server: Server, tables: Tables) -> None:
    server.ask("DELETE", "/tasks")
    for title in HOSTILE:
        server.add(title)
    expect(tables.rows).to_have_count(len(HOSTILE))
    for row, title in enumerate(HOSTILE):
        text = tables.cell(row, "title").evaluate("cell => cell.textContent")
        assert text == (title if len(title) <= 300 else f"{title[:300]}…")
        edit = tables.edit(row, "title")
        expect(edit).to_have_value(title)
        edit.press("Escape")
    assert tables.page.locator("tbody img, tbody script, tbody b").count() == 0
    assert [title for title, _ in server.tasks()] == HOSTILE
