"""Literals of several kinds, where all scalars are text, and where each value has its kind."""

from __future__ import annotations

from dataclasses import dataclass, make_dataclass
from pathlib import Path
from typing import Any, Literal

import demat
import pytest
from demat import avro, csv, json, raw, xml


@dataclass
class Row:
    a: Literal[1, "1", "x"]


def row(literal: Any) -> Any:
    return make_dataclass("Row", [("a", literal)])


@pytest.mark.parametrize(
    ("literal", "cell", "value"),
    [
        (Literal[1, "1"], "1", 1),
        (Literal["1", 1], "1", "1"),
        (Literal[1, "01"], "01", 1),
        (Literal["01", 1], "01", "01"),
        (Literal["01", 1], "1", 1),
        (Literal[True, "true"], "true", True),
        (Literal["true", True], "true", "true"),
        (Literal["x", 2, "1", 1], "1", "1"),
        (Literal["x", 2, 1, "1"], "1", 1),
        (Literal["x", 2, 1, "1"], "x", "x"),
        ((Literal[1, "a"] | None), "a", "a"),
    ],
)
def test_a_cell_is_the_first_of_them_that_can(literal: Any, cell: str, value: Any) -> None:
    own = row(literal)
    for found in (
        csv.decode(f"a\n{cell}\n", list[own])[0].a,
        xml.decode(f"<row><a>{cell}</a></row>", own).a,
    ):
        assert (type(found), found) == (type(value), value)


def test_json_tells_them_apart() -> None:
    for literal in (Literal[1, "1"], Literal["1", 1]):
        assert json.decode('[1,"1"]', list[literal]) == [1, "1"]
        assert [type(own) for own in json.decode('["1",1]', list[literal])] == [str, int]
        with pytest.raises(demat.ValidationError, match="expected `1` or `1`, found `2`"):
            json.decode('"2"', literal)
    with pytest.raises(demat.ValidationError, match="expected `True` or `true`, found `x`"):
        json.decode('"x"', Literal[True, "true"])


@pytest.mark.parametrize("name", ["msgpack", "cbor", "json"])
def test_formats_with_kinds_keep_them(tmp_path: Path, name: str) -> None:
    rows = [Row(1), Row("1"), Row("x")]
    place = str(tmp_path / f"rows.{name}")
    demat.write(place, rows)
    found = list(demat.read(place, Row))
    assert found == rows
    assert [type(own.a) for own in found] == [int, str, str]


def test_an_empty_cell_is_the_default() -> None:
    own = make_dataclass("Own", [("a", Literal[1, "x"], "x"), ("b", int, 0)])
    assert csv.decode("a,b\n,2\n", list[own]) == [own("x", 2)]


def test_formats_with_one_kind_a_column_say_so() -> None:
    for encode in (avro.encode, demat.columns_of):
        assert encode([Row("1"), Row("x")])
        with pytest.raises(demat.Error, match="a literal of several kinds is text here, as a column has one kind"):
            encode([Row("1"), Row(1)])
    with pytest.raises(
        demat.EncodeError, match="expected `text`, found `int`: a literal of several kinds is text here"
    ):
        raw.encode(Row(1))
    # One of one kind, and what is no member of it, are as before.
    with pytest.raises(demat.Error) as caught:
        avro.encode([row(Literal[1, 2])("x")])
    assert "several kinds" not in str(caught.value)
