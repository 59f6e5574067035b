"""What is said of text that is no JSON: each error with where it is, what should stand there and what does."""

import demat
import pytest
from demat import Raw, json, ndjson

# The text, and the message.
JSON = [
    ("", "expected a value, found end of input (line 1, column 1)"),
    (" \n ", "expected a value, found end of input (line 2, column 2)"),
    ("[", "expected a value or `]`, found end of input at `$[0]` (line 1, column 2)"),
    ("[1", "expected `,` or `]`, found end of input at `$[1]` (line 1, column 3)"),
    ("[1,", "expected a value, found end of input at `$[1]` (line 1, column 4)"),
    ("[1,]", "expected a value, found `]` at `$[1]` (line 1, column 4)"),
    ("[,1]", "expected a value, found `,` at `$[0]` (line 1, column 2)"),
    ("[1 2]", "expected `,` or `]`, found `2` at `$[1]` (line 1, column 4)"),
    ("[1}", "expected `,` or `]`, found `}` at `$[1]` (line 1, column 3)"),
    ("1 2", "expected end of input, found `2` (line 1, column 3)"),
    ("[1]]", "expected end of input, found `]` (line 1, column 4)"),
    ("{", "expected a key or `}`, found end of input (line 1, column 2)"),
    ("{1:2}", "expected a key in quotes, found `1` (line 1, column 2)"),
    ("{'a':1}", "expected a key in quotes, found `'` (line 1, column 2)"),
    ('{"a"', "expected `:`, found end of input at `$.a` (line 1, column 5)"),
    ('{"a" 1}', "expected `:`, found `1` at `$.a` (line 1, column 6)"),
    ('{"a":', "expected a value, found end of input at `$.a` (line 1, column 6)"),
    ('{"a":}', "expected a value, found `}` at `$.a` (line 1, column 6)"),
    ('{"a":1', "expected `,` or `}`, found end of input (line 1, column 7)"),
    ('{"a":1,}', "expected a key in quotes, found `}` (line 1, column 8)"),
    ('{"a":1 "b":2}', 'expected `,` or `}`, found `"` (line 1, column 8)'),
    ("tru", "expected `true`, found end of input (line 1, column 4)"),
    ("nul", "expected `null`, found end of input (line 1, column 4)"),
    ("True", "expected a value, found `T` (line 1, column 1)"),
    ("NaN", "expected a value, found `N` (line 1, column 1)"),
    ("-", "expected a digit, found end of input (line 1, column 2)"),
    ("-x", "expected a digit, found `x` (line 1, column 2)"),
    ("01", "expected no digit after a leading `0`, found `1` (line 1, column 2)"),
    ("1.", "expected a digit, found end of input (line 1, column 3)"),
    ("1.x", "expected a digit, found `x` (line 1, column 3)"),
    ("1e", "expected a digit, found end of input (line 1, column 3)"),
    ("1e+", "expected a digit, found end of input (line 1, column 4)"),
    (".5", "expected a value, found `.` (line 1, column 1)"),
    ("+1", "expected a value, found `+` (line 1, column 1)"),
    ('"a', 'expected `"` at the end of text, found end of input (line 1, column 3)'),
    ('"a\nb"', "expected an escape in place of a control character, found `\\n` (line 1, column 3)"),
    ('"\\x"', "expected an escape that JSON has, found `\\` (line 1, column 2)"),
    ('"\\u12"', "expected an escape that JSON has, found `\\` (line 1, column 2)"),
    ('"\\ud800"', "expected a pair of surrogates, found `\\` (line 1, column 2)"),
    ('"\\udc00"', "expected a pair of surrogates, found `\\` (line 1, column 2)"),
    ('["é\n"]', "expected an escape in place of a control character, found `\\n` at `$[0]` (line 1, column 4)"),
    ('[\n  1,\n  "é", x\n]', "expected a value, found `x` at `$[2]` (line 3, column 8)"),
]


@pytest.mark.parametrize(("text", "message"), JSON)
def test_json(text, message):
    with pytest.raises(demat.DecodeError) as raised:
        json.decode(text)
    assert str(raised.value) == message


@pytest.mark.parametrize(("text", "message"), JSON)
def test_the_same_whatever_the_options_and_the_format(text, message):
    whole = pytest.raises(demat.DecodeError, json.decode, text).value
    assert type(whole) is demat.DecodeError
    for call in (
        lambda: json.decode(text, errors="all"),
        lambda: json.decode(text, strict=False, gc=False),
        lambda: json.decode(bytearray(text.encode())),
        lambda: json.decode(text, Raw),
    ):
        again = pytest.raises(demat.DecodeError, call).value
        assert (again.offset, again.line, again.column) == (whole.offset, whole.line, whole.column)
    for call in (lambda: ndjson.decode(text), lambda: ndjson.decode("1\n" + text)):
        if text.strip() and "\n" not in text:
            line = pytest.raises(demat.DecodeError, call).value
            # The end of a line is the end of its document.
            told = tuple(part and part.replace("end of line", "end of input") for part in (line.expected, line.found))
            assert (*told, line.column) == (whole.expected, whole.found, whole.column)
            assert line.record in (1, 2)


@pytest.mark.parametrize(
    ("data", "offset"),
    [
        (b"\xff", 0),
        (b'"\xff"', 1),
        (b'["a\xc3"]', 3),
        (b'{"a":"\xed\xa0\x80"}', 6),
        (b'"\xc0\x80"', 1),
        (b"[1]\xff", 3),
    ],
)
def test_what_is_no_utf_8(data, offset):
    for options in ({}, {"errors": "all"}):
        with pytest.raises(demat.DecodeError) as raised:
            json.decode(data, **options)
        assert type(raised.value) is demat.DecodeError
        assert raised.value.offset == offset


def test_truncation_at_every_byte():
    whole = (
        ' {"a" : [1, -2.5e+10, true, null, "\\u00e9\\ud83d\\ude00é"], "b": {"c": {}, "d": []}, "e": false} '.encode()
    )
    last = whole.rindex(b"}")
    for end in range(last + 1):
        for data in (whole[:end], bytearray(whole[:end]), memoryview(whole)[:end]):
            for tp in (object, dict[str, object], dict[str, list | dict | bool], Raw):
                with pytest.raises(demat.DecodeError) as raised:
                    json.decode(data, tp)
                assert type(raised.value) is demat.DecodeError, (whole[:end], raised.value)
                assert raised.value.offset <= end
                assert raised.value.line == 1
    for end in range(last + 1, len(whole) + 1):
        assert json.decode(whole[:end]) == json.decode(whole)


def test_every_byte_exchanged():
    whole = b'{"a":[1,-2.5e+10,true,null,"\\u00e9x\xc3\xa9"],"b":{}}'
    for at in range(len(whole)):
        for byte in (0, 9, 10, 32, 34, 44, 48, 58, 91, 92, 93, 101, 110, 123, 125, 127, 128, 0xC3, 255):
            data = bytearray(whole)
            data[at] = byte
            for tp in (object, dict[str, list[int | float | bool | str | None] | dict], Raw):
                try:
                    json.decode(data, tp)
                except demat.Error as error:
                    assert error.offset is not None
                    assert 0 <= error.offset <= len(data)
                    assert str(error).startswith(error.reason)
