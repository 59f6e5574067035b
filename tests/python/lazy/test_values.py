"""Lazy values: documents that are looked into without decoding them."""

from __future__ import annotations

import gc
import io
import mmap
import weakref
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType
from typing import Any

import demat
import formats
import pytest
from demat import json

# Cells hold no documents: the values of tables have tests of their own.
each = formats.each(looked_into=True, but=formats.CELLS)

DOCUMENT: dict[str, Any] = {
    "users": [{"name": "Ada", "age": 36, "tags": []}, {"name": "Alan", "age": 41, "tags": ["a", "b"]}],
    "total": 2,
    "ratio": 0.5,
    "done": True,
    "none": None,
    "empty": {},
    "é\n": "text",
}


@pytest.fixture(params=formats.modules(looked_into=True, but=formats.CELLS), ids=formats.name)
def module(request: pytest.FixtureRequest) -> ModuleType:
    found: ModuleType = request.param
    return found


@pytest.fixture
def doc(module: ModuleType) -> demat.LazyValue:
    found: demat.LazyValue = module.lazy(module.encode(DOCUMENT))
    return found


def test_keys_and_indices_lead_to_values(doc: demat.LazyValue) -> None:
    assert doc["users"][1]["name"].str() == "Alan"
    assert doc["users"][-2]["age"].int() == 36
    assert doc["total"].int() == 2
    assert doc["total"].float() == 2.0
    assert doc["ratio"].float() == 0.5
    assert doc["done"].bool() is True
    assert doc["none"].value() is None
    assert doc["é\n"].str() == "text"
    assert doc.value() == DOCUMENT
    assert doc["users"].value() == DOCUMENT["users"]


def test_the_same_value_again_and_again(doc: demat.LazyValue) -> None:
    for _ in range(3):
        assert [doc[key].value() for key in DOCUMENT] == list(DOCUMENT.values())
        assert [doc["users"][index].value() for index in (1, 0, -1, -2)] == [
            DOCUMENT["users"][index] for index in (1, 0, -1, -2)
        ]


def test_what_containers_have(doc: demat.LazyValue) -> None:
    assert len(doc) == len(DOCUMENT)
    assert len(doc["users"]) == 2
    assert list(doc) == list(DOCUMENT)
    assert list(doc.keys()) == list(DOCUMENT)
    assert [value.value() for value in doc.values()] == list(DOCUMENT.values())
    assert {key: value.value() for key, value in doc.items()} == DOCUMENT
    assert [user["name"].str() for user in doc["users"]] == ["Ada", "Alan"]
    assert "total" in doc
    assert "other" not in doc
    assert 3 not in doc
    assert list(doc["empty"]) == []
    assert len(doc["empty"]) == 0
    assert list(doc["users"][0]["tags"]) == []
    assert len(doc["users"][0]["tags"]) == 0


def test_get(doc: demat.LazyValue) -> None:
    total = doc.get("total")
    assert total is not None
    assert total.int() == 2
    assert doc.get("other") is None
    assert doc.get("other", 7) == 7
    assert doc["users"].get(2) is None
    assert doc["users"].get(-3) is None
    assert doc["users"].get(1, 7)["age"].int() == 41  # type: ignore[union-attr]


def test_kinds(doc: demat.LazyValue) -> None:
    kinds = {key: value.kind for key, value in doc.items()}
    assert kinds == {
        "users": "list",
        "total": "int",
        "ratio": "float",
        "done": "bool",
        "none": "None",
        "empty": "dict",
        "é\n": "str",
    }
    assert doc.kind == "dict"


def test_truth_is_that_of_the_decoded_value(doc: demat.LazyValue) -> None:
    assert {key: bool(value) for key, value in doc.items()} == {key: bool(value) for key, value in DOCUMENT.items()}


def test_equality_is_that_of_the_decoded_value(doc: demat.LazyValue) -> None:
    assert doc == DOCUMENT
    assert doc["total"] == 2
    assert doc["total"] != 3
    assert doc["users"][0]["age"] == doc.at("users[0].age")
    with pytest.raises(TypeError, match="unhashable"):
        hash(doc)


