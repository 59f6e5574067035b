"""The API viewer: lists the operations, tries them, and needs nothing but the server."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated
from urllib.request import urlopen

import demat
import pytest
from playwright.sync_api import Browser, Locator, Page, expect
from watched import watched_pages

SCRIPT = "<img src=x onerror=alert(1)>"


@dataclass
class Comment:
    text: Annotated[str, demat.Field(max_length=20)]
    answers: list[Comment] = field(default_factory=list)


def comment(id: int, new: Comment, loud: bool = False, tag: Annotated[list[str], demat.Query()] = []) -> list[object]:  # noqa: B006
    """Answers a comment."""
    return [id, new.text.upper() if loud else new.text, tag]


def save(photo: demat.Upload, title: Annotated[str, demat.Form()] = "none") -> list[object]:
    return [photo.filename, photo.read().decode(), title]


def agent(x_name: Annotated[str, demat.Header()]) -> str:
    return f"{x_name} {SCRIPT}"


def hostile() -> None: ...


hostile.__doc__ = SCRIPT

ROUTES = {"/comments/:id": comment, "/save": save, "/agent": agent, "/hostile": hostile, "/notes": ["a"]}


@pytest.fixture
def new_page(chromium: Browser) -> Iterator[Callable[..., Page]]:
    with (
        demat.serve(ROUTES, port=0, background=True, title="Own title") as server,
        watched_pages(chromium, server.url) as make,
    ):

        def at(**options: object) -> Page:
            page = make(**options)
            page.goto(f"{server.url}/-/api")
            return page

        yield at


def opened(page: Page, name: str) -> Locator:
    one = page.locator("details.operation").filter(has=page.locator("summary", has_text=name))
    one.locator("summary").click()
    return one


def test_operations_are_listed_and_tried(new_page: Callable[..., Page], tmp_path: Path) -> None:
    page = new_page()
    expect(page.get_by_role("heading", name="Own title")).to_be_visible()
    one = opened(page, "POST/comments/{id}")
    expect(one).to_contain_text("Answers a comment.")
    expect(one.get_by_label("Body")).to_have_value('{\n  "text": "",\n  "answers": []\n}')
    one.get_by_label("id (path)").fill("7")
    one.get_by_label("tag (query)").fill("a\nb c")
    one.get_by_label("loud (query)").select_option("true")
    one.get_by_label("Body").fill('{"text": "hello"}')
    one.get_by_role("button", name="Send").click()
    expect(one.get_by_role("status")).to_contain_text("200 OK")
    expect(one.get_by_role("status")).to_contain_text('"HELLO"')
    expect(one.get_by_role("status")).to_contain_text("/comments/7?loud=true&tag=a&tag=b+c")
    one.get_by_label("id (path)").fill("x")
    one.get_by_role("button", name="Send").click()
    expect(one.get_by_role("status")).to_contain_text("422")
    (tmp_path / "a.txt").write_text("file")
    one = opened(page, "POST/save")
    one.get_by_label("photo").set_input_files(tmp_path / "a.txt")
    one.get_by_role("button", name="Send").click()
    expect(one.get_by_role("status")).to_contain_text('"a.txt",\n  "file",\n  "none"')
    one = opened(page, "GET/agent")
    one.get_by_label("x-name (header)").fill("me")
    one.get_by_role("button", name="Send").click()
    # What the server says is text.
    expect(one.get_by_role("status")).to_contain_text(f"me {SCRIPT}")
    expect(page.locator("details.operation", has_text="/hostile")).to_contain_text(SCRIPT)
    assert page.locator("img").count() == 0


def test_operations_are_found(new_page: Callable[..., Page]) -> None:
    page = new_page()
    shown = page.locator("details.operation:not([hidden])")
    expect(shown.first).to_be_visible()
    page.get_by_label("Find an operation").fill("post comm")
    expect(shown).to_have_count(1)
    page.get_by_label("Find an operation").fill("")
    expect(shown.nth(4)).to_be_visible()


def test_a_token_is_asked_for(chromium: Browser) -> None:
    tokens = {"read-token": "read", "write-token": ["read", "write"]}
    with (
        demat.serve(ROUTES, port=0, background=True, tokens=tokens) as server,
        watched_pages(chromium, server.url) as make,
    ):
        page = make()
        page.goto(f"{server.url}/-/api")
        for token in ("wrong", "read-token"):
            page.get_by_label("Token of this server").fill(token)
            page.get_by_role("button", name="Log in").click()
            if token == "wrong":
                expect(page.locator("dialog [role=alert]")).to_have_text("This is not the token of the server.")
        one = opened(page, "POST/notes")
        expect(one).to_contain_text("Needs a token with the role write.")
        one.get_by_role("button", name="Send").click()
        expect(one.get_by_role("status")).to_contain_text("403")
        page.get_by_role("button", name="Log out").click()
        expect(page.get_by_label("Token of this server")).to_be_visible()


def test_functions_are_no_tables(chromium: Browser) -> None:
    def some() -> list[Comment]:
        return []

    def one(id: int) -> Comment:
        return Comment(str(id))

    routes = {"/some": some, "/some/:id": one, "/comments": ([Comment("a")], Comment)}
    with demat.serve(routes, port=0, background=True) as server, watched_pages(chromium, server.url) as make:
        page = make()
        page.goto(f"{server.url}/-/")
        expect(page.locator("#collection option")).to_have_text(["comments"])


def test_the_page_has_a_strict_policy() -> None:
    with demat.serve({}, port=0, background=True) as server:
        for name in ("api", "api.css", "api.js"):
            with urlopen(f"{server.url}/-/{name}") as answer:
                policy = answer.headers["content-security-policy"]
                text = answer.read().decode()
            assert policy.startswith("default-src 'none'; style-src 'self'; script-src 'self'; connect-src 'self'")
            assert "unsafe" not in policy
            assert "https://" not in text
            assert "innerHTML" not in text
    with demat.serve({}, port=0, background=True, browser=False) as server, pytest.raises(OSError, match="404"):
        urlopen(f"{server.url}/-/api")
