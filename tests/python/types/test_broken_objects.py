"""Scalars whose attributes or classes are broken: an EncodeError with the path, whatever their code raises."""

import uuid
from datetime import datetime, time, timedelta, tzinfo
from ipaddress import IPv4Address

import demat
import pytest
from demat import csv, json, ndjson


class Odd(tzinfo):
    def __init__(self, gives):
        self.gives = gives

    def utcoffset(self, when):
        if isinstance(self.gives, Exception):
            raise self.gives
        return self.gives


def broken(value, name, content):
    object.__setattr__(value, name, content)
    return value


ZONES = [timedelta(days=2), timedelta(seconds=1), 5, "x", ZeroDivisionError("z"), OverflowError("o"), LookupError("l")]
VALUES = [
    *(datetime(2020, 1, 1, tzinfo=Odd(gives)) for gives in ZONES),
    *(time(1, tzinfo=Odd(gives)) for gives in ZONES),
    *(broken(uuid.UUID(int=1), "int", number) for number in (2**130, -1, "x", None)),
    *(broken(IPv4Address(1), "_ip", number) for number in (2**90, "x")),
]


@pytest.mark.parametrize("value", VALUES, ids=range(len(VALUES)))
def test_a_broken_scalar_is_an_encode_error(value):
    for write, wrapped, path in (
        (json.encode, {"a": [value]}, "$.a[0]"),
        (ndjson.encode, [value], "$[0]"),
        (csv.encode, [{"a": value}], "$[0].a"),
    ):
        with pytest.raises(demat.EncodeError) as raised:
            write(wrapped)
        assert raised.value.path == path


def test_a_list_that_lies_about_its_length():
    class Lying(list):
        def __len__(self):
            raise OverflowError("many")

    with pytest.raises(demat.EncodeError, match="expected a `tuple` of 2, found one of 1"):
        json.encode(Lying([1]), type=tuple[int, int])
