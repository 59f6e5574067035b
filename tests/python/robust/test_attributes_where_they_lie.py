"""Instances with a `__dict__`: what is written is what their attributes are, however they came to have them."""

import gc
import sys
from dataclasses import dataclass, field
from typing import Annotated, Any

import demat
import pytest
from demat import Hook, json
from hypothesis import given
from hypothesis import strategies as st


@dataclass
class Plain:
    """Three attributes, in this order."""

    hi: int
    there: float
    comment: str


def told(value: object) -> str:
    return json.encode(value).decode()


WANTED = '{"hi":1,"there":2.5,"comment":"c"}'


def test_set_in_another_order() -> None:
    value = object.__new__(Plain)
    value.comment, value.there, value.hi = "c", 2.5, 1
    assert told(value) == WANTED


def test_first_instance_set_in_another_order() -> None:
    @dataclass
    class Own:
        hi: int
        there: float
        comment: str

    first = object.__new__(Own)
    first.comment, first.hi, first.there = "c", 1, 2.5
    assert told(first) == WANTED
    assert told(Own(1, 2.5, "c")) == WANTED


def test_dict_that_was_asked_for() -> None:
    value = Plain(1, 2.5, "c")
    assert vars(value) == {"hi": 1, "there": 2.5, "comment": "c"}
    assert told(value) == WANTED
    vars(value)["hi"] = 7
    assert told(value) == WANTED.replace("1", "7")


def test_dict_that_was_replaced() -> None:
    value = Plain(1, 2.5, "c")
    value.__dict__ = {"comment": "other", "hi": 2, "there": 3.5, "more": None}
    assert told(value) == '{"hi":2,"there":3.5,"comment":"other"}'


def test_more_attributes_than_are_shared() -> None:
    value: Any = Plain(1, 2.5, "c")
    for number in range(50):
        setattr(value, f"more{number}", number)
    assert told(value) == WANTED


def test_many_fields() -> None:
    names = [f"field{number}" for number in range(60)]
    own = type("Many", (), {"__annotations__": dict.fromkeys(names, int)})
    many = dataclass(own)
    assert json.decode(json.encode(many(*range(60)))) == dict(zip(names, range(60), strict=True))


def test_deleted_attribute() -> None:
    value = Plain(1, 2.5, "c")
    assert told(value) == WANTED
    del value.there
    with pytest.raises(demat.Error, match="`there` of a `Plain` is not set"):
        told(value)
    value.there = 3.5
    assert told(value) == WANTED.replace("2.5", "3.5")


def test_deleted_attribute_with_a_default() -> None:
    @dataclass
    class Own:
        hi: int = 5

    value = Own(1)
    assert told(value) == '{"hi":1}'
    del value.hi
    assert told(value) == '{"hi":5}'


def test_class_that_gets_a_property() -> None:
    @dataclass
    class Own:
        hi: int
        there: int = 0

    value = Own(1, 2)
    assert told([value, value]) == '[{"hi":1,"there":2},{"hi":1,"there":2}]'
    Own.hi = property(lambda self: 40 + self.there, lambda self, value: None)  # type: ignore[assignment]
    assert told(value) == '{"hi":42,"there":2}'
    del Own.hi
    assert told(value) == '{"hi":1,"there":2}'
    Own.__getattribute__ = lambda self, name: 9 if name == "hi" else object.__getattribute__(self, name)  # type: ignore[assignment, method-assign]
    assert told(value) == '{"hi":9,"there":2}'


def test_instance_that_gets_another_class() -> None:
    @dataclass
    class One:
        hi: int
        there: int

    @dataclass
    class Other:
        there: int
        hi: int

    value: Any = One(1, 2)
    assert told(value) == '{"hi":1,"there":2}'
    assert told(Other(3, 4)) == '{"there":3,"hi":4}'
    value.__class__ = Other
    assert told(value) == '{"there":2,"hi":1}'


def test_subclass_in_place_of_its_base() -> None:
    @dataclass
    class Sub(Plain):
        more: int = 0

    assert json.encode([Plain(1, 2.5, "c"), Sub(1, 2.5, "c", 3)], type=list[Plain]).decode() in (
        f"[{WANTED},{WANTED}]",
        f'[{WANTED},{WANTED[:-1]},"more":3}}]',
    )


def test_hook_that_changes_the_instance_meanwhile() -> None:
    def changes(seconds: Any) -> int:
        # From here on the instance has a dict, and another value in it.
        vars(value)["comment"] = "changed" * 3
        gc.collect()
        return int(seconds)

    @dataclass
    class Own:
        hi: int
        there: Annotated[Any, Hook(wire=int, decode=str, encode=changes)]
        comment: str

    value = Own(1, "7", "it goes " + str(id(changes)))
    assert told(value) == f'{{"hi":1,"there":7,"comment":"{"changed" * 3}"}}'


def test_class_that_has_a_finalizer() -> None:
    made = []

    @dataclass
    class Own:
        hi: int

        def __del__(self) -> None:
            made.append(self.hi)

    value = Own(1)
    assert told(value) == '{"hi":1}'
    assert made == []
    del value
    gc.collect()
    assert made == [1]


def test_class_that_can_not_be_made_without_its_arguments() -> None:
    class Own(int):
        pass

    @dataclass
    class Number(Own):
        hi: int

        def __new__(cls, hi: int) -> "Number":
            return super().__new__(cls, hi)

    assert told([Number(3)]) in ('[{"hi":3}]', "[3]")


@pytest.mark.parametrize("slots", [False, True])
def test_references_stay_what_they_were(slots: bool) -> None:
    own = dataclass(slots=slots)(type("Own", (), {"__annotations__": {"hi": int, "comment": str}}))
    text, number = "text " + str(id(own)), 10**6 + len(str(id(own)))
    values = [own(number, text) for _ in range(10)]
    json.encode(values)
    demat.columns_of(values)
    before = sys.getrefcount(text), sys.getrefcount(number), sys.getrefcount(own)
    for _ in range(100):
        json.encode(values)
        demat.columns_of(values)
    assert (sys.getrefcount(text), sys.getrefcount(number), sys.getrefcount(own)) == before


@dataclass
class Mixed:
    """Fields of many kinds."""

    number: int
    part: Plain | None
    parts: list[Plain]
    names: dict[str, int] = field(default_factory=dict)
    text: str = ""


@given(
    st.permutations(["number", "part", "parts", "names", "text"]),
    st.sets(st.sampled_from(["extra", "text", "number"])),
    st.booleans(),
    st.booleans(),
)
def test_any_history(order: list[str], again: set[str], asked: bool, removed: bool) -> None:
    """Against what Python says that the attributes are."""
    part = Plain(1, 2.5, "c")
    values: dict[str, Any] = {"number": 5, "part": part, "parts": [part, part], "names": {"a": 1}, "text": "t"}
    value: Any = object.__new__(Mixed)
    for name in order:
        setattr(value, name, values[name])
    if asked:
        assert len(vars(value)) == len(order)
    for name in again:
        setattr(value, name, 11 if name == "number" else "again")
    if removed and "extra" in again:
        del value.extra
    plain = {"hi": 1, "there": 2.5, "comment": "c"}
    wanted = {"number": value.number, "part": plain, "parts": [plain, plain], "names": {"a": 1}, "text": value.text}
    assert json.decode(json.encode(value)) == wanted
    assert list(json.decode(json.encode(value))) == list(wanted)
