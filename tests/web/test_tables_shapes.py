"""The table browser reads kinds of fields and read-only fields from the OpenAPI document."""

from __future__ import annotations

import json
from typing import Any

import pytest
from playwright.sync_api import Page, Request, Route, expect
from server import Server
from tables import Tables

PERSON = {
    "type": "object",
    "x-key": ["name"],
    "required": ["name", "size"],
    "properties": {
        "name": {"type": "string", "description": "how people call them"},
        "size": {"$ref": "#/components/schemas/Size"},
        "weight": {"type": ["number", "null"]},
        "tags": {"type": "array", "items": {"type": "string"}},
        "home": {"anyOf": [{"$ref": "#/components/schemas/Home"}, {"type": "null"}]},
        "seen": {"type": "string", "format": "date", "readOnly": True},
    },
}
ROWS = [
    {"name": "a/b?c", "size": "small", "weight": 1.5, "tags": ["x"], "home": {"town": "Ulm"}, "seen": "2026-01-01"},
    {"name": "Ada", "size": "large", "weight": None, "tags": [], "home": None, "seen": "2026-01-02"},
]


def holds(schema: dict[str, Any]) -> dict[str, Any]:
    return {"content": {"application/json": {"schema": schema}}}


def document() -> dict[str, Any]:
    one = {"$ref": "#/components/schemas/Person"}
    answer = {"responses": {"200": {"$ref": "#/components/responses/People"}}}
    changed = {"requestBody": holds(one), "responses": {"200": holds(one)}}
    return {
        "openapi": "3.1.0",
        "paths": {
            "/health": {"get": {}},
            "/people": {"get": answer, "post": changed},
            "/people/{name}": {"get": {"responses": {"200": holds(one)}}, "patch": changed},
            "/logs": {"get": answer},
            "/logs/{name}": {"get": {"responses": {"200": holds(one)}}},
        },
        "components": {
            "responses": {"People": holds({"type": "array", "items": one})},
            "schemas": {
                "Person": PERSON,
                "Size": {"type": "string", "enum": ["small", "large"]},
                "Home": {"type": "object", "properties": {"town": {"type": "string"}}},
            },
        },
    }


class Fake:
    """Answers in the server's place, and keeps what was asked."""

    def __init__(self, page: Page) -> None:
        self.asked: list[Request] = []
        page.route("**/openapi.json", lambda route: route.fulfill(json=document()))
        page.route("**/people**", self.answer)
        page.route("**/people/**", self.answer)
        page.route("**/logs**", self.answer)

    def answer(self, route: Route) -> None:
        request = route.request
        if "text/event-stream" in request.headers.get("accept", ""):
            route.fulfill(content_type="text/event-stream", body="retry: 100000\n\nevent: hello\ndata: {}\n\n")
        elif "count" in request.url:
            route.fulfill(json={"count": len(ROWS)})
        elif "/people/" in request.url:
            self.asked.append(request)
            route.fulfill(json=ROWS[0 if "b%3Fc" in request.url else 1])
        else:
            self.asked.append(request)
            route.fulfill(json=ROWS)

    def last(self, method: str) -> Request:
        """The last request of a method."""
        return [request for request in self.asked if request.method == method][-1]


@pytest.fixture
def fake(page: Page) -> Fake:
    return Fake(page)


@pytest.fixture
def people(fake: Fake, page: Page, server: Server) -> Tables:
    page.goto(f"{server.url}/-/")
    expect(page.locator("tbody tr")).to_have_count(2)
    return Tables(page, None)


def test_values_of_every_kind(people: Tables) -> None:
    expect(people.page.locator("#collection option")).to_have_text(["people", "logs"])
    people.shows("home", '{"town":"Ulm"}', "null")
    people.shows("tags", '["x"]', "[]")
    people.shows("weight", "1.5", "null")
    expect(people.page.locator("thead th button").first).to_have_attribute("title", "how people call them")
    expect(people.filter("size").locator("option")).to_have_text(["any", "small", "large"])
    expect(people.page.get_by_label("Delete row", exact=False)).to_have_count(0)


@pytest.mark.parametrize(
    ("name", "text", "body"),
    [
        ("tags", '["x", "y"]', '{"tags":["x", "y"]}'),
        ("home", "", '{"home":null}'),
        ("weight", "1e3", '{"weight":1e3}'),
        ("weight", "0.1000000000000000055", '{"weight":0.1000000000000000055}'),
    ],
)
def test_what_is_written_is_sent(people: Tables, fake: Fake, name: str, text: str, body: str) -> None:
    edit = people.edit(0, name)
    edit.fill(text)
    edit.press("Enter")
    expect(people.editor).to_have_count(0)
    sent = fake.last("PATCH")
    assert (sent.post_data, sent.url.rpartition("/")[2]) == (body, "a%2Fb%3Fc")


