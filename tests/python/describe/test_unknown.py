"""What becomes of fields that a class does not have."""

from dataclasses import dataclass, field
from typing import Annotated, Any, TypedDict

import demat
import pytest
from asked import fields, record
from demat import Field


@dataclass
class Plain:
    a: int


@demat.configure(unknown="forbid")
@dataclass
class Strict:
    a: int


@dataclass
class Keeps:
    a: int
    rest: Annotated[dict[str, Any], Field(rest=True)]


@demat.configure(unknown="keep")
@dataclass
class Says:
    a: int
    rest: Annotated[dict[str, int], Field(rest=True)] = field(default_factory=dict)


def test_it_is_ignored_forbidden_or_kept():
    assert record(Plain)["unknown"] == "ignore"
    assert record(Strict)["unknown"] == "forbid"
    assert record(Keeps)["unknown"] == record(Says)["unknown"] == 1


def test_the_field_that_keeps_is_read_by_no_name_and_never_missing():
    rest = fields(Keeps)["rest"]
    assert (rest["read"], rest["required"], rest["factory"]) == ((), False, dict)


def test_the_call_decides_for_classes_that_say_nothing():
    assert record(Plain, unknown="forbid")["unknown"] == "forbid"
    assert record(Strict, unknown="ignore")["unknown"] == "forbid"
    assert record(Keeps, unknown="forbid")["unknown"] == 1


class Loose(TypedDict):
    a: int


def test_typed_dicts_too():
    assert record(Loose, unknown="forbid")["unknown"] == "forbid"


@dataclass
class NotADict:
    rest: Annotated[list[int], Field(rest=True)]


@dataclass
class OtherKeys:
    rest: Annotated[dict[int, int], Field(rest=True)]


@dataclass
class Twice:
    a: Annotated[dict[str, int], Field(rest=True)]
    b: Annotated[dict[str, int], Field(rest=True)]


@demat.configure(unknown="forbid")
@dataclass
class Contrary(Keeps):
    pass


@demat.configure(unknown="keep")
@dataclass
class Nowhere:
    a: int


@pytest.mark.parametrize(
    ("cls", "message"),
    [
        (NotADict, "`NotADict.rest`: the field that keeps the rest has to be a dict with str keys"),
        (OtherKeys, "has to be a dict with str keys"),
        (Twice, "two fields are marked to keep the rest"),
        (Contrary, "is configured to forbid them"),
        (Nowhere, '`unknown="keep"` needs a field to keep them in'),
    ],
)
def test_what_does_not_go_together_is_refused(cls, message):
    with pytest.raises(TypeError, match=message):
        record(cls)
