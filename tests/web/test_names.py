"""Hostile names of tables, columns and keys, which URLs must encode and pages must show as text."""

from __future__ import annotations

import sqlite3
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path
from urllib.parse import quote

import pytest
from eventually import eventually
from playwright.sync_api import Browser, Page, expect
from server import free_port
from tables import Tables
from watched import watched_pages

HOSTILE = [
    "Order Details",
    "Größe",
    "a%b",
    "a%2Fb",
    "a/b",
    "a?b=c&d",
    "a#b",
    "a+b",
    "a;b,c",
    "...",
    "~x",
    """'single' "double" `back`""",
    "<img src=x onerror=alert(1)>",
    "</script><script>alert(1)</script>",
    "{{constructor.constructor('alert(1)')()}} ${alert(1)}",
    "{key}",
    "__proto__",
    "constructor",
    "\u202egnorw si siht",
    "\u05e9\u05dc\u05d5\u05dd",
    "two\nlines\tand a tab",
    "\\ud800",
    "\U0001f389" * 3,
    "x" * 300,
]
# Column names that every kind of query can contain.
COLUMNS = [name for name in HOSTILE if "," not in name]
IDS = [ascii(name[:20]) for name in HOSTILE]


def quoted(name: str) -> str:
    return '"' + name.replace('"', '""') + '"'


def key(name: str) -> str:
    return f"key of {name}"