def test_paths(doc: demat.LazyValue) -> None:
    assert doc.at("users[1].tags[0]").str() == "a"
    assert doc.at("$.users[1].tags[0]").path == "$.users[1].tags[0]"
    assert doc["users"].at("[1]").at("tags").path == "$.users[1].tags"
    assert doc.at("$").path == doc.path == "$"
    assert doc.at('["é\\n"]').str() == "text"
    for path in ("users[*]", "users..name", "users[-1]", "users[", "$users"):
        with pytest.raises(ValueError, match="path|expected"):
            doc.at(path)
    with pytest.raises(demat.ValidationError, match="expected `list`, found `dict`"):
        doc.at("[0]")


@dataclass
class User:
    name: str
    age: int
    tags: list[str]


def test_types(doc: demat.LazyValue) -> None:
    assert doc["users"].decode(list[User]) == [User(**user) for user in DOCUMENT["users"]]
    assert doc["users"][1].decode(User) == User("Alan", 41, ["a", "b"])
    assert doc["total"].decode(float | None) == 2.0
    assert doc.decode() == DOCUMENT
    assert json.lazy('["7"]')[0].decode(int, strict=False) == 7
    assert doc["users"][0].decode(dict[str, Any]) == DOCUMENT["users"][0]
    assert doc["none"].decode(None) is None
    for option in ({"depth": 3}, {"lazy": True}, {"other": 1}):
        with pytest.raises(TypeError, match=next(iter(option))):
            doc["users"].decode(list[User], **option)


@dataclass
class Whole:
    """Refuses the name of the second user alone."""

    users: tuple[dict[str, Any], dict[str, int]]


def test_errors_have_the_way_and_the_position(module: ModuleType) -> None:
    data = module.encode(DOCUMENT)
    with pytest.raises(demat.ValidationError) as raised:
        module.lazy(data)["users"][1].decode(dict[str, int])
    with pytest.raises(demat.ValidationError) as expected:
        module.decode(data, Whole)
    assert raised.value.path == expected.value.path == "$.users[1].name"
    assert str(raised.value) == str(expected.value)
    assert raised.value.offset == expected.value.offset


def test_all_errors_have_the_way(doc: demat.LazyValue) -> None:
    with pytest.raises(demat.ValidationError) as raised:
        doc["users"].decode(list[dict[str, bool]], errors="all")
    paths = [error.path for error in raised.value.errors]
    assert paths == [f"$.users[{index}].{key}" for index in (0, 1) for key in ("name", "age", "tags")]


@pytest.mark.parametrize(
    ("ask", "message"),
    [
        (lambda doc: doc["users"]["name"], "expected `dict`, found `list` at `$.users`"),
        (lambda doc: doc["users"][0]["age"][0], "expected `list`, found `int`"),
        (lambda doc: doc["users"][0]["age"]["a"], "expected `dict`, found `int`"),
        (lambda doc: doc["users"][0]["age"].str(), "expected `str`, found `int`"),
        (lambda doc: doc["users"][0]["name"].int(), "expected `int`, found `str`"),
        (lambda doc: doc["users"].int(), "expected `int`, found `list` at `$.users`"),
        (lambda doc: doc["total"].keys(), "expected `dict`, found `int`"),
        (lambda doc: doc["users"].items(), "expected `dict`, found `list` at `$.users`"),
        (lambda doc: len(doc["total"]), "expected dict or list, found `int`"),
        (lambda doc: list(doc["total"]), "expected dict or list, found `int`"),
        (lambda doc: "a" in doc["users"], "expected `dict`, found `list` at `$.users`"),
        (lambda doc: doc["total"].bytes(), "expected `bytes`.*, found `int`"),
    ],
)
def test_wrong_kinds(doc: demat.LazyValue, ask: Any, message: str) -> None:
    with pytest.raises(demat.ValidationError, match=message.replace("$", r"\$").replace("[", r"\[")):
        ask(doc)


