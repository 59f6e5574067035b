"""Instances that are filled again: only those that nobody has."""

from __future__ import annotations

import copy
import gc
import weakref
from collections import deque
from dataclasses import dataclass, field
from typing import Any, NamedTuple, TypedDict

import attrs
import formats
import msgspec
import pydantic
import pytest
from demat import ValidationError, json
from hypothesis import given, settings
from hypothesis import strategies as st


@dataclass(slots=True)
class Slots:
    id: int
    text: str = "none"
    tags: list[int] = field(default_factory=list)
    inner: Slots | None = None


@dataclass
class Plain:
    id: int
    text: str = "none"
    tags: list[int] = field(default_factory=list)
    inner: Plain | None = None


@attrs.define
class Attrs:
    id: int
    text: str = "none"
    tags: list[int] = attrs.Factory(list)
    inner: Attrs | None = None


class Struct(msgspec.Struct):
    id: int
    text: str = "none"
    tags: list[int] = []
    inner: Struct | None = None


@dataclass(slots=True, weakref_slot=True)
class Weakly:
    id: int
    text: str = "none"
    tags: list[int] = field(default_factory=list)
    inner: Weakly | None = None


CLASSES = pytest.mark.parametrize("cls", [Slots, Plain, Attrs, Struct, Weakly])

ids = st.one_of(st.integers(-(1 << 70), 1 << 70), st.integers(250, 2000), st.just((1 << 30) - 1))
records = st.lists(
    st.fixed_dictionaries(
        {"id": ids},
        optional={
            "text": st.text(max_size=20),
            "tags": st.lists(ids, max_size=3),
            "inner": st.none() | st.fixed_dictionaries({"id": ids}),
        },
    ),
    max_size=120,
)


@CLASSES
@settings(max_examples=60, deadline=None)
@given(records, st.data())
def test_kept_objects_keep_their_values(cls: type[Any], rows: list[dict[str, Any]], data: st.DataObject) -> None:
    expected = json.decode(json.encode(rows), list[cls])  # type: ignore[valid-type]
    keeps = data.draw(
        st.lists(st.sampled_from(["keep", "part", "int", "drop"]), min_size=len(rows), max_size=len(rows))
    )
    kept: list[tuple[Any, Any]] = []
    for record, known, keep in zip(json.read(json.encode(rows), cls, recycle=True), expected, keeps, strict=True):
        assert record == known
        if keep == "keep":
            kept.append((record, known))
        elif keep == "part":
            kept += [(record.tags, known.tags), (record.inner, known.inner)]
        elif keep == "int":
            kept.append((record.id, known.id))
    for record, known in kept:
        assert record == known
        assert type(record) is type(known)


@CLASSES
def test_few_objects_are_made_where_none_is_kept(cls: type[Any]) -> None:
    data = json.encode([{"id": n} for n in range(1000)])
    seen: dict[int, int] = {}
    first = None
    for record in json.read(data, cls, recycle=True):
        if first is None:
            first = record
        seen[id(record)] = seen.get(id(record), 0) + 1
    assert first == cls(0)
    assert len(seen) < 100
    kept = list(json.read(data, cls, recycle=True))
    assert [record.id for record in kept] == list(range(1000))
    window: deque[Any] = deque(maxlen=50)
    for number, record in enumerate(json.read(data, cls, recycle=True)):
        window.append(record)
        assert [one.id for one in window] == list(range(max(0, number - 49), number + 1))


@CLASSES
def test_nothing_is_left_of_the_one_before(cls: type[Any]) -> None:
    rows = [{"id": 1, "text": "x", "tags": [1], "inner": {"id": 5}}, {"id": 2}] * 200
    for record, row in zip(json.read(json.encode(rows), cls, recycle=True), rows, strict=True):
        assert record == cls(row["id"]) or "text" in row
        assert record.tags == row.get("tags", [])
        record.tags.append(9)
        record.text = "changed"
        if cls is Plain:
            record.extra = "of somebody's"
            del record.id
    if cls is Plain:
        for record in json.read(json.encode(rows), cls, recycle=True):
            assert "extra" not in vars(record)
            record.extra = 1


