"""Tokens with roles: 401 without a known token, 403 without the role, for every kind of route."""

from __future__ import annotations

from typing import Any

import demat
import pytest
from requested import ask

TOKENS = {"r-token": "read", "w-token": ["write"], "rw-token": ["read", "write"], "staff-token": ["staff", "read"]}


def who(request: demat.Request) -> list[str]:
    return sorted(request.roles)


def change(body: int) -> int:
    return body


def status(url: str, method: str, path: str, token: str | None, body: Any = None) -> int:
    headers = {} if token is None else {"authorization": f"Bearer {token}"}
    return ask(url, method, path, body, **headers).status


@pytest.fixture
def routes() -> dict[str, Any]:
    return {
        "/list": [1, 2],
        "/who": who,
        "/change": change,
        "/staff": demat.route(["s"], read=["staff", "write"], write="staff"),
        "PUT /staff/change": demat.route(change, write="staff"),
    }


def test_a_role_is_needed(routes: dict[str, Any]) -> None:
    with demat.serve(routes, port=0, background=True, token="all-token", tokens=TOKENS) as server:
        for method, path, body, expected in [
            ("GET", "/list", None, {"r-token": 200, "w-token": 403, "rw-token": 200, "staff-token": 200}),
            ("HEAD", "/list", None, {"r-token": 200, "w-token": 403}),
            ("POST", "/list", 3, {"r-token": 403, "w-token": 201, "rw-token": 201, "staff-token": 403}),
            ("GET", "/who", None, {"r-token": 200, "w-token": 403}),
            ("POST", "/change", 3, {"r-token": 403, "w-token": 200}),
            ("GET", "/staff", None, {"r-token": 403, "w-token": 200, "staff-token": 200}),
            ("POST", "/staff", "t", {"r-token": 403, "w-token": 403, "rw-token": 403, "staff-token": 201}),
            ("PUT", "/staff/change", 3, {"w-token": 403, "staff-token": 200}),
            # Without a token, the answer is 401 for every path, so it does not reveal which paths exist.
            ("GET", "/none", None, {"r-token": 404, "w-token": 404}),
            ("GET", "/change", None, {"r-token": 405}),
            ("GET", "/openapi.json", None, {"w-token": 200}),
            ("GET", "/metrics", None, {"w-token": 200}),
        ]:
            for token, of_token in {None: 401, "other": 401, "r-toke": 401, **expected}.items():
                assert status(server.url, method, path, token, body) == of_token, (method, path, token)
            assert status(server.url, method, path, "all-token", body) not in (401, 403)
        for path, token in [("/health", None), ("/-/", None)]:
            assert status(server.url, "GET", path, token) == 200


def test_answers_say_how_to_log_in(routes: dict[str, Any]) -> None:
    with demat.serve(routes, port=0, background=True, tokens=TOKENS) as server:
        missing = ask(server.url, "GET", "/list")
        assert (missing.status, missing.headers["www-authenticate"]) == (401, "Bearer")
        refused = ask(server.url, "POST", "/list", 3, authorization="Bearer r-token")
        assert (refused.status, refused.json()["error"]["message"]) == (403, "the token has not the role `write`")
        assert refused.headers["www-authenticate"] == 'Bearer error="insufficient_scope"'
        assert ask(server.url, "GET", "/who", authorization="Bearer staff-token").json() == ["read", "staff"]


def test_all_roles_are_those_of_the_single_token(routes: dict[str, Any]) -> None:
    with demat.serve(routes, port=0, background=True, token="all-token") as server:
        told = ask(server.url, "GET", "/who", authorization="Bearer all-token").json()
    assert told == ["read", "staff", "write"]


def test_roles_are_described(routes: dict[str, Any]) -> None:
    with demat.serve(routes, port=0, background=True, tokens=TOKENS) as server:
        document = ask(server.url, "GET", "/openapi.json", authorization="Bearer r-token").json()
    paths = document["paths"]
    assert paths["/list"]["get"]["security"] == [{"token": ["read"]}]
    assert paths["/change"]["post"]["security"] == [{"token": ["write"]}]
    assert paths["/staff"]["get"]["security"] == [{"token": ["staff"]}, {"token": ["write"]}]
    assert {"401", "403"} < set(paths["/who"]["get"]["responses"])
    assert document["components"]["securitySchemes"]["token"]["scheme"] == "bearer"
    with demat.serve({"/who": who}, port=0, background=True) as server:
        operation = ask(server.url, "GET", "/openapi.json").json()["paths"]["/who"]["get"]
    assert "security" not in operation
    assert not {"401", "403"} & set(operation["responses"])


def test_tokens_that_can_not_work_are_refused(routes: dict[str, Any]) -> None:
    for tokens in (
        {},
        {"": "read"},
        {"a b": "read"},
        {"a\r\n": "read"},
        {"a": []},
        {"a": "reed"},
        # Of the route's roles no token has `staff`.
        {"a": "read"},
        [("a", "read")],
    ):
        with pytest.raises((TypeError, ValueError)):
            demat.serve(routes, port=0, background=True, tokens=tokens)  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="no tokens"):
        demat.serve(routes, port=0, background=True)
    with pytest.raises(ValueError, match="same"):
        demat.serve({}, port=0, background=True, token="a", tokens={"a": "read"})
    for roles in ([], [5]):
        with pytest.raises((TypeError, ValueError)):
            demat.route([1], read=roles)  # type: ignore[arg-type]
