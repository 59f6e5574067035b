"""Lazy values of random documents: access is that of the decoded value, and damaged bytes raise our own errors."""

from __future__ import annotations

import contextlib
import random
from collections.abc import Iterator
from types import ModuleType
from typing import Any

import demat
import formats
import pytest
from hypothesis import given
from hypothesis import strategies as st

# Cells hold no documents.
MODULES = formats.modules(looked_into=True, but=formats.CELLS)
SCALARS = (
    st.none()
    | st.booleans()
    | st.integers(-(2**70), 2**70)
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(max_size=40)
)
DOCUMENTS = st.recursive(
    SCALARS, lambda inner: st.lists(inner, max_size=20) | st.dictionaries(st.text(max_size=8), inner, max_size=20)
)
each = pytest.mark.parametrize("module", MODULES, ids=formats.name)


def encoded(module: ModuleType, value: Any) -> bytes:
    try:
        data: bytes = module.encode(value)
    except demat.EncodeError:
        # Integers of any size are not for all of them.
        return encoded(module, str(value))
    return data


def same(lazy: demat.LazyValue, value: Any) -> None:
    """Compares all that there is, each in several ways."""
    assert lazy.value() == value
    assert bool(lazy) == bool(value)
    if isinstance(value, dict):
        assert lazy.kind == "dict"
        # The first key is looked up before there is a table of the keys.
        for key, inner in value.items():
            same(lazy[key], inner)
        assert list(lazy) == list(lazy.keys()) == list(value)
        assert len(lazy) == len(value)
        assert [(key, inner.value()) for key, inner in lazy.items()] == list(value.items())
        assert [inner.value() for inner in lazy.values()] == list(value.values())
        assert "no such key" not in lazy
        assert lazy.get("no such key", 5) == 5
    elif isinstance(value, list):
        assert lazy.kind == "list"
        order = list(range(-len(value), len(value)))
        random.Random(len(value)).shuffle(order)
        for index in order:
            assert lazy[index].value() == value[index]
        assert len(lazy) == len(value)
        for inner, own in zip(lazy, value, strict=True):
            same(inner, own)
        assert lazy.get(len(value)) is None
        assert lazy.get(-len(value) - 1) is None
    else:
        assert lazy.kind == ("None" if value is None else type(value).__name__)
        with pytest.raises(demat.ValidationError):
            len(lazy)


@each
@given(document=DOCUMENTS)
def test_access_is_that_of_the_decoded_value(module: ModuleType, document: Any) -> None:
    data = encoded(module, document)
    value = module.decode(data)
    same(module.lazy(data), value)
    same(module.lazy(bytearray(data)), value)


def spots(lazy: demat.LazyValue, value: Any) -> Iterator[tuple[demat.LazyValue, Any]]:
    yield lazy, value
    if isinstance(value, dict):
        for key, inner in value.items():
            yield from spots(lazy[key], inner)
    elif isinstance(value, list):
        for index, inner in enumerate(value):
            yield from spots(lazy[index], inner)


@each
@given(document=DOCUMENTS)
def test_paths_and_bytes_lead_back(module: ModuleType, document: Any) -> None:
    data = encoded(module, document)
    doc = module.lazy(data)
    for lazy, value in spots(doc, module.decode(data)):
        assert module.decode(bytes(lazy)) == value
        assert bytes(lazy) == bytes(lazy.raw)
        assert doc.at(lazy.path).value() == value
        assert module.encode(lazy) == module.encode(value)


TABLES = st.dictionaries(
    st.text(max_size=5), st.dictionaries(st.text(max_size=5), st.integers(0, 9) | st.text(max_size=5))
)


@each
@given(table=TABLES)
def test_errors_are_where_those_of_the_whole_are(module: ModuleType, table: Any) -> None:
    data = module.encode([0, table])
    try:
        module.decode(data, tuple[int, dict[str, dict[str, int]]])
        return
    except demat.ValidationError as error:
        whole = error
    doc = module.lazy(data)
    key = next(key for key, row in table.items() if any(isinstance(value, str) for value in row.values()))
    for lazy, type_ in (
        (doc[1], dict[str, dict[str, int]]),
        (doc[1][key], dict[str, int]),
        (doc.at(whole.path or ""), int),
    ):
        with pytest.raises(demat.ValidationError) as raised:
            lazy.decode(type_)
        assert (raised.value.path, raised.value.offset, str(raised.value)) == (whole.path, whole.offset, str(whole))


def touched(doc: demat.LazyValue, random_: random.Random) -> None:
    """Looks at much of a document. Whatever it is, errors are those of the library."""
    stack = [doc]
    for _ in range(40):
        if not stack:
            return
        at = stack.pop(random_.randrange(len(stack)))
        try:
            kind = at.kind
            repr(at)
            asks: list[Any] = [at.value, at.int, at.str, at.validate, at.__bool__, at.__bytes__]
            for ask in [*asks, lambda at=at: at.path]:
                with contextlib.suppress(demat.Error):
                    ask()
            if kind == "dict":
                at.get("key")
                stack.extend(inner for inner, _ in zip(at.values(), range(5), strict=False))
                at["a"]
            elif kind == "list":
                at.get(3)
                stack.extend(inner for inner, _ in zip(at, range(5), strict=False))
                at[-1]
                len(at)
        except demat.Error:
            pass


def damaged(data: bytes, random_: random.Random) -> bytes:
    changed = bytearray(data)
    for _ in range(random_.randint(1, 4)):
        if not changed:
            break
        at = random_.randrange(len(changed))
        match random_.randrange(4):
            case 0:
                changed[at] = random_.randrange(256)
            case 1:
                del changed[at : at + random_.randint(1, 4)]
            case 2:
                changed[at:at] = bytes(random_.randrange(256) for _ in range(random_.randint(1, 4)))
            case _:
                changed[at:at] = changed[: random_.randrange(8)]
    return bytes(changed)


SAMPLE = {
    "a": [1, -2, 3.5, True, None, "text", "é" * 10, {"key": "x" * 300}],
    "key": {"a": {"a": [[], {}, [[1]]]}, "b": [{"a": k, "b": str(k)} for k in range(20)]},
}


@each
@pytest.mark.parametrize("seed", range(300))
def test_damaged_bytes_raise_errors_of_the_library(module: ModuleType, seed: int) -> None:
    random_ = random.Random(seed)
    touched(module.lazy(damaged(module.encode(SAMPLE), random_)), random_)


@each
@pytest.mark.parametrize("seed", range(300))
def test_bytes_that_change_under_the_view(module: ModuleType, seed: int) -> None:
    random_ = random.Random(seed)
    data = bytearray(module.encode(SAMPLE))
    doc = module.lazy(data)
    rows = doc["key"]["b"]
    kept = [doc, doc["a"], doc["a"][7], doc["a"][7]["key"], rows, rows[3], rows[19]["b"]]
    assert (len(rows), len(doc), len(list(rows))) == (20, 2, 20)
    iterators = [iter(kept[1]), iter(doc.items()), iter(kept[4])]
    for iterator in iterators:
        next(iterator)
    other = damaged(bytes(data), random_)[: len(data)]
    data[: len(other)] = other
    for at in kept:
        touched(at, random_)
    for iterator in iterators:
        with contextlib.suppress(demat.Error):
            for _ in iterator:
                pass
