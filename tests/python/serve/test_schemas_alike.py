"""A server describes its records by their shape, `demat.schema` describes classes: both accept and refuse the same."""

import dataclasses
import sys
from pathlib import Path
from typing import Any

import demat
import jsonschema
import pytest
from requested import ask

sys.path.insert(0, str(Path(__file__).parent.parent / "describe"))
from test_json_schema import CASES

# What the shape of a class says otherwise, by the type's name, and why.
OTHERWISE = {
    "Strict": "a shape has one name for a field that is read by several",
    "Left": "a class with a tag may be read without one, where nothing else can stand there",
    "Point": "a named tuple is read from an object, too, and written as a list",
    "Model": "pydantic checks its own rules, which a shape does not carry",
}


def served(tp: Any) -> dict[str, Any]:
    """The schema of a record with one field of the type, as OpenAPI has it."""
    record = dataclasses.make_dataclass("Holder", [("x", tp)])
    with demat.serve({"/all": ([], record)}, port=0, background=True) as server:
        document: dict[str, Any] = ask(server.url, "GET", "/openapi.json").json()
    return document["components"]["schemas"]["Holder"] | {"components": document["components"]}


def name_of(tp: Any) -> str:
    return tp.__name__ if isinstance(tp, type) else str(tp)


@pytest.mark.parametrize(("tp", "good", "bad"), [case for case in CASES if name_of(case[0]) not in OTHERWISE])
def test_both_accept_and_refuse_the_same(tp: Any, good: list[Any], bad: list[Any]) -> None:
    schema = served(tp)
    jsonschema.Draft202012Validator.check_schema(schema)
    validator = jsonschema.Draft202012Validator(schema)
    for instance in good:
        validator.validate({"x": instance})
    for instance in bad:
        assert not validator.is_valid({"x": instance}), instance
