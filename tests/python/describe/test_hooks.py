"""Hooks: at a field, in a call, registered, and a class's own methods; each before the next."""

import copy
import datetime
import pathlib
import pickle
from dataclasses import dataclass
from typing import Annotated, Any, Generic, Protocol, TypeVar

import demat
import pytest
from asked import node, nodes
from demat import Field, Hook
from demat._describe import describe

T = TypeVar("T")
ANY = ("any",)


class Money:
    """Nothing that Demat knows."""

    def __init__(self, cents: int) -> None:
        self.cents = cents


class Coin(Money):
    pass


def cents(money: Money) -> int:
    return money.cents


HOOK = Hook(wire=int, decode=Money, encode=cents)


def test_a_hook_in_a_call():
    assert node(Money, hooks={Money: HOOK}) == ("hook", ("int",), Money, Money, cents, ("int",))
    assert node(list[Money | None], hooks={Money: HOOK})[2][1][0] == "hook"
    with pytest.raises(
        TypeError, match=r"`Money` can't be described: nothing says what its data is.*demat.hook\(Money"
    ):
        node(Money)


def test_a_class_that_is_not_known_takes_the_hook_of_a_base():
    assert node(Coin, hooks={Money: HOOK})[:3] == ("hook", ("int",), Coin)


@dataclass
class Priced(Money):
    cents: int


def test_a_class_that_is_known_does_not():
    assert node(Priced, hooks={Money: HOOK})[0] == "record"


def test_at_a_field_and_at_an_item():
    @dataclass
    class Task:
        flags: Annotated[int, Hook(wire=str, decode=int, encode=hex)]
        money: list[Annotated[Money, HOOK]]

    assert nodes(Task)["flags"] == ("hook", ("str",), int, int, hex, ("str",))
    assert nodes(Task)["money"][2][:3] == ("hook", ("int",), Money)


def test_the_outermost_hook_counts_and_fields_stay():
    @dataclass
    class Task:
        a: Annotated[Annotated[Money, HOOK], Hook(wire=str, decode=Money, encode=repr), Field(name="A")]

    _, (record,) = describe(Task)
    assert record["fields"][0]["key"] == "A"
    assert record["fields"][0]["node"][1] == ("str",)


def test_without_a_wire_type_anything_goes():
    assert node(Annotated[Money, Hook(decode=Money, encode=cents)]) == ("hook", ANY, Money, Money, cents, ANY)


def test_a_wire_type_can_be_any_type():
    found = node(Annotated[Money, Hook(wire=dict[str, Annotated[int, Field(ge=0)]], decode=Money, encode=cents)])
    assert found[1] == ("dict", dict, ("str",), ("checked", ("int",), {"ge": 0}))


def test_the_way_without_a_function_goes_as_without_a_hook():
    read = node(Annotated[datetime.date, Hook(encode=str, wire=str)])
    assert read == ("hook", ("date",), datetime.date, None, str, ("str",))
    written = node(Annotated[datetime.date, Hook(decode=datetime.date.fromordinal, wire=int)])
    assert written == ("hook", ("int",), datetime.date, datetime.date.fromordinal, None, ("date",))


def test_the_way_without_a_function_or_a_description_fails_with_the_reason():
    decode = node(Annotated[Money, Hook(encode=cents)])[3]
    with pytest.raises(TypeError, match="`Money` can't be read: its hook has no `decode`"):
        decode(1)
    encode = node(Annotated[Money, Hook(decode=Money)])[4]
    with pytest.raises(TypeError, match="can't be written: its hook has no `encode`"):
        encode(Money(1))


@dataclass
class Box(Generic[T]):
    value: T


def test_the_way_without_a_function_keeps_the_arguments():
    root, records = describe(Box[int], {"hooks": {Box: Hook(encode=repr)}})
    assert root[1] == ("record", 0)
    assert records[0]["name"] == "Box[int]"


@dataclass
class Chain:
    next: "Chain | None"


def test_a_hook_on_a_class_that_refers_to_itself():
    root, (record,) = describe(Chain, {"hooks": {Chain: Hook(encode=repr)}})
    assert root == ("hook", ("record", 0), Chain, None, repr, ANY)
    assert record["fields"][0]["node"] == ("optional", root)


class Registered:
    pass


