"""Headers, cookies, the request itself, and answers with a status, headers and cookies."""

from __future__ import annotations

import http.client
import json
from contextlib import closing
from typing import Annotated, Any
from urllib.parse import urlsplit

import demat
import pytest
from requested import ask


def sent(url: str, method: str, path: str, headers: list[tuple[str, str]], body: bytes = b"") -> tuple[int, Any, Any]:
    """A request whose headers may be repeated. Returns status, headers and the answer."""
    where = urlsplit(url)
    connection = http.client.HTTPConnection(where.hostname or "", where.port, timeout=20)
    with closing(connection):
        connection.putrequest(method, path, skip_accept_encoding=True)
        for name, value in headers:
            connection.putheader(name, value.encode("latin-1"))
        if body:
            connection.putheader("content-length", str(len(body)))
        connection.endheaders(body)
        answer = connection.getresponse()
        data = answer.read()
        return answer.status, answer.headers, json.loads(data) if data else None


def heads(
    user_agent: Annotated[str, demat.Header()],
    trace: Annotated[list[int], demat.Header("X-Trace")] = [],  # noqa: B006
    depth: Annotated[int | None, demat.Header("x-depth"), demat.Field(ge=0)] = None,
) -> list[Any]:
    return [user_agent, trace, depth]


def cookies(
    session: Annotated[str | None, demat.Cookie()] = None, n: Annotated[int, demat.Cookie("n-1")] = 0
) -> list[Any]:
    return [session, n]


def echo(request: demat.Request) -> list[Any]:
    headers = request.headers
    return [
        request.method,
        request.path,
        request.query,
        headers["X-One"],
        headers.get("none"),
        headers.get_all("x-one"),
        "x-ONE" in headers,
        request.client,
        request.body.decode(),
        sorted(request.roles),
    ]


def both(request: demat.Request, body: dict[str, int]) -> list[Any]:
    return [request.body.decode(), body]


ROUTES = {"/heads": heads, "/cookies": cookies, "GET /echo/:x": lambda x, request: x, "POST /echo": echo, "/both": both}
ROUTES["GET /echo/:x"].__annotations__["request"] = demat.Request  # type: ignore[attr-defined]


def test_arguments_come_from_headers_and_cookies() -> None:
    agent = ("User-Agent", "me")
    with demat.serve(ROUTES, port=0, background=True) as server:
        for path, headers, status, expected in [
            ("/heads", [agent], 200, ["me", [], None]),
            ("/heads", [agent, ("x-trace", "1"), ("X-TRACE", "2"), ("X-Depth", "3")], 200, ["me", [1, 2], 3]),
            ("/heads", [("user-agent", "Ã¼")], 200, ["ü", [], None]),
            ("/heads", [("user-agent", "\xfc")], 200, ["ü", [], None]),
            ("/heads", [], 422, "expected the header `user-agent`, found nothing"),
            ("/heads", [agent, agent], 400, "the header `user-agent` is said twice"),
            ("/heads", [agent, ("x-trace", "1"), ("x-trace", "x")], 422, "the header `X-Trace`"),
            ("/heads", [agent, ("x-depth", "-1")], 422, "the header `x-depth`"),
            ("/cookies", [], 200, [None, 0]),
            ("/cookies", [("cookie", 'a=1; session="x=y"; n-1=7')], 200, ["x=y", 7]),
            ("/cookies", [("cookie", "a=1;session=;b")], 200, ["", 0]),
            ("/cookies", [("cookie", "session=a"), ("cookie", "n-1=2")], 200, ["a", 2]),
            ("/cookies", [("cookie", "n-1=x")], 422, "the cookie `n-1`"),
            ("/cookies", [("cookie", "session=a; session=b")], 400, "the cookie `session` is said twice"),
        ]:
            got, _, told = sent(server.url, "GET", path, headers)
            assert got == status, (path, headers, told)
            if status == 200:
                assert told == expected
            else:
                assert expected in told["error"]["message"]


