"""`examples/blog.py` as a browser and curl would use it."""

from __future__ import annotations

import signal
import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from programs import EXAMPLES
from requested import ask


def _heed() -> None:
    """The process of the tests may ignore Ctrl-C, and its children would inherit that."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)


@contextmanager
def serving(database: Path) -> Iterator[str]:
    command = [sys.executable, "-W", "error", EXAMPLES / "blog.py", database, "0"]
    with subprocess.Popen(command, preexec_fn=_heed, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        try:
            # Where it is; nothing, if it has ended.
            url = process.stdout.readline().removesuffix("/feed\n")
            assert url.startswith("http://127.0.0.1:")
            yield url
            process.send_signal(signal.SIGINT)
            assert process.wait(timeout=30) == 0
        finally:
            process.kill()


@pytest.fixture
def blog(tmp_path: Path) -> Iterator[str]:
    with serving(tmp_path / "blog.db") as url:
        yield url


def write(blog: str, title: str, author: str = "Ada", **more: str) -> int:
    got = ask(blog, "POST", "/posts", {"title": title, "body": f"{title}.", "author": author, **more})
    assert got.status == 201, got.body
    assert got.headers["location"] == f"{blog}/posts/{got.json()['id']}"
    return got.json()["id"]


def say(blog: str, post: int, text: str) -> int:
    got = ask(blog, "POST", "/comments", {"post": post, "author": "Bob", "text": text})
    assert got.status == 201, got.body
    return got.json()["id"]


def test_posts_are_written_read_changed_and_deleted(blog: str) -> None:
    begun = datetime.now(UTC).replace(microsecond=0)
    first, second = write(blog, "Hello"), write(blog, "Again", "Bob")
    assert (first, second) == (1, 2)
    found = ask(blog, "GET", "/posts/1").json()
    assert {**found, "at": None} == {"id": 1, "title": "Hello", "body": "Hello.", "author": "Ada", "at": None}
    assert timedelta(0) <= datetime.fromisoformat(found["at"]) - begun < timedelta(seconds=30)
    assert [post["title"] for post in ask(blog, "GET", "/posts?author=Bob").json()] == ["Again"]
    assert ask(blog, "PATCH", "/posts/1", {"title": "Hello there"}).json()["title"] == "Hello there"
    assert ask(blog, "GET", "/posts/1").json() == {**found, "title": "Hello there"}
    assert ask(blog, "DELETE", "/posts/1").status == 204
    assert ask(blog, "GET", "/posts/1").status == 404


def test_the_feed_has_the_newest_first_with_the_number_of_their_comments(blog: str) -> None:
    days = [3, 1, 2, 2]
    posts = [write(blog, f"Post {day}", at=f"2026-01-0{day}T12:00:00Z") for day in days]
    for post, count in zip(posts, [0, 2, 1, 0], strict=True):
        for number in range(count):
            say(blog, post, f"Comment {number}")
    expected = [
        {"id": post, "title": f"Post {day}", "author": "Ada", "at": f"2026-01-0{day}T12:00:00Z", "comments": count}
        for post, day, count in [(1, 3, 0), (4, 2, 0), (3, 2, 1), (2, 1, 2)]
    ]
    assert ask(blog, "GET", "/feed").json() == expected
    assert ask(blog, "GET", "/feed?limit=2").json() == expected[:2]
    assert ask(blog, "GET", "/feed?limit=0").status in (400, 422)
    for number in range(9):
        write(blog, f"Old {number}", at="2025-01-01T00:00:00Z")
    assert len(ask(blog, "GET", "/feed").json()) == 10


def test_a_thread_is_a_post_with_its_comments(blog: str) -> None:
    one, other = write(blog, "One"), write(blog, "Other")
    texts = ["a", "ü", '"quoted"']
    ids = [say(blog, one, text) for text in texts]
    say(blog, other, "elsewhere")
    thread = ask(blog, "GET", f"/threads/{one}").json()
    assert thread["post"] == ask(blog, "GET", f"/posts/{one}").json()
    assert [(each["id"], each["text"]) for each in thread["comments"]] == list(zip(ids, texts, strict=True))
    assert thread["comments"] == ask(blog, "GET", f"/comments?post={one}&order=id").json()
    missing = ask(blog, "GET", "/threads/99")
    assert missing.status == 404
    assert "there is no post 99" in missing.json()["error"]["message"]


def test_comments_go_with_their_post_and_need_one(blog: str) -> None:
    post = write(blog, "One")
    say(blog, post, "a")
    kept = say(blog, write(blog, "Other"), "b")
    assert ask(blog, "POST", "/comments", {"post": 99, "author": "Bob", "text": "c"}).status == 409
    assert ask(blog, "DELETE", f"/posts/{post}").status == 204
    assert [each["id"] for each in ask(blog, "GET", "/comments").json()] == [kept]


@pytest.mark.parametrize(
    ("path", "body", "where"),
    [
        ("/posts", {"title": "", "body": "", "author": "Ada"}, "$.title"),
        ("/posts", {"title": "a", "body": 1, "author": "Ada"}, "$.body"),
        ("/posts", {"title": "a", "body": "", "author": "Ada", "at": "2026-01-01T00:00:00"}, "$.at"),
        ("/comments", {"post": "x", "author": "Bob", "text": "a"}, "$.post"),
        ("/comments", {"post": 1, "author": "Bob", "text": "a" * 2001}, "$.text"),
    ],
)
def test_what_is_wrong_is_told_with_its_place(blog: str, path: str, body: dict[str, object], where: str) -> None:
    write(blog, "One")
    got = ask(blog, "POST", path, body)
    assert (got.status, got.json()["error"]["path"]) == (422, where)
    assert (len(ask(blog, "GET", "/posts").json()), ask(blog, "GET", "/comments").json()) == (1, [])


def test_everything_is_described_and_survives_a_restart(tmp_path: Path) -> None:
    database = tmp_path / "blog.db"
    with serving(database) as blog:
        say(blog, write(blog, "One"), "a")
        described = ask(blog, "GET", "/openapi.json").json()
        assert described["info"]["title"] == "Blog"
        assert {"/posts", "/comments", "/feed", "/threads/{post}"} <= set(described["paths"])
    rows = sqlite3.connect(database).execute("select posts.title, text from comments join posts on post = posts.id")
    assert rows.fetchall() == [("One", "a")]
    with serving(database) as blog:
        assert ask(blog, "GET", "/feed").json()[0]["comments"] == 1
