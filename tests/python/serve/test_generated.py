"""Functions that generate what they return, with iterators and generators, also asynchronous ones."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import AsyncGenerator, AsyncIterable, AsyncIterator, Generator, Iterable, Iterator
from dataclasses import dataclass
from typing import Annotated, Any, Optional

import demat
import pytest
from demat._serve.generated import as_iterable
from requested import ask


@dataclass
class Row:
    name: str
    n: int = 0


ROWS = [{"name": "a", "n": 0}, {"name": "b", "n": 1}]
events: list[str] = []


def iterator() -> Iterator[Row]:
    yield Row("a")
    yield Row("b", 1)


def iterable() -> Iterable[Row]:
    return iterator()


def generator() -> Generator[Row, None, str]:
    yield from iterator()
    return "what nobody asks for"


def either() -> Iterator[Row] | None:
    return iterator()


def optional() -> Optional[Iterator[Row]]:  # noqa: UP045
    return None


def annotated() -> Annotated[Iterator[Row], "said"]:
    return iterator()


def mapped() -> Iterator[Row]:
    return map(Row, ["a", "b"], [0, 1])


def unannotated():  # type: ignore[no-untyped-def]
    yield from ROWS


def answer() -> demat.Response[Iterator[Row]]:
    return demat.Response(iterator(), headers={"x-own": "1"})


async def async_iterator() -> AsyncIterator[Row]:
    yield Row("a")
    await asyncio.sleep(0.001)
    yield Row("b", 1)


async def async_generator() -> AsyncGenerator[Row, None]:
    async for row in async_iterator():
        yield row


def async_iterable() -> AsyncIterable[Row]:
    class Rows:
        def __aiter__(self) -> AsyncIterator[Row]:
            return async_iterator()

    return Rows()


async def coroutine() -> AsyncIterator[Row]:
    return async_iterator()


async def async_unannotated():  # type: ignore[no-untyped-def]
    for row in ROWS:
        yield row


def none() -> Iterator[Row]:
    return iter(())


def bare() -> Iterator:  # type: ignore[type-arg]
    yield from ROWS


def wrong() -> Iterator[int]:
    yield 1
    yield "two"  # type: ignore[misc]


def refusing() -> Iterator[int]:
    yield 1
    raise demat.HTTPError(409, "not the second")


async def failing() -> AsyncIterator[int]:
    try:
        yield 1
        raise ValueError("private matters")
    finally:
        events.append("closed")


def nested() -> Iterator[list[list[int]]]:
    yield [[1]]


def session() -> Iterator[str]:
    events.append("opened")
    yield "s"
    events.append("closed")


def depending(session: Annotated[str, demat.Depends(session)]) -> Iterator[str]:
    yield session
    events.append("generated")


async def many() -> AsyncIterator[int]:
    for number in range(10_000):
        yield number


RETURNING = [iterator, iterable, generator, either, annotated, mapped, unannotated, answer, bare]
AWAITED = [async_iterator, async_generator, async_iterable, coroutine, async_unannotated]


@pytest.mark.parametrize("function", [*RETURNING, *AWAITED])
def test_what_is_generated_is_a_list(function: Any) -> None:
    with demat.serve({"/rows": function}, port=0, background=True) as server:
        for _ in range(2):
            assert ask(server.url, "GET", "/rows").json() == ROWS
        lines = ask(server.url, "GET", "/rows", accept="application/x-ndjson")
        assert lines.body == b'{"name":"a","n":0}\n{"name":"b","n":1}\n'
        assert ask(server.url, "GET", "/rows", accept="text/csv").body == b"name,n\na,0\nb,1\n"
        described = ask(server.url, "GET", "/openapi.json").json()["paths"]["/rows"]["get"]["responses"]
        schema = described["200"]["content"]["application/json"]["schema"]
        if "unannotated" not in function.__name__:
            assert schema["type"] == "array"


def test_there_may_be_nothing() -> None:
    with demat.serve({"/none": none, "/optional": optional}, port=0, background=True) as server:
        assert ask(server.url, "GET", "/none").json() == []
        assert ask(server.url, "GET", "/optional").status == 204


def test_what_goes_wrong_within_is_the_answer(capfd: pytest.CaptureFixture[str]) -> None:
    routes = {"/wrong": wrong, "/refusing": refusing, "/failing": failing, "/nested": nested}
    events.clear()
    with demat.serve(routes, port=0, background=True) as server:
        assert ask(server.url, "GET", "/wrong").status == 500
        refused = ask(server.url, "GET", "/refusing")
        assert (refused.status, refused.json()["error"]["message"]) == (409, "not the second")
        failed = ask(server.url, "GET", "/failing")
        assert failed.status == 500
        assert b"private" not in failed.body
        assert events == ["closed"]
        # What the format can't hold is not what JSON finds in the rest of the generator.
        assert ask(server.url, "GET", "/wrong", accept="application/yaml").status == 500
    assert "private matters" in capfd.readouterr().err


def test_dependencies_are_open_while_it_generates() -> None:
    events.clear()
    with demat.serve({"/own": depending}, port=0, background=True) as server:
        assert ask(server.url, "GET", "/own").json() == ["s"]
    assert events == ["opened", "generated", "closed"]


def test_many_are_awaited_in_parts() -> None:
    with demat.serve({"/many": many}, port=0, background=True) as server:
        assert ask(server.url, "GET", "/many").json() == list(range(10_000))


def test_a_parameter_is_not_generated() -> None:
    def taking(body: Iterator[int]) -> int:
        return sum(body)

    with pytest.raises(TypeError, match="gone through only once"):
        demat.serve({"POST /taking": taking}, port=0, background=True)


def test_annotations_are_told_apart() -> None:
    assert as_iterable(Iterator) is Iterable
    assert as_iterable(Iterator[int] | str | None) == Iterable[int] | str | None
    assert as_iterable(Annotated[AsyncGenerator[int, None], 1]) == Annotated[Iterable[int], 1]
    for own in (int, Any, list[Iterator[int]], int | None, Annotated[int, 1], None):
        assert as_iterable(own) is own


@pytest.mark.skipif(sys.version_info < (3, 12), reason="`type` is a statement from Python 3.12 on")
def test_an_alias_may_name_a_generator() -> None:
    names: dict[str, Any] = {"Iterator": Iterator}
    exec("type Rows = Iterator[int]\ntype Numbers = list[int]", names)
    assert as_iterable(names["Rows"]) == Iterable[int]
    assert as_iterable(names["Numbers"]) is names["Numbers"]