@pytest.fixture(scope="module")
def path(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Creates a database with a table for each name, whose keys and values contain the name."""
    path = tmp_path_factory.mktemp("names") / "names.db"
    with closing(sqlite3.connect(path)) as database:
        for name in HOSTILE:
            database.execute(f"create table {quoted(name)} (key text primary key, value text)")
            rows = [(own, own) for own in HOSTILE if own != name] + [(name, key(name))]
            database.executemany(f"insert into {quoted(name)} values (?, ?)", rows)
        columns = ", ".join(f"{quoted(name)} text" for name in COLUMNS)
        database.execute(f"create table columns (id integer primary key, {columns})")
        marks = ", ".join("?" * len(COLUMNS))
        database.execute(f"insert into columns values (1, {marks})", COLUMNS)
        database.execute(f"insert into columns values (2, {marks})", ["other"] * len(COLUMNS))
        database.execute("create table pairs (a text, b text, value int, primary key (a, b))")
        database.executemany(
            "insert into pairs values (?, ?, 1)", [("a,b", "c"), ("a", "b,c"), ("a\\", ",b"), ("a/b", "..")]
        )
        database.execute("create table keyless (id int, value text)")
        database.executemany("insert into keyless values (?, ?)", [(1, "a"), (1, "b")])
        database.execute('create view seen as select key, value from "a/b"')
        database.commit()
    return path


@pytest.fixture(scope="module")
def url(path: Path) -> Iterator[str]:
    # In a separate process: two copies of SQLite in one process release each other's locks.
    port = free_port()
    command = [sys.executable, "-m", "demat", "serve", str(path), "--port", str(port)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT) as process:
        assert process.stdout is not None
        said = process.stdout.readline()
        assert b"serving" in said, said
        yield f"http://127.0.0.1:{port}"
        process.terminate()


@pytest.fixture
def new_page(chromium: Browser, url: str) -> Iterator[Callable[..., Page]]:
    with watched_pages(chromium, url) as make:
        yield make


def opened(page: Page, url: str, name: str) -> Tables:
    """Opens the page and selects a collection by its name."""
    page.goto(f"{url}/-/")
    page.locator("#collection").select_option(label=name)
    expect(page).to_have_title(f"{' '.join(name.split())} · Demat")
    expect(page.locator("#live")).to_have_text("live")
    return Tables(page, None)


def row_of(page: Page, *cells: str) -> int:
    """Returns the index of the row that begins with these texts."""
    fits = "row => cells.every((text, at) => row.cells[at].textContent === text)"
    found = f"(body, cells) => [...body.rows].findIndex({fits})"
    at: int = page.locator("tbody").evaluate(found, cells)
    assert at >= 0, cells
    return at


def rows(path: Path, name: str) -> dict[str, str]:
    with closing(sqlite3.connect(path)) as database:
        return dict(database.execute(f"select key, value from {quoted(name)}"))


@pytest.mark.parametrize("name", HOSTILE, ids=IDS)
def test_a_table_of_any_name_is_the_one_that_is_opened_and_changed(
    new_page: Callable[..., Page], url: str, path: Path, name: str
) -> None:
    page = new_page()
    before = {other: rows(path, other) for other in HOSTILE}
    tables = opened(page, url, name)
    expect(tables.rows).to_have_count(len(before[name]))
    # After a reload, the URL leads to the same collection.
    tables.reload()
    expect(page.locator("#collection option:checked")).to_have_text(name, use_inner_text=False)
    page.get_by_label("Filter by value").fill("key of")
    # The page shows only the start of a long text.
    tables.shows("value", key(name) if len(key(name)) <= 300 else f"{key(name)[:300]}…")
    edit = tables.edit(0, "value")
    edit.fill("key of <b>another</b>")
    edit.press("Enter")
    tables.shows("value", "key of <b>another</b>")
    changed = {**before[name], name: "key of <b>another</b>"}
    assert rows(path, name) == changed
    tables.cell(0, "value").press("Delete")
    page.locator("#confirm .danger").click()
    expect(tables.rows).to_have_count(0)
    del changed[name]
    eventually(lambda: rows(path, name), changed)
    assert {other: rows(path, other) for other in HOSTILE if other != name} == {
        other: own for other, own in before.items() if other != name
    }
    with closing(sqlite3.connect(path)) as database:
        database.execute(f"insert into {quoted(name)} values (?, ?)", (name, key(name)))
        database.commit()


def test_keys_of_any_text_are_the_ones_that_are_changed(new_page: Callable[..., Page], url: str, path: Path) -> None:
    page = new_page()
    tables = opened(page, url, "Order Details")
    for name in HOSTILE:
        expect(tables.rows).to_have_count(len(HOSTILE))
        at = row_of(page, name)
        edit = tables.edit(at, "value")
        edit.fill(f"changed {name}")
        edit.press("Enter")
        expect(tables.editor).to_have_count(0)
        eventually(lambda name=name: rows(path, "Order Details")[name].replace("\r\n", "\n"), f"changed {name}")
    with closing(sqlite3.connect(path)) as database:
        database.executemany('update "Order Details" set value = ? where key = ?', [(own, own) for own in HOSTILE])
        database.execute('update "Order Details" set value = ? where key = ?', (key("Order Details"), "Order Details"))
        database.commit()


@pytest.mark.parametrize("name", COLUMNS, ids=[ascii(name[:20]) for name in COLUMNS])
def test_columns_of_any_name_are_filtered_and_ordered(new_page: Callable[..., Page], url: str, name: str) -> None:
    page = new_page()
    tables = opened(page, url, "columns")
    expect(tables.rows).to_have_count(2)
    page.get_by_label(f"Filter by {name}", exact=True).fill("=other")
    expect(tables.column("id")).to_have_text(["2"])
    page.get_by_label(f"Filter by {name}", exact=True).fill("")
    expect(tables.rows).to_have_count(2)
    # Beside it there may be the button of the commonest values.
    title = page.locator("thead th").nth(COLUMNS.index(name) + 1).get_by_role("button").first
    title.click()
    expect(page.locator("thead th").nth(COLUMNS.index(name) + 1)).to_have_attribute("aria-sort", "ascending")
    expect(tables.rows).to_have_count(2)
    expect(tables.alert).to_be_hidden()


def test_keys_of_several_columns(new_page: Callable[..., Page], url: str, path: Path) -> None:
    page = new_page()
    tables = opened(page, url, "pairs")
    for line, pair in enumerate([("a,b", "c"), ("a", "b,c"), ("a\\", ",b"), ("a/b", "..")]):
        expect(tables.rows).to_have_count(4)
        edit = tables.edit(row_of(page, *pair), "value")
        edit.fill(str(line + 10))
        edit.press("Enter")
        expect(tables.editor).to_have_count(0)

    def values() -> dict[tuple[str, str], int]:
        with closing(sqlite3.connect(path)) as database:
            return {(a, b): value for a, b, value in database.execute("select * from pairs")}

    eventually(values, {("a,b", "c"): 10, ("a", "b,c"): 11, ("a\\", ",b"): 12, ("a/b", ".."): 13})


@pytest.mark.parametrize("name", ["keyless", "seen"])
def test_what_has_no_key_is_only_read(new_page: Callable[..., Page], url: str, name: str) -> None:
    page = new_page()
    tables = opened(page, url, name)
    expect(tables.rows).not_to_have_count(0)
    tables.cell(0, "value").dblclick()
    tables.cell(0, "value").press("Delete")
    page.wait_for_timeout(100)
    expect(tables.editor).to_have_count(0)
    expect(page.locator("dialog[open]")).to_have_count(0)
    expect(page.get_by_label("Delete row", exact=False)).to_have_count(0)
    expect(page.locator("tbody td[aria-readonly=false]")).to_have_count(0)


@pytest.mark.parametrize("name", ["nothing", "a", "Order", "..", "%"])
def test_an_address_of_no_table_opens_none(new_page: Callable[..., Page], url: str, name: str) -> None:
    page = new_page()
    page.goto(f"{url}/-/#/{quote(name, safe='%')}")
    expect(page.locator("#alert")).to_contain_text("There is no collection")
    expect(page.locator("tbody tr")).to_have_count(0)


def test_enter_in_an_untouched_form_adds_nothing(new_page: Callable[..., Page], url: str, path: Path) -> None:
    page = new_page()
    tables = opened(page, url, "a#b")
    before = rows(path, "a#b")
    page.locator("#add").click()
    page.locator("#form").get_by_label("value").press("Enter")
    expect(page.locator("#form [role=alert]")).to_have_text("Nothing is filled in.")
    expect(page.locator("#form")).to_be_visible()
    page.keyboard.press("Escape")
    expect(tables.rows).to_have_count(len(before))
    assert rows(path, "a#b") == before
