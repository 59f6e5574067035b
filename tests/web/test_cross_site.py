"""Pages of other origins, in a real browser, change nothing of a server on a loopback address; its own pages may.

Each attack must reach the server, and be refused there, unless the browser itself stops it after a preflight request.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any
from urllib.parse import quote

import demat
import pytest
from eventually import eventually
from foreign import foreign_port
from playwright.sync_api import Browser, Page


@dataclass
class Task:
    title: str
    id: Annotated[int | None, demat.Field(key=True)] = None


class Target:
    """A server of a table, a list and a function that takes no body. Nothing but its gate protects them."""

    def __init__(self, folder: Path, **options: Any) -> None:
        self.tasks = demat.sqlite.open(folder / "tasks.db").table("tasks", Task)
        self.tasks.insert([Task("first"), Task("second")])
        self.items = [Task("only", 1)]
        self.calls = 0
        self.answered: list[str] = []
        routes = {
            "/tasks": demat.route(self.tasks, bulk=True),
            "/items": demat.route((self.items, Task), bulk=True),
            "POST /clear": self.clear,
        }
        self.server = demat.serve(routes, port=0, background=True, log=self.log, **options)
        self.url = self.server.url

    def clear(self) -> None:
        self.calls += 1

    def log(self, line: str) -> None:
        """Keeps method, path and status."""
        _, request, rest = line.split('"')
        method, target, _ = request.split(" ")
        self.answered.append(f"{method} {target} {rest.split()[0]}")

    def state(self) -> object:
        return self.tasks.select().all(), list(self.items), self.calls

    def changes(self) -> list[str]:
        """Returns the changes that were answered, with their statuses."""
        return [line for line in self.answered if line.split(" ")[0] not in {"GET", "HEAD", "OPTIONS"}]

    def expect(self, page: Page, line: str) -> None:
        """Waits until the page has had this answer."""
        eventually(lambda: page.wait_for_timeout(5) or line in self.answered, True)


TASK = "JSON.stringify({title: 'evil'})"
# The argument of each script is the URL of the server.
FETCH = "url => fetch(url + '%s', {%s}).then(() => '', String)"
BEACON = "url => String(navigator.sendBeacon(url + '%s', %s))"
FORM = """url => {
    const frame = document.body.appendChild(document.createElement("iframe"));
    frame.name = "target";
    const form = document.body.appendChild(document.createElement("form"));
    Object.assign(form, {method: "post", action: %s, enctype: "%s", target: "target"});
    const field = form.appendChild(document.createElement("input"));
    // As text/plain, the fields make a JSON object.
    [field.name, field.value] = ['{"title": "evil', '"}'];
    form.submit();
}"""
SANDBOX = """url => {
    const frame = document.createElement("iframe");
    frame.sandbox = "allow-scripts allow-forms";
    frame.srcdoc = `<form method=post action="${url}/clear"></form><script>document.forms[0].submit()</script>`;
    document.body.append(frame);
}"""
PING = """url => {
    const link = document.body.appendChild(document.createElement("a"));
    link.href = "#";
    link.ping = url + "/clear";
    link.click();
}"""
REPORT = """() => {
    document.body.appendChild(document.createElement("img")).src = "/picture.png";
}"""
XHR = """url => {
    const request = new XMLHttpRequest();
    request.open("POST", url + "/tasks");
    request.send(JSON.stringify({title: "evil"}));
}"""

# What a page does, and the answer that the server must have logged; None if the browser sends nothing.
ATTACKS: dict[str, tuple[str, str | None]] = {
    "text": (FETCH % ("/tasks", f"method: 'POST', mode: 'no-cors', body: {TASK}"), "POST /tasks 403"),
    "urlencoded": (
        FETCH % ("/tasks", "method: 'POST', mode: 'no-cors', body: new URLSearchParams({title: 'evil'})"),
        "POST /tasks 403",
    ),
    "multipart": (FETCH % ("/tasks", "method: 'POST', mode: 'no-cors', body: new FormData()"), "POST /tasks 403"),
    "no type": (
        FETCH % ("/tasks", f"method: 'POST', mode: 'no-cors', body: new Blob([{TASK}])"),
        "POST /tasks 403",
    ),
    "JSON without CORS": (
        FETCH % ("/items", f"method: 'POST', mode: 'no-cors', body: new Blob([{TASK}], {{type: 'application/json'}})"),
        "POST /items 403",
    ),
    "no body": (FETCH % ("/clear", "method: 'POST', mode: 'no-cors'"), "POST /clear 403"),
    "no body, with CORS": (FETCH % ("/clear", "method: 'POST'"), "POST /clear 403"),
    "kept alive": (FETCH % ("/clear", "method: 'POST', mode: 'no-cors', keepalive: true"), "POST /clear 403"),
    "no referrer": (
        FETCH % ("/clear", "method: 'POST', mode: 'no-cors', referrerPolicy: 'no-referrer'"),
        "POST /clear 403",
    ),
    "JSON": (
        FETCH % ("/tasks", f"method: 'POST', body: {TASK}, headers: {{'Content-Type': 'application/json'}}"),
        "OPTIONS /tasks 204",
    ),
    "PUT": (FETCH % ("/tasks", "method: 'PUT', body: '[]'"), "OPTIONS /tasks 204"),
    "PATCH": (FETCH % ("/tasks/1", f"method: 'PATCH', body: {TASK}"), "OPTIONS /tasks/1 204"),
    "DELETE": (FETCH % ("/tasks", "method: 'DELETE'"), "OPTIONS /tasks 204"),
    "DELETE of one": (FETCH % ("/tasks/1", "method: 'DELETE'"), "OPTIONS /tasks/1 204"),
    "DELETE of a list": (FETCH % ("/items", "method: 'DELETE'"), "OPTIONS /items 204"),
    "DELETE without CORS": (FETCH % ("/tasks", "method: 'DELETE', mode: 'no-cors'"), None),
    "XMLHttpRequest": (XHR, "POST /tasks 403"),
    "beacon of text": (BEACON % ("/tasks", TASK), "POST /tasks 403"),
    "beacon of fields": (BEACON % ("/tasks", "new URLSearchParams({title: 'evil'})"), "POST /tasks 403"),
    "beacon, multipart": (BEACON % ("/tasks", "new FormData()"), "POST /tasks 403"),
    "beacon of nothing": (BEACON % ("/clear", "null"), "POST /clear 403"),
    "beacon of JSON": (
        BEACON % ("/tasks", f"new Blob([{TASK}], {{type: 'application/json'}})"),
        "OPTIONS /tasks 204",
    ),
    "form": (FORM % ("url + '/tasks'", "application/x-www-form-urlencoded"), "POST /tasks 403"),
    "form, multipart": (FORM % ("url + '/tasks'", "multipart/form-data"), "POST /tasks 403"),
    "form, text": (FORM % ("url + '/tasks'", "text/plain"), "POST /tasks 403"),
    "form, redirected": (FORM % ("'/?to=' + url + '/clear'", "text/plain"), "POST /clear 403"),
    "form in a sandbox": (SANDBOX, "POST /clear 403"),
    "ping": (PING, "POST /clear 403"),
    "report": (REPORT, "POST /items 403"),
}  # fmt: skip


@pytest.fixture
def target(tmp_path: Path) -> Iterator[Target]:
    target = Target(tmp_path)
    with target.server:
        yield target


@pytest.fixture
def page(chromium: Browser) -> Iterator[Page]:
    with closing(chromium.new_context()) as context:
        yield context.new_page()


@pytest.fixture
def port() -> Iterator[int]:
    with foreign_port() as port:
        yield port


# Another port of the same host, another name of this machine, another site.
HOSTS = pytest.mark.parametrize("host", ["127.0.0.1", "localhost", "evil.example"])


@HOSTS
def test_foreign_pages_change_nothing(page: Page, target: Target, port: int, host: str) -> None:
    before = target.state()
    for name, (script, expected) in ATTACKS.items():
        page.goto(f"http://{host}:{port}/?report={quote(target.url)}/items")
        target.answered.clear()
        result = page.evaluate(script, target.url)
        if expected is None:
            assert "TypeError" in result, name
        else:
            target.expect(page, expected)
        assert all(line.endswith(" 403") for line in target.changes()), (name, target.answered)
        assert target.state() == before, name


@HOSTS
def test_a_form_that_leaves_its_page_changes_nothing(page: Page, target: Target, port: int, host: str) -> None:
    before = target.state()
    for enctype in ("application/x-www-form-urlencoded", "multipart/form-data", "text/plain"):
        page.goto(f"http://{host}:{port}/")
        form = f'<form method=post enctype="{enctype}" action="{target.url}/clear"><input name=title value=evil>'
        page.set_content(f"{form}<button>go</button></form>")
        with page.expect_navigation() as navigation:
            page.get_by_role("button").click()
        assert navigation.value.status == 403
    assert target.changes() == ["POST /clear 403"] * 3
    assert target.state() == before


@HOSTS
def test_foreign_pages_read_nothing(page: Page, target: Target, port: int, host: str) -> None:
    page.goto(f"http://{host}:{port}/")
    for path in ("/tasks", "/tasks/1", "/items", "/openapi.json", "/metrics", "/-/"):
        got = page.evaluate("url => fetch(url).then(got => got.text(), String)", target.url + path)
        assert got == "TypeError: Failed to fetch", path
        target.expect(page, f"GET {path} 200")
    events = """url => new Promise(done => {
        const events = new EventSource(url);
        events.onopen = () => done("open");
        events.onerror = () => done("refused");
    })"""
    assert page.evaluate(events, target.url + "/tasks") == "refused"


def test_a_name_that_is_rebound_reads_and_changes_nothing(page: Page, target: Target) -> None:
    """A page whose own name resolves to the server (DNS rebinding), so that the browser sees one origin."""
    before = target.state()
    # The document of the refusal has the origin of such a page.
    answer = page.goto(f"http://rebound.example:{target.server.port}/page")
    assert answer is not None
    assert answer.status == 421
    ask = "([path, method, body]) => fetch(path, {method, body, headers: {'Content-Type': 'application/json'}})"
    for path, method, body in (
        ("/tasks", "GET", None),
        ("/-/", "GET", None),
        ("/tasks", "POST", '{"title": "evil"}'),
        ("/tasks/1", "PATCH", '{"title": "evil"}'),
        ("/tasks", "DELETE", None),
        ("/clear", "POST", None),
    ):
        assert page.evaluate(f"{ask}.then(got => got.status)", [path, method, body]) == 421
    assert target.state() == before


SAME_ORIGIN = """async url => {
    const json = {"Content-Type": "application/json"};
    const task = JSON.stringify({title: "own"});
    const ask = async (path, options) => (await fetch(url + path, options)).status;
    const statuses = [
        await ask("/tasks", {method: "POST", body: task, headers: json}),
        await ask("/items", {method: "POST", body: new Blob([task], {type: "application/json"})}),
        await ask("/tasks/1", {method: "PATCH", body: task, headers: json}),
        await ask("/tasks/2", {method: "DELETE"}),
        await ask("/items", {method: "DELETE"}),
        await ask("/clear", {method: "POST"}),
    ];
    return statuses;
}"""


@pytest.mark.parametrize("host", ["127.0.0.1", "localhost"])
def test_the_servers_own_page_may_change_it(page: Page, target: Target, host: str) -> None:
    page.goto(f"http://{host}:{target.server.port}/-/")
    assert page.evaluate(SAME_ORIGIN, "") == [201, 201, 200, 204, 204, 204]
    assert target.state() == ([Task("own", 1), Task("own", 3)], [], 1)
    assert page.evaluate(f"url => navigator.sendBeacon('/tasks', new Blob([{TASK}], {{type: 'application/json'}}))")
    eventually(lambda: page.wait_for_timeout(5) or target.answered.count("POST /tasks 201"), 2)
    assert [task.title for task in target.tasks.select().all()] == ["own", "own", "evil"]


def test_pages_of_origins_that_cors_names_may(page: Page, tmp_path: Path, port: int) -> None:
    origin = f"http://friend.example:{port}"
    target = Target(tmp_path, cors=origin)
    with target.server:
        page.goto(origin)
        assert page.evaluate(SAME_ORIGIN, target.url) == [201, 201, 200, 204, 204, 204]
        assert target.state() == ([Task("own", 1), Task("own", 3)], [], 1)
        # The same page by another name is none of them.
        page.goto(f"http://evil.example:{port}")
        for name, (script, _) in ATTACKS.items():
            if name in {"no body", "JSON", "DELETE"}:
                page.evaluate(script, target.url)
        target.expect(page, "POST /clear 403")
        assert target.state() == ([Task("own", 1), Task("own", 3)], [], 1)
