"""A server with a token: both pages ask for it, report a wrong one, and forget it on logout."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated
from urllib.error import HTTPError
from urllib.request import Request, urlopen

import demat
import pytest
from playwright.sync_api import Browser, Page, expect
from server import PAGE
from watched import watched_pages

TOKEN = "right-token"
WRONG = ["wrong", "right-toke", "ä", "a b", "right-token\u200b"]


@dataclass
class Task:
    title: str
    id: Annotated[int | None, demat.Field(key=True)] = None
    completed: bool = False
    order: int | None = None


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "tasks.db"


@pytest.fixture
def url(path: Path, tmp_path: Path) -> Iterator[str]:
    if not PAGE.exists():
        pytest.skip("the TodoMVC page, which it serves, is not built; `make web` does it, where npm is there")
    database = demat.sqlite.open(path)
    tasks = database.table("tasks", Task)
    tasks.insert([Task("first")])
    (tmp_path / "private").mkdir()
    (tmp_path / "private" / "secret.txt").write_text("secret")
    routes = {"/": demat.page("todomvc"), "/tasks": tasks, "/private": tmp_path / "private"}
    with demat.serve(routes, port=0, background=True, token=TOKEN) as server:
        yield server.url


@pytest.fixture
def new_page(chromium: Browser, url: str) -> Iterator[Callable[..., Page]]:
    with watched_pages(chromium, url) as make:
        yield make


def log_in(page: Page, token: str) -> None:
    page.get_by_label("Token of this server").fill(token)
    page.get_by_role("button", name="Log in").click()


@pytest.mark.parametrize("at", ["/-/", "/"])
def test_a_token_is_asked_for_and_forgotten(new_page: Callable[..., Page], url: str, at: str) -> None:
    page = new_page()
    page.goto(url + at)
    first = page.locator("tbody td, .todo-list label", has_text="first")
    expect(page.get_by_label("Token of this server")).to_be_focused()
    page.keyboard.press("Escape")
    for wrong in WRONG:
        log_in(page, wrong)
        expect(page.locator("dialog[open] [role=alert]")).to_have_text("This is not the token of the server.")
        expect(first).to_have_count(0)
    log_in(page, TOKEN)
    expect(first).to_be_visible()
    expect(page.locator("dialog[open]")).to_have_count(0)
    # Changes of other clients arrive.
    headers = {"Content-Type": "application/json", "Authorization": f"Bearer {TOKEN}"}
    with urlopen(Request(f"{url}/tasks", b'{"title": "second"}', headers)) as added:
        assert added.status == 201
    expect(page.locator("tbody td, .todo-list label", has_text="second")).to_be_visible()
    page.reload()
    expect(first).to_be_visible()
    # Another page has neither the token nor a cookie.
    assert page.context.cookies() == []
    page.get_by_role("button", name="Log out").click()
    expect(page.get_by_label("Token of this server")).to_be_visible()
    expect(first).to_have_count(0)
    page.reload()
    expect(page.get_by_label("Token of this server")).to_be_visible()


def test_downloads_say_the_token(new_page: Callable[..., Page], url: str) -> None:
    page = new_page()
    page.goto(f"{url}/-/")
    log_in(page, TOKEN)
    page.locator("#download summary").click()
    with page.expect_download() as download:
        page.locator("#download a", has_text="csv").click()
    assert download.value.path().read_text().splitlines()[1] == "first,1,false,"
    assert download.value.suggested_filename == "tasks.csv"


@pytest.mark.parametrize("at", ["/tasks", "/tasks/1", "/openapi.json", "/metrics", "/private/secret.txt", "/nothing"])
def test_only_pages_come_without(url: str, at: str) -> None:
    with pytest.raises(HTTPError) as raised:
        urlopen(url + at)
    raised.value.close()
    assert raised.value.code == (401 if at != "/nothing" else 404)


@pytest.mark.parametrize("at", ["/", "/-/", "/app.js"])
def test_pages_come_without(url: str, at: str) -> None:
    with urlopen(url + at) as answer:
        assert answer.status == 200
