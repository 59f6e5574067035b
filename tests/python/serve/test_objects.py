"""Python's own objects over HTTP, as they are at each request."""

from __future__ import annotations

from dataclasses import dataclass, field
from decimal import Decimal
from typing import TYPE_CHECKING, Any, ClassVar

import demat
from requested import ask

if TYPE_CHECKING:
    from pathlib import Path


@dataclass
class Task:
    title: str
    done: bool = False
    tags: list[str] = field(default_factory=list)


def test_a_list_of_instances_is_changed_in_place() -> None:
    tasks = [Task("a"), Task("b", True)]
    with demat.serve({"/tasks": demat.route((tasks, Task), bulk=True)}, port=0, background=True) as server:
        assert ask(server.url, "GET", "/tasks?done=true&fields=title").json() == [{"title": "b"}]
        made = ask(server.url, "POST", "/tasks", {"title": "c"})
        assert (made.status, made.headers["location"]) == (201, server.url + "/tasks/2")
        assert tasks[2] == Task("c")
        assert ask(server.url, "POST", "/tasks", {"title": 5}).status == 422
        assert ask(server.url, "PATCH", "/tasks/0", {"done": True, "tags": ["x"]}).json()["tags"] == ["x"]
        assert tasks[0] == Task("a", True, ["x"])
        assert ask(server.url, "PATCH", "/tasks/0", {"done": "maybe"}).status == 422
        assert ask(server.url, "PATCH", "/tasks/0", {"nothing": 1}).status == 422
        assert tasks[0] == Task("a", True, ["x"])
        tasks.append(Task("from the program"))
        assert ask(server.url, "GET", "/tasks/3/title").json() == "from the program"
        assert ask(server.url, "DELETE", "/tasks/0").status == 204
        assert tasks[0].title == "b"
        assert ask(server.url, "GET", "/tasks/9").status == 404
        assert ask(server.url, "GET", "/tasks/x").status == 404
        csv = ask(server.url, "GET", "/tasks?fields=title", accept="text/csv")
        assert csv.body.decode().split() == ["title", "b", "c", "from", "the", "program"]
        assert ask(server.url, "GET", "/tasks/0/__class__").status == 404
        assert ask(server.url, "DELETE", "/tasks").status == 204
        assert tasks == []


def test_a_dict_is_walked_by_its_keys() -> None:
    notes: dict[Any, Any] = {"a": {"b": [1, {"c": None}]}, 5: "five"}
    with demat.serve({"/": notes}, port=0, background=True) as server:
        assert ask(server.url, "GET", "/a/b/1").json() == {"c": None}
        assert ask(server.url, "GET", "/5").json() == "five"
        assert ask(server.url, "PUT", "/a/x", [1]).status == 201
        assert notes["a"]["x"] == [1]
        assert ask(server.url, "POST", "/a/x", 2).status == 201
        assert ask(server.url, "PATCH", "/a", {"y": True}).json()["y"] is True
        assert notes["a"] == {"b": [1, {"c": None}], "x": [1, 2], "y": True}
        assert ask(server.url, "PUT", "/nothing/below", 1).status == 404


def test_files_are_served_as_they_are(tmp_path: Path) -> None:
    (tmp_path / "index.html").write_text("<p>hello")
    (tmp_path / "big.bin").write_bytes(bytes(3 << 20))
    with demat.serve({"/": tmp_path, "/data": [1, 2]}, port=0, background=True) as server:
        page = ask(server.url, "GET", "/")
        assert (page.body, page.headers["content-type"]) == (b"<p>hello", "text/html; charset=utf-8")
        assert "default-src 'self'" in page.headers["content-security-policy"]
        assert ask(server.url, "GET", "/", if_none_match=page.headers["etag"]).status == 304
        assert ask(server.url, "GET", "/big.bin").body == bytes(3 << 20)
        assert ask(server.url, "GET", "/data").json() == [1, 2]
        assert ask(server.url, "GET", "/../../etc/passwd").status == 400
        assert ask(server.url, "POST", "/", {}).status == 405


@dataclass
class Base:
    age: int = 0


@dataclass
class Member(Base):
    price: Decimal = Decimal("1.10")
    note: str | None = None
    SECRET: ClassVar[str] = "pw"

    def total(self) -> int:
        return 1


@dataclass(frozen=True)
class Fixed:
    n: int = 1


def test_only_fields_are_read_and_changed() -> None:
    member, fixed = Member(), Fixed()
    with demat.serve({"/m": ([member], Member), "/f": ([fixed], Fixed)}, port=0, background=True) as server:
        url = server.url
        assert ask(url, "GET", "/m/0/SECRET").status == 404
        assert ask(url, "PUT", "/m/0/total", 5).status == 404
        assert ask(url, "PUT", "/m/0/age", "old").status == 422
        assert ask(url, "PUT", "/m/0/age", 7).status in (200, 204)
        assert ask(url, "PUT", "/f/0/n", 2).status == 409
        assert ask(url, "PATCH", "/m/0", {"note": "x"}).status in (200, 204)
    assert member.total() == 1
    assert fixed == Fixed(1)


def test_decimals_keep_their_digits_when_others_change() -> None:
    members = [Member(price=Decimal("12345678901234567890.10"))]
    with demat.serve({"/m": (members, Member)}, port=0, background=True) as server:
        assert ask(server.url, "PATCH", "/m/0", {"note": "b"}).status in (200, 204)
    assert (members[0].price, members[0].note) == (Decimal("12345678901234567890.10"), "b")


def test_decimals_that_are_sent_keep_their_digits() -> None:
    members: list[Member] = [Member()]
    sent = Decimal("12345678901234567890.10")
    body = b'{"price": 12345678901234567890.10}'
    with demat.serve({"/m": (members, Member)}, port=0, background=True) as server:
        assert ask(server.url, "POST", "/m", body, content_type="application/json").status == 201
        assert ask(server.url, "PUT", "/m/0", body, content_type="application/json").status in (200, 204)
        assert [str(member.price) for member in members] == [str(sent)] * 2
        body = b'{"price": 12345678901234567890.11}'
        assert ask(server.url, "PATCH", "/m/0", body, content_type="application/json").status in (200, 204)
    assert str(members[0].price) == "12345678901234567890.11"
