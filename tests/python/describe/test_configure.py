"""`configure`: how it is used, what it inherits, what it refuses."""

import gc
import weakref
from dataclasses import dataclass, field
from typing import Annotated, TypedDict

import demat
import pytest
from asked import fields, record
from demat import Field, configure
from demat._describe import version
from demat._describe.configured import configured


def test_as_a_decorator_and_as_a_function():
    @configure(rename="camel")
    @dataclass
    class One:
        a_b: int

    @dataclass
    class Two:
        a_b: int

    assert configure(Two, rename="camel") is Two
    assert fields(One)["a_b"]["key"] == fields(Two)["a_b"]["key"] == "aB"


def test_below_a_decorator_that_makes_a_new_class():
    @dataclass(slots=True)
    @configure(rename="upper")
    class Slotted:
        a: int

    assert fields(Slotted)["a"]["key"] == "A"


def test_saying_more_leaves_the_rest():
    @configure(rename="upper", unknown="forbid")
    class Some:
        pass

    before = version()
    configure(Some, unknown="ignore", gc=False)
    assert configured(Some) == {"rename": "upper", "unknown": "ignore", "gc": False}
    assert version() == before + 1


def test_subclasses_inherit_all_but_the_value_of_the_tag():
    @configure(rename="upper", tag="t", tag_value="v", omit_default=True)
    class Base:
        pass

    @configure(rename="lower")
    class Sub(Base):
        pass

    assert configured(Sub) == {"rename": "lower", "tag": "t", "omit_default": True}
    assert configured(Base)["tag_value"] == "v"


def test_a_base_configured_later_counts_for_subclasses():
    class Base:
        pass

    class Sub(Base):
        pass

    configure(Base, rename="upper")
    assert configured(Sub) == {"rename": "upper"}


@configure(rename="camel")
class Options(TypedDict):
    max_size: int


class More(Options):
    min_size: int


def test_typed_dicts():
    assert fields(Options)["max_size"]["key"] == "maxSize"


def test_classes_made_in_c_are_held_weakly():
    configure(int, rename="upper")
    try:
        assert configured(int) == {"rename": "upper"}
        assert configured(bool) == {"rename": "upper"}
    finally:
        from demat import _declared

        assert isinstance(_declared._others, weakref.WeakKeyDictionary)
        del _declared._others[int]


def test_what_was_said_of_a_class_does_not_keep_it():
    class Short:
        pass

    configure(Short, rename="upper")
    demat.hook(Short, decode=Short)
    gone = weakref.ref(Short)
    del Short
    gc.collect()
    assert gone() is None


@configure(gc=False)
@dataclass
class Untracked:
    a: int


def test_gc():
    assert record(Untracked)["gc"] is False


@configure(omit_default=True)
@dataclass
class Omits:
    a: int
    b: int = 1
    c: Annotated[int, Field(omit_default=False)] = 1
    d: list[int] = field(default_factory=list)


@dataclass
class OmitsOne:
    a: int = 1
    b: Annotated[int, Field(omit_default=True)] = 1


@dataclass
class NothingToOmit:
    a: Annotated[int, Field(omit_default=True)]


def test_omitting_defaults():
    assert [field["omit"] for field in record(Omits)["fields"]] == [None, "default", None, "default"]
    assert [field["omit"] for field in record(OmitsOne)["fields"]] == [None, "default"]
    with pytest.raises(TypeError, match=r"`NothingToOmit\.a`: `omit_default` is for fields with a default"):
        record(NothingToOmit)


@pytest.mark.parametrize(
    ("given", "error", "message"),
    [
        ({"rename": "title"}, ValueError, "rename='title' is none of 'camel'"),
        ({"rename": 3}, TypeError, "rename must be a str, a function or a mapping"),
        ({"unknown": "drop"}, ValueError, "unknown='drop' is none of 'ignore', 'forbid', 'keep'"),
        ({"tag": 1}, TypeError, "tag must be the name of a field"),
        ({"tag_value": 1.5}, TypeError, "tag_value must be a str or an int"),
        ({"tag_value": True}, TypeError, "tag_value must be a str or an int"),
        ({"gc": 0}, TypeError, "gc must be True or False"),
        ({"omit_default": 1}, TypeError, "omit_default must be True or False"),
    ],
)
def test_what_makes_no_sense_is_refused(given, error, message):
    with pytest.raises(error, match=message):
        configure(**given)


def test_what_is_no_class_is_refused():
    with pytest.raises(TypeError, match=r"configure takes a class, not list\[int\]"):
        configure(list[int], rename="camel")  # type: ignore[type-var]
