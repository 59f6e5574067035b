"""Against Google's own library, both ways: random messages of random schemas."""

import contextlib
from typing import Any

import demat
import pytest
from demat import proto
from google.protobuf.message import DecodeError
from hypothesis import given, settings
from hypothesis import strategies as st
from messages import KINDS, Shape, ours, shape, shapes, theirs


@st.composite
def messages(draw: st.DrawFn) -> tuple[Shape, Any, Any]:
    made = draw(shapes())
    values = draw(made.values)
    return made, ours(made, values), theirs(made, values)


@given(messages())
@settings(max_examples=80)
def test_what_google_writes_is_read(given: tuple[Shape, Any, Any]):
    shape, mine, google = given
    assert proto.decode(google.SerializeToString(), shape.cls) == mine


@given(messages())
@settings(max_examples=80)
def test_what_is_written_google_reads(given: tuple[Shape, Any, Any]):
    shape, mine, google = given
    assert shape.google.FromString(proto.encode(mine)) == google


@given(messages())
@settings(max_examples=80)
def test_lazy_records_are_the_same(given: tuple[Shape, Any, Any]):
    shape, mine, google = given
    data = google.SerializeToString()
    view = proto.decode(data, shape.cls, lazy=True)
    assert view == mine
    assert mine == view
    assert repr(view) == repr(proto.decode(data, shape.cls))
    # All was looked at, and nothing changed.
    assert proto.encode(view) == data


@given(messages(), st.data())
@settings(max_examples=80)
def test_a_changed_field_is_all_that_changes(given: tuple[Shape, Any, Any], data: st.DataObject):
    shape, mine, google = given
    values = data.draw(shape.values)
    name = data.draw(st.sampled_from(sorted(shape.fields)))
    view = proto.decode(google.SerializeToString(), shape.cls, lazy=True)
    new = getattr(ours(shape, values), name)
    setattr(view, name, new)
    setattr(mine, name, new)
    assert proto.decode(proto.encode(view), shape.cls) == mine
    assert shape.google.FromString(proto.encode(view)) == shape.google.FromString(proto.encode(mine))


@given(messages(), messages())
@settings(max_examples=50)
def test_messages_that_are_joined_are_merged(one: tuple[Shape, Any, Any], other: tuple[Shape, Any, Any]):
    shape, _, google = one
    values = other[2].SerializeToString() + google.SerializeToString() * 2
    with contextlib.suppress(DecodeError):
        merged = shape.google.FromString(values)
        try:
            mine = proto.decode(values, shape.cls)
        except demat.Error:
            # A number of another kind: Google keeps it as unknown, and here it is refused.
            return
        assert shape.google.FromString(proto.encode(mine)) == _known(merged)
        assert proto.decode(values, shape.cls, lazy=True) == mine


def _known(message: Any) -> Any:
    message.DiscardUnknownFields()
    return message


@given(st.data())
@settings(max_examples=25)
def test_what_is_cut_is_an_error_or_a_message(data: st.DataObject):
    shape, _, google = data.draw(messages())
    whole = google.SerializeToString()
    for cut in range(len(whole)):
        part = whole[:cut]
        try:
            expected = shape.google.FromString(part)
        except DecodeError:
            expected = None
        found: Any = None
        with contextlib.suppress(demat.DecodeError):
            found = proto.decode(part, shape.cls)
        assert (found is None) == (expected is None), part
        if expected is not None:
            assert shape.google.FromString(proto.encode(found)) == expected


@pytest.mark.parametrize("kind", KINDS)
@given(data=st.data())
@settings(max_examples=20)
def test_each_kind_in_each_way(kind: str, data: st.DataObject):
    made = shape([(number, kind, label, "string") for number, label in enumerate(LABELS, 1)])
    values = data.draw(made.values)
    google = theirs(made, values)
    assert proto.decode(google.SerializeToString(), made.cls) == ours(made, values)
    assert made.google.FromString(proto.encode(ours(made, values))) == google


LABELS = ("single", "optional", "repeated", "expanded", "map")


@given(st.lists(st.integers(-(1 << 63), (1 << 63) - 1), max_size=8))
def test_files_of_messages(numbers: list[int]):
    made = shape([(1, "sint64", "single", "string")])
    rows = [made.cls(number) for number in numbers]
    data = proto.encode(rows)
    assert proto.decode(data, list[made.cls]) == rows
    assert list(proto.read(data, made.cls)) == rows
    assert list(proto.read(data, made.cls, lazy=True)) == rows
