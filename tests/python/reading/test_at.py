"""Where in a document the records are."""

from __future__ import annotations

from typing import Any

import demat
import formats
import pytest
from demat import DecodeError, LimitError, ValidationError, csv, json, ndjson, xml

DOCUMENT = {
    "meta": {"items": [0], "note": 'a "}" ]'},
    "data": {"items": [{"id": 1}, {"id": 2}], "count": 2},
    "a b": [[1, 2], [], [3]],
    "users": [{"tasks": ["a", "b"], "n": 1}, {"n": 2, "tasks": []}, {"tasks": ["c"]}],
}


@pytest.mark.parametrize(
    ("at", "expected"),
    [
        ("$.data.items[*]", [{"id": 1}, {"id": 2}]),
        ("$['data']['items'][*]", [{"id": 1}, {"id": 2}]),
        ('$["a b"][*]', [[1, 2], [], [3]]),
        ('$["a b"][*][*]', [1, 2, 3]),
        ('$["a b"][2][*]', [3]),
        ("$.users[*].tasks[*]", ["a", "b", "c"]),
        ("$.users[0].tasks[1]", ["b"]),
        ("$.users[*].tasks", [["a", "b"], [], ["c"]]),
        ("$.meta.*", [[0], 'a "}" ]']),
        ("$.users[*].*", [["a", "b"], 1, 2, [], ["c"]]),
        ("$.data", [{"items": [{"id": 1}, {"id": 2}], "count": 2}]),
        ("$.data.count", [2]),
        ("$", [DOCUMENT]),
    ],
)
def test_records_are_where_the_path_says(at: str, expected: list[Any]) -> None:
    for indent in (None, 2):
        data = json.encode(DOCUMENT, indent=indent)
        assert list(json.read(data, at=at)) == expected
        assert list(json.read((data[i : i + 1] for i in range(len(data))), at=at)) == expected
        line = json.encode(DOCUMENT)
        assert list(ndjson.read(b"\n".join([line, line]), at=at)) == expected * 2


@pytest.mark.parametrize("document", [{}, 1, "x", None, True, {"a": [1]}])
def test_a_document_that_is_no_list_wants_a_path(document: Any) -> None:
    with pytest.raises(ValidationError, match=r"expected a list of records \(`at=` says where they are") as raised:
        list(json.read(json.encode(document)))
    assert (raised.value.line, raised.value.column, raised.value.offset) == (1, 1, 0)
    assert list(json.read(json.encode(document), at="$")) == [document]


@pytest.mark.parametrize(
    ("at", "message", "path"),
    [
        ("$.data.tasks[*]", "expected field `tasks`, found nothing", "$.data"),
        ("$.users[9]", "expected item 9, found a list of 3", "$.users"),
        ("$.data[*]", "expected `list`, found `dict`", "$.data"),
        ("$.users.x", "expected `dict`, found `list`", "$.users"),
        ("$.users[*].n[*]", "expected `list`, found `int` 1", "$.users[0].n"),
        ("$.meta.note.x", r'expected `dict`, found `str` "a \"}\" ]"', "$.meta.note"),
    ],
)
def test_what_is_not_there(at: str, message: str, path: str) -> None:
    with pytest.raises(ValidationError) as raised:
        list(json.read(json.encode(DOCUMENT), at=at))
    assert str(raised.value).startswith(f"{message} at `{path}`")
    assert (raised.value.path, raised.value.line) == (path, 1)


def test_the_path_of_an_error_is_that_in_the_document() -> None:
    with pytest.raises(ValidationError) as raised:
        list(json.read(json.encode(DOCUMENT), int, at="$.users[*].tasks[*]"))
    assert (raised.value.path, raised.value.record) == ("$.users[0].tasks[0]", 1)
    with pytest.raises(ValidationError) as raised:
        list(json.read(b'{"a": {"b": [{"x": 1},\n {"x": "1"}]}}', dict[str, int], at="$.a.b[*]"))
    error = raised.value
    assert (error.path, error.record, error.line, error.column, error.offset) == ("$.a.b[1].x", 2, 2, 8, 30)
    with pytest.raises(ValidationError) as raised:
        list(ndjson.read(b'{"a": [1]}\n{"a": [2, "x"]}', int, at="$.a[*]"))
    assert (raised.value.path, raised.value.line) == ("$[1].a[1]", 2)


def test_the_rest_of_the_document_is_read() -> None:
    reader = json.read(b'{"a": [1, 2], "b": [3, }', int, at="$.a[*]")
    assert (next(reader), next(reader)) == (1, 2)
    with pytest.raises(DecodeError, match="expected a value, found `}`"):
        next(reader)
    assert list(reader) == []
    with pytest.raises(DecodeError, match="expected end of input, found `x`"):
        list(json.read(b"[1] x", int))
    with pytest.raises(DecodeError, match="the key `a` stands here again"):
        list(json.read(b'{"a": [1], "a": [2]}', int, at="$.a[*]"))


