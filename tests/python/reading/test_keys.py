"""Keys of dicts that are read without a type: any scalar, in formats whose maps have such keys."""

from __future__ import annotations

from datetime import UTC, date, datetime
from decimal import Decimal
from types import ModuleType
from typing import Any
from uuid import UUID

import demat
import formats
import pytest
from demat import cbor, json, msgpack
from same import same

# Binary formats whose maps have keys of any kind.
KEYED = formats.each(typed=False, binary=True, nested=True, reads="repeated_keys")

KEYS: list[Any] = [1, -(2**63), 2**64 - 1, 1.5, False, None, b"bytes", "text", ""]


@KEYED
def test_keys_are_scalars(module: ModuleType) -> None:
    value = {key: index for index, key in enumerate(KEYS)}
    data = module.encode(value)
    assert same(module.decode(data), value)
    assert same(module.decode(data, dict), value)
    assert same(module.decode(data, dict[Any, int]), value)
    nested = [{"a": value, 5: [value, {1: {2: {}}}]}, value] * 3
    assert same(module.decode(module.encode(nested)), nested)
    assert same(list(module.read(module.encode(nested))), nested)


@KEYED
def test_many_alike(module: ModuleType) -> None:
    """Dicts with the same keys again and again, of which some have others."""
    values = [{"id": index, index % 3: None, "name": {"id": 1} if index % 2 else {1: "id"}} for index in range(200)]
    assert same(module.decode(module.encode(values)), values)


def test_keys_that_tags_tell() -> None:
    keys = [Decimal("1.50"), date(2026, 5, 1), datetime(2026, 5, 1, tzinfo=UTC), UUID(int=5), 2**70]
    value = {key: index for index, key in enumerate(keys)}
    assert same(cbor.decode(cbor.encode(value)), value)
    stamp = {datetime(2026, 5, 1, tzinfo=UTC): 1}
    assert msgpack.decode(msgpack.encode(stamp)) == stamp


@KEYED
def test_the_path_of_an_error_names_the_key(module: ModuleType) -> None:
    data = module.encode({7: [1, "x"], "a": 1})
    with pytest.raises(demat.ValidationError) as caught:
        module.decode(data, dict[Any, int])
    assert caught.value.path.startswith("$")
    # Cut inside the list.
    with pytest.raises(demat.Error) as cut:
        module.decode(module.encode({"b": {7: [1, "xyz"]}})[:-1])
    assert cut.value.path == '$.b["7"][1]'


@KEYED
def test_keys_that_python_holds_for_one(module: ModuleType) -> None:
    # A map of {1: "a", true: "b", 1.0: "c"}, of which JSON's writer would make three keys.
    parts = map(module.encode, (1, "a", True, "b", 1.0, "c"))
    data = b"".join([module.encode({0: 0, 2: 0, 3: 0})[:1], *parts])
    assert module.decode(data) == {1: "c"}
    with pytest.raises(demat.Error, match="stands here again"):
        module.decode(data, repeated_keys="refuse")
    same_twice = module.encode({"a": 0, 5: 0})[:1] + (module.encode(5) + module.encode(1)) * 2
    assert module.decode(same_twice) == {5: 1}
    with pytest.raises(demat.Error, match="the key `5` stands here again"):
        module.decode(same_twice, repeated_keys="refuse")


@KEYED
def test_lists_are_no_keys(module: ModuleType) -> None:
    data = module.encode({1: 0})[:1] + module.encode([1]) + module.encode(0)
    with pytest.raises(demat.Error, match="expected a scalar as a key, found `list`"):
        module.decode(data)


@pytest.mark.parametrize("text", ["{1: 2}", '{"a": 1, 2: 3}', "{null: 1}", "{[]: 1}", "{true: 1}"])
def test_keys_of_json_are_text(text: str) -> None:
    with pytest.raises(demat.DecodeError):
        json.decode(text)
