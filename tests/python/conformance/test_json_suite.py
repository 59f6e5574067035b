"""JSONTestSuite through Python: what must be taken is what the standard library makes of it, the rest is refused."""

import json as standard
import mmap
from pathlib import Path

import demat
import pytest
from demat import json
from same import same
from suites import files

# The files that a parser may take or refuse. Well-formed, but too large for binary64: refused, rather than infinite.
RANGE = {
    "number_huge_exp",
    "number_neg_int_huge_exp",
    "number_pos_double_huge_exp",
    "number_real_neg_overflow",
    "number_real_pos_overflow",
}
# The nearest binary64 number is zero; whole numbers have no limit; 500 levels are within 1,024; RFC 8259, section 8.1,
# lets a parser pass over the mark that some editors put at the start.
TAKEN = {
    "number_double_huge_neg_exp",
    "number_real_underflow",
    "number_too_big_neg_int",
    "number_too_big_pos_int",
    "number_very_big_negative_int",
    "structure_500_nested_arrays",
    "structure_UTF-8_BOM_empty_object",
}
# All others are text that is no Unicode.
DEEP = {"structure_100000_opening_arrays", "structure_open_array_object"}


def test_the_suite_has_all_three_kinds():
    names = [parameter.values[0].stem for parameter in files("json/JSONTestSuite", "*.json") if parameter.values[0]]
    if not names:
        pytest.skip("the suite is not there")
    counts = {kind: sum(name.startswith(kind) for name in names) for kind in ("y_", "n_", "i_")}
    assert min(counts.values()) > 30, counts


@pytest.mark.parametrize("path", files("json/JSONTestSuite", "y_*.json"))
def test_what_must_be_taken(path: Path):
    data = path.read_bytes()
    expected = standard.loads(data)
    for given in every_buffer(data):
        assert same(json.decode(given), expected)
    assert same(json.decode(data.decode()), expected)
    assert same(json.decode(json.encode(json.decode(data))), expected)


@pytest.mark.parametrize("path", files("json/JSONTestSuite", "n_*.json"))
def test_what_must_be_refused(path: Path):
    data = path.read_bytes()
    kind = demat.LimitError if path.stem.removeprefix("n_") in DEEP else demat.DecodeError
    messages = {refusal(given, kind) for given in every_buffer(data)}
    assert len(messages) == 1
    try:
        text = data.decode()
    except UnicodeDecodeError:
        return
    assert refusal(text, kind) in messages


@pytest.mark.parametrize("path", files("json/JSONTestSuite", "i_*.json"))
def test_what_is_up_to_the_parser(path: Path):
    data = path.read_bytes()
    name = path.stem.removeprefix("i_")
    if name in TAKEN:
        assert same(json.decode(data), standard.loads(data))
    else:
        refusal(data, demat.ValidationError if name in RANGE else demat.DecodeError)


def refusal(data: object, kind: type[demat.Error]) -> str:
    """The message that the data is refused with, untyped, as a list, and as a record that does not want it."""
    with pytest.raises(kind) as raised:
        json.decode(data)
    assert type(raised.value) is kind
    with pytest.raises(demat.Error):
        json.decode(data, dict[str, int])
    return str(raised.value)


def every_buffer(data: bytes) -> list[object]:
    """The same bytes in each kind of object that lends its memory."""
    wide = bytearray(b"x" + data + b"x")
    buffers = [data, bytearray(data), memoryview(data), memoryview(wide)[1:-1]]
    if data:
        mapped = mmap.mmap(-1, len(data))
        mapped[:] = data
        buffers.append(mapped)
    return buffers
