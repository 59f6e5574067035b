"""The TodoMVC page as its users see it."""

from __future__ import annotations

from playwright.sync_api import Locator, Page, expect


class Todos:
    """What can be seen on the page, and done there."""

    def __init__(self, page: Page, url: str) -> None:
        self.page = page
        self.new = page.locator(".new-todo")
        self.items = page.locator(".todo-list li")
        self.main = page.locator(".main")
        self.footer = page.locator(".footer")
        self.count = page.locator(".todo-count")
        self.all = page.locator(".toggle-all")
        self.clear = page.locator(".clear-completed")
        self.notice = page.locator(".notice")
        self.connection = page.locator(".connection")
        self.url = url
        with page.expect_response(lambda answer: "/tasks?" in answer.url):
            page.goto(url)

    def add(self, *titles: str) -> None:
        """Adds tasks as users do."""
        for title in titles:
            self.new.fill(title)
            self.new.press("Enter")

    def shows(self, *titles: str) -> None:
        """Expects these titles, in this order."""
        expect(self.items.locator("label")).to_have_text(list(titles), use_inner_text=False)

    def item(self, title: str) -> Locator:
        """The item of a title."""
        return self.items.filter(has=self.page.locator("label", has_text=title))

    def edit(self, title: str) -> Locator:
        """Begins to edit a task; the input of its title."""
        item = self.item(title)
        item.locator("label").dblclick()
        return self.items.locator(".edit")

    def toggle(self, title: str) -> None:
        """Clicks the checkbox of a task."""
        self.item(title).locator(".toggle").click()

    def choose(self, filter_: str) -> None:
        """Clicks a filter."""
        self.page.locator(".filters a", has_text=filter_).click()
