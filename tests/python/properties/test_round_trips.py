"""Random types: what is written is read again, in every format, and the same in every way of reading."""

from dataclasses import fields
from typing import Any

import demat
from demat import csv, json, ndjson
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from trees import TREES, flat_rows, with_values

SLOW = settings(suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large, HealthCheck.filter_too_much])


@SLOW
@given(with_values())
def test_json(case):
    tp, value = case
    for data in (
        json.encode(value, type=tp),
        json.encode(value, type=tp, ascii=True),
        json.encode(value, type=tp, indent=2),
    ):
        for options in ({}, {"errors": "all"}, {"strict": False}, {"gc": False}):
            found = json.decode(data, tp, **options)
            assert type(found) is type(value)
            assert found == value
            assert repr(found) == repr(value) or "{" in repr(value)
    assert json.Decoder(list[tp]).decode(b"[" + data + b"," + data + b"]") == [value, value]


@SLOW
@given(with_values())
def test_lines(case):
    tp, value = case
    data = ndjson.encode([value, value], type=list[tp])
    assert ndjson.decode(data, list[tp]) == [value, value]
    assert ndjson.decode(bytearray(data), tuple[tp, ...], errors="all") == (value, value)
    assert data.count(b"\n") == 2


@SLOW
@given(flat_rows())
def test_tables(case):
    cls, rows = case
    for options in ({}, {"delimiter": ";"}, {"quote": "'"}, {"header": False}):
        data = csv.encode(rows, type=list[cls], **options)
        assert csv.decode(data, list[cls], **options) == rows
    if rows:
        assert csv.decode(csv.encode(rows), list[cls], errors="all") == rows


@SLOW
@given(with_values())
def test_an_encoder_needs_no_type_for_what_its_classes_say(case):
    tp, value = case
    data = json.encode(value)
    assert json.decode(json.encode(json.decode(data)), object) == json.decode(data)


def has_decimals(tp: Any) -> bool:
    """Whether a type has numbers in it that are more than a float."""
    return (
        "Decimal" in repr(tp)
        or any(map(has_decimals, getattr(tp, "__args__", ())))
        or any(has_decimals(hint) for hint in getattr(tp, "__annotations__", {}).values())
    )


@SLOW
@given(with_values())
def test_read_without_a_type_and_written_again_it_is_the_same(case):
    tp, value = case
    if has_decimals(tp):
        return
    data = json.encode(value, type=tp)
    assert json.decode(json.encode(json.decode(data)), tp) == value
    assert json.decode(json.encode(json.decode(data, demat.Raw)), tp) == value


@SLOW
@given(TREES, st.data())
def test_the_order_of_fields_and_blanks_do_not_matter(tree, data):
    value = data.draw(tree.values)
    plain = json.decode(json.encode(value, type=tree.type), object)

    def shuffled(part: Any) -> Any:
        if isinstance(part, dict):
            names = data.draw(st.permutations(list(part)))
            return {name: shuffled(part[name]) for name in names}
        return [shuffled(item) for item in part] if isinstance(part, list) else part

    if not has_decimals(tree.type) and "OrderedDict" not in repr(tree.type):
        mixed = json.encode(shuffled(plain), indent=data.draw(st.sampled_from([None, 0, 3])))
        assert json.decode(mixed, tree.type) == value


def test_the_types_are_of_many_kinds():
    """What the others rely on: the strategy does make records, unions and containers within each other."""
    seen: set[str] = set()

    @settings(database=None, max_examples=100)
    @given(TREES)
    def look(tree):
        seen.add(type(tree.type).__name__ if not isinstance(tree.type, type) else "class")
        if hasattr(tree.type, "__dataclass_fields__"):
            seen.update(type(one.type).__name__ for one in fields(tree.type))

    look()
    assert {"class", "UnionType", "GenericAlias"} <= seen, seen
