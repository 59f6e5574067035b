"""Against json, orjson and msgspec: the suites' real documents, decoded and encoded."""

import json as standard
from pathlib import Path
from typing import Any

import msgspec
import orjson
import pytest
from demat import json, ndjson
from same import same
from suites import files

DOCUMENTS = files("json/real", "*.json")


@pytest.mark.parametrize("path", DOCUMENTS)
def test_decoding(path: Path):
    data = path.read_bytes()
    expected = standard.loads(data)
    assert same(json.decode(data), expected)
    assert same(json.decode(data.decode()), expected)
    assert same(json.decode(data, dict[str, Any]), expected)
    assert same(expected, orjson.loads(data))
    assert same(expected, msgspec.json.decode(data))


@pytest.mark.parametrize("path", DOCUMENTS)
def test_encoding(path: Path):
    value = standard.loads(path.read_bytes())
    data = json.encode(value)
    for read in (standard.loads, orjson.loads, msgspec.json.decode, json.decode):
        assert same(read(data), value)
    if "canada" not in path.stem:  # where numbers are, which each of them writes in its own way
        assert data == orjson.dumps(value) == msgspec.json.encode(value)
    assert json.encode(value, ascii=True).isascii()
    assert same(standard.loads(json.encode(value, ascii=True)), value)
    assert json.encode(value, sort_keys=True) == json.encode(standard.loads(standard.dumps(value, sort_keys=True)))


@pytest.mark.parametrize("path", DOCUMENTS)
def test_laid_out(path: Path):
    value = standard.loads(path.read_bytes())
    assert same(standard.loads(json.encode(value, indent=2)), value)
    spaced = orjson.dumps(value, option=orjson.OPT_INDENT_2)
    assert same(json.decode(spaced), value)
    assert json.encode(value, indent=2) == spaced or "canada" in path.stem


@pytest.mark.parametrize("path", DOCUMENTS)
def test_lines(path: Path):
    value = standard.loads(path.read_bytes())
    items = next(items for items in value.values() if isinstance(items, list) and items)[:1000]
    lines = b"".join(orjson.dumps(item) + b"\n" for item in items)
    assert same(ndjson.decode(lines), items)
    assert same([orjson.loads(line) for line in ndjson.encode(items).splitlines()], items)
