"""Values without parts, in and out: what is taken for each type, what is not, and how it is written."""

import decimal
import uuid
from typing import Any, NewType

import demat
import numpy
import pytest
from demat import json
from same import same

D = decimal.Decimal
NAME = "12345678-1234-5678-1234-567812345678"
Meters = NewType("Meters", float)

# The type, a text, its value, and how that is written where it is another text.
TAKEN = [
    (type(None), "null", None),
    (bool, "true", True),
    (bool, "false", False),
    (int, "0", 0),
    (int, "-0", 0, "0"),
    (int, "-1", -1),
    *(
        (int, str(n), n)
        for e in (7, 15, 30, 31, 32, 53, 60, 62, 63, 64, 90, 128, 333)
        for n in (2**e - 1, 2**e, -(2**e))
    ),
    *((int, str(10**e), 10**e) for e in (17, 18, 19, 20, 36, 37, 38, 100)),
    (float, "1.5", 1.5),
    (float, "1", 1.0, "1.0"),
    (float, "-0.0", -0.0),
    (float, "-0", -0.0, "-0.0"),
    (float, "1E3", 1000.0, "1000.0"),
    (float, "5e-324", 5e-324),
    (float, "2.4703282292062327e-324", 0.0, "0.0"),
    (float, "1.7976931348623157e+308", 1.7976931348623157e308),
    (float, "9007199254740993", 9007199254740992.0, "9007199254740992.0"),
    (float, "0.1", 0.1),
    (Meters, "2.5", 2.5),
    (str, '""', ""),
    (str, '"a"', "a"),
    (str, '"\\u0000\\n\\t\\\\\\"\\/"', '\0\n\t\\"/', '"\\u0000\\n\\t\\\\\\"/"'),
    (str, '"é"', "é"),
    (str, '"\\u00e9"', "é", '"é"'),
    (str, '"€"', "€"),
    (str, '"😀"', "😀"),
    (str, '"\\ud83d\\ude00"', "😀", '"😀"'),
    (str, '"\\u007f\\u0080"', "\x7f\x80", '"\x7f\x80"'),
    (bytes, '""', b""),
    (bytes, '"AAEC/w=="', b"\0\1\2\xff"),
    (bytearray, '"AAEC"', bytearray(b"\0\1\2")),
    (D, "1.10", D("1.10")),
    (D, '"1.10"', D("1.10"), "1.10"),
    (D, "-0", D("-0")),
    (D, "1e5", D("1E+5"), "1E+5"),
    (D, "0.000000000000000000000000000000000001", D("1E-36"), "1E-36"),
    (
        D,
        "12345678901234567890.123456789012345678901234567890",
        D("12345678901234567890.123456789012345678901234567890"),
    ),
    (uuid.UUID, f'"{NAME}"', uuid.UUID(NAME)),
    (uuid.UUID, f'"{NAME.upper()}"', uuid.UUID(NAME), f'"{NAME}"'),
    (Any, "null", None),
    (Any, "1.0", 1.0),
    (Any, "18446744073709551616", 2**64),
    (object, '"a"', "a"),
]


@pytest.mark.parametrize(("tp", "text", "value", "written"), [(*row, row[1])[:4] for row in TAKEN])
def test_taken(tp, text, value, written):
    assert same(json.decode(text, tp), value)
    assert same(json.decode(f" {text}\n", tp), value)
    assert same(json.Decoder(list[tp]).decode(f"[{text},{text}]"), [value, value])
    assert json.encode(value) == written.encode()
    assert json.encode(value, type=tp) == written.encode()
    assert same(json.decode(json.encode(value), tp), value)


# The type, a text, and what the error says of it.
REFUSED = [
    (bool, "1", "expected `bool`, found `int` 1"),
    (bool, '"true"', 'expected `bool`, found `str` "true"'),
    (bool, "null", "expected `bool`, found `None`"),
    (int, "1.0", "expected `int`, found `float` 1.0"),
    (int, "1e2", "expected `int`, found `float` 1e2"),
    (int, "true", "expected `int`, found `bool` True"),
    (int, '"1"', 'expected `int`, found `str` "1"'),
    (int, "[]", "expected `int`, found `list`"),
    (int, "{}", "expected `int`, found `dict`"),
    (float, '"1.0"', 'expected `float`, found `str` "1.0"'),
    (float, "false", "expected `float`, found `bool` False"),
    (float, "1e400", "expected `float`, found `1e400`"),
    (float, "-1e400", "expected `float`, found `-1e400`"),
    (str, "1", "expected `str`, found `int` 1"),
    (str, "null", "expected `str`, found `None`"),
    (bytes, "1", "expected `bytes`, found `int` 1"),
    (bytes, '"A"', 'expected `bytes` in base64, found `str` "A"'),
    (bytes, '"AAE"', 'expected `bytes` in base64, found `str` "AAE"'),
    (bytes, '"_-8="', 'expected `bytes` in base64, found `str` "_-8="'),
    (bytes, '"AA==AA=="', 'expected `bytes` in base64, found `str` "AA==AA=="'),
    (bytes, '"AB=="', 'expected `bytes` in base64, found `str` "AB=="'),
    (memoryview, '"AA"', 'expected `bytes` in base64, found `str` "AA"'),
    (D, '"1,5"', 'expected `Decimal`, found `str` "1,5"'),
    (D, '"NaN"', 'expected `Decimal`, found `str` "NaN"'),
    (D, '"Infinity"', 'expected `Decimal`, found `str` "Infinity"'),
    (D, '""', 'expected `Decimal`, found `str` ""'),
    (D, "true", "expected `Decimal`, found `bool` True"),
    (uuid.UUID, '"1234"', 'expected `UUID`, found `str` "1234"'),
    (uuid.UUID, "1", "expected `UUID`, found `int` 1"),
]