def test_a_dict_that_is_kept_is_not_changed() -> None:
    data = json.encode([{"id": n} for n in range(300)])
    kept = [vars(record) for record in json.read(data, Plain, recycle=True)]
    assert [one["id"] for one in kept] == list(range(300))


@pytest.mark.parametrize("cls", [Plain, Weakly])
def test_weak_references_see_no_other_values(cls: type[Any]) -> None:
    data = json.encode([{"id": n} for n in range(300)])
    references = []
    for number, record in enumerate(json.read(data, cls, recycle=True)):
        references.append((number, weakref.ref(record)))
        for known, reference in references[-70:]:
            alive = reference()
            assert alive is None or alive.id == known
            del alive
    del record
    assert sum(reference() is not None for _, reference in references) == 0


def test_what_is_called_after_each_is_called_again() -> None:
    calls = []

    @dataclass
    class Summed:
        a: int
        total: int = field(init=False)

        def __post_init__(self) -> None:
            calls.append(self.a)
            self.total = self.a * 2

    for record in json.read(json.encode([{"a": n} for n in range(200)]), Summed, recycle=True):
        assert record.total == record.a * 2
    assert calls == list(range(200))
    # As often where records are cut by the window.
    calls.clear()
    data = json.encode([{"a": n} for n in range(200)])
    list(json.read((data[at : at + 3] for at in range(0, len(data), 3)), Summed, recycle=True))
    assert calls == list(range(200))


def test_a_record_that_fails_is_not_seen() -> None:
    rows: list[Any] = [{"id": n} for n in range(100)]
    rows.append({"id": "x"})
    reader = json.read(json.encode(rows), Slots, recycle=True)
    seen, kept = [], []
    with pytest.raises(ValidationError) as raised:
        for record in reader:
            seen.append(record.id)
            kept.append(copy.copy(record))
    assert (raised.value.record, raised.value.path) == (101, "$[100].id")
    assert seen == list(range(100)) == [one.id for one in kept]


class Row(TypedDict):
    a: int


def test_dicts_are_filled_again() -> None:
    data = json.encode([{"a": n} for n in range(300)])
    made = set()
    for number, row in enumerate(json.read(data, Row, recycle=True)):
        assert row == {"a": number}
        row["b"] = 1  # type: ignore[typeddict-unknown-key]
        made.add(id(row))
    assert len(made) < 100
    assert list(json.read(data, Row, recycle=True))[7] == {"a": 7}
    assert list(json.read(data, fields=["a"], recycle=True))[7] == {"a": 7}


def test_batches_are_filled_again() -> None:
    data = json.encode([{"id": n} for n in range(1000)])
    lists = [[one.id for one in batch] for batch in json.read(data, Slots, recycle=True, batch=7)]
    assert [one for batch in lists for one in batch] == list(range(1000))
    made = {id(one) for batch in json.read(data, Slots, recycle=True, batch=7) for one in batch}
    assert len(made) <= 21
    kept = list(json.read(data, Slots, recycle=True, batch=7))
    assert [one.id for batch in kept for one in batch] == list(range(1000))


@dataclass(slots=True)
class Flat:
    id: int
    text: str = "none"


def test_every_format() -> None:
    rows = [Flat(n) for n in range(300)]
    for form in formats.modules():
        assert [one.id for one in form.read(form.encode(rows), Flat, recycle=True)] == list(range(300))
        assert [one.id for one in list(form.read(form.encode(rows), Flat, recycle=True))] == list(range(300))


class Point(NamedTuple):
    x: int


class Model(pydantic.BaseModel):
    x: int


@pytest.mark.parametrize("cls", [int, list[int], Any, dict[str, int], Point, Model, Slots | None, int | str])
def test_types_that_cannot_be_filled_again(cls: Any) -> None:
    with pytest.raises(TypeError, match="recycle=True wants a class whose instances can be filled again"):
        json.read(b"[]", cls, recycle=True)
    with pytest.raises(TypeError, match="recycle=True wants a class"):
        json.read(b"[]", recycle=True)


def test_the_ring_ends_with_the_reader() -> None:
    reader = json.read(json.encode([{"id": n} for n in range(100)]), Weakly, recycle=True)
    gone = weakref.ref(next(reader))
    next(reader)
    reader.close()
    gc.collect()
    assert gone() is None
