"""attrs classes: through memory where that is all, through their constructor where they want it."""

from typing import Generic, TypeVar

import attrs
import demat
import pytest
from demat import json

T = TypeVar("T")


@attrs.define
class Slotted:
    a: int
    b: str = "b"
    c: list[int] = attrs.Factory(list)


@attrs.define(slots=False)
class Open:
    a: int
    b: str = "b"
    c: list[int] = attrs.Factory(list)


@attrs.frozen
class Frozen:
    a: int
    b: str = "b"
    c: list[int] = attrs.Factory(list)


@attrs.define
class Below(Slotted):
    d: "Below | None" = None


@attrs.define
class Box(Generic[T]):
    item: T


@pytest.mark.parametrize("cls", [Slotted, Open, Frozen, Below])
def test_taken(cls):
    assert json.decode('{"a":1}', cls) == cls(1)
    assert json.decode('{"c":[1],"b":"x","a":2}', cls) == cls(2, "x", [1])
    for value in (cls(1), cls(2, "x", [1])):
        assert json.decode(json.encode(value), cls) == value
    one, other = json.decode('[{"a":1},{"a":1}]', list[cls])
    assert one.c is not other.c


def test_recursive_and_generic():
    assert json.decode('{"a":1,"d":{"a":2}}', Below) == Below(1, d=Below(2))
    assert json.decode('{"item":[1]}', Box[list[int]]) == Box([1])
    with pytest.raises(demat.ValidationError, match=r"at `\$\.item`"):
        json.decode('{"item":1}', Box[str])


def test_private_attributes_and_aliases():
    @attrs.define
    class Private:
        _secret: int
        other: int = attrs.field(alias="elsewhere", default=0)

    value = Private(secret=1, elsewhere=2)
    assert json.decode(json.encode(value), Private) == value


def test_converters_validators_and_post_init():
    @attrs.define
    class Checked:
        a: int = attrs.field(converter=abs)
        b: int = attrs.field(default=1, validator=attrs.validators.gt(0))
        c: int = attrs.field(init=False, default=0)

        def __attrs_post_init__(self) -> None:
            self.c = self.a + self.b

    assert json.decode('{"a":-5}', Checked) == Checked(-5)
    assert json.decode('{"a":-5}', Checked).c == 6
    with pytest.raises(demat.ValidationError, match=r"'b' must be > 0.*at `\$\[0\]`") as raised:
        json.decode('[{"a":1,"b":0}]', list[Checked])
    assert isinstance(raised.value.__cause__, ValueError)


def test_defaults_that_take_the_instance():
    @attrs.define
    class Derived:
        a: int
        b: int = attrs.field()

        @b.default
        def _b(self) -> int:
            return self.a * 2

    assert json.decode('{"a":5}', Derived) == Derived(5, 10)
    assert json.decode('{"a":5,"b":1}', Derived) == Derived(5, 1)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("{}", "expected field `a`, found nothing (line 1, column 2)"),
        ('{"a":"x"}', 'expected `int`, found `str` "x" at `$.a` (line 1, column 6)'),
        ('{"a":1,"c":[null]}', "expected `int`, found `None` at `$.c[0]` (line 1, column 13)"),
        ("[]", "expected `{cls}`, found `list` (line 1, column 1)"),
    ],
)
@pytest.mark.parametrize("cls", [Slotted, Open, Frozen, Below])
def test_refused(cls, text, message):
    with pytest.raises(demat.ValidationError) as raised:
        json.decode(text, cls)
    assert str(raised.value) == message.replace("{cls}", cls.__name__)
