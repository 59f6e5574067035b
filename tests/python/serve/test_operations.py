"""The description of functions: parameters, bodies, answers, and the schemas of their classes."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Annotated, Any, Optional

import demat
import jsonschema
import pytest
from demat import Field, _native
from requested import ask


@dataclass
class Author:
    """Who wrote it."""

    name: Annotated[str, Field(min_length=1)]


@dataclass
class Comment:
    text: str
    author: Author
    answers: list[Comment] = field(default_factory=list)
    note: Annotated[str, Field(read="noteIn", write="noteOut")] = ""


@dataclass
class Task:
    title: Annotated[str, Field(max_length=9)]
    id: Annotated[int | None, Field(key=True)] = None


def comment(
    id: Annotated[int, Field(ge=1, description="Its number.")],
    new: Comment,
    limit: Annotated[int, Field(le=100)] = 10,
    tags: Annotated[list[str], demat.Query("tag"), Field(max_length=3)] = [],  # noqa: B006
) -> Comment:
    """Answers a comment.

    As it came, and
    no more.
    """
    return new


def find(id: int) -> Optional[Author]:  # noqa: UP045
    return None if id == 0 else Author("a")


def done() -> None: ...


def raw() -> bytes:
    return b"x"


def free() -> demat.Response[Task]:
    return demat.Response(Task("a"), status=202)


def tasks(new: list[Task]) -> list[Task]:
    return new


def described(routes: dict[str, Any], **options: Any) -> dict[str, Any]:
    with demat.serve(routes, port=0, background=True, **options) as server:
        document: dict[str, Any] = ask(server.url, "GET", "/openapi.json").json()
    return document


def test_an_operation_says_what_its_function_takes_and_answers() -> None:
    document = described({"/comments/:id": comment, "/authors/:id": find})
    operation = document["paths"]["/comments/{id}"]["post"]
    assert operation["operationId"] == "comment"
    assert operation["summary"] == "Answers a comment."
    assert operation["description"] == "As it came, and\nno more."
    assert operation["parameters"] == [
        {
            "name": "id",
            "in": "path",
            "required": True,
            "description": "Its number.",
            "schema": {"type": "integer", "minimum": 1},
        },
        {
            "name": "limit",
            "in": "query",
            "required": False,
            "schema": {"type": "integer", "maximum": 100, "default": 10},
        },
        {
            "name": "tag",
            "in": "query",
            "required": False,
            "schema": {"type": "array", "items": {"type": "string"}, "maxItems": 3, "default": []},
        },
    ]
    body = operation["requestBody"]
    assert body["required"] is True
    assert body["content"] == {"application/json": {"schema": {"$ref": "#/components/schemas/Comment"}}}
    assert "application/toml" in body["x-also"]
    # It is read by other names than it is written by.
    answer = operation["responses"]["200"]["content"]
    assert answer["application/json"]["schema"] == {"$ref": "#/components/schemas/Comment_2"}
    assert "application/vnd.msgpack" in answer
    assert "text/csv; charset=utf-8" not in answer
    assert {"400", "404", "406", "413", "415", "422"} < set(operation["responses"])
    schemas = document["components"]["schemas"]
    assert schemas["Comment"]["properties"]["answers"]["items"] == {"$ref": "#/components/schemas/Comment"}
    assert schemas["Comment_2"]["properties"]["answers"]["items"] == {"$ref": "#/components/schemas/Comment_2"}
    assert "noteIn" in schemas["Comment"]["properties"]
    assert "noteOut" in schemas["Comment_2"]["properties"]
    assert schemas["Author"]["description"] == "Who wrote it."
    assert "Author_2" not in schemas
    found = document["paths"]["/authors/{id}"]["get"]
    assert {"200", "204", "404", "422"} < set(found["responses"])
    assert not {"413", "415"} & set(found["responses"])


def references(part: Any) -> list[str]:
    if isinstance(part, dict):
        own = [part["$ref"]] if isinstance(part.get("$ref"), str) else []
        return own + [one for value in part.values() for one in references(value)]
    return [one for value in part for one in references(value)] if isinstance(part, list) else []


def test_every_reference_leads_somewhere_and_schemas_hold() -> None:
    routes = {"/a/:id": comment, "/b": tasks, "/tasks": ([], Task), "/Comment": ([Comment("a", Author("b"))], Comment)}
    document = described(routes)
    for reference in references(document):
        _, *path = reference.split("/")
        part: Any = document
        for name in path:
            part = part[name]
    for schema in document["components"]["schemas"].values():
        jsonschema.Draft202012Validator.check_schema(schema)
    # What a store describes keeps its names when a function has the same class.
    assert {"Task", "TaskRow", "Task_2"} < set(document["components"]["schemas"])
    operation = document["paths"]["/b"]["post"]
    schema = operation["requestBody"]["content"]["application/json"]["schema"] | {"components": document["components"]}
    validator = jsonschema.Draft202012Validator(schema)
    validator.validate([{"title": "a"}])
    assert not validator.is_valid([{"title": "a" * 10}])


def test_two_classes_of_one_name_have_two_schemas() -> None:
    def one() -> Any: ...

    def two() -> Any: ...

    first, second = (type("Same", (), {"__annotations__": {"x": kind}}) for kind in (int, str))
    one.__annotations__["return"], two.__annotations__["return"] = dataclass(first), dataclass(second)
    schemas = described({"/one": one, "/two": two})["components"]["schemas"]
    assert schemas["Same"]["properties"] == {"x": {"type": "integer"}}
    assert schemas["Same_2"]["properties"] == {"x": {"type": "string"}}


def test_answers_are_described() -> None:
    routes = {"/done": done, "/raw": raw, "/free": free, "/new": demat.route(tasks, status=201)}
    document = described({**routes, "GET /both": done, "PUT /both": raw})
    paths = document["paths"]
    assert set(paths["/done"]["get"]["responses"]) == {"204", "400", "404", "406", "default"}
    assert paths["/raw"]["get"]["responses"]["200"]["content"] == {"application/octet-stream": {}}
    assert paths["/free"]["get"]["responses"]["default"] == {"description": "Another answer of the function."}
    assert "200" in paths["/free"]["get"]["responses"]
    assert "201" in paths["/new"]["post"]["responses"]
    assert "200" not in paths["/new"]["post"]["responses"]
    assert set(paths["/both"]) == {"get", "put"}
    ids = [operation["operationId"] for path in paths.values() for operation in path.values()]
    assert len(set(ids)) == len(ids)


@dataclass
class Flat:
    x: int
    s: str | None = None


@dataclass
class Nested:
    i: Flat
    l: list[int]  # noqa: E741


VALUES: list[tuple[Any, Any]] = [
    (3, int),
    ("a", str),
    (True, bool),
    ([1, 2], list[int]),
    ([[1], [2]], list[list[int]]),
    ({"a": 1}, dict[str, int]),
    (Flat(1, "b"), Flat),
    (Nested(Flat(2), [3]), Nested),
    ([Flat(1, "a")], list[Flat]),
    ([Nested(Flat(2), [3])], list[Nested]),
    ({"k": Flat(1, "s")}, dict[str, Flat]),
    ([{"a": 1}], list[dict[str, int]]),
    ((1, "a"), tuple[int, str]),
]


@pytest.mark.parametrize(("value", "type_"), VALUES, ids=[str(type_) for _, type_ in VALUES])
def test_the_formats_that_are_described_are_those_that_work(value: Any, type_: Any) -> None:
    """Of answers and of bodies: each is used, and of the others none is accepted."""

    def give() -> Any:
        return value

    def take(body: Any) -> bool:
        return bool(body == value)

    give.__annotations__["return"] = type_
    take.__annotations__["body"] = type_
    kinds = {name: _native.content_type(name) for name in _native.FORMATS if name != "mca"}
    with demat.serve({"/give": give, "/take": take}, port=0, background=True) as server:
        paths = ask(server.url, "GET", "/openapi.json").json()["paths"]
        answers = set(paths["/give"]["get"]["responses"]["200"]["content"])
        for name, kind in kinds.items():
            got = ask(server.url, "GET", "/give", accept=kind.split(";")[0])
            assert (got.status == 200) == (kind in answers), name
            assert got.status in (200, 406), name
            if got.status == 200:
                assert got.headers["content-type"] == kind
        taken = {"application/json", *paths["/take"]["post"]["requestBody"]["x-also"]}
        for name, kind in kinds.items():
            if kind not in taken:
                got = ask(server.url, "POST", "/take", b"x", content_type=kind)
                assert got.status == 415, name
                continue
            body = getattr(demat, name).encode(value, type=type_)
            got = ask(server.url, "POST", "/take", body, content_type=kind)
            assert (got.status, got.json()) == (200, True), name
        # The best of those that there are.
        assert ask(server.url, "GET", "/give", accept="image/png, application/json;q=0.1").status == 200
        assert ask(server.url, "GET", "/give", accept="application/vnd.apache.parquet").status == 406
