"""Hooks: for one field, for one call, everywhere; what they raise, and that they may decode and encode themselves."""

import pathlib
import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Annotated, Any, Self

import demat
import formats
import pytest
from demat import Hook, csv, hook, json, ndjson

Hex = Annotated[int, Hook(wire=str, decode=lambda text: int(text, 16), encode=hex)]


class Money:
    """A class that Demat knows nothing of."""

    def __init__(self, cents: int) -> None:
        self.cents = cents

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Money) and other.cents == self.cents

    def __hash__(self) -> int:
        return hash(self.cents)

    def __repr__(self) -> str:
        return f"Money({self.cents})"


MONEY = Hook(wire=int, decode=Money, encode=lambda money: money.cents)


def test_at_a_field_and_in_every_place():
    @dataclass
    class Page:
        color: Hex
        more: list[Hex]
        table: dict[str, Hex]
        maybe: Hex | None = None

    value = Page(255, [1, 2], {"a": 3}, 16)
    text = b'{"color":"0xff","more":["0x1","0x2"],"table":{"a":"0x3"},"maybe":"0x10"}'
    assert json.decode(text, Page) == value
    assert json.encode(value) == text
    assert json.decode('{"color":"0","more":[],"table":{},"maybe":null}', Page) == Page(0, [], {})


def test_at_a_cell():
    @dataclass
    class Row:
        color: Hex
        price: Annotated[Money, MONEY]

    rows = [Row(255, Money(5))]
    assert csv.encode(rows) == b"color,price\n0xff,5\n"
    assert csv.decode(csv.encode(rows), list[Row]) == rows


# A list of what is no record is neither a message nor a table.
@formats.each(nested=True, typed=False)
def test_for_a_call_and_for_a_decoder(module):
    hooks = {Money: MONEY}
    values = [Money(5), Money(7)]
    data = module.encode(values, hooks=hooks)
    assert data == module.encode([5, 7])
    assert module not in (json, ndjson) or data in (b"[5,7]", b"5\n7\n")
    assert module.decode(data, list[Money], hooks=hooks) == values
    assert module.Decoder(list[Money], hooks=hooks).decode(data) == values
    assert module.Encoder(hooks=hooks).encode(values) == data
    with pytest.raises(TypeError, match="Money"):
        module.decode(data, list[Money])
    with pytest.raises(demat.EncodeError, match="Money"):
        module.encode(values)


def test_a_hook_of_a_call_is_a_copy():
    hooks = {Money: MONEY}
    decoder, encoder = json.Decoder(Money, hooks=hooks), json.Encoder(hooks=hooks)
    hooks.clear()
    assert encoder.encode(decoder.decode("5")) == b"5"


def test_one_for_a_class_that_is_known():
    hooks = {pathlib.PurePosixPath: Hook(wire=str, decode=pathlib.PurePosixPath, encode=str)}
    assert json.decode('["/a/../b"]', list[pathlib.PurePosixPath], hooks=hooks) == [pathlib.PurePosixPath("/a/../b")]

    @dataclass
    class Point:
        x: int
        y: int

    hooks = {Point: Hook(wire=list[int], decode=lambda pair: Point(*pair), encode=lambda point: [point.x, point.y])}
    assert json.decode("[[1,2],[3,4]]", list[Point], hooks=hooks) == [Point(1, 2), Point(3, 4)]
    assert json.encode({"p": Point(1, 2)}, hooks=hooks) == b'{"p":[1,2]}'
    assert json.encode(Point(1, 2)) == b'{"x":1,"y":2}'


def test_everywhere_from_now_on():
    class Own:
        def __init__(self, text: str) -> None:
            self.text = text

    decoder = json.Decoder(list[int])
    with pytest.raises(TypeError, match="Own"):
        json.decode("[]", list[Own])
    hook(Own, wire=str, decode=Own, encode=lambda own: own.text)
    assert json.decode('["a"]', list[Own])[0].text == "a"
    assert json.encode([Own("b")]) == b'["b"]'
    # Saying it again replaces it, for what is made from now on.
    hook(Own, wire=int, decode=lambda number: Own(str(number)), encode=lambda own: int(own.text))
    assert json.decode("[5]", list[Own])[0].text == "5"
    assert json.encode([Own("7")]) == b"[7]"
    assert decoder.decode("[1]") == [1]


class Temperature:
    """Has the methods that Demat looks for."""

    def __init__(self, kelvin: float) -> None:
        self.kelvin = kelvin

    @classmethod
    def __demat_decode__(cls, celsius: float) -> Self:
        return cls(celsius + 273.15)

    def __demat_encode__(self) -> float:
        return self.kelvin - 273.15


