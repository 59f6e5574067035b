"""An int that an argument has no room for is a `ValueError` in plain words, and never an `OverflowError` about C."""

from dataclasses import dataclass

import demat
import pytest
from demat import json, ndjson, proto, sqlite

LINES = b'{"a":1}\n{"a":2}\n'


@dataclass
class Row:
    a: int


@pytest.fixture
def table(tmp_path):
    table = sqlite.open(tmp_path / "a.db").table("t", Row)
    table.insert([Row(1), Row(2)])
    return table


CALLS = {
    "encode_into": lambda n, _: json.encode_into([1], bytearray(4), n),
    "Encoder.encode_into": lambda n, _: json.Encoder().encode_into([1], bytearray(4), n),
    "decode, depth": lambda n, _: json.decode(b"[]", depth=n),
    "decode, errors": lambda n, _: json.decode(b"[]", list[Row], errors=n),
    "read, limit": lambda n, _: ndjson.read(LINES, Row, limit=n),
    "read, batch": lambda n, _: ndjson.read(LINES, Row, batch=n),
    "columns, threads": lambda n, _: ndjson.columns(LINES, Row, threads=n),
    "encode, depth": lambda n, _: proto.encode(Row(1), depth=n),
    "select, limit": lambda n, table: table.select(limit=n).all(),
    "select, offset": lambda n, table: table.select(limit=1, offset=n).all(),
    "select, threads": lambda n, table: table.select().columns(threads=n),
    "build, page_size": lambda n, table: sqlite.build("never.db", {"t": (Row, [])}, page_size=n),
    "define, rows": lambda n, _: demat.define(LINES, format="ndjson", rows=n),
    "serve, port": lambda n, _: demat.serve({}, port=n),
    "serve, max_body": lambda n, _: demat.serve({"/": [1]}, port=0, max_body=n),
}


@pytest.mark.parametrize("found", [2**70, -(2**70)], ids=["large", "small"])
@pytest.mark.parametrize("call", CALLS.values(), ids=CALLS)
def test_an_int_without_bounds_is_refused_in_plain_words(call, found, table):
    with pytest.raises((ValueError, TypeError)) as raised:
        call(found, table)
    assert str(found) in str(raised.value)
    assert "C long" not in str(raised.value)
    assert "convert" not in str(raised.value)


def test_a_uuid_that_somebody_broke_says_so():
    import uuid

    broken = uuid.UUID(int=1)
    object.__setattr__(broken, "int", 2**130)
    with pytest.raises(demat.EncodeError, match=r"expected a UUID whose `int` has 128 bits, found `136"):
        json.encode([broken])