def test_what_is_not_there(doc: demat.LazyValue) -> None:
    with pytest.raises(KeyError) as raised:
        doc["users"][0]["nothing"]
    assert isinstance(raised.value, demat.MissingError)
    assert raised.value.path == "$.users[0]"
    assert "expected the key `nothing`, found a dict without it at `$.users[0]`" in str(raised.value)
    with pytest.raises(IndexError, match="expected item 2, found a list of 2 at"):
        doc["users"][2]
    with pytest.raises(IndexError, match="expected item -3, found a list of 2 at"):
        doc["users"][-3]
    with pytest.raises(KeyError, match="expected the key `3`"):
        doc[3]
    with pytest.raises(TypeError, match="indexed by a str or an int, not by float"):
        doc["users"][0.5]
    with pytest.raises(TypeError, match="unhashable"):
        doc[[]]


def test_the_bytes_of_a_value(module: ModuleType) -> None:
    data = module.encode(DOCUMENT)
    doc = module.lazy(data)
    assert bytes(doc) == data
    assert bytes(doc["users"]) == module.encode(DOCUMENT["users"])
    assert doc["users"].raw == demat.Raw(module.encode(DOCUMENT["users"]), formats.name(module))
    assert bytes(doc["users"][1]["tags"][0]) == module.encode("a")
    assert module.encode({"kept": doc["users"]}) == module.encode({"kept": DOCUMENT["users"]})
    assert json.encode([doc["total"], doc["none"]]) == b"[2,null]"


def test_white_space_is_not_part_of_a_value() -> None:
    doc = json.lazy(b' \n{ "a" : [ 1 , 2 ] , "b" : "c" } \n')
    assert bytes(doc) == b'{ "a" : [ 1 , 2 ] , "b" : "c" }'
    assert bytes(doc["a"]) == b"[ 1 , 2 ]"
    assert bytes(doc["a"][1]) == b"2"
    assert bytes(doc["b"]) == b'"c"'
    with pytest.raises(demat.ValidationError, match=r"at `\$.a\[1\]` \(line 2, column 15\)"):
        doc["a"][1].str()


def test_a_byte_order_mark() -> None:
    doc = json.lazy(b'\xef\xbb\xbf{"a": 1}')
    assert doc["a"].int() == 1
    assert bytes(doc) == b'{"a": 1}'
    with pytest.raises(demat.ValidationError, match="column 7"):
        doc["a"].str()


@each
def test_the_last_of_a_repeated_key_counts(module: ModuleType) -> None:
    one, two = module.encode({"a": 1, "b": 2, "c": 3}), module.encode("b")
    data = one.replace(two, module.encode("a"))
    expected = module.decode(data)
    assert expected == {"a": 2, "c": 3}
    for _ in range(2):
        doc = module.lazy(data)
        assert doc["a"].int() == 2
        assert doc["a"].int() == 2
        assert len(doc) == 2
        assert [(key, value.int()) for key, value in doc.items()] == list(expected.items())
    with pytest.raises(demat.DecodeError):
        module.lazy(data, repeated_keys="refuse")["c"]
    with pytest.raises(demat.DecodeError):
        module.lazy(data, repeated_keys="refuse").value()


def test_what_is_not_passed_is_not_checked() -> None:
    doc = json.lazy(b'{"a": [1, 2, oops], "b": 1}')
    with pytest.raises(demat.DecodeError, match="line 1, column 14"):
        doc["b"]
    doc = json.lazy(b'[1, {"a": 2}, oops, 3]')
    assert doc[1]["a"].int() == 2
    assert next(iter(doc)).int() == 1
    with pytest.raises(demat.DecodeError, match="line 1, column 15"):
        doc[3]
    assert doc[1]["a"].int() == 2
    seen = []
    with pytest.raises(demat.DecodeError, match="line 1, column 15"):
        for item in doc:
            seen.append(item.value() if len(seen) < 2 else None)
    assert seen[:2] == [1, {"a": 2}]
    with pytest.raises(demat.DecodeError, match="line 1, column 15"):
        doc.validate()
    doc[1].validate()


@each
def test_nothing_and_too_much(module: ModuleType) -> None:
    with pytest.raises(demat.DecodeError):
        module.lazy(b"").value()
    with pytest.raises(demat.DecodeError):
        module.lazy(b"")["a"]
    with pytest.raises(demat.DecodeError):
        module.lazy(module.encode([1]) + module.encode([2])).value()
    assert module.lazy(module.encode([1]) + module.encode([2]))[0].int() == 1
    assert "no value" in repr(module.lazy(b""))
    assert "list" in repr(module.lazy(module.encode([1])))


