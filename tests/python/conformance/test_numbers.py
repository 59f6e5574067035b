"""The number suite: decimal texts, and the bits that each must become, as Python's floats and back."""

import struct
from decimal import Decimal, InvalidOperation
from pathlib import Path

import demat
import pytest
from demat import csv, json
from same import bits
from suites import files


@pytest.mark.parametrize("path", files("numbers", "*.txt"))
def test_every_number_is_read_to_the_bit(path: Path):
    taken = 0
    for line in path.read_text(encoding="ascii").splitlines():
        expected = struct.unpack(">d", bytes.fromhex(line[14:30]))[0]
        text = line[31:]
        try:
            number = json.decode(text, float)
        except demat.DecodeError as error:
            # No JSON, such as `.5` and `+1`, or past what binary64 holds.
            past = bits(abs(expected)) == bits(float("inf"))
            assert past or type(error) is demat.DecodeError, line
            continue
        taken += 1
        assert bits(number) == bits(expected), line
        # The shortest text that says it, which is read as the same again.
        written = json.encode(number)
        assert bits(json.decode(written, float)) == bits(expected), line
        assert bits(csv.decode(f"n\n{text}\n", list[dict[str, float]])[0]["n"]) == bits(expected), line
        assert Decimal(written.decode()) == Decimal(repr(number)), line
        assert same_decimal(text), line
    assert taken > 5


def same_decimal(text: str) -> bool:
    """Whether a number's text is the same decimal to Demat and to Python, which both have or both refuse it."""
    try:
        expected = Decimal(text)
    except InvalidOperation:
        with pytest.raises(demat.ValidationError):
            json.decode(text, Decimal)
        return True
    return repr(json.decode(text, Decimal)) == repr(expected)
