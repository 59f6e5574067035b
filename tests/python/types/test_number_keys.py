"""Keys that are numbers: text in JSON, of which exactly that of a number is accepted."""

from __future__ import annotations

import io
import json as plain
import re

import demat
import pytest
from demat import json
from hypothesis import given
from hypothesis import strategies as st

INT = re.compile(r"-?(0|[1-9][0-9]*)")
FLOAT = re.compile(r"-?(0|[1-9][0-9]*)(\.[0-9]+)?([eE][+-]?[0-9]+)?")
TEXTS = [
    "",
    "0",
    "-0",
    "00",
    "01",
    "-01",
    "1.0",
    "1.",
    ".5",
    "1e2",
    "1E+2",
    "1e",
    " 1",
    "1 ",
    "+1",
    "--1",
    "-",
    "１",
    "1_0",
]
TEXTS += ["9" * digits for digits in (7, 8, 9, 16, 17, 18, 19, 20, 40)]
TEXTS += [
    str(2**63 - 1),
    str(2**63),
    str(-(2**63)),
    str(-(2**63) - 1),
    "true",
    "null",
    "0x1",
    "1a",
    'a"b',
    "1\\",
    "1\n",
]


def accepted(text: str, key: type, pattern: re.Pattern[str]) -> None:
    # Bytes behind the key, and none: both ways to look ahead.
    for rest in ({}, {str(number): number for number in range(7_654_321, 7_654_351)}):
        document = plain.dumps({text: 0, **rest})
        for data in (document, document.replace('": ', '" : ')):
            if pattern.fullmatch(text):
                read = json.decode(data, dict[key, int])  # type: ignore[valid-type]
                assert next(iter(read)) == key(text)
                assert type(next(iter(read))) is key
                assert repr(next(iter(read))) == repr(key(text))
                assert list(read)[1:] == [key(other) for other in rest]
            else:
                with pytest.raises(demat.Error) as caught:
                    json.decode(data, dict[key, int])  # type: ignore[valid-type]
                assert (caught.value.line, caught.value.column) == (1, 2)


@pytest.mark.parametrize("text", TEXTS)
def test_texts_of_numbers_only(text: str) -> None:
    accepted(text, int, INT)
    accepted(text, float, FLOAT)


@given(st.text(alphabet="0123456789-+.eE a", max_size=24))
def test_any_text(text: str) -> None:
    accepted(text, int, INT)
    # Numbers beyond those of a float are refused with another error.
    if not re.search(r"[eE]\+?[0-9]{3}", text):
        accepted(text, float, FLOAT)


@given(st.lists(st.integers(-(10**20), 10**20), unique=True))
def test_keys_in_pieces(keys: list[int]) -> None:
    records = [{key: number} for number, key in enumerate(keys)]
    data = plain.dumps(records).encode()
    parser = json.parser(dict[int, int])
    read = [record for byte in data for record in parser.feed(bytes([byte]))] + parser.close()
    assert read == records
    assert list(json.read(io.BytesIO(data), dict[int, int])) == records


def test_the_error_names_key_and_kind() -> None:
    with pytest.raises(demat.Error, match=r"expected `int`, found `1\.5` at `\$\[\"1\.5\"\]` \(line 1, column 2\)"):
        json.decode('{"1.5": 1}', dict[int, int])
    with pytest.raises(demat.Error, match="expected `float`, found `a`"):
        json.decode('{"a": 1}', dict[float, int])
