"""Checks: what they can be put to, and how those of several Fields meet."""

import datetime
import decimal
from typing import Annotated, Any, Literal

import annotated_types
import msgspec
import pytest
from asked import node
from demat import Field, Hook

UTC = datetime.UTC


@pytest.mark.parametrize(
    ("tp", "checks"),
    [
        (int, {"ge": 0, "multiple_of": 5}),
        (float, {"gt": 0.5, "le": 7}),
        (decimal.Decimal, {"lt": decimal.Decimal("1.5")}),
        (datetime.date, {"ge": datetime.date(2020, 1, 1)}),
        (datetime.timedelta, {"ge": datetime.timedelta(0)}),
        (str, {"min_length": 1, "max_length": 3, "pattern": "^a"}),
        (bytes, {"max_length": 3}),
        (list[int], {"min_length": 1}),
        (set[int], {"max_length": 2}),
        (dict[str, int], {"min_length": 1}),
        (tuple[int, ...], {"min_length": 1}),
    ],
)
def test_checks_stand_around_what_they_check(tp, checks):
    assert node(Annotated[tp, Field(**checks)]) == ("checked", node(tp), checks)
    assert node(Annotated[tp | None, Field(**checks)]) == ("optional", ("checked", node(tp), checks))


@pytest.mark.parametrize(
    ("tp", "field", "message"),
    [
        (int, Field(min_length=1), "`min_length` means nothing to it: it is for what has a length"),
        (int, Field(pattern="x"), "`pattern` means nothing to it: it is for str"),
        (int, Field(ge=datetime.date.min), "`ge` means nothing"),
        (str, Field(ge=0), "`ge` means nothing to it: it is for numbers"),
        (bool, Field(ge=0), "`ge` means nothing"),
        (str, Field(multiple_of=2), "`multiple_of` means nothing to it: it is for numbers"),
        (datetime.date, Field(ge=datetime.datetime.min), "`ge` means nothing"),
        (tuple[int, int], Field(min_length=1), "`min_length` means nothing"),
        (Any, Field(ge=0), "`ge` means nothing"),
        (Literal["a"], Field(pattern="a"), "`pattern` means nothing"),
        (int | str, Field(pattern="a", min_length=1, multiple_of=2, lt=datetime.date.max), "`lt` means nothing"),
    ],
)
def test_checks_that_mean_nothing_are_refused(tp, field, message):
    with pytest.raises(TypeError, match=message):
        node(Annotated[tp, field])


@pytest.mark.parametrize("tp", [str, str | None, list[int]])
def test_checks_of_what_a_hook_makes_belong_to_what_it_reads(tp):
    hook = Hook(wire=str, decode=str.upper)
    with pytest.raises(
        TypeError, match=r"`max_length` means nothing to it: a hook makes it; say it .* `wire=Annotated"
    ):
        node(Annotated[tp, Field(max_length=3), hook])
    checked = Annotated[str, Hook(wire=Annotated[str, Field(max_length=3)], decode=str.upper)]
    assert node(checked)[1] == ("checked", ("str",), {"max_length": 3})


def test_the_outer_field_decides_where_two_differ():
    inner = Annotated[int, Field(ge=0, le=10, title="inner")]
    assert node(Annotated[inner, Field(le=20, multiple_of=2)])[2] == {"ge": 0, "le": 20, "multiple_of": 2}
    # In one pair of brackets the later stands further out.
    assert node(Annotated[int, Field(ge=0), Field(gt=5)])[2] == {"gt": 5}
    assert node(Annotated[Annotated[int, Field(lt=5)] | None, Field(le=7)]) == (
        "optional",
        ("checked", ("int",), {"le": 7}),
    )


def test_bounds_of_datetimes_want_to_know_the_zone():
    aware, naive = datetime.datetime(2020, 1, 1, tzinfo=UTC), datetime.datetime(2020, 1, 1)
    assert node(Annotated[datetime.datetime, Field(ge=aware, tz=True)]) == (
        "checked",
        ("datetime", True),
        {"ge": aware},
    )
    assert node(Annotated[datetime.datetime, Field(ge=naive, tz=False)])[1] == ("datetime", False)
    with pytest.raises(TypeError, match="`ge` has an offset; say `tz=True` as well"):
        node(Annotated[datetime.datetime, Field(ge=aware)])
    with pytest.raises(TypeError, match="`ge` has no offset; say `tz=False` as well"):
        node(Annotated[datetime.datetime, Field(ge=naive, tz=True)])


def test_items_keys_and_values_are_checked_where_they_stand():
    tp = dict[Annotated[str, Field(min_length=1)], list[Annotated[int, Field(ge=0)]]]
    assert node(tp) == (
        "dict",
        dict,
        ("checked", ("str",), {"min_length": 1}),
        ("list", list, ("checked", ("int",), {"ge": 0})),
    )


@pytest.mark.parametrize(
    ("tp", "expected"),
    [
        (Annotated[int, annotated_types.Ge(1), annotated_types.Lt(5)], {"ge": 1, "lt": 5}),
        (Annotated[int, annotated_types.Interval(gt=1, le=5)], {"gt": 1, "le": 5}),
        (Annotated[int, annotated_types.MultipleOf(2)], {"multiple_of": 2}),
        (Annotated[str, annotated_types.Len(1, 5)], {"min_length": 1, "max_length": 5}),
        (Annotated[str, annotated_types.MaxLen(5)], {"max_length": 5}),
        (Annotated[str, msgspec.Meta(pattern="^a", min_length=1)], {"min_length": 1, "pattern": "^a"}),
        (Annotated[int, msgspec.Meta(ge=1), Field(le=2)], {"ge": 1, "le": 2}),
    ],
)
def test_others_say_the_same_in_their_own_words(tp, expected):
    assert node(tp)[2] == expected


def test_zones_in_the_words_of_others():
    assert node(Annotated[datetime.datetime, msgspec.Meta(tz=False)]) == ("datetime", False)
    assert node(Annotated[datetime.datetime, annotated_types.Timezone(None)]) == ("datetime", False)
    assert node(Annotated[datetime.datetime, annotated_types.Timezone(...)]) == ("datetime", True)


def test_a_check_by_a_function_is_refused_and_not_forgotten():
    with pytest.raises(TypeError, match="can't apply a Predicate"):
        node(Annotated[str, annotated_types.Predicate(str.islower)])


def test_what_means_nothing_to_demat_is_left_alone():
    assert node(Annotated[int, "a comment", 3, object()]) == ("int",)
    assert node(Annotated[int, annotated_types.doc("text")]) == ("int",)


@pytest.mark.parametrize("name", ["name", "read", "write", "default", "factory", "number", "rest", "omit_default"])
def test_what_is_said_about_fields_is_refused_elsewhere(name):
    values = {"number": 1, "rest": True, "omit_default": True, "factory": list}
    with pytest.raises(TypeError, match=f"`{name}` says something about a field of a class, and this is none"):
        node(list[Annotated[int, Field(**{name: values.get(name, "x")})]])


def test_a_field_without_brackets_is_refused():
    with pytest.raises(TypeError, match=r"`Field` stands there without brackets; write `Field\(…\)`"):
        node(Annotated[int, Field])