def test_methods_of_the_class():
    assert json.decode("[26.85]", list[Temperature])[0].kelvin == 300.0
    assert json.encode(Temperature(273.15)) == b"0.0"
    with pytest.raises(demat.ValidationError, match=r'expected `float`, found `str` "x" at `\$\[0\]`'):
        json.decode('["x"]', list[Temperature])
    # What a call says comes before what the class says.
    hooks = {Temperature: Hook(wire=float, decode=Temperature, encode=lambda value: value.kelvin)}
    assert json.decode("5", Temperature, hooks=hooks).kelvin == 5.0
    assert json.encode(Temperature(5.0), hooks=hooks) == b"5.0"


def test_only_one_way():
    assert json.decode('"ff"', Annotated[int, Hook(wire=str, decode=lambda text: int(text, 16))]) == 255
    assert json.encode(255, type=Annotated[int, Hook(encode=hex)]) == b'"0xff"'
    assert json.decode("5", Annotated[int, Hook(wire=int, encode=hex)]) == 5
    assert json.encode(5, type=Annotated[int, Hook(wire=str, decode=int)]) == b"5"


def test_a_wire_type_of_records():
    @dataclass
    class Wire:
        whole: int
        part: int

    fixed = Annotated[
        float,
        Hook(wire=Wire, decode=lambda wire: wire.whole + wire.part / 100, encode=lambda value: Wire(int(value), 25)),
    ]
    assert json.decode('[{"whole":1,"part":50}]', list[fixed]) == [1.5]
    assert json.encode([1.25], type=list[fixed]) == b'[{"whole":1,"part":25}]'
    with pytest.raises(demat.ValidationError, match=r"`\$\[0\]\.part`"):
        json.decode('[{"whole":1,"part":null}]', list[fixed])


@pytest.mark.parametrize("error", [ValueError("no such"), TypeError("no such"), UnicodeError("no such")])
def test_what_says_that_the_value_is_bad_is_part_of_the_error(error):
    def fail(_: object) -> None:
        raise error

    with pytest.raises(demat.ValidationError) as raised:
        json.decode('{"a": [1,  2]}', dict[str, list[Annotated[int, Hook(decode=fail)]]])
    found = raised.value
    assert (str(found), found.reason) == ("no such at `$.a[0]` (line 1, column 8)", "no such")
    assert (found.path, found.offset, found.__cause__) == ("$.a[0]", 7, error)
    assert not hasattr(error, "__notes__")
    with pytest.raises(demat.EncodeError) as raised:
        json.encode({"a": [0]}, type=dict[str, list[Annotated[int, Hook(encode=fail)]]])
    assert (str(raised.value), raised.value.__cause__) == ("no such at `$.a[0]`", error)


class Stopped(BaseException):
    """Not even an Exception."""


@pytest.mark.parametrize(
    "error",
    [
        RuntimeError("x"),
        KeyError("x"),
        OSError("x"),
        ZeroDivisionError(),
        RecursionError("x"),
        MemoryError(),
        Stopped(),
        KeyboardInterrupt(),
        SystemExit(3),
        StopIteration(5),
        GeneratorExit(),
    ],
    ids=lambda error: type(error).__name__,
)
@pytest.mark.parametrize("errors", ["first", "all", 2])
def test_what_is_the_program_s_own_affair_goes_through(error, errors):
    def fail(value: int) -> int:
        if value == 1:
            raise error
        return value

    failing = Annotated[int, Hook(decode=fail, encode=fail)]
    with pytest.raises(type(error)) as raised:
        json.decode('[0,{"a":1},1]', list[int | dict[str, failing]], errors=errors)
    assert raised.value is error
    assert error.__notes__ == ["while Demat was at `$[1].a`"]
    del error.__notes__
    with pytest.raises(type(error)) as raised:
        json.encode([0, {"a": 1}], type=list[int | dict[str, failing]])
    assert raised.value is error
    assert error.__notes__ == ["while Demat was at `$[1].a`"]
    del error.__notes__


def test_the_note_says_where_the_exception_was_and_not_an_earlier_error():
    def fail(_: int) -> int:
        raise RuntimeError("boom")

    @dataclass
    class Row:
        a: int
        b: Annotated[int, Hook(wire=int, decode=fail)]

    with pytest.raises(RuntimeError) as raised:
        json.decode('[{"a":"x","b":"y"},{"a":1,"b":2}]', list[Row], errors="all")
    assert raised.value.__notes__ == ["while Demat was at `$[1].b`"]


