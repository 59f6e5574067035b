"""The cyclic collector is paused while much is decoded, and is as it was afterwards, however that ended."""

import gc
import threading
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Annotated, Any

import demat
import pytest
from demat import Hook, csv, json, ndjson

MANY = 2000
BULK = json.encode([{"a": [n]} for n in range(MANY)])


@pytest.fixture(autouse=True, params=[True, False], ids=["running", "stopped"])
def running(request: pytest.FixtureRequest) -> Iterator[bool]:
    """Each test twice: with the collector on, and with it off."""
    before = gc.isenabled()
    (gc.enable if request.param else gc.disable)()
    yield request.param
    assert gc.isenabled() is request.param
    (gc.enable if before else gc.disable)()


@dataclass
class Row:
    a: list[int]


def failing(error: BaseException, at: int = MANY // 2) -> Any:
    """A list whose items go through a hook that raises at one of them, and notes whether the collector runs."""
    seen = []

    def read(value: dict[str, Any]) -> Any:
        seen.append(gc.isenabled())
        if len(seen) == at:
            raise error
        return value

    return list[Annotated[Any, Hook(wire=dict[str, Any], decode=read)]], seen


def test_after_values():
    for tp in (Any, list[Row], list[dict[str, list[int]]]):
        assert len(json.decode(BULK, tp)) == MANY
        assert len(json.Decoder(tp).decode(BULK)) == MANY
    assert len(ndjson.decode(BULK[1:-1].replace(b"},", b"}\n"), list[Row])) == MANY
    assert len(csv.decode("a\n" + "1\n" * MANY, list[dict[str, int]])) == MANY
    assert len(json.decode(b"[" + BULK + b"]", list[demat.Raw])[0].decode(list[Row])) == MANY


@pytest.mark.parametrize("errors", ["first", "all", 3])
def test_after_errors(errors):
    for data in (
        BULK[:-1],
        BULK[:-1] + b",1]",
        BULK + b"x",
        BULK.replace(b"[55]", b'"x"'),
        BULK[:-1] + b"," + b"[" * 2000,
    ):
        with pytest.raises(demat.Error):
            json.decode(data, list[Row], errors=errors)
    with pytest.raises(TypeError):
        json.decode(None)
    with pytest.raises(demat.DecodeError):
        json.decode('"\ud800' + "x" * 5000)


@pytest.mark.parametrize(
    "error", [ValueError(), RuntimeError(), KeyboardInterrupt(), SystemExit(), MemoryError()], ids=repr
)
def test_after_exceptions(error):
    tp, seen = failing(error)
    with pytest.raises((type(error), demat.ValidationError)):
        json.decode(BULK, tp)
    assert len(seen) == MANY // 2


def test_it_is_paused_within(running):
    tp, seen = failing(ValueError(), at=-1)
    json.decode(BULK, tp)
    assert set(seen) == {False}
    assert gc.isenabled() is running


def test_no_collection_takes_place_within():
    collections = []
    data = json.encode([{"a": [n]} for n in range(50_000)])
    gc.callbacks.append(lambda phase, info: collections.append(phase))
    try:
        kept = json.decode(data, list[Row])
        # To count makes no object that could set it off.
        count = len(collections)
    finally:
        gc.callbacks.pop()
    assert (len(kept), count) == (50_000, 0)


def test_within_each_other(running):
    seen = []

    def read(value: Any) -> Any:
        if len(seen) < 5:
            seen.append(None)
            inner = json.decode(BULK, tp)
            seen[0] = gc.isenabled()
            return len(inner)
        if value["a"] == [7]:
            with pytest.raises(demat.ValidationError):
                json.decode(BULK, list[int])
            assert not gc.isenabled()
        return value

    tp = list[Annotated[Any, Hook(wire=dict[str, Any], decode=read)]]
    assert len(json.decode(BULK, tp)) == MANY
    assert seen[0] is False
    assert gc.isenabled() is running


def test_in_threads_that_overlap(running):
    inside, leave = threading.Barrier(4), threading.Barrier(4)
    states = []

    def work(number: int) -> None:
        def read(value: Any) -> Any:
            if value["a"] == [MANY - 1]:
                inside.wait()
                states.append(gc.isenabled())
                leave.wait()
                if number % 2:
                    raise KeyError(number)
            return value

        try:
            json.decode(BULK, list[Annotated[Any, Hook(wire=dict[str, Any], decode=read)]])
        except KeyError:
            states.append(number)

    threads = [threading.Thread(target=work, args=(number,)) for number in range(3)]
    for thread in threads:
        thread.start()
    inside.wait()
    states.append(gc.isenabled())
    leave.wait()
    for thread in threads:
        thread.join()
    assert sorted(states) == [False] * 4 + [1]
    assert gc.isenabled() is running


def test_a_hook_that_turns_it_on_has_its_way(running):
    def read(value: Any) -> Any:
        gc.enable()
        return value

    json.decode(BULK, list[Annotated[Any, Hook(wire=dict[str, Any], decode=read)]])
    assert gc.isenabled()
    (gc.enable if running else gc.disable)()


def test_instances_that_are_not_tracked():
    @dataclass(slots=True)
    class Slotted:
        a: int

    for tp in (Slotted, Row):
        text = '{"a":1}' if tp is Slotted else '{"a":[1]}'
        assert gc.is_tracked(json.decode(text, tp))
        assert not gc.is_tracked(json.decode(text, tp, gc=False))
        assert not gc.is_tracked(json.Decoder(tp, gc=False).decode(text))
    demat.configure(Slotted, gc=False)
    assert not gc.is_tracked(json.decode('{"a":1}', Slotted))


def test_cycles_that_hooks_make_are_freed():
    import weakref

    @dataclass
    class Node:
        a: list[int]

        def __post_init__(self) -> None:
            self.me = self

    nodes = json.decode(BULK, list[Node])
    alive = weakref.ref(nodes[5])
    del nodes
    gc.collect()
    assert alive() is None


def test_containers_are_tracked_where_they_may_be_part_of_a_cycle():
    value = json.decode('{"a":[{"b":[]}]}')
    value["a"][0]["b"].append(value)
    assert gc.is_tracked(value)
    assert gc.is_tracked(value["a"])
    assert gc.is_tracked(value["a"][0])
    (item,) = json.decode("[[[1]]]", list[tuple[list[int], ...]])
    assert gc.is_tracked(item)
