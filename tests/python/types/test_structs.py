"""msgspec Structs."""

from dataclasses import dataclass
from typing import Annotated, Generic, TypeVar

import demat
import msgspec
import pytest
from demat import csv, json, proto

T = TypeVar("T")


class Plain(msgspec.Struct):
    a: int
    b: str = "b"
    c: list[int] = []


class Frozen(msgspec.Struct, frozen=True):
    a: int
    b: str = "b"
    c: list[int] = []


class Keywords(msgspec.Struct, kw_only=True):
    c: list[int] = []
    a: int
    b: str = "b"


class Below(Plain):
    d: "Below | None" = None


class Box(msgspec.Struct, Generic[T]):
    item: T


class Forbidding(msgspec.Struct, forbid_unknown_fields=True, rename="camel"):
    due_date: int


class Untracked(msgspec.Struct, gc=False):
    a: int
    b: str = "b"
    c: list[int] = []


class Cat(msgspec.Struct, tag_field="kind", tag="cat"):
    lives: int


class Dog(msgspec.Struct, tag_field="kind", tag="dog"):
    bark: str


class Posted(msgspec.Struct):
    low: int
    high: int

    def __post_init__(self) -> None:
        if self.low > self.high:
            raise ValueError("low is above high")


class Checked(msgspec.Struct):
    a: Annotated[int, msgspec.Meta(ge=0)]


@pytest.mark.parametrize("cls", [Plain, Frozen, Keywords, Below, Untracked])
def test_taken(cls):
    assert json.decode('{"a":1}', cls) == cls(a=1)
    assert json.decode('{"c":[1],"b":"x","a":2}', cls) == cls(a=2, b="x", c=[1])
    for value in (cls(a=1), cls(a=2, b="x", c=[1])):
        assert json.encode(value) == msgspec.json.encode(value)
        assert json.decode(json.encode(value), cls) == value == msgspec.json.decode(json.encode(value), type=cls)
    one, other = json.decode('[{"a":1},{"a":1}]', list[cls])
    assert one.c is not other.c


def test_recursive_generic_and_tagged():
    assert json.decode('{"a":1,"d":{"a":2}}', Below) == Below(1, d=Below(2))
    assert json.decode('{"item":[1]}', Box[list[int]]) == Box([1])
    pets = [Cat(9), Dog("wuff")]
    assert json.encode(pets) == msgspec.json.encode(pets)
    assert json.decode(json.encode(pets), list[Cat | Dog]) == pets
    assert json.decode('{"bark":"w","kind":"dog"}', Cat | Dog) == Dog("w")


def test_what_structs_say_of_themselves():
    assert json.decode('{"dueDate":1}', Forbidding) == Forbidding(1)
    with pytest.raises(demat.ValidationError, match="unknown field `x`"):
        json.decode('{"dueDate":1,"x":2}', Forbidding)
    assert json.decode('{"low":1,"high":2}', Posted) == Posted(1, 2)
    with pytest.raises(demat.ValidationError, match="low is above high"):
        json.decode('{"low":2,"high":1}', Posted)
    with pytest.raises(demat.ValidationError, match="expected a value >= 0, found `-1`"):
        json.decode('{"a":-1}', Checked)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("{}", "expected field `a`, found nothing (line 1, column 2)"),
        ('{"a":"x"}', 'expected `int`, found `str` "x" at `$.a` (line 1, column 6)'),
        ("[]", "expected `{cls}`, found `list` (line 1, column 1)"),
    ],
)
@pytest.mark.parametrize("cls", [Plain, Frozen, Keywords, Below, Untracked])
def test_refused(cls, text, message):
    with pytest.raises(demat.ValidationError) as raised:
        json.decode(text, cls)
    assert str(raised.value) == message.replace("{cls}", cls.__name__)


class Partial(msgspec.Struct):
    a: int | msgspec.UnsetType = msgspec.UNSET
    r: msgspec.Raw = msgspec.Raw(b"null")


class Demanding(msgspec.Struct):
    a: int | msgspec.UnsetType
    b: int = 0


@pytest.mark.parametrize(
    ("cls", "text"),
    [
        (Partial, b"{}"),
        (Partial, b'{"a":1}'),
        (Partial, b'{"a":null}'),
        (Partial, b'{"r":{"x":[1, 2.50]}}'),
        (Partial, b'{"r":"\\u00e9"}'),
        (Partial, b'{"r":}'),
        (Demanding, b'{"a":1}'),
        (Demanding, b'{"b":1}'),
    ],
)
def test_unset_and_raw_are_what_msgspec_makes_of_them(cls, text):
    try:
        expected = msgspec.json.decode(text, type=cls)
    except msgspec.DecodeError:
        with pytest.raises(demat.Error):
            json.decode(text, cls)
        return
    made = json.decode(text, cls)
    assert made.a == expected.a
    assert msgspec.json.encode(made) == msgspec.json.encode(expected)
    assert json.encode(made) == msgspec.json.encode(made)
    assert json.decode(json.encode(made), cls).a == made.a


class Otherwise(msgspec.Struct, omit_defaults=True):
    a: int | msgspec.UnsetType = 0
    b: list[int] | None | msgspec.UnsetType = None


@dataclass
class Unset:
    a: int | msgspec.UnsetType
    b: str | msgspec.UnsetType = "x"


@pytest.mark.parametrize(
    "value",
    [
        Demanding(msgspec.UNSET),
        Demanding(1),
        Otherwise(msgspec.UNSET, msgspec.UNSET),
        Otherwise(1, msgspec.UNSET),
        Otherwise(0, None),
        Unset(msgspec.UNSET, msgspec.UNSET),
        Unset(1, "x"),
    ],
    ids=repr,
)
def test_an_unset_field_is_not_written_whatever_its_default(value):
    assert json.encode(value) == msgspec.json.encode(value)


def test_an_unset_value_is_written_by_no_format():
    assert csv.encode([Demanding(msgspec.UNSET), Demanding(1)]) == b"a,b\n,0\n1,0\n"
    assert proto.encode(Demanding(msgspec.UNSET)) == b""


def test_only_a_field_may_be_unset():
    with pytest.raises(demat.EncodeError, match=r"UnsetType.*at `\$\[1\]`"):
        json.encode([1, msgspec.UNSET], type=list[int])
