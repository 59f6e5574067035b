"""Decimals as text and UUIDs in other forms, in JSON and NDJSON."""

from dataclasses import dataclass
from decimal import Decimal
from uuid import UUID

import demat
import pytest
from demat import json, msgpack, ndjson
from hypothesis import given
from hypothesis import strategies as st

ONE = UUID("f81d4fae-7dec-11d0-a765-00a0c91e6bf6")


@dataclass
class Price:
    id: UUID
    amount: Decimal


PRICE = Price(ONE, Decimal("1.10"))


def test_decimals():
    assert json.encode([Decimal("1.10"), 1.5], decimals="number") == b"[1.10,1.5]"
    assert json.encode([Decimal("1.10"), 1.5], decimals="text") == b'["1.10",1.5]'
    assert json.encode({Decimal("1.10"): 1}, decimals="text") == b'{"1.10":1}'
    for options in ({}, {"indent": 1}, {"sort_keys": True}, {"ascii": True}, {"depth": 3}):
        data = json.encode([PRICE], decimals="text", **options)
        assert json.decode(data) == [{"id": str(ONE), "amount": "1.10"}]
        assert json.decode(data, list[Price]) == [PRICE]
    assert ndjson.encode([PRICE], decimals="text") == f'{{"id":"{ONE}","amount":"1.10"}}\n'.encode()


def test_uuids():
    assert json.encode(ONE) == json.encode(ONE, uuids="text") == f'"{ONE}"'.encode()
    assert json.encode(ONE, uuids="hex") == f'"{ONE.hex}"'.encode()
    assert json.encode(ONE, uuids="urn") == f'"{ONE.urn}"'.encode()
    assert json.encode({ONE: ONE}, uuids="hex", sort_keys=True) == f'{{"{ONE.hex}":"{ONE.hex}"}}'.encode()
    for uuids in ("text", "hex", "urn"):
        data = ndjson.encode([PRICE], uuids=uuids, decimals="text")
        assert ndjson.decode(data, list[Price], strict=uuids != "urn") == [PRICE]
    # Without hyphens they are read anyway.
    assert json.decode(json.encode(ONE, uuids="hex"), UUID) == ONE


def test_lazy_records_are_written_anew():
    lazy = json.decode(json.encode(PRICE), Price, lazy=True)
    assert json.encode(lazy, uuids="hex", decimals="text") == f'{{"id":"{ONE.hex}","amount":"1.10"}}'.encode()


def test_places(tmp_path):
    place = tmp_path / "a.json"
    json.write(place, [PRICE], uuids="hex", decimals="text")
    assert json.decode(place.read_bytes()) == [{"id": ONE.hex, "amount": "1.10"}]
    demat.copy(place, tmp_path / "b.json", Price)
    assert json.decode((tmp_path / "b.json").read_bytes(), list[Price]) == [PRICE]


def test_other_values_are_refused():
    for options in ({"decimals": "float"}, {"uuids": "braces"}):
        with pytest.raises(ValueError, match=next(iter(options))):
            json.encode(1, **options)
    for options in ({"decimals": None}, {"uuids": 5}):
        with pytest.raises(TypeError, match=next(iter(options))):
            json.encode(1, **options)
    for option in ("decimals", "uuids"):
        with pytest.raises(TypeError, match="no option"):
            msgpack.encode(1, **{option: "text"})


@given(st.lists(st.builds(Price, st.uuids(), st.decimals(allow_nan=False, allow_infinity=False))))
def test_all_comes_back(prices):
    for uuids in ("text", "hex"):
        data = json.encode(prices, uuids=uuids, decimals="text")
        assert json.decode(data, list[Price]) == prices
