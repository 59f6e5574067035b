"""A `dict[str, Any]` is read as an untyped dict is, but its keys are text. Its slow twin reads it entry by entry."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import demat
import pytest
from demat import json


@dataclass
class Event:
    id: int
    payload: dict[str, Any]


VALUES: list[dict[str, Any]] = [
    {},
    {"a": 1},
    {"a": None, "b": [1, {"c": {}}], "ä": "ü", "": 2.5},
    {f"key {number}": number for number in range(300)},
    {"nested": {"deeper": {"a": [{}, [], "x", True]}}},
]


@pytest.mark.parametrize("value", VALUES, ids=range(len(VALUES)))
@pytest.mark.parametrize("name", ["json", "msgpack", "cbor"])
def test_values_are_those_of_an_untyped_dict(name: str, value: dict[str, Any]) -> None:
    module = getattr(demat, name)
    data = module.encode({"id": 1, "payload": value})
    assert module.decode(data, Event).payload == value
    assert module.decode(data, Event, errors="all").payload == value
    assert module.decode(module.encode(value), dict[str, Any]) == value
    records = module.decode(module.encode([{"id": 1, "payload": value}] * 3), list[Event])
    assert [record.payload for record in records] == [value] * 3


BROKEN = [
    b'{"id":1,"payload":[]}',
    b'{"id":1,"payload":null}',
    b'{"id":1,"payload":{"a":}}',
    b'{"id":1,"payload":{"a":{"b":[1,}}}',
    b'{"id":1,"payload":{"a":1',
    b'{"id":1,"payload":{1:2}}',
    b'{"id":1,"payload":{"a":1,}}',
]


@pytest.mark.parametrize("data", BROKEN)
def test_errors_are_those_of_the_twin(data: bytes) -> None:
    with pytest.raises(demat.DecodeError) as quick:
        json.decode(data, Event)
    with pytest.raises(demat.DecodeError) as slow:
        json.decode(data, Event, errors="all")
    first = slow.value.errors[0]
    assert (str(quick.value), quick.value.path, quick.value.offset) == (str(first), first.path, first.offset)


def test_repeated_keys() -> None:
    data = b'{"id":1,"payload":{"a":1,"b":2,"a":3}}'
    assert json.decode(data, Event).payload == {"a": 3, "b": 2}
    with pytest.raises(demat.DecodeError, match="a") as caught:
        json.decode(data, Event, repeated_keys="refuse")
    assert caught.value.path == "$.payload.a"


@pytest.mark.parametrize("name", ["msgpack", "cbor"])
def test_keys_are_text(name: str) -> None:
    module = getattr(demat, name)
    data = module.encode({"id": 1, "payload": {7: "x"}})
    assert module.decode(data)["payload"] == {7: "x"}
    with pytest.raises(demat.DecodeError) as quick:
        module.decode(data, Event)
    with pytest.raises(demat.DecodeError) as slow:
        module.decode(data, Event, errors="all")
    first = slow.value.errors[0]
    assert (str(quick.value), quick.value.path, quick.value.offset) == (str(first), "$.payload", first.offset)
    # Within, anything goes.
    inner = module.encode({"id": 1, "payload": {"a": {7: "x"}}})
    assert module.decode(inner, Event).payload == {"a": {7: "x"}}