@pytest.mark.parametrize("module", formats.modules(looked_into=True, binary=True), ids=formats.name)
def test_a_sequence_is_a_list(module: ModuleType) -> None:
    records = [{"a": 1, "b": [1]}, {"a": 2}, {"a": 3}]
    data = b"".join(map(module.encode, records))
    doc = module.lazy(data)
    assert doc.kind == "list"
    assert len(doc) == 3
    assert [record["a"].int() for record in doc] == [1, 2, 3]
    assert doc[0].kind == "dict"
    assert doc[0]["b"][0].int() == 1
    assert doc[0].value() == records[0]
    assert doc[0]["b"].path == "$[0].b"
    assert bytes(doc[0]) == module.encode(records[0])
    assert bytes(doc) == data
    assert doc.value() == records
    with pytest.raises(demat.ValidationError, match="expected `dict`, found `list`"):
        doc["a"]


def test_a_sequence_of_anything() -> None:
    from demat import cbor

    data = cbor.encode([1, 2]) + cbor.encode({"a": [3]}) + cbor.encode("x")
    doc = cbor.lazy(data, sequence=True)
    assert doc.value() == [[1, 2], {"a": [3]}, "x"]
    assert doc[0].kind == "list"
    assert doc[0][1].int() == 2
    assert [value.value() for value in doc] == doc.value()
    assert len(doc[0]) == 2
    assert doc[1]["a"][0].path == "$[1].a[0]"


def test_keys_that_are_no_text() -> None:
    from demat import cbor, msgpack

    for module in (cbor, msgpack):
        value = {1: "one", "1": "text", b"b": 2, None: 4}
        doc = module.lazy(module.encode(value))
        expected = module.decode(module.encode(value))
        assert {key: one.value() for key, one in doc.items()} == expected
        assert doc["1"].str() == "text"
        assert doc[b"b"].int() == 2
        assert doc[None].int() == 4
        assert doc[1].value() == expected[1]
        assert doc[1].path == '$["1"]'


def test_values_without_bytes_of_their_own() -> None:
    from demat import cbor, msgpack

    doc = msgpack.lazy(msgpack.encode([7]).replace(b"\x07", b"\xd4\x05a"))
    assert doc.value() == [{"code": 5, "data": b"a"}]
    assert doc[0]["code"].int() == 5
    assert doc[0]["data"].bytes() == b"a"
    assert bytes(doc[0]) == b"\xd4\x05a"
    assert doc[0]["code"].path == "$[0].code"
    assert doc[0]["data"].path == "$[0].data"
    assert msgpack.decode(bytes(doc[0]["data"])) == b"a"
    tagged = cbor.lazy(b"\x81\xd9\x12\x34\x82\x01\xd9\x12\x35\x02")
    assert tagged.value() == [{"tag": 0x1234, "value": [1, {"tag": 0x1235, "value": 2}]}]
    assert tagged[0]["tag"].int() == 0x1234
    assert tagged[0]["value"][1]["value"].int() == 2
    assert tagged[0]["value"][1]["tag"].int() == 0x1235
    assert tagged[0]["value"][1]["value"].path == "$[0].value[1].value"


def test_depth() -> None:
    doc = json.lazy("[[[1]], 2]", depth=2)
    assert doc[0].kind == "list"
    with pytest.raises(demat.LimitError):
        doc[1]
    with pytest.raises(demat.LimitError):
        doc[0][0][0]
    with pytest.raises(demat.LimitError):
        doc.value()


@each
def test_great_depth(module: ModuleType) -> None:
    levels = 1_000_000
    opening = module.encode([[]])[:1]
    closing = b"]" if formats.name(module) == "json" else b""
    leaf = module.encode([])
    deep = opening * levels + leaf + closing * levels
    comma = b"," if closing else b""
    data = module.encode([0, 1]).replace(module.encode(0) + comma, deep + comma, 1)
    doc = module.lazy(data, depth=2_000_000)
    assert doc[1].int() == 1
    at = doc[0]
    for _ in range(1000):
        at = at[0]
    assert at.path == "$" + "[0]" * 1001
    with pytest.raises(demat.LimitError):
        module.lazy(data)[1]


