"""The browser of tables as its users see it."""

from __future__ import annotations

from playwright.sync_api import Locator, Page, expect


class Tables:
    """What can be seen on the page, and done there; it is gone to where an address is given."""

    def __init__(self, page: Page, url: str | None) -> None:
        self.page = page
        self.rows = page.locator("tbody tr")
        self.where = page.locator("#where")
        self.alert = page.locator("#alert")
        self.editor = page.locator("tbody .edit > :first-child")
        self.live = page.locator("#live")
        if url is not None:
            page.goto(f"{url}/-/")
            expect(self.live).to_have_text("live")

    def reload(self) -> None:
        """Loads the page again."""
        self.page.reload()
        expect(self.live).to_have_text("live")

    def _index(self, name: str) -> int:
        # After a page is loaded, its columns come with the first rows.
        expect(self.page.locator("thead th")).not_to_have_count(0)
        names = [text.strip(" ▲▼") for text in self.page.locator("thead th").all_text_contents()]
        return names.index(name)

    def column(self, name: str) -> Locator:
        """The cells of a column."""
        return self.page.locator(f"tbody td:nth-child({self._index(name) + 1})")

    def cell(self, row: int, name: str) -> Locator:
        """A cell, by the number of its row on the page and the name of its column."""
        return self.column(name).nth(row)

    def shows(self, name: str, *texts: str) -> None:
        """Expects these texts in a column."""
        expect(self.column(name)).to_have_text(list(texts))

    def sort(self, name: str) -> None:
        """Clicks the name of a column."""
        self.page.locator("thead th button", has_text=name).click()

    def filter(self, name: str) -> Locator:
        """The filter of a column."""
        return self.page.get_by_label(f"Filter by {name}")

    def edit(self, row: int, name: str) -> Locator:
        """Begins to edit a cell; its input."""
        self.cell(row, name).dblclick()
        try:
            expect(self.editor).to_be_focused(timeout=2000)
        except AssertionError:
            # If the page redraws between the two clicks, they hit different cells.
            self.cell(row, name).dblclick()
            expect(self.editor).to_be_focused()
        return self.editor