@pytest.mark.parametrize(("tp", "text", "message"), REFUSED)
def test_refused(tp, text, message):
    for found, path in ((text, ""), (f"[{text}]", " at `$[0]`")):
        with pytest.raises(demat.ValidationError) as raised:
            json.decode(found, list[tp] if path else tp)
        assert str(raised.value) == f"{message}{path} (line 1, column {2 if path else 1})"


def test_a_memoryview_is_of_bytes_of_its_own():
    data = bytearray(b'"AAEC"')
    view = json.decode(data, memoryview)
    data[1:3] = b"//"
    assert (type(view), view.tobytes(), view.readonly) == (memoryview, b"\0\1\2", True)
    assert json.encode(view) == json.encode(view[::-1][::-1]) == b'"AAEC"'


def test_decimals_that_python_has_not_are_refused():
    for text in ("1e9999999999999999999999", "-1e-9999999999999999999999", '"1e9999999999999999999999"'):
        with pytest.raises(demat.ValidationError):
            json.decode(text, D)
    with decimal.localcontext(prec=3, traps=[decimal.Inexact, decimal.Rounded, decimal.Clamped]):
        assert json.decode("1234567.89", D) == D("1234567.89")


@pytest.mark.parametrize("value", [D("NaN"), D("sNaN"), D("Infinity"), float("nan"), float("inf"), -float("inf")])
def test_what_no_number_says_is_not_written(value):
    with pytest.raises(demat.EncodeError, match=r"expected a finite .* at `\$\.a\[1\]`"):
        json.encode({"a": [1, value]})


def test_text_of_every_width_and_length():
    for char in "aé€😀":
        for length in (*range(40), 63, 64, 65, 127, 128, 1000):
            text = char * length
            for value in (text, "a" * length + char, char + "a" * length):
                data = json.encode(value)
                assert json.decode(data, str) == value == json.decode(data)
                assert json.decode(b'{"k":' + data + b"}", dict[str, str]) == {"k": value}
                assert json.decode(b"{" + data + b":1}") == {value: 1}


def test_all_of_unicode():
    everything = "".join(map(chr, (*range(0xD800), *range(0xE000, 0x110000))))
    for ascii_only in (False, True):
        data = json.encode(everything, ascii=ascii_only)
        assert data.isascii() is ascii_only
        assert json.decode(data, str) == everything
    assert [json.decode(json.encode(char)) for char in everything[:3000]] == list(everything[:3000])


def test_lone_surrogates_are_no_text():
    for text in ("\ud800", "a\udfff", "\udfff\ud800"):
        with pytest.raises(demat.EncodeError, match="expected text that is Unicode, found a lone surrogate at index"):
            json.encode([text])
        with pytest.raises(demat.EncodeError, match="surrogate"):
            json.encode({text: 1})
        with pytest.raises(demat.DecodeError, match="expected `UTF-8`, found a lone surrogate in the str"):
            json.decode(f'"{text}"')


class Text(str):
    __slots__ = ()


class Number(int):
    pass


class Real(float):
    pass


def test_subclasses_are_written_as_what_they_stand_on():
    assert json.encode([Text("a"), Number(5), Real(0.5), Number(2**70)]) == b'["a",5,0.5,1180591620717411303424]'
    assert json.encode({Text("a"): Number(1)}) == b'{"a":1}'


def test_scalars_of_numpy_are_numbers():
    assert json.encode([numpy.int64(1), numpy.float32(0.5), numpy.bool_(True)]) == b"[1,0.5,true]"
    with pytest.raises(demat.EncodeError, match="has no form in data; write its fields"):
        json.encode(numpy.zeros(1, dtype=[("id", "i4")]))
    # This one stands on Python's own float.
    assert json.encode(numpy.float64(0.25)) == b"0.25"


@pytest.mark.parametrize("text", ["NaN", "Infinity", "-Infinity", "sNaN123456789012345678901234567890"])
def test_the_error_for_a_decimal_that_is_not_finite_shows_it(text: str) -> None:
    """The text of a `Decimal` is made for the error, and is gone when the message is read."""
    with pytest.raises(demat.EncodeError) as caught:
        json.encode({"price": [decimal.Decimal(text)]})
    others = [str(number) * 7 for number in range(1000)]
    assert str(caught.value) == f"expected a finite `Decimal`, found `{text}` at `$.price[0]`"
    assert len(others) == 1000
