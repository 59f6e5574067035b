"""A value that Protocol Buffers write as nothing comes back as itself, or is refused."""

from __future__ import annotations

import io
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import demat
import pytest
from demat import proto, txtpb


@dataclass
class Row:
    limit: int | None = 5
    zero: int | None = 0
    name: str | None = "new"
    items: list[int] = field(default_factory=lambda: [1, 2])
    names: tuple[str, ...] = ("a",)
    more: dict[str, int] = field(default_factory=lambda: {"a": 1})
    plain: list[int] = field(default_factory=list)
    unset: list[int] | None = None
    made: set[str] = field(default_factory=set)
    own: list[int] = field(default_factory=lambda: [])  # noqa: PIE807


LOST: list[tuple[str, Any]] = [
    ("limit", None),
    ("zero", None),
    ("name", None),
    ("items", []),
    ("names", ()),
    ("more", {}),
]


@pytest.mark.parametrize(("name", "value"), LOST, ids=[name for name, _ in LOST])
def test_what_would_come_back_as_the_default_is_refused(name: str, value: Any) -> None:
    row = Row(**{name: value})
    with pytest.raises(demat.EncodeError, match="takes for the field's default") as refused:
        proto.encode(row)
    assert refused.value.path == f"$.{name}"
    view = proto.decode(proto.encode(Row()), Row, lazy=True)
    setattr(view, name, value)
    with pytest.raises(demat.EncodeError, match="takes for the field's default"):
        proto.encode(view)


def test_all_other_values_come_back() -> None:
    for row in (Row(), Row(0, 7, "", [0], ("",), {"": 0}, [], None, {"a"}, [3]), Row(plain=[1], unset=[1])):
        assert proto.decode(proto.encode(row), Row) == row


@pytest.mark.parametrize(
    ("shape", "value"),
    [
        *((shape, value) for shape in ("x:int?=5", "x:int?=null") for value in ("null", "7")),
        *(("x:[int]=[1]", value) for value in ("[]", "[3]")),
        *(('x:map(text,int)={"a":1}', value) for value in ("{}", '{"b":2}')),
        *(("x:[text]=[]", value) for value in ("[]", '["a"]')),
    ],
)
def test_copies(shape: str, value: str) -> None:
    source, target = f'{{"x":{value}}}'.encode(), io.BytesIO()
    is_lost = value in ("null", "[]", "{}") and not shape.endswith(("=[]", "=null"))
    if is_lost:
        with pytest.raises(demat.Error, match="takes for the field's default"):
            demat.copy(source, target, shape, from_="json", to="proto")
        return
    demat.copy(source, target, shape, from_="json", to="proto")
    back = io.BytesIO()
    demat.copy(target.getvalue(), back, shape, from_="proto", to="json")
    assert back.getvalue().replace(b" ", b"").strip() == source


@dataclass
class Inner:
    x: int | None
    y: str


@dataclass
class Bare:
    """Fields without a default that may be None: messages have nothing for it."""

    a: int | None
    b: str | None
    c: Inner | None
    d: list[Inner]
    e: dict[str, Inner]


BARE = [
    Bare(None, None, None, [Inner(None, "y")], {"k": Inner(None, "")}),
    Bare(0, "", Inner(None, ""), [], {}),
]


@pytest.mark.parametrize("target", ["o.json", "o.binpb", "o.avro", "o.parquet", "o.msgpack", "o.demat"])
def test_none_without_a_default_is_copied(tmp_path: Path, target: str) -> None:
    demat.write(tmp_path / "rows.binpb", BARE, Bare)
    assert demat.copy(tmp_path / "rows.binpb", tmp_path / target, list[Bare]).records == 2
    assert list(demat.read(tmp_path / target, Bare)) == BARE


@pytest.mark.parametrize("row", BARE)
def test_none_without_a_default_is_copied_from_text(tmp_path: Path, row: Bare) -> None:
    (tmp_path / "row.txtpb").write_bytes(txtpb.encode(row))
    demat.copy(tmp_path / "row.txtpb", tmp_path / "copy.json", Bare)
    assert demat.json.decode((tmp_path / "copy.json").read_bytes(), Bare) == row


def test_columns_of_none_without_a_default() -> None:
    assert list(proto.columns(proto.encode(BARE, type=list[Bare]), list[Bare]).records(Bare)) == BARE


def test_what_is_required_has_to_come_also_if_it_may_be_none() -> None:
    shape = "[{a!: int? #proto:required}]"
    with pytest.raises(demat.ValidationError, match="expected field `a`"):
        demat.copy(b"\x00", io.BytesIO(), shape, from_="proto", to="json")