def test_a_hook_is_registered_from_outside_and_the_version_says_so():
    from demat._describe import version

    before = version()
    assert demat.hook(Registered, wire=str, decode=Registered, encode=str) is Registered
    assert version() == before + 1
    assert node(Registered)[1] == ("str",)
    # The call's hook is nearer.
    assert node(Registered, hooks={Registered: Hook(wire=int, decode=Registered, encode=int)})[1] == ("int",)


def test_classes_made_in_c_can_have_one():
    try:
        demat.hook(
            complex, wire=tuple[float, float], decode=lambda pair: complex(*pair), encode=lambda z: (z.real, z.imag)
        )
        assert node(complex)[1] == ("tuple", (("float",), ("float",)))
    finally:
        from demat import _declared

        del _declared._others[complex]


def test_a_path_by_the_hook_of_its_base():
    hook = Hook(wire=str, decode=pathlib.Path, encode=str)
    assert node(pathlib.Path, hooks={pathlib.Path: hook})[1] == ("str",)
    assert node(pathlib.PosixPath, hooks={pathlib.Path: hook})[1] == ("str",)


class Both:
    def __init__(self, text: str) -> None:
        self.text = text

    @classmethod
    def __demat_decode__(cls, wire: "Annotated[str, Field(min_length=1)]"):
        return cls(wire)

    def __demat_encode__(self) -> str:
        return self.text


class Heir(Both):
    pass


def test_methods_of_the_class():
    kind, read, cls, decode, encode, write = node(Both)
    assert (kind, read, cls, write) == ("hook", ("checked", ("str",), {"min_length": 1}), Both, ("str",))
    assert encode(decode("x")) == "x"
    assert type(node(Heir)[3]("x")) is Heir


@dataclass
class OnlyEncode:
    a: int

    def __demat_encode__(self):
        return [self.a]


@dataclass
class OnlyDecode:
    a: int

    @staticmethod
    def __demat_decode__(wire: int):
        return OnlyDecode(wire)


def test_one_method_leaves_the_other_way_to_the_plan():
    assert node(OnlyEncode) == ("hook", ("record", 0), OnlyEncode, None, OnlyEncode.__demat_encode__, ANY)
    found = node(OnlyDecode)
    assert found == ("hook", ("int",), OnlyDecode, OnlyDecode.__demat_decode__, None, ("record", 0))


def test_a_hook_counts_before_the_methods():
    assert node(Both, hooks={Both: Hook(wire=int, decode=Both, encode=int)})[1] == ("int",)


class NotAClassmethod:
    def __demat_decode__(self, wire):
        pass


class TwoArguments:
    @classmethod
    def __demat_decode__(cls, wire, more):
        pass


@pytest.mark.parametrize(
    ("cls", "message"),
    [(NotAClassmethod, "has to be a classmethod or a staticmethod"), (TwoArguments, "has to take one argument")],
)
def test_methods_that_can_not_be_called_are_refused(cls, message):
    with pytest.raises(TypeError, match=message):
        node(cls)


class Named(Protocol):
    name: str


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({}, "needs decode, encode, or both"),
        ({"decode": 3}, "decode must be callable"),
        ({"encode": "x"}, "encode must be callable"),
    ],
)
def test_a_hook_without_functions_is_refused(given, message):
    with pytest.raises(TypeError, match=message):
        Hook(**given)


def test_what_is_no_hook_and_no_class_is_refused():
    with pytest.raises(TypeError, match=r"its hook is a tuple; make it a demat.Hook\(…\)"):
        node(Money, hooks={Money: (Money, cents)})
    with pytest.raises(TypeError, match="hook takes a class"):
        demat.hook(list[int], decode=list)  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="`Hook` stands there without brackets"):
        node(Annotated[int, Hook])


def test_a_hook_as_a_value():
    assert repr(HOOK) == f"Hook(wire={int!r}, decode={Money!r}, encode={cents!r})"
    assert copy.copy(HOOK) == pickle.loads(pickle.dumps(HOOK)) == HOOK != Hook(decode=Money)
    assert hash(HOOK) == hash(copy.copy(HOOK))
    with pytest.raises(AttributeError):
        HOOK.wire = Any  # type: ignore[misc]
    with pytest.raises(AttributeError):
        del HOOK.decode
