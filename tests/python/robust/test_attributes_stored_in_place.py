"""Classes with a `__dict__`: what a decoder makes is what attributes set by name would make, whatever the class is."""

import copy
import gc
import pickle
import weakref
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Annotated, Any

import demat
import pytest
from demat import Hook, json, msgpack


@dataclass
class Plain:
    """Three attributes, in this order."""

    hi: int
    there: float
    comment: str = "none"


@dataclass(kw_only=True)
class Mixed(Plain):
    """A subclass with a slot beside the attributes."""

    __slots__ = ("more",)
    more: int


FORMATS = pytest.mark.parametrize("form", [json, msgpack], ids=["json", "msgpack"])


def made(form: Any, data: object, type_: Any) -> Any:
    return form.decode(form.encode(data), type_)


@FORMATS
def test_any_order_of_keys(form: Any) -> None:
    keys = {"hi": 1, "there": 2.5, "comment": "c"}
    for order in (["hi", "there", "comment"], ["comment", "hi", "there"], ["there", "comment", "hi"]):
        value = made(form, {key: keys[key] for key in order}, Plain)
        assert value == Plain(1, 2.5, "c")
        # The order of the dict is the order in which the attributes were set.
        assert list(vars(value)) == order
        assert vars(value) == keys


@FORMATS
def test_absent_and_default(form: Any) -> None:
    assert made(form, {"hi": 1, "there": 2.5}, Plain) == Plain(1, 2.5)
    with pytest.raises(demat.ValidationError, match="there"):
        made(form, {"hi": 1}, Plain)


def test_repeated_key() -> None:
    value = json.decode('{"hi":1,"there":2.5,"hi":3,"comment":"c","hi":4}', Plain)
    assert vars(value) == {"hi": 4, "there": 2.5, "comment": "c"}
    assert list(vars(value)) == ["hi", "there", "comment"]


@FORMATS
def test_attributes_change_afterwards(form: Any) -> None:
    value = made(form, {"hi": 1, "there": 2.5}, Plain)
    value.extra = [1]
    del value.there
    assert vars(value) == {"hi": 1, "comment": "none", "extra": [1]}
    value.there = 3.5
    assert list(vars(value)) == ["hi", "comment", "extra", "there"]
    vars(value).clear()
    assert not hasattr(value, "hi") or value.hi == Plain.__dict__.get("hi")


@FORMATS
def test_copies(form: Any) -> None:
    value = made(form, {"hi": 1, "there": 2.5, "comment": "c"}, Plain)
    for other in (copy.copy(value), copy.deepcopy(value), pickle.loads(pickle.dumps(value))):
        assert other == value
        assert vars(other) == vars(value)


@FORMATS
def test_weak_references_and_collection(form: Any) -> None:
    @dataclass
    class Node:
        next: "list[Any]"

    value = made(form, {"next": [[]]}, Node)
    value.next.append(value)
    reference = weakref.ref(value)
    assert value in gc.get_referrers(value.next) or vars(value)["next"] is value.next
    del value
    gc.collect()
    assert reference() is None


@FORMATS
def test_class_changed_after_the_plan(form: Any) -> None:
    @dataclass
    class Own:
        hi: int
        there: int = 0

    data = {"hi": 1, "there": 2}
    assert made(form, data, Own) == Own(1, 2)
    told: list[int] = []
    Own.hi = property(lambda self: 40, lambda self, value: told.append(value))  # type: ignore[assignment]
    value = made(form, data, Own)
    assert (told, value.hi, vars(value)) == ([1], 40, {"there": 2})
    del Own.hi
    assert vars(made(form, data, Own)) == data
    Own.__setattr__ = lambda self, name, value: None  # type: ignore[assignment, method-assign]
    assert vars(made(form, data, Own)) == data


@FORMATS
def test_subclasses_and_slots(form: Any) -> None:
    value = made(form, {"hi": 1, "there": 2.5, "comment": "c", "more": 3}, Mixed)
    assert (value.hi, value.there, value.comment, value.more) == (1, 2.5, "c", 3)
    assert vars(value) == {"hi": 1, "there": 2.5, "comment": "c"}
    assert type(value) is Mixed


@FORMATS
def test_instances_made_before_with_other_attributes(form: Any) -> None:
    @dataclass
    class Own:
        hi: int
        there: int

    for number in range(40):
        value: Any = object.__new__(Own)
        setattr(value, f"other{number}", number)
    value = made(form, {"there": 1, "hi": 2}, Own)
    assert vars(value) == {"there": 1, "hi": 2}


@FORMATS
def test_many_fields(form: Any) -> None:
    for count in (29, 30, 31, 60):
        names = [f"field{number}" for number in range(count)]
        many = dataclass(type("Many", (), {"__annotations__": dict.fromkeys(names, int)}))
        data = dict(zip(names, range(count), strict=True))
        values = made(form, [data] * 50, list[many])
        assert all(vars(value) == data for value in values)


def test_hook_that_finds_the_instance_meanwhile() -> None:
    found: list[Any] = []

    def looks(number: int) -> int:
        for one in gc.get_objects():
            if type(one) is Own:
                vars(one)["seen"] = True
                found.append(one)
        return number

    @dataclass
    class Own:
        hi: int
        there: Annotated[int, Hook(decode=looks)]
        comment: str

    value = json.decode('{"hi":1,"there":2,"comment":"c"}', Own)
    assert found == [value]
    assert vars(value) == {"hi": 1, "seen": True, "there": 2, "comment": "c"}


def test_failure_in_the_middle_leaves_nothing() -> None:
    @dataclass
    class Own:
        hi: "list[int]"
        there: int

    with pytest.raises(demat.ValidationError):
        json.decode('{"hi":[1000,2000],"there":"x"}', Own)
    gc.collect()
    assert not [one for one in gc.get_objects() if type(one) is Own]


def test_defaults_of_their_own() -> None:
    @dataclass
    class Own:
        hi: int
        there: "list[int]" = field(default_factory=list)
        post: int = field(init=False, default=7)

    one, other = json.decode('[{"hi":1},{"hi":2}]', list[Own])
    one.there.append(1)
    assert (other.there, other.post) == ([], 7)
    assert vars(other) == {"hi": 2, "there": [], "post": 7}


@pytest.mark.parametrize("change", [lambda one: one.__dict__, lambda one: setattr(one, "x", 1)])
def test_plan_of_a_class_in_use(change: Callable[[Any], object]) -> None:
    @dataclass
    class Own:
        hi: int

    for _ in range(3):
        change(Own(1))
        assert vars(json.decode('{"hi":1}', Own)) == {"hi": 1}
