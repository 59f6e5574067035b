"""A blog: posts and comments in SQLite, served over HTTP.

    python examples/blog.py blog.db 8080

Posts and comments are tables: clients list, filter, add, change and delete them. Deleting a post deletes its comments.
Two functions join the tables: `/feed` returns the newest posts with their numbers of comments, and `/threads/3` a post
with its comments. `/-/` is a page to browse the tables, and `/openapi.json` describes everything.

    curl --json '{"title": "Hello", "body": "First.", "author": "Ada"}' localhost:8080/posts
    curl --json '{"post": 1, "author": "Bob", "text": "Welcome!"}' localhost:8080/comments
    curl localhost:8080/threads/1
"""

import sys
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Annotated, Any

import demat
from demat import Field, sqlite

Instant = Annotated[datetime, Field(tz=True)]
Name = Annotated[str, Field(min_length=1, max_length=80)]


def now() -> datetime:
    """Returns the time, to the second."""
    return datetime.now(UTC).replace(microsecond=0)


@dataclass(slots=True, kw_only=True)
class Post:
    """A post."""

    id: Annotated[int | None, Field(key=True)] = None
    title: Annotated[str, Field(min_length=1, max_length=200)]
    body: str
    author: Annotated[Name, Field(index=True)]
    at: Instant = field(default_factory=now)


@dataclass(slots=True, kw_only=True)
class Comment:
    """A comment on a post."""

    id: Annotated[int | None, Field(key=True)] = None
    post: Annotated[int, Field(references="posts(id) on delete cascade", index=True)]
    author: Name
    text: Annotated[str, Field(min_length=1, max_length=2000)]
    at: Instant = field(default_factory=now)


@dataclass(slots=True)
class Entry:
    """A post in the feed."""

    id: int
    title: str
    author: str
    at: Instant
    comments: int


@dataclass(slots=True)
class Thread:
    """A post with its comments."""

    post: Post
    comments: list[Comment]


FEED = """
select id, title, author, at, (select count(*) from comments where post = posts.id) as comments
from posts order by at desc, id desc limit ?
"""


def routes(database: sqlite.Database) -> dict[str, sqlite.Table[Any] | Callable[..., object]]:
    """Returns the routes of the blog."""
    posts = database.table("posts", Post)
    comments = database.table("comments", Comment)

    def feed(limit: Annotated[int, Field(ge=1, le=100)] = 10) -> list[Entry]:
        """Returns the newest posts."""
        return database.query(FEED, [limit], Entry).all()

    def thread(post: int) -> Thread:
        """Returns a post with its comments, the oldest first."""
        found = posts.select(id=post).first()
        if found is None:
            raise demat.NotFound(f"there is no post {post}")
        return Thread(found, comments.select(post=post, order="id").all())

    return {"/posts": posts, "/comments": comments, "/feed": feed, "/threads/:post": thread}


def main(path: Path, port: int) -> None:
    """Serves a database until Ctrl-C."""
    with sqlite.open(path) as database:
        server = demat.serve(routes(database), port=port, title="Blog", background=True)
        print(f"{server.url}/feed", flush=True)
        server.wait()


if __name__ == "__main__":
    main(Path(sys.argv[1]), int(sys.argv[2]))
