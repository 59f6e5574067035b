"""The browser of tables: which rows it shows, and in which order."""

from __future__ import annotations

import csv
from pathlib import Path

import formats
import pytest
from playwright.sync_api import expect
from server import Server
from tables import Tables


def test_collections_and_columns_are_those_of_the_server(tables: Tables) -> None:
    expect(tables.page.locator("#collection option")).to_have_text(["tasks"])
    expect(tables.page.locator("thead th")).to_have_text(["id", "title", "completed", "order"])
    tables.shows("title", *(f"Task {number}" for number in range(1, 8)))
    tables.shows("completed", *("true" if number % 3 == 0 else "false" for number in range(1, 8)))
    tables.shows("order", "null", "8", "null", "6", "null", "4", "null")
    expect(tables.where).to_have_text("1–7 of 7")
    expect(tables.page).to_have_title("tasks · Demat")


def test_a_page_at_a_time(tables: Tables, server: Server) -> None:
    for number in range(8, 121):
        server.add(f"Task {number}")
    expect(tables.where).to_have_text("1–50 of 120")
    tables.page.locator("#limit").select_option("25")
    expect(tables.where).to_have_text("1–25 of 120")
    asked: list[str] = []
    tables.page.on("request", lambda request: asked.append(request.url))
    first, previous, following, last = (
        tables.page.locator(f"#{name}") for name in ("first", "previous", "next", "last")
    )
    expect(first).to_be_disabled()
    expect(previous).to_be_disabled()
    following.click()
    expect(tables.where).to_have_text("26–50 of 120")
    expect(tables.cell(0, "title")).to_have_text("Task 26")
    last.click()
    expect(tables.where).to_have_text("101–120 of 120")
    expect(tables.rows).to_have_count(20)
    expect(following).to_be_disabled()
    expect(last).to_be_disabled()
    previous.click()
    expect(tables.where).to_have_text("76–100 of 120")
    tables.reload()
    expect(tables.where).to_have_text("76–100 of 120")
    tables.page.go_back()
    expect(tables.where).to_have_text("101–120 of 120")
    first.click()
    expect(tables.where).to_have_text("1–25 of 120")
    pages = [url for url in asked if "/tasks?" in url and "count" not in url]
    assert pages
    assert all("limit=25" in url for url in pages)


def test_a_page_behind_the_last_is_the_last(tables: Tables, server: Server) -> None:
    tables.page.goto(f"{server.url}/-/#/tasks?offset=500&limit=5")
    expect(tables.where).to_have_text("6–7 of 7")


def test_columns_order_the_rows(tables: Tables) -> None:
    title = tables.page.locator("thead th").nth(1)
    expect(title).to_have_attribute("aria-sort", "none")
    tables.sort("title")
    expect(title).to_have_attribute("aria-sort", "ascending")
    tables.sort("title")
    expect(title).to_have_attribute("aria-sort", "descending")
    tables.shows("title", *(f"Task {number}" for number in range(7, 0, -1)))
    tables.sort("title")
    expect(title).to_have_attribute("aria-sort", "none")
    tables.shows("title", *(f"Task {number}" for number in range(1, 8)))
    tables.sort("order")
    expect(tables.column("order").filter(has_not_text="null")).to_have_text(["4", "6", "8"])


@pytest.mark.parametrize(
    ("name", "text", "ids"),
    [
        ("title", "k 3", "3"),
        ("title", "Task%", "1234567"),
        ("title", "=Task 4", "4"),
        ("title", "!=Task 4", "123567"),
        ("id", "3", "3"),
        ("id", "> 5", "67"),
        ("id", ">=5", "567"),
        ("id", "<3", "12"),
        ("id", "<=3", "123"),
        ("id", "!=3", "124567"),
        ("id", "2, 4, 9", "24"),
        ("order", "null", "1357"),
        ("order", "not null", "246"),
        ("order", "<7", "46"),
    ],
)
def test_filters(tables: Tables, name: str, text: str, ids: str) -> None:
    tables.filter(name).fill(text)
    tables.page.wait_for_url("**filter.**")
    tables.shows("id", *ids)
    expect(tables.where).to_have_text(f"1–{len(ids)} of {len(ids)}")
    expect(tables.filter(name)).to_be_focused()
    tables.reload()
    tables.shows("id", *ids)
    expect(tables.filter(name)).to_have_value(text)
    tables.page.locator("#clear").click()
    tables.shows("id", *"1234567")
    expect(tables.filter(name)).to_have_value("")
    expect(tables.page.locator("#clear")).to_be_hidden()