def test_what_is_passed_over_is_no_deeper_than_the_limit() -> None:
    data = b'{"x": ' + b"[" * 5000 + b"]" * 5000 + b', "a": [1]}'
    for chunks in ([data], [data[i : i + 10] for i in range(0, len(data), 10)]):
        assert list(json.read(chunks, int, at="$.a[*]", depth=10_000)) == [1]
        with pytest.raises(LimitError):
            list(json.read(chunks, int, at="$.a[*]", depth=4000))


@pytest.mark.parametrize("at", ["", "a", "$.", "$..a", "$[", "$[x]", "$.a[", "$[-1]", "$.**", "$.*a", "$[?(@.a)]"])
def test_what_is_no_path(at: str) -> None:
    with pytest.raises(ValueError, match=r"at must be a path such as "):
        json.read(b"", at=at)


def test_rows_have_no_path() -> None:
    with pytest.raises(TypeError, match='"at"'):
        csv.read(b"", at="$[*]")  # type: ignore[call-overload]
    with pytest.raises(TypeError, match="at must be a str, or a dict of paths and types, not 3"):
        json.read(b"", at=3)  # type: ignore[call-overload]


USERS = {"n": 2, "users": {"ada": {"age": 36}, "al an": {"age": 41}, "é": {"age": 5}}}


@formats.each(reads="depth", typed=False)
def test_the_values_of_a_dict(module: Any) -> None:
    document = [USERS] if formats.is_list(module) else USERS
    data = module.encode(document)
    at = "$.users.*"
    for place in (data, (data[i : i + 1] for i in range(len(data)))):
        assert list(module.read(place, dict[str, int], at=at)) == list(USERS["users"].values())  # type: ignore[attr-defined]
    for place in (data, (data[i : i + 1] for i in range(len(data)))):
        assert list(module.read(place, dict[str, int], at=at, keys=True)) == list(USERS["users"].items())  # type: ignore[attr-defined]
    batches = list(module.read(data, at=at, keys=True, batch=2))
    assert [pair for batch in batches for pair in batch] == list(USERS["users"].items())  # type: ignore[attr-defined]


def test_errors_in_the_values_of_a_dict() -> None:
    data = json.encode(USERS)
    with pytest.raises(ValidationError) as raised:
        list(json.read(data, dict[str, str], at="$.users.*"))
    assert (raised.value.path, raised.value.record) == ("$.users.ada.age", 1)
    with pytest.raises(ValidationError, match=r"expected `dict`, found `int` 2 at `\$.n`"):
        list(json.read(data, at="$.n.*"))
    with pytest.raises(ValidationError, match=r"expected `dict`, found `int` 36 at `\$.users.ada.age`"):
        list(json.read(data, at="$.users.*.age.*"))
    rejects: list[Any] = []
    mixed = b'{"a": 1, "b": "x", "c": 3}'
    assert list(json.read(mixed, int, at="$.*", keys=True, on_error="collect", rejects=rejects)) == [("a", 1), ("c", 3)]
    assert [(error.path, bytes_) for error, bytes_ in rejects] == [("$.b", b'"x"')]
    with pytest.raises(DecodeError, match="expected"):
        list(json.read(b'{"a": 1, "b" 2}', at="$.*"))


def test_keys_are_for_the_values_of_a_dict() -> None:
    for at in ("$.users", "$.a[*]", "$.*.a", None):
        with pytest.raises(ValueError, match=r"keys=True is for a path that ends in `\.\*`"):
            json.read(b"{}", at=at, keys=True)
    with pytest.raises(ValueError, match="recycle=True is for records without their keys"):
        json.read(b"{}", at="$.*", keys=True, recycle=True)
    with pytest.raises(TypeError, match="keys"):
        xml.read(b"", at="a/b", keys=True)  # type: ignore[call-overload]
    from demat import msgpack

    assert list(msgpack.read(msgpack.encode({1: 2}), at="$.*")) == [2]
    with pytest.raises(ValidationError, match=r"a key of text, for keys=True.*`\$\[\"1\"\]`"):
        list(msgpack.read(msgpack.encode({1: 2}), at="$.*", keys=True))


def test_a_copy_of_the_values_of_a_dict() -> None:
    import io

    out = io.BytesIO()
    demat.copy(json.encode(USERS), out, at="$.users.*", from_="json", to="csv")
    assert out.getvalue() == b"age\n36\n41\n5\n"
