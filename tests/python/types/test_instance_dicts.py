"""Instances whose `__dict__` somebody has asked for, changed or replaced."""

import copy
import pickle
from collections.abc import Callable
from dataclasses import asdict, dataclass, field
from typing import Any

import demat
import demat.csv
import demat.json
import demat.msgpack
import pytest


@dataclass
class Row:
    id: int
    name: str = "none"
    values: list[int] = field(default_factory=list)
    more: Any = None


@dataclass
class Other:
    more: Any
    name: str
    id: int
    values: list[int]


def viewed(row: Row) -> Row:
    vars(row)
    return row


def pickled(row: Row) -> Row:
    return pickle.loads(pickle.dumps(row))


def updated(row: Row) -> Row:
    made = Row.__new__(Row)
    made.__dict__.update(row.__dict__)
    return made


def updated_backwards(row: Row) -> Row:
    made = Row.__new__(Row)
    made.__dict__.update(reversed(row.__dict__.items()))
    return made


def replaced(row: Row) -> Row:
    row.__dict__ = dict(row.__dict__)
    return row


def replaced_with_more(row: Row) -> Row:
    row.__dict__ = row.__dict__ | {"extra": 5, "and": "more"}
    return row


def replaced_with_more_before(row: Row) -> Row:
    row.__dict__ = {"extra": 5} | row.__dict__
    return row


def set_again(row: Row) -> Row:
    vars(row)
    name = row.name
    del row.name
    row.name = name
    return row


def with_a_gap(row: Row) -> Row:
    row.__dict__ = {"id": row.id, "gone": 1, "name": row.name, "values": row.values, "more": row.more}
    del row.__dict__["gone"]
    return row


def of_another_class(row: Row) -> Row:
    row.__dict__ = Other(row.more, row.name, row.id, row.values).__dict__
    return row


def shared_with_another(row: Row) -> Row:
    made = Row.__new__(Row)
    made.__dict__ = row.__dict__
    return made


class Ordered(dict[str, Any]):
    """A dict that is none of the builtin class."""


def of_a_dict_class(row: Row) -> Row:
    row.__dict__ = Ordered(row.__dict__)
    return row


def as_it_is(row: Row) -> Row:
    return row


WAYS = [
    as_it_is,
    viewed,
    copy.copy,
    copy.deepcopy,
    pickled,
    updated,
    updated_backwards,
    replaced,
    replaced_with_more,
    replaced_with_more_before,
    set_again,
    with_a_gap,
    of_another_class,
    shared_with_another,
    of_a_dict_class,
]


@pytest.mark.parametrize("way", WAYS, ids=lambda way: way.__name__)
def test_they_are_written_by_their_fields(way: Callable[[Row], Row]) -> None:
    def rows() -> list[Row]:
        return [Row(index, f"n{index}", [index, 2], {"a": [Row(1)]} if index % 3 else None) for index in range(40)]

    expected = rows()
    # Among others, and by themselves.
    for made in ([way(row) for row in rows()], [way(row) if index % 2 else row for index, row in enumerate(rows())]):
        assert demat.json.decode(demat.json.encode(made)) == [asdict(row) for row in expected]
        assert demat.json.encode(made) == demat.json.encode(expected)
        assert demat.msgpack.encode(made) == demat.msgpack.encode(expected)
        assert demat.json.encode(made, type=list[Row]) == demat.json.encode(expected)
        assert made == expected


@dataclass
class Flat:
    a: int
    b: str = "default"


@pytest.mark.parametrize("way", [viewed, replaced, updated], ids=lambda way: way.__name__)
def test_attributes_that_are_not_there(way: Callable[[Any], Any]) -> None:
    flat = Flat(1, "own")
    if way is updated:
        flat = copy.copy(flat)
    else:
        way(flat)
    del flat.b
    # The default is an attribute of the class.
    assert demat.json.encode(flat) == b'{"a":1,"b":"default"}'
    del flat.a
    with pytest.raises(demat.EncodeError, match="the attribute `a` of a `Flat` is not set"):
        demat.json.encode(flat)
    flat.a = 5
    flat.b = "again"
    assert demat.json.encode(flat) == b'{"a":5,"b":"again"}'


def test_tables_and_cells(tmp_path: Any) -> None:
    rows = [viewed_flat(index) for index in range(50)]
    assert demat.csv.encode(rows) == demat.csv.encode([Flat(index, f"b{index}") for index in range(50)])
    with demat.sqlite.open(tmp_path / "x.db") as db:
        table = db.table("flat", Flat)
        table.insert(rows)
        assert list(table.select()) == rows


def viewed_flat(index: int) -> Flat:
    flat = Flat(index, f"b{index}")
    vars(flat)
    return flat


def test_a_class_that_changes_meanwhile() -> None:
    @dataclass
    class Changing:
        a: int
        b: int = 2

    value = Changing(1)
    vars(value)
    assert demat.json.encode(value) == b'{"a":1,"b":2}'
    # A data descriptor hides what the dict has.
    Changing.a = property(lambda self: 7)  # type: ignore[assignment, method-assign]
    assert demat.json.encode(value) == b'{"a":7,"b":2}'


def test_a_field_that_replaces_the_dict() -> None:
    @dataclass
    class Swaps:
        target: Any

        def __demat_encode__(self) -> int:
            self.target.__dict__ = {"id": 9, "name": "swapped", "values": [], "more": 8}
            return 0

    for module in (demat.json, demat.msgpack):
        row = Row(1, "first", [1])
        vars(row)
        row.values = Swaps(row)  # type: ignore[assignment]
        row.more = "gone"
        found = module.decode(module.encode(row))
        assert found == {"id": 1, "name": "first", "values": 0, "more": 8}
