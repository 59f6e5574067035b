"""What a function's return annotation means for its answers."""

from __future__ import annotations

import functools
from dataclasses import dataclass
from typing import Annotated, Any, NamedTuple, NewType

import demat
import pytest
from demat import Field
from requested import ask
from typing_extensions import TypeAliasType


@dataclass
class Cat:
    lives: int


@dataclass
class Dog:
    good: bool


Pet = Annotated[Cat | Dog, Field(tag="kind")]
UserId = NewType("UserId", int)


def pets() -> list[Pet]:
    return [Cat(9), Dog(True)]


def echo(body: list[Pet]) -> list[Pet]:
    return body


def nothing() -> list[Cat]:
    return []


def wrong() -> list[Cat]:
    return [Dog(True)]  # type: ignore[list-item]


def picture() -> bytes:
    return b"\x89PNG"


def drawing() -> demat.Response[Any]:
    return demat.Response("<svg/>", media_type="image/svg+xml")


def maybe(there: bool) -> demat.Response[int] | None:
    return demat.Response(5) if there else None


def power(base: int, exponent: int) -> int:
    return int(base**exponent)


def user(id: UserId) -> list[int]:
    return [id]


def named(name: Annotated[str, Field(max_length=3)]) -> str:
    return name


class Page(NamedTuple):
    limit: int = 20


def paged(page: Annotated[Page, demat.Depends(Page)]) -> int:
    return page.limit


@dataclass
class Greeting:
    """A dataclass has no hash, unless it is frozen."""

    word: str

    def __call__(self, name: str) -> str:
        return f"{self.word}, {name}"


ROUTES = {
    "/pets": pets,
    "POST /echo": echo,
    "/nothing": nothing,
    "/wrong": wrong,
    "/picture": picture,
    "/drawing": drawing,
    "/maybe": maybe,
    "/square": functools.partial(power, exponent=2),
    "/user": user,
    "/users/:id": user,
    "/named": named,
    "/paged": paged,
    "/greeting": Greeting("hello"),
}


@pytest.fixture(scope="module")
def url() -> Any:
    with demat.serve(ROUTES, port=0, background=True) as server:
        yield server.url


def test_tags_are_written_as_the_description_has_them(url: str) -> None:
    got = ask(url, "GET", "/pets").json()
    assert got == [{"kind": "Cat", "lives": 9}, {"kind": "Dog", "good": True}]
    assert ask(url, "POST", "/echo", got).json() == got
    schemas = ask(url, "GET", "/openapi.json").json()["components"]["schemas"]

    def references(part: Any) -> Any:
        if isinstance(part, dict):
            for key, value in part.items():
                if key == "mapping":
                    yield from value.values()
                elif key == "$ref":
                    yield value
                else:
                    yield from references(value)
        elif isinstance(part, list):
            for one in part:
                yield from references(one)

    found = list(references(ask(url, "GET", "/openapi.json").json()))
    assert any("Cat" in one for one in found)
    assert all(one.removeprefix("#/components/schemas/") in schemas for one in found if "schemas" in one), found
    assert not any(one.startswith("#/$defs/") for one in found), found


def test_an_empty_table_has_its_header(url: str) -> None:
    assert ask(url, "GET", "/nothing", accept="text/csv").body == b"lives\n"


def test_what_is_not_of_the_annotation_is_a_fault_of_the_function(url: str, capfd: Any) -> None:
    assert ask(url, "GET", "/wrong").status == 500
    assert ask(url, "GET", "/wrong", accept="text/csv").status == 500
    assert "EncodeError" in capfd.readouterr().err


@pytest.mark.parametrize(
    ("path", "accept", "body"),
    [("/picture", "application/octet-stream", b"\x89PNG"), ("/drawing", "image/svg+xml", b"<svg/>")],
)
def test_a_type_that_only_the_function_knows_may_be_asked_for(url: str, path: str, accept: str, body: bytes) -> None:
    got = ask(url, "GET", path, accept=accept)
    assert (got.status, got.headers["content-type"], got.body) == (200, accept, body)


def test_a_response_may_be_absent(url: str) -> None:
    assert ask(url, "GET", "/maybe?there=true").json() == 5
    assert ask(url, "GET", "/maybe?there=false").status == 204


def test_what_a_partial_function_binds_is_not_asked_for(url: str) -> None:
    assert ask(url, "GET", "/square?base=3").json() == 9
    assert ask(url, "GET", "/square?base=3&exponent=3").status == 400


def test_new_types_are_what_they_stand_for(url: str) -> None:
    assert ask(url, "GET", "/user?id=7").json() == [7]
    assert ask(url, "GET", "/users/7").json() == [7]
    assert ask(url, "GET", "/users/x").status == 422


def test_an_error_names_the_rule_that_was_broken(url: str) -> None:
    said = ask(url, "GET", "/named?name=1234").json()["error"]["message"]
    assert "length of at most 3" in said, said


def test_named_tuples_and_objects_that_can_be_called(url: str) -> None:
    assert ask(url, "GET", "/paged?limit=3").json() == 3
    assert ask(url, "GET", "/paged?limit=abc").status == 422
    assert ask(url, "GET", "/greeting?name=Ann").json() == "hello, Ann"


def test_pages_take_no_roles_that_have_no_meaning() -> None:
    for roles in ({"read": "staff"}, {"write": "staff"}):
        with pytest.raises(TypeError, match="needs no such role"):
            demat.serve(
                {"/": demat.route(demat.page("todomvc"), **roles)}, port=0, background=True, tokens={"a": ["staff"]}
            )


def test_an_empty_token_is_refused() -> None:
    with pytest.raises(demat.Error, match="visible ASCII"):
        demat.serve({"/": pets}, port=0, background=True, token="")


def current_user() -> str:
    return "nobody"


# As `type User = …` of Python 3.12.
User = TypeAliasType("User", Annotated[str, demat.Depends(current_user)])


def who(user: User) -> str:
    return user


def sent(body: bytes) -> int:
    return len(body)


def missing() -> int:
    raise demat.HTTPError(404, "not here")


def test_an_alias_says_where_an_argument_comes_from() -> None:
    with demat.serve({"/who": who, "PUT /sent": sent}, port=0, background=True) as server:
        assert ask(server.url, "GET", "/who").json() == "nobody"
        assert ask(server.url, "GET", "/who?user=admin").status == 400
        assert ask(server.url, "PUT", "/sent", b"", content_type="application/octet-stream").json() == 0


def test_an_error_of_http_is_one_of_the_store() -> None:
    own = demat.store.template({"/a": missing})
    with pytest.raises(demat.StoreError, match="not here"):
        own.get("/a")
    with demat.serve({"/s": own}, port=0, background=True) as server:
        assert ask(server.url, "GET", "/s/a").status == 404
