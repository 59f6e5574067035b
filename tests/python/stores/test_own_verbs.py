"""Stores that a program writes: each verb, what they return, and what they refuse."""

from __future__ import annotations

import datetime
import decimal
import uuid
from collections import OrderedDict
from dataclasses import dataclass
from typing import Any

import demat
import pytest
from demat import StoreError, store
from own_stores import Path, Plain, Tree


@dataclass
class Task:
    title: str
    done: bool = False


def test_each_verb_calls_its_method() -> None:
    own = Tree({"tasks": [{"n": 1}]})
    place = store.of(own)
    assert place.get("/tasks/0") == {"n": 1}
    place.put("/a%2Fb", 1)
    place.put("/~", 2)  # the empty name
    assert own.root["a/b"] == 1
    assert own.root[""] == 2
    assert place.post("/tasks", {"n": 2}) == "/tasks/1"
    place.patch("/tasks/1", {"m": 3})
    assert place.get("/tasks/1") == {"n": 2, "m": 3}
    place.delete("/a%2Fb")
    assert "a/b" not in own.root
    assert place.children() == ["tasks", ""]
    assert place.children("/tasks") == ["0", "1"]
    assert place.get("/tasks", query="n.gt=1&fields=m") == [{"m": 3}]
    assert place.encode("/tasks", "csv", query="fields=n") == b"n\n1\n2\n"
    assert str(place) == "program Tree\n"
    assert repr(place) == "<store program Tree>"
    assert place.to_svg().count("Tree") >= 1


def test_what_is_not_there_is_not_found() -> None:
    place = store.of(Tree({"a": None}))
    act: Any
    for act in (
        lambda: place.get("/x"),
        lambda: place.get("/a"),  # None is no value
        lambda: place.delete("/x"),
        lambda: place.patch("/x", {}),
        lambda: place.post("/x", 1),
        lambda: place.put("/x/y", 1),
        lambda: place.children("/x"),
    ):
        with pytest.raises(demat.NotFound, match=r"^`/.*`: not found$"):
            act()


def test_a_verb_without_its_method_is_refused_as_of_any_store() -> None:
    place = store.of(Plain(a=1))
    native = store.read_only(store.memory({"a": 1}))
    act: Any
    for act in (lambda place: place.post("/a", 1), lambda place: place.patch("/a", {})):
        messages = []
        for own in (place, native):
            with pytest.raises(StoreError) as caught:
                act(own)
            messages.append(str(caught.value))
        assert messages[0] == messages[1]
    with pytest.raises(demat.NotFound):
        place.children()

    class Sink(demat.Store):
        def post(self, path: Path, value: Any) -> None:
            got.append(value)

    got: list[Any] = []
    sink = store.of(Sink())
    assert sink.post("/", {"x": 1}) == "/"
    assert got == [{"x": 1}]
    with pytest.raises(StoreError, match="can't get `/`: this store does not support it"):
        sink.get()


def test_a_method_can_be_taken_out_again() -> None:
    class Fixed(Plain):
        put = None  # type: ignore[assignment]

    with pytest.raises(StoreError, match="does not support it"):
        store.of(Fixed(a=1)).put("/a", 2)


def test_what_is_no_store_is_refused_where_it_is_made() -> None:
    class Empty(demat.Store):
        pass

    class Wrong(demat.Store):
        def get(self) -> Any: ...

    class NoMethod(demat.Store):
        get = 5

    own: Any
    for own, why in (
        (Empty(), "has none of the methods"),
        (Wrong(), r"Wrong.get is called with \(path\)"),
        (NoMethod(), "NoMethod.get is no method"),
        (Plain, "a class can.t be served"),
    ):
        with pytest.raises(TypeError, match=why):
            store.cache(own) if own is not Plain else store.of(own)
    with pytest.raises(TypeError, match="expected a store, found a list"):
        store.cache([])  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="derives from `demat.Store`"):
        type("Own", (store.Store,), {})


