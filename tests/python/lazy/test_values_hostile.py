"""Lazy values while other code gets in between: threads, hooks, signals, closing."""

from __future__ import annotations

import threading
from typing import Any

import demat
import pytest
from demat import json


class Hooked:
    def __init__(self, value: Any) -> None:
        self.value = value


def test_a_hook_can_not_close_the_document() -> None:
    data = bytearray(json.encode({"a": [{"b": 1}, {"b": 2}]}))
    doc = json.lazy(data)

    def close(value: Any) -> Hooked:
        with pytest.raises(BufferError):
            doc.close()
        with pytest.raises(BufferError):
            data.extend(b"more")
        return Hooked(value)

    hooks = {Hooked: demat.Hook(encode=lambda one: one.value, decode=close)}
    assert [one.value for one in doc["a"].decode(list[Hooked], hooks=hooks)] == [{"b": 1}, {"b": 2}]
    doc.close()
    data.extend(b"more")
    with pytest.raises(ValueError, match="was closed"):
        doc["a"]


def test_a_hook_that_writes_to_the_buffer_changes_nothing_of_the_value() -> None:
    data = bytearray(json.encode({"a": [1, 2, 3]}))
    doc = json.lazy(data)

    def wipe(value: Any) -> Hooked:
        data[:] = b" " * len(data)
        return Hooked(value)

    hooks = {Hooked: demat.Hook(encode=lambda one: one.value, decode=wipe)}
    assert [one.value for one in doc["a"].decode(list[Hooked], hooks=hooks)] == [1, 2, 3]
    with pytest.raises(demat.DecodeError):
        doc["a"]


def test_everything_of_a_closed_document_raises() -> None:
    doc = json.lazy(b'{"a": [1, 2]}')
    items, values = iter(doc["a"]), doc.values()
    inner = doc["a"]
    doc.close()
    doc.close()
    for ask in (
        lambda: inner[0],
        lambda: inner.value(),
        lambda: inner.kind,
        lambda: inner.path,
        lambda: inner.raw,
        lambda: bytes(inner),
        lambda: next(items),
        lambda: next(values).int(),
        lambda: inner.decode(list[int]),
        lambda: json.encode(inner),
        inner.__enter__,
    ):
        with pytest.raises(ValueError, match="was closed"):
            ask()
    assert "no value" in repr(inner)


@pytest.mark.parametrize("wrap", [bytes, bytearray, lambda data: data.decode()], ids=["bytes", "bytearray", "str"])
def test_threads(wrap: Any) -> None:
    """Several threads at one value, over so much data that walks run without the lock."""
    rows = [{"id": k, "name": f"name {k}", "tags": ["x"] * (k % 5)} for k in range(5000)]
    doc = json.lazy(wrap(json.encode({"rows": rows, "by": {str(k): k for k in range(5000)}})))
    shared, by = doc["rows"], doc["by"]
    wrong: list[object] = []

    def work(own: int) -> None:
        try:
            for k in range(own, 5000, 101):
                assert shared[k]["id"].int() == k
                assert by[str(k)].int() == k
                assert shared[-1 - k]["name"].str() == f"name {4999 - k}"
            assert len(shared) == len(by) == 5000
            assert sum(row["id"].int() for row in shared) == sum(range(5000))
        except BaseException as error:
            wrong.append(error)

    threads = [threading.Thread(target=work, args=(own,)) for own in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert wrong == []
