"""Dependencies: called once a request, with parameters of their own, and closed after the answer."""

from __future__ import annotations

import threading
from collections.abc import AsyncIterator, Iterator
from typing import Annotated, Any

import demat
import pytest
from requested import ask

LOG: list[str] = []


@pytest.fixture(autouse=True)
def log() -> list[str]:
    LOG.clear()
    return LOG


def settings(limit: Annotated[int, demat.Field(le=100)] = 10) -> int:
    LOG.append("settings")
    return limit


Settings = Annotated[int, demat.Depends(settings)]


def user(settings: Settings, name: Annotated[str | None, demat.Header("x-user")] = None) -> str:
    if name is None:
        raise demat.HTTPError(401, "who are you?", headers={"WWW-Authenticate": "Own"})
    return f"{name}/{settings}"


User = Annotated[str, demat.Depends(user)]


class Session:
    def __init__(self, id: int, user: User) -> None:
        self.text = f"{id}:{user}"


def session(id: int) -> Iterator[str]:
    LOG.append("open")
    try:
        yield f"session {id}"
    except BaseException as error:
        LOG.append(f"failed {type(error).__name__}")
        raise
    else:
        LOG.append("commit")
    finally:
        LOG.append("close")


async def later(session: Annotated[str, demat.Depends(session)]) -> AsyncIterator[str]:
    LOG.append("enter")
    try:
        yield f"later {session}"
    finally:
        LOG.append("leave")


def swallowing() -> Iterator[int]:
    try:
        yield 1
    except ValueError:
        LOG.append("swallowed")


def failing() -> Iterator[int]:
    yield 1
    raise RuntimeError("the commit failed")


def renaming() -> Iterator[int]:
    try:
        yield 1
    except KeyError as error:
        raise demat.NotFound("there is no such key") from error


def show(id: int, user: User, settings: Settings, own: Annotated[Session, demat.Depends(Session)]) -> list[Any]:
    LOG.append("show")
    return [id, user, settings, own.text]


async def use(later: Annotated[str, demat.Depends(later)], fail: bool = False) -> str:
    LOG.append("use")
    if fail:
        raise demat.NotFound("nothing")
    return later


def swallow(one: Annotated[int, demat.Depends(swallowing)]) -> int:
    raise ValueError("a secret")


def commit(one: Annotated[int, demat.Depends(failing)]) -> int:
    return one


def rename(one: Annotated[int, demat.Depends(renaming)]) -> int:
    raise KeyError("x")


BARRIER = threading.Barrier(4)
MADE: list[object] = []


def own() -> object:
    # All requests are in here at the same time.
    BARRIER.wait(10)
    MADE.append(object())
    return MADE[-1]


def identity(one: Annotated[Any, demat.Depends(own)], other: Annotated[Any, demat.Depends(own)]) -> dict[str, Any]:
    return {"same": one is other, "id": id(one)}


def conflicting(limit: str) -> str:
    return limit


def conflict(one: Settings, two: Annotated[str, demat.Depends(conflicting)]) -> None: ...


ROUTES = {"/show/:id": show, "/use/:id": use, "/swallow": swallow, "/commit": commit, "/rename": rename}


def test_dependencies_are_resolved_once_and_have_parameters() -> None:
    with demat.serve(ROUTES, port=0, background=True) as server:
        got = ask(server.url, "GET", "/show/3?limit=5", x_user="ann")
        assert (got.status, got.json()) == (200, [3, "ann/5", 5, "3:ann/5"])
        assert LOG == ["settings", "show"]
        assert ask(server.url, "GET", "/show/3", x_user="ann").json() == [3, "ann/10", 10, "3:ann/10"]
        refused = ask(server.url, "GET", "/show/3")
        assert (refused.status, refused.headers["www-authenticate"]) == (401, "Own")
        LOG.clear()
        for path, status in [("/show/x", 422), ("/show/3?limit=101", 422), ("/show/3?other=1", 400)]:
            assert ask(server.url, "GET", path, x_user="ann").status == status
        # All arguments are checked before anything is called.
        assert LOG == []


def test_generators_are_closed_after_the_answer_and_after_an_error() -> None:
    with demat.serve(ROUTES, port=0, background=True) as server:
        assert ask(server.url, "GET", "/use/1").json() == "later session 1"
        assert LOG == ["open", "enter", "use", "leave", "commit", "close"]
        LOG.clear()
        assert ask(server.url, "GET", "/use/1?fail=true").status == 404
        assert LOG == ["open", "enter", "use", "leave", "failed NotFound", "close"]


def test_a_generator_that_fails_decides_the_answer(capfd: pytest.CaptureFixture[str]) -> None:
    """An error can't be swallowed, since there is no answer; a commit that fails is no success."""
    with demat.serve(ROUTES, port=0, background=True) as server:
        got = ask(server.url, "GET", "/swallow")
        assert (got.status, b"secret" in got.body, LOG) == (500, False, ["swallowed"])
        assert ask(server.url, "GET", "/commit").status == 500
        got = ask(server.url, "GET", "/rename")
        assert (got.status, got.json()["error"]["message"]) == (404, "there is no such key")
    err = capfd.readouterr().err
    assert "a secret" in err
    assert "the commit failed" in err


def test_what_cannot_be_encoded_is_an_error_for_generators_too(capfd: pytest.CaptureFixture[str]) -> None:
    def odd(id: int, session: Annotated[str, demat.Depends(session)]) -> Any:
        return object()

    with demat.serve({"/odd/:id": odd}, port=0, background=True) as server:
        assert ask(server.url, "GET", "/odd/1").status == 500
    assert LOG[0] == "open"
    assert LOG[1].startswith("failed")


def test_requests_do_not_share_what_they_depend_on() -> None:
    answers: list[Any] = []
    with demat.serve({"/": identity}, port=0, background=True) as server:

        def request() -> None:
            answers.append(ask(server.url, "GET", "/").json())

        threads = [threading.Thread(target=request) for _ in range(BARRIER.parties)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    assert [answer["same"] for answer in answers] == [True] * BARRIER.parties
    assert len({answer["id"] for answer in answers}) == BARRIER.parties


def test_dependencies_are_described() -> None:
    with demat.serve(ROUTES, port=0, background=True) as server:
        operation = ask(server.url, "GET", "/openapi.json").json()["paths"]["/show/{id}"]["get"]
    said = [(one["in"], one["name"], one["required"]) for one in operation["parameters"]]
    assert sorted(said) == [("header", "x-user", False), ("path", "id", True), ("query", "limit", False)]


def test_dependencies_that_can_not_work_are_refused() -> None:
    def circle(again: int) -> int:
        return again

    circle.__annotations__["again"] = Annotated[int, demat.Depends(circle)]

    def defaulted(one: Settings = 5) -> None: ...

    def rest(*all: int) -> None: ...

    def two_bodies(body: int, one: Annotated[Any, demat.Depends(lambda body: body)]) -> None: ...

    for function in (circle, conflict, defaulted, lambda x=5: x, two_bodies):
        if function.__name__ == "<lambda>":
            function.__annotations__["x"] = Annotated[int, demat.Depends(rest)]
        with pytest.raises(TypeError):
            demat.serve({"/": function}, port=0, background=True)
    with pytest.raises(TypeError):
        demat.Depends(5)  # type: ignore[arg-type]


def test_functions_of_a_store_depend_on_others_too() -> None:
    def get(session: Annotated[str, demat.Depends(session)]) -> str:
        return session

    store = demat.store.template({"/:id": get})
    assert store.get("/7") == "session 7"
    assert LOG == ["open", "commit", "close"]