@each
def test_options(module: ModuleType) -> None:
    for option in ({"strict": False}, {"lazy": True}, {"errors": "all"}, {"other": 1}):
        with pytest.raises(TypeError, match=next(iter(option))):
            module.lazy(module.encode(1), **option)
    with pytest.raises(TypeError, match="one of them"):
        module.lazy()
    with pytest.raises(TypeError, match="one of them"):
        module.lazy(b"", path="a")
    with pytest.raises(TypeError, match="not int"):
        module.lazy(1)
    with pytest.raises(TypeError, match="path must be"):
        module.lazy(path=1)


def test_other_formats_refuse() -> None:
    for module in formats.modules(looked_into=False, special=None):
        assert not hasattr(module, "lazy")
        with pytest.raises(TypeError, match="has no lazy values; formats with them: json, csv, msgpack, cbor"):
            getattr(demat._native, formats.name(module)).lazy(b"")


@each
def test_files(module: ModuleType, tmp_path: Path) -> None:
    path = tmp_path / "document"
    path.write_bytes(module.encode(DOCUMENT))
    with module.lazy(path=path) as doc:
        users = doc["users"]
        assert users[1]["name"].str() == "Alan"
    with pytest.raises(ValueError, match="was closed"):
        users[1]
    assert module.lazy(path=str(path)).value() == DOCUMENT
    path.write_bytes(b"")
    with pytest.raises(demat.DecodeError):
        module.lazy(path=path).value()
    with pytest.raises(FileNotFoundError):
        module.lazy(path=tmp_path / "other")
    path.write_bytes(b"\x1f\x8b\x08")
    with pytest.raises(ValueError, match="compressed"):
        module.lazy(path=path)


@each
def test_buffers(module: ModuleType) -> None:
    data = module.encode(DOCUMENT)
    with mmap.mmap(-1, len(data)) as mapped:
        mapped.write(data)
        with module.lazy(mapped) as doc:
            assert doc["users"].value() == DOCUMENT["users"]
    for buffer in (bytearray(data), memoryview(data), memoryview(bytearray(data))[:]):
        doc = module.lazy(buffer)
        assert doc.value() == DOCUMENT
        assert [user["name"].str() for user in doc["users"]] == ["Ada", "Alan"]
        assert doc["users"].decode(list[User])[0].name == "Ada"
    with pytest.raises(BufferError):
        module.lazy(memoryview(data * 2)[::2])


def test_text() -> None:
    text = json.encode(DOCUMENT).decode()
    doc = json.lazy(text)
    del text
    assert doc.value() == DOCUMENT


def test_the_buffer_lives_as_long_as_its_values() -> None:
    class Buffer(bytearray):
        pass

    data = Buffer(json.encode(DOCUMENT))
    gone = weakref.ref(data)
    name = json.lazy(data)["users"][0]["name"]
    with pytest.raises(BufferError):
        data.append(1)
    del data
    gc.collect()
    assert name.str() == "Ada"
    assert gone() is not None
    del name
    assert gone() is None


def test_cycles_are_collected() -> None:
    class Buffer(bytearray):
        doc: Any

    data = Buffer(json.encode(DOCUMENT))
    data.doc = json.lazy(data)["users"]
    gone = weakref.ref(data)
    del data
    gc.collect()
    assert gone() is None


def test_hooks() -> None:
    class Hooked:
        def __init__(self, value: str) -> None:
            self.value = value

    hook = demat.Hook(encode=lambda one: one.value, decode=Hooked)
    for data in (json.encode(DOCUMENT), bytearray(json.encode(DOCUMENT))):
        doc = json.lazy(data)
        found = doc["users"][1]["name"].decode(Hooked, hooks={Hooked: hook})
        assert found.value == "Alan"


def test_a_lazy_value_is_written_by_its_bytes() -> None:
    doc = json.lazy(b'{"a": [1,  2]}')
    out = io.BytesIO()
    json.write(out, [doc["a"]])
    assert out.getvalue() == b"[[1,  2]]\n"
