"""Parameters of functions: types, rules, defaults and lists, in the path and in the query."""

from __future__ import annotations

import enum
from dataclasses import dataclass
from datetime import date, datetime
from decimal import Decimal
from typing import Annotated, Any, Literal
from urllib.parse import quote
from uuid import UUID

import demat
import pytest
from demat import Field
from requested import ask


class Color(enum.Enum):
    RED = "red"


@dataclass
class Point:
    x: int


def item(id: int) -> list[Any]:
    return [id]


def ruled(
    count: Annotated[int, Field(ge=1, le=9)],
    name: Annotated[str, Field(max_length=3, pattern="^[a-z]+$")] = "abc",
) -> list[Any]:
    return [count, name]


def listed(
    n: Annotated[list[int], demat.Query()],
    tags: Annotated[set[str], demat.Query("tag"), Field(max_length=2)] = frozenset({"x"}),  # type: ignore[assignment]
    maybe: Annotated[tuple[date, ...] | None, demat.Query()] = None,
) -> list[Any]:
    return [n, sorted(tags), maybe]


def typed(
    day: date | None = None,
    at: datetime | None = None,
    price: Decimal | None = None,
    key: UUID | None = None,
    color: Color | None = None,
    level: Literal["low", 1] | None = None,
    text: str | int = "",
    on: bool = False,
    share: float = 0.0,
) -> str:
    given = (day, at, price, key, color, level, text, on, share)
    return repr([value for value in given if value not in (None, "", False, 0.0)])


ROUTES = {"/items/:id": item, "/items/all": lambda: "all", "/ruled": ruled, "/listed": listed, "/typed": typed}


def test_values_are_read_as_their_types() -> None:
    with demat.serve(ROUTES, port=0, background=True) as server:
        for path, expected in [
            ("/items/7", [7]),
            ("/items/-7", [-7]),
            ("/items/all", "all"),
            ("/ruled?count=9", [9, "abc"]),
            ("/ruled?count=1&name=z", [1, "z"]),
            ("/listed?n=1", [[1], ["x"], None]),
            ("/listed?n=2&tag=b&n=1&tag=a", [[2, 1], ["a", "b"], None]),
            ("/listed?n=1&maybe=2026-01-02&maybe=2026-01-03", [[1], ["x"], ["2026-01-02", "2026-01-03"]]),
            ("/typed?text=5&on=true&share=0.5", "['5', True, 0.5]"),
            ("/typed?level=1&color=red", "[<Color.RED: 'red'>, 1]"),
            ("/typed?day=null&price=1.50", "[Decimal('1.50')]"),
            ("/typed?text=null", "['null']"),
        ]:
            got = ask(server.url, "GET", path)
            assert (got.status, got.json()) == (200, expected), path


def test_values_that_do_not_fit_are_refused() -> None:
    """422 where a value does not fit, as users of FastAPI expect, also in the path; 400 where the query is wrong."""
    with demat.serve(ROUTES, port=0, background=True) as server:
        for path, status, said in [
            ("/items/x", 422, "the parameter `id`: expected `int`"),
            ("/items/1.5", 422, "the parameter `id`"),
            ("/items/%201", 422, "the parameter `id`"),
            ("/items/1/2", 404, ""),
            ("/ruled", 422, "expected the parameter `count`, found nothing"),
            ("/ruled?count=0", 422, "expected a value >= 1"),
            ("/ruled?count=10", 422, "expected a value <= 9"),
            ("/ruled?count=", 422, "the parameter `count`"),
            ("/ruled?count=1&name=abcd", 422, "the parameter `name`"),
            ("/ruled?count=1&name=A", 422, "the parameter `name`"),
            ("/ruled?count=1&count=2", 400, "`count` is said twice"),
            ("/ruled?count=1&other=2", 400, "`other` is no name of a query here"),
            ("/ruled?count=%ff", 400, ""),
            ("/ruled?count=[1]", 422, "the parameter `count`"),
            ("/listed", 422, "expected the parameter `n`, found nothing"),
            ("/listed?n=1&n=x", 422, "the parameter `n`"),
            ("/listed?n=1&tag=a&tag=b&tag=c", 422, "the values of `tag`"),
            ("/typed?on=1", 422, "the parameter `on`"),
            ("/typed?on=True", 422, "the parameter `on`"),
            ("/typed?day=2026-02-30", 422, "the parameter `day`"),
            ("/typed?color=blue", 422, "the parameter `color`"),
            ("/typed?key=x", 422, "the parameter `key`"),
            ("/typed?share=NaN", 422, "the parameter `share`"),
            (f"/typed?share={quote('1 ')}", 422, "the parameter `share`"),
        ]:
            got = ask(server.url, "GET", path)
            error = got.json()["error"]
            assert (got.status, error["status"]) == (status, status), (path, error)
            assert said in error["message"], path


