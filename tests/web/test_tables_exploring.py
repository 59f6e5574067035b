"""The browser of tables beyond the grid: all tables, rows, foreign keys, common values, and columns."""

from __future__ import annotations

import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing

import pytest
from eventually import eventually
from looks import AXE, findings, picture
from playwright.sync_api import Browser, Page, expect
from server import free_port
from tables import Tables
from watched import watched_pages

SCHEMA = """
CREATE TABLE authors (id INTEGER PRIMARY KEY, name TEXT NOT NULL, photo BLOB);
CREATE TABLE books (id INTEGER PRIMARY KEY, title TEXT,
    author_id INTEGER REFERENCES authors (id), genre TEXT, sold BOOLEAN);
CREATE VIRTUAL TABLE books_index USING fts5 (title, genre, content=books, content_rowid=id);
CREATE VIEW sold_books AS SELECT title FROM books WHERE sold;
INSERT INTO authors VALUES (1, 'Ada <b>', x'00ff10'), (2, 'Bob', NULL);
INSERT INTO books VALUES
    (1, 'First', 1, 'x', 1), (2, 'Second', 1, 'x', 0), (3, 'Third', 2, 'y', 1), (4, NULL, NULL, '', NULL),
    (5, 'It''s 100%', 9, NULL, 1);
INSERT INTO books_index (books_index) VALUES ('rebuild');
"""


