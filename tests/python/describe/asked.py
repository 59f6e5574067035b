"""What the tests ask of a description."""

from typing import Any

from demat._describe import describe


def node(tp: Any, **options: Any) -> Any:
    """The root node of a type."""
    return describe(tp, options)[0]


def record(tp: Any, **options: Any) -> dict[str, Any]:
    """The record that the root of a type refers to."""
    root, records = describe(tp, options)
    assert root[0] == "record", root
    return records[root[1]]


def fields(tp: Any, **options: Any) -> dict[str, dict[str, Any]]:
    """The fields of that record by name."""
    return {field["name"]: field for field in record(tp, **options)["fields"]}


def nodes(tp: Any, **options: Any) -> dict[str, Any]:
    """The nodes of these fields by name."""
    return {name: field["node"] for name, field in fields(tp, **options).items()}