def test_each_gathered_error_has_its_own_cause():
    def fail(value: int) -> int:
        raise ValueError(f"no {value}")

    for errors in ("all", 2):
        with pytest.raises(demat.ValidationError) as raised:
            json.decode('["x", 5]', list[Annotated[int, Hook(wire=int, decode=fail)]], errors=errors)
        first, second = raised.value.errors
        assert (first.reason, second.reason) == ('expected `int`, found `str` "x"', "no 5")
        assert (first.__cause__, raised.value.__cause__) == (None, None)


def test_an_error_of_demat_s_own_that_a_hook_raises():
    def nested(text: str) -> Any:
        return json.decode(text, list[int])

    with pytest.raises(demat.ValidationError) as raised:
        json.decode(r'{"a":"[1,\"x\"]"}', dict[str, Annotated[list[int], Hook(wire=str, decode=nested)]])
    error = raised.value
    assert error.path == "$.a"
    assert isinstance(error.__cause__, demat.ValidationError)
    assert error.__cause__.path == "$[1]"


def test_hooks_may_decode_and_encode_with_the_same_objects():
    depth = 0

    def read(text: str) -> Any:
        nonlocal depth
        depth += 1
        return decoder.decode(text)

    def write(value: Any) -> str:
        return encoder.encode(value).decode()

    nested = Annotated[Any, Hook(wire=str, decode=read, encode=write)]

    @dataclass
    class Box:
        item: nested | int

    decoder, encoder = json.Decoder(Box | int), json.Encoder()
    text = "5"
    for _ in range(10):
        text = json.encode({"item": text}).decode()
    found = decoder.decode(text)
    assert depth == 10
    for _ in range(10):
        found = found.item
    assert found == 5


def test_a_hook_that_calls_itself_for_ever_ends_as_python_does():
    def read(text: str) -> Any:
        return decoder.decode('"again"')

    decoder = json.Decoder(Annotated[Any, Hook(wire=str, decode=read)])
    with pytest.raises((RecursionError, demat.LimitError)):
        decoder.decode('"go"')
    assert json.decode("[1]", list[int]) == [1]


def test_hooks_that_are_called_from_c():
    assert json.decode('["5"]', list[Annotated[int, Hook(wire=str, decode=int)]]) == [5]
    with pytest.raises(demat.ValidationError, match=r"invalid literal for int.*at `\$\[0\]`"):
        json.decode('["x"]', list[Annotated[int, Hook(wire=str, decode=int)]])
    pattern = Annotated[re.Pattern[str], Hook(wire=str, decode=re.compile, encode=lambda pattern: pattern.pattern)]
    assert json.decode('["a+"]', list[pattern])[0].match("aa")
    # `re.error` is no ValueError.
    with pytest.raises(re.error):
        json.decode('["("]', list[pattern])


def test_default_for_what_nothing_is_known_of():
    assert json.encode([Money(5)], default=lambda money: money.cents) == b"[5]"
    assert json.encode([Money(5)], default=lambda money: {"cents": [money.cents]}) == b'[{"cents":[5]}]'
    assert json.encode([Money(5)], default=str) == b'["Money(5)"]'
    with pytest.raises(demat.EncodeError, match=r"Money.*at `\$\[0\]`"):
        json.encode([Money(5)])
    with pytest.raises(demat.LimitError):
        json.encode(Money(5), default=lambda money: money)
    with pytest.raises(demat.LimitError):
        json.encode(Money(5), default=lambda money: [money])
    with pytest.raises(demat.EncodeError, match=r"^bad at `\$\.a`$"):
        json.encode({"a": Money(5)}, default=raising(ValueError("bad")))
    with pytest.raises(RuntimeError, match="^bad"):
        json.encode({"a": Money(5)}, default=raising(RuntimeError("bad")))


def raising(error: Exception) -> Any:
    def fail(_: object) -> None:
        raise error

    return fail


def test_a_generator_that_raises_in_the_middle():
    def numbers() -> Iterator[int]:
        yield 1
        raise OSError("gone")

    with pytest.raises(OSError, match="gone") as raised:
        json.encode({"a": numbers()})
    assert raised.value.__notes__ == ["while Demat was at `$.a[1]`"]


def test_of_anything():
    @dataclass
    class Own:
        size: Annotated[Any, Hook(wire=int, decode=str, encode=int)]

    assert json.decode(b'{"size":7}', Own) == Own("7")
    assert json.encode(Own("7")) == b'{"size":7}'
    assert json.encode(Own("7"), type=Own) == b'{"size":7}'
