"""NaN and infinities in JSON and NDJSON: refused, null or text."""

import math
from dataclasses import dataclass

import demat
import pytest
from demat import json, ndjson
from hypothesis import given
from hypothesis import strategies as st

NAN, INF = math.nan, math.inf


@dataclass
class Ratio:
    value: float
    others: list[float]


def test_refused_unless_said():
    for value in (NAN, INF, -INF):
        for options in ({}, {"nonfinite": "refuse"}):
            with pytest.raises(demat.EncodeError, match="a finite number"):
                json.encode([value], **options)
    for text in ('"NaN"', '"Infinity"', "NaN", "Infinity"):
        with pytest.raises(demat.DecodeError):
            json.decode(text, float)


@pytest.mark.parametrize("options", [{}, {"indent": 2}, {"sort_keys": True}, {"ascii": True}, {"depth": 3}])
def test_written(options):
    value = {"b": [NAN, INF], "a": Ratio(-INF, [1.5])}
    text = json.encode(value, nonfinite="text", **options)
    assert json.decode(text) == {"b": ["NaN", "Infinity"], "a": {"value": "-Infinity", "others": [1.5]}}
    null = json.encode(value, nonfinite="null", **options)
    assert json.decode(null) == {"b": [None, None], "a": {"value": None, "others": [1.5]}}


def test_lists_and_classes_and_keys():
    floats = [0.5, NAN] * 20
    assert json.encode(floats, nonfinite="null") == b"[" + b",".join([b"0.5,null"] * 20) + b"]"
    assert json.encode(Ratio(NAN, [INF]), nonfinite="text") == b'{"value":"NaN","others":["Infinity"]}'
    assert json.encode({INF: 1}, nonfinite="text") == b'{"Infinity":1}'
    with pytest.raises(demat.EncodeError):
        json.encode({NAN: 1}, nonfinite="null")
    assert ndjson.encode([[NAN], [1.0]], nonfinite="text") == b'["NaN"]\n[1.0]\n'
    assert json.Encoder(nonfinite="null").encode(NAN) == b"null"


def test_read():
    read = json.decode('{"value": "NaN", "others": [ "Infinity","-Infinity", 1]}', Ratio, nonfinite="text")
    assert math.isnan(read.value)
    assert read.others == [INF, -INF, 1.0]
    assert json.decode('["Infinity"]', list[float | None], nonfinite="text") == [INF]
    assert ndjson.decode('["Infinity"]\n', list[list[float]], nonfinite="text") == [[INF]]
    # Where no float is expected, a text stays what it is.
    assert json.decode('["NaN"]', nonfinite="text") == ["NaN"]
    assert json.decode('["NaN"]', list[str], nonfinite="text") == ["NaN"]
    for text in ('"nan"', '"inf"', '"+Infinity"', '"NaN', '""', '"1.5"', "NaN"):
        with pytest.raises(demat.DecodeError):
            json.decode(text, float, nonfinite="text")


def test_streams_of_any_chunks(tmp_path):
    text = b'[{"value":"Infinity","others":["NaN","-Infinity"]}]'
    for size in range(1, len(text)):
        chunks = (text[at : at + size] for at in range(0, len(text), size))
        [one] = json.read(chunks, Ratio, nonfinite="text")
        assert (one.value, one.others[1]) == (INF, -INF)


def test_other_values_are_refused():
    for options in ({"nonfinite": "zero"}, {"nonfinite": None}, {"nonfinite": True}):
        with pytest.raises((TypeError, ValueError)):
            json.encode(1.0, **options)
    with pytest.raises(ValueError, match="nonfinite"):
        json.decode("1", float, nonfinite="null")
    with pytest.raises(TypeError, match="lazy records"):
        json.decode("{}", Ratio, lazy=True, nonfinite="text")


@given(st.lists(st.floats()))
def test_text_comes_back(floats):
    read = json.decode(json.encode(floats, nonfinite="text"), list[float], nonfinite="text")
    assert [str(float_) for float_ in read] == [str(float_) for float_ in floats]