@pytest.fixture(scope="module")
def url(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    path = tmp_path_factory.mktemp("shop") / "shop.db"
    with closing(sqlite3.connect(path)) as database:
        database.executescript(SCHEMA)
    port = free_port()
    command = [sys.executable, "-m", "demat", "serve", str(path), "--port", str(port)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True) as server:
        assert server.stdout is not None
        said = server.stdout.readline()
        assert "serving" in said, said
        yield f"http://127.0.0.1:{port}"
        server.terminate()


@pytest.fixture
def page(chromium: Browser, url: str) -> Iterator[Page]:
    with watched_pages(chromium, url) as make:
        yield make(accept_downloads=True)


def at(page: Page, url: str, fragment: str) -> Tables:
    page.goto(f"{url}/-/#{fragment}")
    expect(page.locator("thead th, #page h2, #page a").first).to_be_visible()
    return Tables(page, None)


def test_all_tables_are_shown_with_their_numbers_of_rows(page: Page, url: str) -> None:
    at(page, url, "/books")
    page.get_by_role("link", name="All tables").click()
    rows = page.locator("#page tbody tr")
    expect(rows).to_have_count(4)
    expect(rows.nth(0).locator("td")).to_have_text(["authors", "2", "id, name, photo", ""])
    expect(rows.nth(1).locator("td")).to_have_text(["books", "5", "id, title, author_id, genre, sold", ""])
    expect(rows.nth(3).locator("td")).to_have_text(["sold_books", "3", "title", "read-only"])
    expect(page.locator("#scroll")).to_be_hidden()
    rows.nth(1).get_by_role("link").click()
    expect(page.locator("#scroll")).to_be_visible()
    Tables(page, None).shows("id", *"12345")
    page.go_back()
    expect(rows).to_have_count(4)
    page.locator("#collection").select_option("authors")
    Tables(page, None).shows("id", "1", "2")


def test_a_foreign_key_shows_the_title_of_its_row_and_leads_there(page: Page, url: str) -> None:
    tables = at(page, url, "/books")
    tables.shows("author_id", "Ada <b> 1", "Ada <b> 1", "Bob 2", "null", "9")
    tables.cell(2, "author_id").get_by_role("link").click()
    expect(page.locator("#page h2")).to_have_text("Bob")
    expect(page.locator("#page dd")).to_have_text(["2", "Bob", "null"])
    expect(page.locator("#page li")).to_have_text(["books by author_id 1"])
    page.locator("#page li a").click()
    tables.shows("title", "Third")
    expect(tables.filter("author_id")).to_have_value("=2")
    # The row is gone, or never was there.
    tables = at(page, url, "/books?row=5")
    page.locator("#page dd a", has_text="9").click()
    expect(tables.alert).to_contain_text("There is no row “9” here.")


def test_a_row_has_a_page(page: Page, url: str) -> None:
    tables = at(page, url, "/authors")
    tables.cell(0, "id").get_by_role("link").click()
    expect(page.locator("#page h2")).to_have_text("Ada <b>")
    expect(page.locator("#page dt")).to_have_text(["id", "name", "photo"])
    expect(page).to_have_title("Ada <b> · authors · Demat")
    with page.expect_download() as waited:
        page.get_by_role("button", name="Save 3 bytes").click()
    assert waited.value.suggested_filename == "authors-photo"
    assert waited.value.path().read_bytes() == b"\x00\xff\x10"
    page.reload()
    expect(page.locator("#page h2")).to_have_text("Ada <b>")
    page.go_back()
    tables.shows("id", "1", "2")
    tables = at(page, url, "/authors")
    tables.cell(1, "id").focus()
    page.keyboard.press("Enter")
    expect(page.locator("#page h2")).to_have_text("Bob")


def test_a_row_is_read_again_when_it_changes(page: Page, url: str) -> None:
    at(page, url, "/books?row=3")
    expect(page.locator("#page h2")).to_have_text("Third")
    expect(page.locator("#live")).to_have_text("live")
    for title in ("Changed", "Third"):
        answer = page.request.patch(f"{url}/books/3", data={"title": title})
        assert answer.ok
        expect(page.locator("#page h2")).to_have_text(title)


@pytest.mark.parametrize(
    ("name", "text", "ids"),
    [
        ("title", "!ir", "245"),
        ("title", "!%d", "145"),
        ("title", "!it's", "1234"),
        ("title", "!%100%", "1234"),
        ("title", "blank", "4"),
        ("genre", "blank", "45"),
        ("genre", "not blank", "123"),
        ("author_id", "blank", "4"),
        ("author_id", "not blank", "1235"),
    ],
)
def test_filters_without_a_text_and_of_blank_fields(page: Page, url: str, name: str, text: str, ids: str) -> None:
    tables = at(page, url, "/books")
    tables.filter(name).fill(text)
    page.wait_for_url("**filter.**")
    tables.shows("id", *ids)
    expect(tables.where).to_have_text(f"1–{len(ids)} of {len(ids)}")
    page.reload()
    tables.shows("id", *ids)


def test_several_such_filters_hold_together(page: Page, url: str) -> None:
    tables = at(page, url, "/books?filter.title=!First&filter.genre=not+blank")
    tables.shows("id", "2", "3")


def test_common_values_filter_the_rows(page: Page, url: str) -> None:
    tables = at(page, url, "/books")
    page.get_by_role("button", name="Values of genre").click()
    values = page.locator("#facet li")
    expect(values).to_have_text(["x 2", "null 1", "(empty) 1", "y 1"])
    values.nth(2).get_by_role("button").click()
    tables.shows("id", "4")
    expect(tables.filter("genre")).to_have_value("=")
    # A column's own filter does not limit its values; others do.
    page.get_by_role("button", name="Values of genre").click()
    expect(values).to_have_count(4)
    page.keyboard.press("Escape")
    page.locator("#clear").click()
    tables.filter("sold").select_option("true")
    tables.shows("id", "1", "3", "5")
    page.get_by_role("button", name="Values of genre").click()
    expect(values).to_have_text(["null 1", "x 1", "y 1"])
    values.nth(0).get_by_role("button").click()
    tables.shows("id", "5")
    page.get_by_role("button", name="Values of sold").click()
    expect(values).to_have_text(["true 1"])


def test_the_full_text_is_searched(page: Page, url: str) -> None:
    tables = at(page, url, "/books")
    page.get_by_label("Search the full text").fill("second x")
    tables.shows("id", "2")
    page.reload()
    tables.shows("id", "2")
    expect(page.locator("#search")).to_have_value("second x")
    page.locator("#clear").click()
    tables.shows("id", *"12345")
    page.locator("#search").fill('" OR (')
    expect(page.locator("#empty")).to_have_text("No row fits the filters.")
    page.locator("#collection").select_option("authors")
    expect(page.locator("#search")).to_be_hidden()


def test_columns_are_hidden_by_choice(page: Page, url: str) -> None:
    tables = at(page, url, "/books")
    tables.filter("genre").fill("x")
    tables.shows("id", "1", "2")
    page.locator("#columns summary").click()
    page.locator("#columns").get_by_label("genre").uncheck()
    page.locator("#columns").get_by_label("sold").uncheck()
    expect(page.locator("thead th")).to_have_text(["id", "title", "author_id"])
    # A hidden column filters on.
    tables.shows("id", "1", "2")
    page.reload()
    expect(page.locator("thead th")).to_have_text(["id", "title", "author_id"])
    page.locator("#columns summary").click()
    page.locator("#columns").get_by_label("sold").check()
    expect(page.locator("thead th")).to_have_text(["id", "title", "author_id", "sold"])
    tables.edit(0, "title").press("Escape")
    # Not all columns can be hidden.
    at(page, url, "/authors?hide=id,name,photo")
    expect(page.locator("thead th")).to_have_text(["id", "name", "photo"])


def test_a_view_can_only_be_read(page: Page, url: str) -> None:
    tables = at(page, url, "/sold_books")
    tables.shows("title", "First", "Third", "It's 100%")
    expect(page.locator("#add")).to_be_hidden()
    expect(page.locator("tbody a")).to_have_count(0)


@pytest.mark.parametrize(("fragment", "name"), [("overview", "overview"), ("/authors?row=1", "row")])
def test_the_pages_can_be_used_by_all(page: Page, url: str, fragment: str, name: str) -> None:
    at(page, url, fragment)
    expect(page.locator("#page h2")).to_be_visible()
    eventually(lambda: "…" in page.locator("#page").inner_text(), False)
    picture(page, f"tables-{name}")
    if not AXE.exists():
        pytest.skip("axe is not there")
    assert findings(page, f"tables-{name}") == []