def test_a_function_sees_the_request() -> None:
    with demat.serve(ROUTES, port=0, background=True) as server:
        headers = [("x-one", "a"), ("content-type", "application/x-own"), ("x-one", "b")]
        got = sent(server.url, "POST", "/echo", headers, b"body")
        assert got[2] == ["POST", "/echo", "", "a", None, ["a", "b"], True, "127.0.0.1", "body", []]
        assert ask(server.url, "GET", "/echo/%C3%A9").json() == "é"
        assert ask(server.url, "POST", "/both", {"a": 1}).json() == ['{"a": 1}', {"a": 1}]
        # What HTML forms can send needs a function that takes a form.
        for kind in ("text/plain", "application/x-www-form-urlencoded", "multipart/form-data; boundary=x", "x", ""):
            assert ask(server.url, "POST", "/echo", b"x", content_type=kind, x_one="1").status == 415, kind


def test_a_body_that_nobody_takes_is_refused() -> None:
    def nothing() -> None: ...

    with demat.serve({"POST /": nothing}, port=0, background=True) as server:
        assert ask(server.url, "POST", "/").status == 204
        refused = ask(server.url, "POST", "/", {"a": 1})
        assert (refused.status, refused.json()["error"]["message"]) == (415, "no body is taken here")


def test_headers_and_cookies_are_described_and_allowed() -> None:
    def own(
        authorization: Annotated[str, demat.Header()],
        x_a: Annotated[int, demat.Header()],
        c: Annotated[str, demat.Cookie()],
    ) -> None: ...

    with demat.serve({"/own": own}, port=0, background=True, cors="https://app.example") as server:
        operation = ask(server.url, "GET", "/openapi.json").json()["paths"]["/own"]["get"]
        # OpenAPI ignores a header parameter `authorization`.
        assert [(one["in"], one["name"]) for one in operation["parameters"]] == [("header", "x-a"), ("cookie", "c")]
        allowed = ask(server.url, "OPTIONS", "/own", origin="https://app.example").headers[
            "access-control-allow-headers"
        ]
        assert {"x-a", "authorization"} <= set(allowed.split(", "))


def test_what_is_allowed_is_what_all_routes_of_the_path_take() -> None:
    def read(x_a: Annotated[int, demat.Header()] = 0) -> int:
        return x_a

    def write(x_b: Annotated[int, demat.Header()] = 0) -> None: ...

    routes = {"/own": read, "POST /own": write, "/notes": {"a": 1}, "POST /notes": write}
    with demat.serve(routes, port=0, background=True, cors="https://app.example") as server:
        for path, methods in (("/own", "POST, GET, HEAD"), ("/notes", "POST, GET, HEAD, PUT, DELETE")):
            allowed = ask(server.url, "OPTIONS", path, origin="https://app.example").headers
            assert set(methods.split(", ")) <= set(allowed["allow"].split(", "))
            assert allowed["access-control-allow-methods"] == allowed["allow"]
            headers = set(allowed["access-control-allow-headers"].split(", "))
            assert ("x-b" in headers, "x-a" in headers) == (True, path == "/own")
            assert ask(server.url, "BREW", path).headers["allow"] == allowed["allow"]


def test_a_function_answers_options_beside_others() -> None:
    def read() -> int:
        return 1

    def told() -> str:
        return "asked"

    with demat.serve({"/own": read, "OPTIONS /own": told}, port=0, background=True) as server:
        assert ask(server.url, "OPTIONS", "/own").json() == "asked"
        assert ask(server.url, "GET", "/own").json() == 1


