"""Ints with more digits than the interpreter allows, and hooks that would never run: both are refused."""

import sys

import demat
import pytest
from demat import Hook, csv, json, ndjson


@pytest.fixture(params=[640, 4300, 0])
def limit(request):
    before = sys.get_int_max_str_digits()
    sys.set_int_max_str_digits(request.param)
    yield request.param
    sys.set_int_max_str_digits(before)


@pytest.mark.parametrize("digits", [640, 641, 4300, 4301, 30_000])
@pytest.mark.parametrize("sign", ["", "-"])
def test_the_limit_of_the_interpreter(limit, digits, sign):
    text = sign + "7" * digits
    number = int(sign + "1") * (7 * (10**digits - 1) // 9)
    calls = [
        (json.decode, text, {}, number, "$"),
        (json.decode, f"[{text}]", {"type": list[int]}, [number], "$[0]"),
        (json.decode, f'{{"{text}":1}}', {"type": dict[int, int]}, {number: 1}, None),
        (json.decode, f'"{text}"', {"type": int, "strict": False}, number, "$"),
        (ndjson.decode, text, {"type": list[int]}, [number], "$[0]"),
        (csv.decode, f"a\n{text}\n", {"type": list[dict[str, int]]}, [{"a": number}], "$[0].a"),
        (json.encode, number, {}, text.encode(), "$"),
        (json.encode, [number], {"type": list[int]}, f"[{text}]".encode(), "$[0]"),
        (json.encode, {number: 1}, {}, f'{{"{text}":1}}'.encode(), None),
        (csv.encode, [{"a": number}], {}, f"a\n{text}\n".encode(), "$[0].a"),
    ]
    for call, given, options, expected, path in calls:
        if limit == 0 or digits <= limit:
            assert call(given, **options) == expected
            continue
        with pytest.raises(demat.LimitError, match=f"digits exceeds the limit of {limit}") as raised:
            call(given, **options)
        assert path is None or raised.value.path == path


def test_hooks_of_builtins_are_honoured_or_refused():
    hook = Hook(wire=str, decode=float, encode=str)
    assert json.encode([1.5], type=list[float], hooks={float: hook}) == b'["1.5"]'
    assert json.decode('["1.5"]', list[float], hooks={float: hook}) == [1.5]
    for cls in (int, float, str, bool, type(None), list, dict, tuple):
        given = {cls: Hook(wire=str, decode=lambda text: text, encode=str)}
        with pytest.raises(TypeError, match="hooks= for"):
            json.encode([1.5, {}], hooks=given)
        for tp in (tuple[object, ...], list[list[object]], object):
            # For the outermost type itself the hook does run, and expects text.
            with pytest.raises((TypeError, demat.ValidationError), match="hooks= for|expected `str`"):
                json.decode("[[]]", tp, hooks=given)
        with pytest.raises(TypeError, match="hooks="):
            json.decode("[]", hooks=given)


@pytest.mark.parametrize("option", [{"unknown": "forbid"}, {"rename": "camel"}])
def test_options_about_fields_where_there_are_none(option):
    (name,) = option
    for tp in ((), (list[int],), (dict[str, int],)):
        with pytest.raises(TypeError, match=f"{name}="):
            json.decode("[]", *tp, **option)
