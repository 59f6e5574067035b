"""Classes that are arrays: what is written of them is what tuples of their values are, whichever way it goes."""

import dataclasses
import io
from typing import Any, NamedTuple

import demat
import pytest
from demat import cbor, json, msgpack, ndjson
from hypothesis import given
from hypothesis import strategies as some

# The types of fields, with their values and a default.
KINDS: dict[Any, tuple[some.SearchStrategy[Any], Any]] = {
    int: (some.integers(-(2**63), 2**63 - 1), 5),
    float: (some.floats(allow_nan=False, allow_infinity=False), 0.5),
    str: (some.text(max_size=5), "none"),
    bool: (some.booleans(), True),
    int | None: (some.none() | some.integers(-9, 9), None),
    list[int]: (some.lists(some.integers(0, 9), max_size=3), None),
    dict[str, int]: (some.dictionaries(some.text(max_size=2), some.integers(0, 9), max_size=2), None),
}


class Twins(NamedTuple):
    """A class that is an array, one of the same fields that is a dict, and a tuple of them."""

    array: Any
    plain: Any
    types: list[Any]
    # The number of fields that have to be there.
    needed: int


def of_default(tp: Any) -> Any:
    default = KINDS[tp][1]
    return default if tp not in (list[int], dict[str, int]) else dataclasses.field(default_factory=tp.__origin__)


@some.composite
def twins(draw: some.DrawFn) -> Twins:
    types = draw(some.lists(some.sampled_from(list(KINDS)), min_size=1, max_size=6))
    needed = draw(some.integers(0, len(types)))
    fields = [(f"f{at}", tp) if at < needed else (f"f{at}", tp, of_default(tp)) for at, tp in enumerate(types)]
    slots = draw(some.booleans())
    array = dataclasses.make_dataclass("Array", fields, slots=slots)
    plain = dataclasses.make_dataclass("Plain", fields, slots=slots)
    unknown = draw(some.sampled_from(["ignore", "forbid"]))
    return Twins(demat.configure(array, array_like=True, unknown=unknown), plain, types, needed)


@some.composite
def rows(draw: some.DrawFn) -> tuple[Twins, list[tuple[Any, ...]]]:
    made = draw(twins())
    row = some.tuples(*(KINDS[tp][0] for tp in made.types))
    return made, draw(some.lists(row, max_size=4))


@pytest.mark.parametrize("module", [json, msgpack, cbor, ndjson], ids=lambda module: module.__name__)
@given(case=rows())
def test_as_tuples(module, case):
    made, values = case
    objects = [made.array(*row) for row in values]
    data = module.encode(objects)
    assert data == module.encode(values) == module.encode(objects, type=list[made.array])
    assert module.decode(data, list[made.array]) == objects
    assert demat.convert(values, list[made.array]) == objects
    assert demat.to_builtins(objects) == [list(row) for row in values]
    module.validate(data, list[made.array])


VALUES = some.one_of(
    some.integers(-9, 9), some.text(max_size=2), some.none(), some.lists(some.integers(0, 9), max_size=2)
)


def outcome(work):
    """What a function returns, or the path of what it refuses."""
    try:
        return work()
    except demat.ValidationError as error:
        return error.path


@given(made=twins(), row=some.lists(VALUES, max_size=7))
def test_what_is_refused_is_refused_on_all_ways(made, row):
    data = json.encode(row)
    found = outcome(lambda: json.decode(data, made.array))
    assert outcome(lambda: msgpack.decode(msgpack.encode(row), made.array)) == found
    assert outcome(lambda: json.decode(b" " * 300 + data, made.array)) == found
    assert outcome(lambda: demat.convert(row, made.array)) == found
    assert outcome(lambda: next(iter(ndjson.read(data + b"\n", made.array)))) == (
        found if isinstance(found, made.array) else found.replace("$", "$[0]")
    )
    # A dict of the same fields says the same, but for items that no field has.
    named = {f"f{at}": value for at, value in enumerate(row[: len(made.types)])}
    plain = outcome(lambda: json.decode(json.encode(named), made.plain))
    if isinstance(plain, made.plain) and isinstance(found, made.array):
        assert dataclasses.astuple(found) == dataclasses.astuple(plain)
    elif len(row) <= len(made.types):
        assert isinstance(found, str)
        assert isinstance(plain, str)
    copied = io.BytesIO()
    copies = outcome(
        lambda: demat.copy(io.BytesIO(b"[" + data + b"]"), copied, list[made.array], from_="json", to="json")
    )
    if isinstance(found, made.array):
        # In a copy a list or a dict that is missing is empty, too.
        assert json.decode(copied.getvalue(), list[made.array]) == [found]
    else:
        assert isinstance(copies, str)


@given(case=rows())
def test_columns_are_those_of_dicts(case):
    made, values = case
    data = ndjson.encode([made.array(*row) for row in values])
    named = ndjson.encode([made.plain(*row) for row in values])
    columns = ndjson.columns(data, made.array)
    assert columns.records() == ndjson.columns(named, made.plain).records()
    assert columns.names == tuple(f"f{at}" for at in range(len(made.types)))
    last = f"f{len(made.types) - 1}"
    assert ndjson.columns(data, made.array, fields=[last]).records() == [{last: row[last]} for row in columns.records()]