def test_an_answer_has_status_headers_and_cookies() -> None:
    def made(name: str) -> demat.Response[dict[str, str]]:
        cookies = {
            "session": "abc",
            "old": None,
            "more": demat.SetCookie("x", max_age=60, secure=True, same_site="none"),
        }
        return demat.Response({"name": name}, status=201, headers={"Location": f"/made/{name}"}, cookies=cookies)

    def page() -> demat.Response[str]:
        return demat.Response("é", media_type="text/plain; charset=utf-8")

    def gone() -> demat.Response[None]:
        return demat.Response(status=410)

    def new() -> demat.Response[int]:
        return demat.Response(5, headers={"x-a": "b"})

    def bare() -> demat.Response:  # type: ignore[type-arg]
        return demat.Response(b"\0", status=203)

    routes = {"/made/:name": made, "/page": page, "/gone": gone, "/new": demat.route(new, status=201), "/bare": bare}
    with demat.serve(routes, port=0, background=True) as server:
        status, headers, told = sent(server.url, "GET", "/made/a", [])
        assert (status, headers["location"], told) == (201, "/made/a", {"name": "a"})
        assert headers.get_all("set-cookie") == [
            "session=abc; Path=/; HttpOnly; SameSite=Lax",
            "old=; Max-Age=0; Path=/; HttpOnly; SameSite=Lax",
            "more=x; Max-Age=60; Path=/; Secure; HttpOnly; SameSite=None",
        ]
        got = ask(server.url, "GET", "/page")
        assert (got.body, got.headers["content-type"]) == ("é".encode(), "text/plain; charset=utf-8")
        assert (ask(server.url, "GET", "/gone").status, ask(server.url, "GET", "/gone").body) == (410, b"")
        got = ask(server.url, "GET", "/new")
        assert (got.status, got.body, got.headers["x-a"]) == (201, b"5", "b")
        got = ask(server.url, "GET", "/bare")
        assert (got.status, got.body, got.headers["content-type"]) == (203, b"\0", "application/octet-stream")


def test_errors_have_the_status_that_they_say() -> None:
    def refuse(status: int) -> None:
        raise demat.HTTPError(status, "no", headers={"Retry-After": "5"})

    with demat.serve({"/refuse": refuse}, port=0, background=True) as server:
        got = ask(server.url, "GET", "/refuse?status=409")
        assert (got.status, got.json()["error"], got.headers["retry-after"]) == (
            409,
            {"status": 409, "kind": "store", "message": "no"},
            "5",
        )
        # A mistake of the function.
        assert ask(server.url, "GET", "/refuse?status=200").status == 500


@pytest.mark.parametrize(
    "make",
    [
        lambda: demat.Response(1, status=204),
        lambda: demat.Response(1, status=99),
        lambda: demat.Response(1, status="200"),  # type: ignore[arg-type]
        lambda: demat.Response(1, status=True),
        lambda: demat.Response(1, headers={"X-A": "b\r\nX-C: d"}),
        lambda: demat.Response(1, headers={"X-A": "ä"}),
        lambda: demat.Response(1, headers={"X A": "b"}),
        lambda: demat.Response(1, headers={"X-A": 1}),  # type: ignore[dict-item]
        lambda: demat.Response(1, headers={"Content-Length": "1"}),
        lambda: demat.Response(1, headers={"transfer-encoding": "chunked"}),
        lambda: demat.Response(1, headers={"Content-Type": "text/plain"}),
        lambda: demat.Response(1, headers={"Set-Cookie": "a=b"}),
        lambda: demat.Response(1, cookies={"a": "b; Path=/"}),
        lambda: demat.Response(1, cookies={"a=": "b"}),
        lambda: demat.Response(1, cookies={"a": demat.SetCookie("b", path="/; x")}),
        lambda: demat.Response(1, media_type="text/plain"),
        lambda: demat.Response("a", media_type="text"),
        lambda: demat.Response("a", media_type="text/plain\r\nX: y"),
        lambda: demat.SetCookie("a", same_site="none"),
        lambda: demat.SetCookie("a", same_site="other"),  # type: ignore[arg-type]
        lambda: demat.SetCookie("a", max_age=1.5),  # type: ignore[arg-type]
        lambda: demat.SetCookie(5),  # type: ignore[arg-type]
        lambda: demat.HTTPError(200),
        lambda: demat.HTTPError(400, headers={"a b": "c"}),
        lambda: demat.route([], status=1000),
    ],
)
def test_what_can_not_be_sent_is_refused_when_it_is_made(make: Any) -> None:
    with pytest.raises((TypeError, ValueError)):
        make()


def test_options_that_can_not_be_honoured_are_refused() -> None:
    def number() -> int:
        return 1

    for what, error in [
        (demat.route([1], status=201), TypeError),
        (demat.route(number, status=204), ValueError),
        (demat.route(number, bulk=True), TypeError),
    ]:
        with pytest.raises(error):
            demat.serve({"/": what}, port=0, background=True)
    with pytest.raises(TypeError, match="a store has no requests"):
        demat.store.template({"/": heads})