def many_bodies(a: Point, b: list[Point]) -> None: ...


def nested_marker(a: Annotated[str, demat.Header()] | None = None) -> None: ...


def class_for_marker(a: Annotated[str, demat.Header]) -> None: ...


def two_markers(a: Annotated[str, demat.Header(), demat.Cookie()]) -> None: ...


def unreadable(a: Annotated[Point, demat.Query()]) -> None: ...


def list_of_points(a: Annotated[list[Point], demat.Query()]) -> None: ...


def list_in_cookie(a: Annotated[list[str], demat.Cookie()]) -> None: ...


def optional_request(a: demat.Request | None = None) -> None: ...


def named(a: Annotated[int, Field(name="b")]) -> None: ...


def form_and_body(a: Annotated[str, demat.Form()], b: Point) -> None: ...


def deep_upload(a: dict[str, demat.Upload]) -> None: ...


def undescribed(a: Annotated[complex | type, Field(title="x")]) -> None: ...


def returns_what_is_no_data() -> type: ...  # type: ignore[empty-body]


def positional(a: int, /) -> None: ...


@pytest.mark.parametrize(
    "function",
    [
        many_bodies,
        nested_marker,
        class_for_marker,
        two_markers,
        unreadable,
        list_of_points,
        list_in_cookie,
        optional_request,
        named,
        form_and_body,
        deep_upload,
        undescribed,
        returns_what_is_no_data,
        positional,
    ],
)
def test_what_can_not_be_honoured_is_refused_when_the_server_is_made(function: Any) -> None:
    with pytest.raises(TypeError):
        demat.serve({"/x": function}, port=0, background=True)


def of_path_by_header(id: Annotated[str, demat.Header()]) -> None: ...


def of_path_as_list(id: list[int]) -> None: ...


def test_paths_that_can_not_be_honoured_are_refused() -> None:
    for path, function in [
        ("/:id", of_path_by_header),
        ("/:id", of_path_as_list),
        ("/:other", item),
        ("GET /x", lambda body: body),
        ("DELETE /x", lambda body: body),
    ]:
        with pytest.raises(TypeError):
            demat.serve({path: function}, port=0, background=True)
    for name in ("a b", "", "ä"):
        with pytest.raises(ValueError, match="can't be the name"):
            demat.Header(name)
    with pytest.raises(TypeError):
        demat.Query(5)  # type: ignore[arg-type]


class Repeater:
    """A function with a state of its own."""

    def __init__(self, times: int) -> None:
        self.times = times

    def __call__(self, word: str) -> str:
        return word * self.times


def test_instances_and_partial_functions_are_functions() -> None:
    import functools

    def power(base: int, exponent: int) -> int:
        return int(base**exponent)

    routes = {"/twice": Repeater(2), "/square": functools.partial(power, exponent=2)}
    with demat.serve(routes, port=0, background=True) as server:
        assert ask(server.url, "GET", "/twice?word=ab").json() == "abab"
        assert ask(server.url, "GET", "/square?base=3").json() == 9