@pytest.mark.parametrize(("name", "text"), [("tags", "[x]"), ("weight", "heavy"), ("tags", "")])
def test_what_does_not_fit_is_not(people: Tables, fake: Fake, name: str, text: str) -> None:
    edit = people.edit(0, name)
    edit.fill(text)
    edit.press("Enter")
    expect(people.alert).to_contain_text(f"{name}: ")
    expect(edit).to_have_attribute("aria-invalid", "true")
    assert all(request.method == "GET" for request in fake.asked)


def test_a_form_for_every_kind(people: Tables, fake: Fake) -> None:
    people.page.locator("#add").click()
    form = people.page.locator("#form")
    expect(form.locator("label")).to_have_count(5)
    form.get_by_label("name").fill("Bob")
    form.get_by_label("size").select_option("large")
    form.get_by_label("weight").fill("80")
    form.get_by_role("button", name="Add").click()
    expect(form).to_be_hidden()
    assert json.loads(fake.last("POST").post_data or "") == {"name": "Bob", "size": "large", "weight": 80}


def test_rows_without_a_key_are_only_read(page: Page, server: Server) -> None:
    """Guessing a key (`id`, the first column, the path's parameter) could address another row, so the page doesn't."""
    keyless = document()
    keyless["components"]["schemas"]["Person"] = {name: PERSON[name] for name in PERSON if name != "x-key"}
    keyless["paths"]["/people/{name}"]["delete"] = {}
    fake = Fake(page)
    page.route("**/openapi.json", lambda route: route.fulfill(json=keyless))
    page.goto(f"{server.url}/-/")
    expect(page.locator("tbody tr")).to_have_count(2)
    tables = Tables(page, None)
    tables.cell(0, "weight").dblclick()
    tables.cell(0, "weight").press("Delete")
    page.wait_for_timeout(100)
    expect(tables.editor).to_have_count(0)
    expect(page.locator("dialog[open]")).to_have_count(0)
    expect(page.get_by_label("Delete row", exact=False)).to_have_count(0)
    expect(page.locator("tbody td[aria-readonly=false]")).to_have_count(0)
    assert all(request.method == "GET" and "/people/" not in request.url for request in fake.asked)


def test_keys_of_several_values(page: Page, server: Server) -> None:
    """Of which fields the key is made, the document says."""
    both = document()
    both["components"]["schemas"]["Person"] = {**PERSON, "x-key": ["name", "size"]}
    fake = Fake(page)
    page.route("**/openapi.json", lambda route: route.fulfill(json=both))
    row = {**ROWS[0], "name": "a,b\\c"}
    page.route("**/people?*", lambda route: route.fulfill(json={"count": 1} if "count" in route.request.url else [row]))
    page.goto(f"{server.url}/-/")
    expect(page.locator("tbody tr")).to_have_count(1)
    tables = Tables(page, None)
    edit = tables.edit(0, "weight")
    edit.fill("2")
    edit.press("Enter")
    expect(tables.editor).to_have_count(0)
    assert fake.last("PATCH").url.rpartition("/")[2] == "a%5C%2Cb%5C%5Cc%2Csmall"


def test_what_can_only_be_read(people: Tables) -> None:
    people.page.locator("#collection").select_option("logs")
    expect(people.page).to_have_title("logs · Demat")
    expect(people.page.locator("#add")).to_be_hidden()
    expect(people.rows).to_have_count(2)
    people.cell(0, "tags").dblclick()
    people.page.wait_for_timeout(100)
    expect(people.editor).to_have_count(0)
    people.page.go_back()
    expect(people.page).to_have_title("people · Demat")
    expect(people.page.locator("#add")).to_be_visible()


def test_a_server_without_a_document(page: Page, server: Server) -> None:
    page.route("**/openapi.json", lambda route: route.fulfill(status=404, body=""))
    page.goto(f"{server.url}/-/")
    expect(page.locator("#alert")).to_contain_text("What this server has can’t be learnt: The server answered 404")


def test_a_server_without_collections(page: Page, server: Server) -> None:
    page.route("**/openapi.json", lambda route: route.fulfill(json={"openapi": "3.1.0", "paths": {}}))
    page.goto(f"{server.url}/-/")
    expect(page.locator("#alert")).to_contain_text("This server has no collections.")