def test_filters_of_few_values_are_a_choice(tables: Tables) -> None:
    tables.filter("completed").select_option("true")
    tables.shows("id", "3", "6")
    tables.filter("order").fill("null")
    tables.shows("id", "3")
    tables.filter("completed").select_option("any")
    tables.shows("id", "1", "3", "5", "7")


def test_a_filter_that_lets_nothing_through(tables: Tables) -> None:
    tables.filter("title").fill("Rest")
    expect(tables.page.locator("#empty")).to_have_text("No row fits the filters.")
    expect(tables.where).to_have_text("0 of 0")


def test_a_filter_that_the_server_refuses(tables: Tables) -> None:
    tables.filter("id").fill("three")
    expect(tables.alert).to_be_visible()
    expect(tables.filter("id")).to_have_value("three")
    tables.filter("id").fill("3")
    tables.shows("id", "3")
    expect(tables.alert).to_be_hidden()


def test_what_others_do_is_seen(tables: Tables, server: Server) -> None:
    server.add("Task 8")
    expect(tables.where).to_have_text("1–8 of 8")
    server.ask("PATCH", "/tasks/2", {"title": "Rest"})
    expect(tables.cell(1, "title")).to_have_text("Rest")
    server.ask("DELETE", "/tasks/1")
    tables.shows("id", *"2345678")
    server.ask("DELETE", "/tasks")
    expect(tables.page.locator("#empty")).to_have_text("There are no rows.")


def test_the_server_goes_and_comes_back(tables: Tables, server: Server) -> None:
    server.stop()
    expect(tables.live).to_have_text("not live")
    tables.sort("id")
    expect(tables.alert).to_contain_text("The server can’t be reached.")
    server.start()
    expect(tables.live).to_have_text("live")
    expect(tables.alert).to_be_hidden()
    server.add("Task 8")
    expect(tables.where).to_have_text("1–8 of 8")


def test_whole_tables_are_downloaded_as_they_are_filtered(tables: Tables, tmp_path: Path) -> None:
    tables.page.locator("#limit").select_option("25")
    tables.filter("id").fill("<3")
    tables.sort("id")
    tables.sort("id")
    tables.shows("id", "2", "1")
    links = tables.page.locator("#download a")
    tables.page.locator("#download summary").click()
    assert links.all_text_contents() == formats.SERVED
    with tables.page.expect_download() as waited:
        links.get_by_text("csv", exact=True).click()
    assert waited.value.suggested_filename == "tasks.csv"
    waited.value.save_as(tmp_path / "tasks.csv")
    with (tmp_path / "tasks.csv").open(newline="") as file:
        assert [(row["id"], row["title"]) for row in csv.DictReader(file)] == [("2", "Task 2"), ("1", "Task 1")]


def test_every_format_can_be_downloaded(tables: Tables) -> None:
    links = tables.page.locator("#download a")
    for number in range(links.count()):
        if number == 8:
            # A page may start ten downloads.
            tables.page.reload()
        tables.page.locator("#download summary").click()
        with tables.page.expect_download() as waited:
            links.nth(number).click()
        assert waited.value.failure() is None
        assert waited.value.path().stat().st_size > 20


def test_the_page_asks_for_no_more_than_it_is_allowed(server: Server, tables: Tables) -> None:
    answer = tables.page.request.get(f"{server.url}/-/")
    assert "default-src 'none'" in answer.headers["content-security-policy"]
    assert answer.headers["content-type"].startswith("text/html")
