"""Every layer over a store that a program writes."""

from __future__ import annotations

from pathlib import Path as FilePath
from typing import Any

import demat
import pytest
from demat import StoreError, store
from own_stores import Path, Plain, Tree, Watched


def gets(own: Tree) -> int:
    return [verb for verb, _ in own.calls].count("get")


def test_a_cache_asks_again_when_the_version_changes() -> None:
    own = Tree({"a": 1})
    place = store.cache(own)
    assert [place.get("/a") for _ in range(3)] == [1, 1, 1]
    assert gets(own) == 1
    own.root["a"] = 2
    assert place.get("/a") == 2
    assert gets(own) == 2
    place.put("/a", 3)
    assert place.get("/a") == 3


def test_a_cache_over_a_store_without_versions_sees_its_own_changes_and_those_that_are_told() -> None:
    plain = Plain(a=1)
    place = store.cache(plain)
    assert [place.get("/a"), place.get("/a")] == [1, 1]
    assert plain.gets == 1
    # Changes through another store of the same instance are told.
    store.of(plain).put("/a", 2)
    assert place.get("/a") == 2
    watched = Watched(a=1)
    place = store.cache(watched)
    assert place.get("/a") == 1
    watched.change("a", 5)
    assert place.get("/a") == 5
    assert len(watched.watchers) == 1
    del place
    assert (watched.watchers, watched.ended) == ([], 1)


def test_write_back_delays_puts_and_reports_what_was_refused() -> None:
    class Choosy(Plain):
        def put(self, path: Path, value: Any) -> None:
            if value == "bad":
                raise demat.ValidationError("that is bad")
            if value == "worse":
                raise ZeroDivisionError("that is worse")
            super().put(path, value)

    own = Choosy()
    place = store.cache(own, write_back=True)
    place.put("/a", 1)
    assert own.values == {}
    assert place.get("/a") == 1
    place.flush()
    assert own.values == {"a": 1}
    place.put("/a", "bad")
    with pytest.raises(demat.ValidationError, match="that is bad"):
        place.flush()
    place.put("/a", "worse")
    with pytest.raises(ZeroDivisionError, match="that is worse"):
        place.flush()


def test_timed_log_and_read_only() -> None:
    lines: list[str] = []
    timed = store.timed(store.log(Tree({"a": 1}), lines.append))
    timed.get("/a")
    with pytest.raises(demat.NotFound):
        timed.get("/b")
    timed.put("/b", 2)
    assert timed.times("get") is not None
    assert (timed.times("get") or (0,))[0] == 2
    assert [line.split()[:2] for line in lines] == [["get", "/a"], ["get", "/b"], ["put", "/b"]]
    assert "not found" in lines[1]
    with pytest.raises(StoreError, match="can't put `/a`: this store does not support it"):
        store.read_only(Tree()).put("/a", 1)
    assert store.read_only(Tree({"a": 1})).get() == {"a": 1}


def test_switch_relative_merge_and_sequence() -> None:
    own = Tree({"a": {"b": 1}, "list": [1]})
    both = store.switch({"x": own, "y": store.memory(5)})
    assert (both.get(), both.get("/x/a"), both.get("/y")) == (["x", "y"], {"b": 1}, 5)
    assert store.relative(own, "/a").get("/b") == 1
    store.relative(own, "/a").put("/c", 2)
    assert own.root["a"] == {"b": 1, "c": 2}
    assert store.merge(own, store.memory({"list": [2], "z": 0})).get("/list") == [1, 2]
    assert store.merge(store.memory({"list": [0]}), own).get() == {"list": [0, 1], "a": {"b": 1, "c": 2}}
    both = store.sequence(Tree({"a": 1}), store.memory({"a": 2, "b": 3}))
    assert (both.get("/a"), both.get("/b")) == (1, 3)
    with pytest.raises(demat.NotFound):
        both.get("/c")


def test_mapped_typed_and_template(tmp_path: FilePath) -> None:
    own = Tree({"a": {"cents": 120}})
    place = store.mapped(
        own,
        reference=str.lower,
        written=lambda at, value: {"cents": round(value * 100)},
        read=lambda at, value: value["cents"] / 100,
    )
    place.put("/B", 3.5)
    assert (place.get("/A"), own.root["b"]) == (1.2, {"cents": 350})
    files = Plain(numbers=b"[1, 2]")
    typed = store.typed(files, "json", list[int])
    assert typed.get("/numbers") == [1, 2]
    typed.put("/numbers", [3])
    assert files.values["numbers"] == b"[3]"
    with pytest.raises(demat.DecodeError):
        typed.put("/numbers", ["x"])
    through = store.template({"/:name": lambda name: store.of(own).get(f"/{name}")})
    assert through.get("/a") == {"cents": 120}
    with pytest.raises(demat.NotFound):
        through.get("/nothing")


def test_the_picture_has_it() -> None:
    place = store.switch({"a": store.cache(Tree(), limit=10), "b": store.read_only(Plain())})
    assert str(place) == ("switch\n├─ a: cache 10 bytes\n│  └─ program Tree\n└─ b: read only\n   └─ program Plain\n")
    assert "Tree" in place.to_svg()
    assert "Plain" in place.to_dot()


def test_layers_answer_as_over_memory() -> None:
    """The same steps over memory and over a store of the program's, under each layer."""
    root = {"a": {"b": 1, "c": [1, 2, {"d": "x"}]}, "e": "y"}
    layers: list[Any] = [
        lambda below: below,
        store.cache,
        store.timed,
        lambda below: store.log(below, lambda _: None),
        lambda below: store.mapped(below, reference=str),
        lambda below: store.relative(store.switch({"x": below}), "/x"),
        lambda below: store.merge(below),
        lambda below: store.sequence(below),
    ]

    def steps(place: Any) -> list[Any]:
        done: list[Any] = []
        act: Any
        for act in (
            lambda: place.get(),
            lambda: place.get("/a/c"),
            lambda: place.get("/nothing"),
            lambda: place.put("/f", {"g": None}),
            lambda: place.get("/f"),
            lambda: place.post("/a/c", 5),
            lambda: place.get("/a/c/3"),
            lambda: place.patch("/a", {"b": 2}),
            lambda: place.get("/a", query="fields=b"),
            lambda: place.delete("/e"),
            lambda: place.get("/e"),
            lambda: place.delete("/e"),
            lambda: place.children("/"),
            lambda: place.children("/a"),
            lambda: place.get(),
        ):
            try:
                done.append(act())
            except demat.Error as error:
                done.append((type(error).__name__, str(error)))
        return done

    for number, layer in enumerate(layers):
        own = demat.json.decode(demat.json.encode(root))
        assert steps(store.of(layer(Tree(own)))) == steps(store.of(layer(store.memory(root)))), number
