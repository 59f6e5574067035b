"""Copies between messages of classes with enums, whose records Python judges."""

import io
from dataclasses import dataclass, field
from enum import Enum, IntEnum, IntFlag
from pathlib import Path
from typing import Any

import demat
import pytest
from demat import proto


class Color(Enum):
    RED = "red"
    BLUE = "blue"


class Level(IntEnum):
    LOW = 1
    HIGH = 2


class Access(IntFlag):
    READ = 1
    WRITE = 2


@dataclass
class Flagged:
    id: int
    color: Color = Color.RED
    level: Level = Level.HIGH
    access: Access = Access.READ


@dataclass
class Made:
    colors: list[Color]
    named: dict[str, Color]
    number: int = field(default_factory=lambda: 3)


@dataclass
class Judged:
    level: Level
    last: Color | None

    def __post_init__(self) -> None:
        if self.level is Level.LOW and self.last is Color.BLUE:
            raise ValueError("not blue")


ROWS: list[list[Any]] = [
    [Flagged(1), Flagged(2, Color.BLUE, Level.LOW, Access.READ | Access.WRITE)],
    [Made([Color.RED, Color.BLUE], {"a": Color.BLUE}, 0), Made([], {})],
    [Judged(Level.HIGH, Color.BLUE), Judged(Level.LOW, None)],
]


@pytest.mark.parametrize("rows", ROWS, ids=lambda rows: type(rows[0]).__name__)
@pytest.mark.parametrize("source", ["rows.binpb", "rows.json", "rows.msgpack", "rows.avro"])
def test_members_are_the_same_in_all_targets(tmp_path: Path, source: str, rows: list[Any]) -> None:
    cls = type(rows[0])
    demat.write(tmp_path / source, rows, cls)
    # Messages behind their lengths are a list.
    type_ = list[cls] if source.endswith(".binpb") else cls
    for target in ("copy.binpb", "copy.json", "copy.msgpack"):
        assert demat.copy(tmp_path / source, tmp_path / target, type_).records == 2
        assert list(demat.read(tmp_path / target, cls)) == rows


def test_a_default_that_names_a_member_is_written_as_the_member() -> None:
    target = io.BytesIO()
    demat.copy(b"[{}]", target, 'c: enum(a, b) = "b"', from_="json", to="proto")
    assert target.getvalue() == b"\x02\x08\x01"


def test_records_are_judged_by_their_members(tmp_path: Path) -> None:
    bad = proto.encode([Judged(Level.HIGH, Color.BLUE)], type=list[Judged]).replace(b"\x08\x02", b"\x08\x01")
    with pytest.raises(demat.ValidationError, match="not blue"):
        demat.copy(bad, tmp_path / "copy.binpb", list[Judged], from_="proto")
    assert not (tmp_path / "copy.binpb").exists()
