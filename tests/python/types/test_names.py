"""Names outside and inside: renaming, aliases, numbers, names for reading and for writing."""

from dataclasses import dataclass
from typing import Annotated

import demat
import pytest
from demat import Field, configure, csv, json


@dataclass
class Job:
    due_date: int
    HTTPPort: int = 0


@pytest.mark.parametrize(
    ("rename", "due", "port"),
    [
        ("camel", "dueDate", "httpPort"),
        ("pascal", "DueDate", "HttpPort"),
        ("snake", "due_date", "http_port"),
        ("screaming_snake", "DUE_DATE", "HTTP_PORT"),
        ("kebab", "due-date", "http-port"),
        ("lower", "due_date", "httpport"),
        ("upper", "DUE_DATE", "HTTPPORT"),
        ({"due_date": "d"}, "d", "HTTPPort"),
        (lambda name: f"<{name}>", "<due_date>", "<HTTPPort>"),
    ],
)
def test_renaming_in_a_call(rename, due, port):
    for text in (f'{{"{due}":1,"{port}":2}}', f'{{"{port}":2,"{due}":1}}'):
        assert json.decode(text, Job, rename=rename) == Job(1, 2)
        assert json.Decoder(list[Job], rename=rename, unknown="forbid").decode(f"[{text}]") == [Job(1, 2)]
    assert csv.decode(f"{port},{due}\n2,1\n", list[Job], rename=rename) == [Job(1, 2)]
    with pytest.raises(demat.ValidationError, match="expected field"):
        json.decode(f'{{"x{due}":1,"{port}":2}}', Job, rename=rename)


def test_renaming_by_the_class():
    @configure(rename="camel")
    @dataclass
    class Own:
        due_date: int
        other_thing: Annotated[int, Field(name="THING")] = 0

    text = b'{"dueDate":1,"THING":2}'
    assert json.decode(text, Own) == Own(1, 2)
    assert json.encode(Own(1, 2)) == text
    # The class has said what it has to say.
    assert json.decode(text, Own, rename="kebab") == Own(1, 2)

    @dataclass
    class Below(Own):
        third_thing: int = 3

    assert json.encode(Below(1, 2)) == b'{"dueDate":1,"THING":2,"thirdThing":3}'


def test_names_for_reading_and_for_writing():
    @dataclass(slots=True)
    class Aliased:
        a: Annotated[int, Field(name="x")]
        b: Annotated[int, Field(read=["y", "z"], write="w")]
        c: Annotated[int, Field(name="p", read="q")] = 0

    assert json.encode(Aliased(1, 2, 3)) == b'{"x":1,"w":2,"p":3}'
    for text in ('{"x":1,"y":2}', '{"z":2,"x":1}'):
        assert json.decode(text, Aliased) == Aliased(1, 2)
    for text in ('{"x":1,"y":2,"p":3}', '{"x":1,"y":2,"q":3}'):
        assert json.decode(text, Aliased) == Aliased(1, 2, 3)
    for text in ('{"a":1,"y":2}', '{"x":1,"b":2}', '{"x":1,"w":2}'):
        with pytest.raises(demat.ValidationError, match="expected field"):
            json.decode(text, Aliased)
    # Two names of one field: the last counts, as where one name comes twice.
    assert json.decode('{"x":1,"y":2,"z":3}', Aliased).b == 3
    with pytest.raises(demat.ValidationError, match="stands here again"):
        json.decode('{"x":1,"y":2,"z":3}', Aliased, repeated_keys="refuse")
    assert csv.decode("z,x,q\n2,1,3\n", list[Aliased]) == [Aliased(1, 2, 3)]


def test_errors_call_fields_as_the_data_does():
    @dataclass
    class Aliased:
        attribute: Annotated[int, Field(name="outside")]

    with pytest.raises(demat.ValidationError) as raised:
        json.decode('[{"outside":"x"}]', list[Aliased])
    assert raised.value.path == "$[0].outside"
    with pytest.raises(demat.ValidationError) as raised:
        json.decode("{}", Aliased)
    assert raised.value.expected == "field `outside`"


def test_keys_with_escapes_and_beyond_ascii():
    @dataclass
    class Odd:
        a: Annotated[int, Field(name='q"\\\n')]
        b: Annotated[int, Field(name="é😀")]
        c: Annotated[int, Field(name="")]
        d: Annotated[int, Field(name="a" * 300)]

    value = Odd(1, 2, 3, 4)
    for ascii_only in (False, True):
        text = json.encode(value, ascii=ascii_only)
        assert json.decode(text, Odd) == value == json.decode(text.replace(b'"a', b'"\\u0061'), Odd)
    assert csv.decode(csv.encode([value]), list[Odd]) == [value]


def test_two_fields_of_one_name_are_refused():
    @dataclass
    class Twice:
        a: int
        b: Annotated[int, Field(name="a")]

    with pytest.raises(TypeError, match="a"):
        json.decode("{}", Twice)
