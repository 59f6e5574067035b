"""The end of lazy records, and what is done with their memory."""

import gc
import sys
import weakref
from dataclasses import dataclass, field
from typing import Any

import pytest
from demat import proto
from steady import memory_stays, same_for_threads


@dataclass(slots=True)
class Node:
    id: int = 0
    name: str = ""
    next: Any = None
    tags: list[str] = field(default_factory=list)
    inner: "Node | None" = None


@dataclass(slots=True)
class Leaf:
    id: int = 0
    name: str = ""


DATA = proto.encode(Leaf(7, "seven"))
DECODE = proto.Decoder(Leaf, lazy=True).decode


def test_memory_of_views_that_are_gone_knows_nothing_of_them():
    for turn in range(50):
        views = [DECODE(proto.encode(Leaf(index, f"name {index}"))) for index in range(turn)]
        for index, view in enumerate(views):
            assert (view.id, view.name) == (index, f"name {index}")
            view.id = -1
        assert [view.id for view in views] == [-1] * turn
        del views
        other = DECODE(b"")
        assert (other.id, other.name) == (0, "")


def test_the_bytes_are_let_go_of():
    data = proto.encode(Leaf(1, "x" * 100))
    before = sys.getrefcount(data)
    views = [DECODE(data) for _ in range(100)]
    assert sys.getrefcount(data) == before + 100
    del views
    assert sys.getrefcount(data) == before


def test_the_class_is_let_go_of():
    @dataclass(slots=True)
    class Gone:
        id: int = 0

    decode = proto.Decoder(Gone, lazy=True).decode
    views = [decode(b"\x08\x01") for _ in range(20)]
    classes = [weakref.ref(Gone), weakref.ref(type(views[0]))]
    count = sys.getrefcount(type(views[0]))
    views.pop()
    left = sys.getrefcount(type(views[0]))
    assert left == count - 1
    del views
    del decode, Gone
    for _ in range(3):
        gc.collect()
    assert [ref() for ref in classes] == [None, None]


def test_the_last_view_may_be_the_last_that_holds_its_class():
    @dataclass(slots=True)
    class Gone:
        id: int = 0

    view = proto.decode(b"\x08\x01", Gone, lazy=True)
    classes = [weakref.ref(Gone), weakref.ref(type(view))]
    del Gone
    gc.collect()
    assert view.id == 1
    del view
    for _ in range(3):
        gc.collect()
    assert [ref() for ref in classes] == [None, None]


def test_chains_of_views_end_however_long_they_are():
    decode = proto.Decoder(Node, lazy=True).decode
    told = Told()
    end = weakref.ref(told)
    view: Any = told
    del told
    for index in range(200_000):
        next_ = decode(b"\x08\x01")
        next_.next = view if index % 3 else [view]
        view = next_
    del next_, view
    gc.collect()
    assert end() is None
    assert decode(b"\x08\x02").next is None


class Told:
    """Something whose end can be seen."""


def test_cycles_are_collected():
    decode = proto.Decoder(Node, lazy=True).decode
    told = Told()
    seen = weakref.ref(told)
    view = decode(b"\x08\x01")
    view.next = [view, told]
    del view, told
    gc.collect()
    assert seen() is None


def test_what_stands_in_the_slots_of_the_class_itself_is_given_back():
    told = Told()
    seen = weakref.ref(told)
    view = DECODE(DATA)
    Leaf.id.__set__(view, told)  # type: ignore[attr-defined]
    del told
    assert view.id == 7
    del view
    assert seen() is None
    assert DECODE(DATA).id == 7
    with pytest.raises(AttributeError):
        Leaf.id.__get__(DECODE(DATA))  # type: ignore[attr-defined]


def test_code_that_runs_at_the_end_may_make_views():
    made = []

    class Ends:
        def __del__(self) -> None:
            made.append(DECODE(DATA).name)

    for _ in range(30):
        view = DECODE(DATA)
        view.id = Ends()  # type: ignore[assignment]
        del view
    assert made == ["seven"] * 30


def test_classes_with_more_than_slots_end_as_the_interpreter_has_it():
    ended = []

    @dataclass
    class Dict:
        id: int = 0

    @dataclass(slots=True, weakref_slot=True)
    class Weak:
        id: int = 0

    @dataclass(slots=True)
    class Ends:
        id: int = 0

        def __del__(self) -> None:
            ended.append(type(self.id))

    class Below(Leaf):
        """Has a dict besides."""

    for cls in (Dict, Weak, Ends, Below):
        decode = proto.Decoder(cls, lazy=True).decode
        views = [decode(b"\x08\x07") for _ in range(30)]
        told = Told()
        seen = weakref.ref(told)
        if cls in (Dict, Below):
            views[0].more = told
        else:
            views[0].id = told
        own: Any = weakref.ref(views[1]) if cls is Weak else None
        del views, told
        gc.collect()
        assert seen() is None
        assert own is None or own() is None
    assert (ended.count(int), ended.count(Told)) == (29, 1)


def test_memory_stays():
    node = proto.encode(Node(1, "a", None, ["b", "c"], Node(2, "d")))

    def work() -> None:
        views = [proto.decode(node, Node, lazy=True) for _ in range(20)]
        for view in views:
            assert view.inner is not None
            view.tags.append(view.inner.name)
            proto.encode(view)
            view.inner.next = view
        views[0].inner = None

    memory_stays(work, 100)
    memory_stays(lambda: DECODE(DATA).name, 5000)


def test_many_threads_make_and_end_views():
    same_for_threads(lambda: [DECODE(DATA).name, DECODE(DATA).id] == ["seven", 7], 5000)
