"""`Field` itself: what it takes, what it refuses, and how it looks."""

# What is tested is each way that a type can be written in.
# ruff: noqa: UP045

import copy
import datetime
import decimal
import math
import pickle
import re
from typing import Annotated, Optional

import pytest
from demat import Field


def test_it_shows_what_it_was_given_in_the_order_of_its_parameters():
    field = Field(le=5, default=None, name="n", read="m", pattern=re.compile("^a"), rest=True, examples=[1], ge=0)
    text = "Field(name='n', read=('m',), default=None, ge=0, le=5, pattern='^a', rest=True, examples=(1,))"
    assert repr(field) == text
    assert eval(text) == field
    assert repr(Field()) == "Field()"


def test_it_can_not_be_changed():
    field = Field(ge=0)
    with pytest.raises(AttributeError, match="make another one"):
        field.ge = 1  # type: ignore[misc]
    with pytest.raises(AttributeError):
        del field.ge
    with pytest.raises(AttributeError):
        field.other = 1  # type: ignore[attr-defined]


@pytest.mark.parametrize("field", [Field(), Field(name="x", ge=1, default=None), Field(factory=list, read=("a", "b"))])
def test_copies_and_pickles_are_equal(field):
    assert copy.copy(field) == copy.deepcopy(field) == pickle.loads(pickle.dumps(field)) == field
    assert hash(copy.copy(field)) == hash(field)


def test_equality_is_of_all_that_is_said():
    assert Field(ge=0) == Field(ge=0) != Field(gt=0)
    assert Field(default=None) != Field()
    assert Field(ge=0) != "Field(ge=0)"


def test_a_default_without_a_hash_does_no_harm_to_typing():
    # Unions put their parts into sets.
    field = Field(default=(1, [2]))
    assert Optional[Annotated[int, field]] == Optional[Annotated[int, field]]
    assert isinstance(hash(field), int)


@pytest.mark.parametrize(
    ("given", "error", "message"),
    [
        ({"name": 1}, TypeError, "name must be a str, not int"),
        ({"write": b"x"}, TypeError, "write must be a str, not bytes"),
        ({"read": ()}, ValueError, "read names nothing"),
        ({"read": ("a", 1)}, TypeError, "read must be a str, not int"),
        ({"number": "1"}, TypeError, "number must be an int, not str"),
        ({"number": True}, TypeError, "number must be an int, not bool"),
        ({"number": 0}, ValueError, "number must be from 1"),
        ({"number": 1 << 29}, ValueError, "number must be from 1"),
        ({"default": []}, ValueError, "all instances would share; say factory=list"),
        ({"default": {}}, ValueError, "factory=dict"),
        ({"factory": 3}, TypeError, "factory must be callable"),
        ({"factory": list, "default": None}, ValueError, "give one of them"),
        ({"ge": "1"}, TypeError, "ge must be a number, a date, a time or a timedelta, not str"),
        ({"ge": True}, TypeError, "ge must be a number"),
        ({"le": math.nan}, ValueError, "le is not a number"),
        ({"lt": decimal.Decimal("NaN")}, ValueError, "lt is not a number"),
        ({"ge": 1, "gt": 1}, ValueError, "ge and gt both bound the same side"),
        ({"le": 1, "lt": 1}, ValueError, "le and lt both bound the same side"),
        ({"ge": 2, "le": 1}, ValueError, "no value lies between 2 and 1"),
        ({"gt": 1, "le": 1}, ValueError, "no value lies between 1 and 1"),
        ({"ge": 1, "lt": datetime.date.max}, TypeError, "can't be compared"),
        ({"multiple_of": 0}, ValueError, "more than 0"),
        ({"multiple_of": math.inf}, ValueError, "finite"),
        ({"multiple_of": math.nan}, ValueError, "finite"),
        ({"multiple_of": "2"}, TypeError, "multiple_of must be a number, not str"),
        ({"min_length": 1.0}, TypeError, "min_length must be an int, not float"),
        ({"max_length": -1}, ValueError, "max_length must be 0 or more"),
        ({"min_length": 3, "max_length": 2}, ValueError, "min_length is more than max_length"),
        ({"pattern": "("}, ValueError, "pattern '\\(' is no regular expression"),
        ({"pattern": b"x"}, TypeError, "pattern must be a str"),
        ({"pattern": re.compile(b"x")}, TypeError, "pattern must be a str"),
        ({"tz": "utc"}, TypeError, "tz must be True or False, not str"),
        ({"tag": 1}, TypeError, "tag must be a str"),
        ({"rest": 1}, TypeError, "rest must be True or False"),
        ({"omit_default": "yes"}, TypeError, "omit_default must be True or False"),
        ({"title": 1}, TypeError, "title must be a str"),
        ({"description": 1}, TypeError, "description must be a str"),
    ],
)
def test_what_makes_no_sense_is_refused(given, error, message):
    with pytest.raises(error, match=message):
        Field(**given)


@pytest.mark.parametrize(
    "given",
    [
        {"ge": 1, "le": 1},
        {"ge": -math.inf, "lt": decimal.Decimal("1.5")},
        {"gt": datetime.date(2020, 1, 1), "le": datetime.date(2021, 1, 1)},
        {"multiple_of": decimal.Decimal("0.01")},
        {"min_length": 0, "max_length": 0},
    ],
)
def test_what_makes_sense_is_taken(given):
    assert Field(**given).given() == given


def test_positions_mean_nothing():
    with pytest.raises(TypeError):
        Field("name")  # type: ignore[misc]
