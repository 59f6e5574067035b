"""The pages of saved queries: listed with the tables, run with a form, and their rows."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import demat
import pytest
from looks import AXE, findings
from playwright.sync_api import Browser, Page, expect
from watched import watched_pages

QUERIES = {
    "late": "select title, n from tasks where n < :n and title <> :class order by n",
    "all": "select title from tasks",
    "many": "with recursive n(i) as (select 1 union all select i + 1 from n where i < 20) select i from n",
    "broken": "select json(:text) as own",
    "empty": "select 1 as a where 1 = 2",
}


@pytest.fixture(scope="module")
def url(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    with demat.sqlite.open(tmp_path_factory.mktemp("queries") / "tasks.db") as database:
        database.execute("create table tasks (id integer primary key, title text, n int)")
        database.execute("insert into tasks (title, n) values ('one', 1), ('<b>two', 2), (null, 3), ('four', 12)")
        with demat.serve({"/": database}, queries=QUERIES, query_rows=5, port=0, background=True) as server:
            yield server.url


@pytest.fixture
def page(chromium: Browser, url: str) -> Iterator[Page]:
    with watched_pages(chromium, url) as make:
        yield make(accept_downloads=True)


def cells(page: Page) -> list[list[str]]:
    rows = page.locator("#result tbody tr")
    return [row.locator("td").all_inner_texts() for row in rows.all()]


def test_queries_are_listed_and_run(page: Page, url: str) -> None:
    page.goto(f"{url}/-/#overview")
    expect(page.locator("#queries a")).to_have_text(list(QUERIES))
    page.get_by_role("link", name="late").click()
    expect(page.get_by_role("heading", name="late")).to_be_visible()
    expect(page.locator("#page pre")).to_contain_text("where n < :n")
    page.get_by_label("n", exact=True).fill("5")
    page.get_by_label("class").fill("one")
    page.get_by_role("button", name="Run").click()
    expect(page.locator("#result th")).to_have_text(["title", "n"])
    assert cells(page) == [["<b>two", "2"]]
    expect(page.get_by_role("status").filter(has_text="1 row")).to_be_visible()
    assert page.url.endswith("#query/late?n=5&class=one")
    # The address has the parameters, so it can be shared, and the form has them again.
    page.reload()
    expect(page.locator("#result td").first).to_have_text("<b>two")
    expect(page.get_by_label("n", exact=True)).to_have_value("5")
    page.go_back()
    expect(page.locator("#result td")).to_have_count(0)


def test_what_goes_wrong_is_shown(page: Page, url: str) -> None:
    page.goto(f"{url}/-/#query/broken?text=oops")
    expect(page.get_by_role("alert").first).to_contain_text("malformed JSON")
    page.locator("#page").get_by_label("text").fill("1")
    page.get_by_role("button", name="Run").click()
    expect(page.locator("#result td")).to_have_text(["1"])
    expect(page.locator("#alert")).to_be_hidden()
    page.goto(f"{url}/-/#query/nothing")
    expect(page.get_by_role("alert").first).to_contain_text("There is no query “nothing” here.")


def test_limits_are_told(page: Page, url: str) -> None:
    page.goto(f"{url}/-/#query/many")
    expect(page.get_by_role("status").filter(has_text="The first 5 rows; there are more.")).to_be_visible()
    page.goto(f"{url}/-/#query/empty")
    expect(page.get_by_role("status").filter(has_text="0 rows")).to_be_visible()


def test_rows_are_saved(page: Page, url: str) -> None:
    page.goto(f"{url}/-/#query/all")
    with page.expect_download() as saved:
        page.get_by_role("button", name="Save as CSV").click()
    assert saved.value.suggested_filename == "all.csv"
    assert Path(saved.value.path()).read_bytes() == b"title\none\n<b>two\n\nfour\n"


def test_it_is_accessible(page: Page, url: str) -> None:
    page.goto(f"{url}/-/#query/late?n=5&class=one")
    expect(page.locator("#result td").first).to_be_visible()
    if AXE.exists():
        assert findings(page, "saved-query") == []


def test_queries_need_no_tables(chromium: Browser, tmp_path: Path) -> None:
    with demat.sqlite.open(tmp_path / "own.db") as database:
        database.execute("create table own (a)")
        served = {"GET /one": lambda: 1}
        queries = {"own": (database, "select 1 as a")}
        with (
            demat.serve(served, queries=queries, port=0, background=True) as server,
            watched_pages(chromium, server.url) as make,
        ):
            page = make()
            page.goto(f"{server.url}/-/")
            page.get_by_role("link", name="own").click()
            expect(page.locator("#result td")).to_have_text(["1"])