@pytest.mark.parametrize(
    "value",
    [
        {"a": [1, 2.5, None, True, "x", 2**60]},
        [Task("a"), Task("b", True)],
        Task("a"),
        b"\x00\xff",
        "text",
        0,
        False,
        datetime.datetime(2026, 1, 2, tzinfo=datetime.UTC),
        decimal.Decimal("1.50"),
        uuid.UUID(int=7),
        OrderedDict(a=1),
        (1, 2),
        demat.Raw(b'{"a": 1}'),
    ],
    ids=lambda value: type(value).__name__,
)
def test_a_value_is_all_that_a_format_encodes(value: Any) -> None:
    place = store.of(Plain(a=value))
    for format in ("json", "cbor", "msgpack", "yaml"):
        module = getattr(demat, format)
        assert place.encode("/a", format) == module.encode(value)
        # Through a sink, all kinds stay what they are.
        through = store.mapped(place, reference=str)
        assert through.encode("/a", format) == module.encode(value)
    # A layer that holds the value.
    merged = store.merge(place).encode("/a", "cbor")
    assert demat.cbor.decode(merged) == demat.cbor.decode(demat.cbor.encode(value))


def test_values_are_decoded_as_annotated() -> None:
    class Tasks(demat.Store):
        def __init__(self) -> None:
            self.got: list[Any] = []

        def put(self, path: Path, value: Task) -> None:
            self.got.append(value)

        def post(self, path: Path, value: list[Task] | Task) -> str:
            self.got.append(value)
            return "x"

    Tasks.put.__annotations__["value"] = Task
    Tasks.post.__annotations__["value"] = Task | list[Task]
    own = Tasks()
    place = store.of(own)
    place.put("/a", {"title": "t"})
    assert place.post("/", [{"title": "u"}]) == "/x"
    assert own.got == [Task("t"), [Task("u")]]
    with pytest.raises(demat.ValidationError, match="expected `str`, found `int`"):
        place.put("/a", {"title": 5})
    with pytest.raises(demat.ValidationError):
        place.post("/", {"done": True})
    assert len(own.got) == 2
    # Other formats are read as the type says.
    with demat.serve({"/": own}, port=0, background=True) as server:
        from requested import ask

        got = ask(server.url, "PUT", "/a", b"title,done\nc,true\n", content_type="text/csv")
        assert got.status == 422, got
        got = ask(server.url, "PUT", "/a", demat.cbor.encode(Task("c", True)), content_type="application/cbor")
        assert got.status in (200, 204), got
        got = ask(server.url, "POST", "/", b"title,done\nc,true\n", content_type="text/csv")
        assert got.status == 201, got
    assert own.got[2:] == [Task("c", True), [Task("c", True)]]


def test_what_post_returns_is_where_it_is() -> None:
    class Posted(demat.Store):
        answer: Any = None

        def post(self, path: Path, value: Any) -> Any:
            return self.answer

    own = Posted()
    place = store.of(own)
    answer: Any
    for answer, at in ((None, "/list"), (7, "/list/7"), ("/a b", "/list/%2Fa%20b"), (("x", 1), "/x/1")):
        own.answer = answer
        assert place.post("/list", 1) == at
    for answer in (1.5, True, b"x", ["a"]):
        own.answer = answer
        with pytest.raises(TypeError, match="Posted.post returns names"):
            place.post("/list", 1)


def test_methods_may_be_async() -> None:
    class Later(demat.Store):
        async def get(self, path: Path) -> Any:
            return [*path]

        async def children(self, path: Path) -> list[str]:
            return ["a", "b"]

    place = store.of(Later())
    assert place.get("/x/y") == ["x", "y"]
    assert place.children() == ["a", "b"]


def test_what_a_method_returns_is_checked() -> None:
    class Wrong(demat.Store):
        answer: Any = None

        def get(self, path: Path) -> Any:
            return 1

        def version(self, path: Path) -> Any:
            return self.answer

        def children(self, path: Path) -> Any:
            return self.answer

    own = Wrong()
    place = store.of(own)
    answer: Any
    for answer, why in (("abc", "names, not one str"), ([1.5], "names, which are str or int"), (5, "not iterable")):
        own.answer = answer
        with pytest.raises(TypeError, match=why):
            place.children()
    own.answer = None
    with pytest.raises(demat.NotFound):
        place.children()
    cached = store.cache(own)
    for answer in (0, 1, 2**64 - 1, 2**64, -1, "a", b"a", 1.5, datetime.datetime(2026, 1, 1), True):
        own.answer = answer
        assert cached.get("/a") == 1


def test_the_class_is_exported() -> None:
    assert issubclass(store.Store, demat.Store)
    assert isinstance(store.memory(), demat.Store)
