"""Raw: values that are left as they stand, decoded later or written again."""

import copy
import pickle
from dataclasses import dataclass
from typing import Any

import demat
import pytest
from demat import Raw, json, ndjson


@dataclass
class Event:
    kind: str
    data: Raw
    more: list[Raw] | None = None


@pytest.mark.parametrize(
    "text", ["1", "-0.50", '"a\\u0041"', "null", "true", "[ 1 , [2] ]", '{"a": {"b" :null}}', "{}", '"é"', "1e400"]
)
def test_kept_as_it_stands(text):
    for before, after in (("", ""), (" ", "\n")):
        raw = json.decode(before + text + after, Raw)
        assert bytes(raw) == text.encode()
        assert (type(raw), raw.format, len(raw)) == (Raw, "json", len(text.encode()))
        (raw,) = json.decode(f"[{before}{text}{after}]", list[Raw])
        assert bytes(raw) == text.encode()
        event = json.decode(f'{{"data":{before}{text}{after},"kind":"k"}}', Event)
        assert bytes(event.data) == text.encode()
    if text != "1e400":
        assert raw.decode() == json.decode(text)
        assert json.encode(raw) == text.encode()
        assert json.decode(json.encode(event), Event).data.decode() == json.decode(text)


def test_no_json_is_not_kept():
    for text in ("", "tru", "[1,]", '{"a"}', '"\\x"', "01", "1 2", '"\ud800"', "[" * 2000 + "]" * 2000):
        with pytest.raises(demat.Error):
            json.decode(text, Raw)
        with pytest.raises(demat.Error):
            json.decode(f'{{"kind":"k","data":{text}}}', Event)


def test_decoded_later_as_a_type():
    event = json.decode('{"kind":"ids","data":[1,2,"x"]}', Event)
    assert event.data.decode() == event.data.decode(Any) == [1, 2, "x"]
    assert event.data.decode(list[int | str]) == [1, 2, "x"]
    assert event.data.decode(type=list[Raw])[2].decode(str) == "x"
    with pytest.raises(demat.ValidationError, match=r"`\$\[2\]` \(line 1, column 6\)"):
        event.data.decode(list[int])


def test_made_by_hand():
    for given in (b"[1]", "[1]", bytearray(b"[1]"), memoryview(b"[1]")):
        assert json.encode({"a": Raw(given)}) == b'{"a":[1]}'
    assert json.encode([Raw(" [1 , 2] ")]) == b"[[1 , 2]]"
    assert json.encode([Raw("[1 ,\n 2]")]) == b"[[1 ,\n 2]]"
    assert ndjson.encode([Raw('{"a": 1}')]) == b'{"a": 1}\n'
    assert json.encode(Raw("a,b\n1,2\n", "csv")) == b'[{"a":"1","b":"2"}]'
    for given in (1, None, [91, 93], object()):
        with pytest.raises(TypeError, match="Raw takes bytes or str"):
            Raw(given)
    with pytest.raises(ValueError, match="no format is called 'html'|no format is called \"html\""):
        Raw(b"", "html")
    with pytest.raises(ValueError, match="surrogate"):
        Raw("\ud800")


def test_what_was_made_by_hand_is_looked_at_when_it_is_written():
    for text in ("", "[1,", "{", "tru", '"\xff"'):
        with pytest.raises(demat.Error):
            json.encode({"a": [Raw(text.encode("latin-1"))]})
    with pytest.raises(demat.LimitError):
        json.encode(Raw("[" * 2000 + "]" * 2000))
    with pytest.raises(demat.LimitError):
        json.encode([[Raw("[[1]]")]], depth=3)


def test_options_of_the_whole_hold_for_it_too():
    raw = Raw('{"b": "é", "a": [1]}')
    assert json.encode([raw], ascii=True) == b'[{"b":"\\u00e9","a":[1]}]'
    assert json.encode([raw], sort_keys=True) == '[{"a":[1],"b":"é"}]'.encode()
    assert json.decode(json.encode([raw], indent=2)) == [raw.decode()]
    assert json.encode(raw, indent=2).splitlines()[1] == '  "b": "é",'.encode()


def test_as_a_value_in_python():
    one, same, other = Raw("[1]"), Raw(b"[1]"), Raw("[2]")
    assert one == same != other
    assert one != Raw("[1]", "csv")
    assert one != b"[1]"
    assert {one: 1}[same] == 1
    assert repr(one) == "Raw(b'[1]')"
    assert repr(Raw("a", "csv")) in ("Raw(b'a', \"csv\")", "Raw(b'a', 'csv')")
    for again in (pickle.loads(pickle.dumps(one)), copy.copy(one), copy.deepcopy(one)):
        assert (type(again), again) == (Raw, one)
    assert pickle.loads(pickle.dumps(Raw("a", "csv"))).format == "csv"
    with pytest.raises(AttributeError):
        one.format = "csv"


def test_of_a_line():
    lines = ndjson.decode('{"a": 1}\n[2]\n', list[Raw])
    assert [(bytes(line), line.format) for line in lines] == [(b'{"a": 1}', "json"), (b"[2]", "json")]
    assert ndjson.encode(lines) == b'{"a": 1}\n[2]\n'
    # A line can hold no line breaks.
    assert ndjson.encode([Raw('{"a":\n[1,\r\n2]}'), 1]) == b'{"a":[1,2]}\n1\n'


def test_it_keeps_its_own_bytes():
    data = bytearray(b'{"kind":"k","data":[1]}')
    event = json.decode(data, Event)
    data[:] = b"x" * len(data)
    assert event.data.decode() == [1]
