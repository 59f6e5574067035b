"""Collections of messages: oneofs, enums, defaults of factories, and keys with None."""

from __future__ import annotations

import enum
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Annotated, Any
from urllib.parse import quote

import demat
import pytest
from demat import Field, StoreError, json, lmdb, store

if TYPE_CHECKING:
    from pathlib import Path

ENCODINGS = ["protobuf", "msgpack", "json"]


class Color(enum.Enum):
    RED = "red"
    BLUE = "blue"


class Level(enum.IntEnum):
    LOW = 1
    HIGH = 5


@dataclass
class Circle:
    radius: int


@dataclass
class Square:
    name: str


@dataclass
class Drawn:
    id: int
    shape: Annotated[Circle | Square | None, Field(wire="oneof 3 4")] = None


@dataclass
class Painted:
    id: int
    color: Color = Color.BLUE
    level: Level = Level.LOW
    all: list[Color] = field(default_factory=list)


DRAWN = [Drawn(1, Circle(2)), Drawn(2, Square("")), Drawn(3)]
PAINTED = [Painted(1), Painted(2, Color.RED, Level.HIGH, [Color.RED, Color.BLUE]), Painted(3, Color.RED)]


def _at(name: str) -> str:
    return "/" + quote(name, safe="")


def put(folder: Path, cls: Any, records: list[Any], encoding: str, key: Any = "id") -> None:
    with lmdb.open(folder, sync="off") as env:
        env.collection("all", cls, key=key, encoding=encoding).put_all(records)  # type: ignore[arg-type]


@pytest.mark.parametrize("encoding", ENCODINGS)
@pytest.mark.parametrize(("cls", "records"), [(Drawn, DRAWN), (Painted, PAINTED)])
def test_a_collection_opens_again(tmp_path: Path, encoding: str, cls: Any, records: list[Any]) -> None:
    put(tmp_path, cls, records, encoding)
    for _ in range(2):
        with lmdb.open(tmp_path) as env:
            assert list(env.collection("all", cls).scan()) == records
            assert env.collection("all", cls).columns().records(cls) == records


@pytest.mark.parametrize("encoding", ENCODINGS)
def test_a_oneof_without_its_class(tmp_path: Path, encoding: str) -> None:
    put(tmp_path, Drawn, DRAWN, encoding)
    with lmdb.open(tmp_path) as env:
        untyped: Any = env.collection("all")
        found = list(untyped.scan())
        assert [record.id for record in found] == [1, 2, 3]
        assert found[0].shape.radius == 2
        assert found[1].shape.name == ""
        assert found[2].shape is None
        untyped.put(found[1])
        # What the class made of the stored shape writes is what the own class reads.
        assert list(env.collection("all", Drawn).scan()) == DRAWN
    demat.copy(f"lmdb:{tmp_path}#all", tmp_path / "all.json")
    assert json.decode((tmp_path / "all.json").read_bytes(), list[Drawn]) == DRAWN


@pytest.mark.parametrize("source", ["json", "msgpack", "lmdb"])
@pytest.mark.parametrize(("cls", "records"), [(Drawn, DRAWN), (Painted, PAINTED)])
def test_a_collection_that_a_copy_made(tmp_path: Path, source: str, cls: Any, records: list[Any]) -> None:
    if source == "lmdb":
        put(tmp_path / "there", cls, records, "msgpack")
        place = f"lmdb:{tmp_path}/there#all"
    else:
        place = f"{tmp_path}/all.{source}"
        demat.write(place, records)
    target = f"lmdb:{tmp_path}/env#all"
    for _ in range(2):
        # Into a new collection, and into one that is there.
        assert demat.copy(place, target, cls, to="proto").records == len(records)
        with lmdb.open(tmp_path / "env") as env:
            assert env.collection("all", cls).definition["encoding"] == "proto"
            assert list(env.collection("all", cls).scan())[-len(records) :] == records
    # Into one that the class has made.
    put(tmp_path / "own", cls, [], "protobuf")
    demat.copy(place, f"lmdb:{tmp_path}/own#all", cls)
    with lmdb.open(tmp_path / "own") as env:
        assert list(env.collection("all", cls).scan()) == records


def test_conditions_on_enums_of_messages(tmp_path: Path) -> None:
    put(tmp_path, Painted, PAINTED, "protobuf")
    with lmdb.open(tmp_path) as env:
        painted = env.collection("all", Painted)

        def found(where: str) -> list[int]:
            return [record.id for record in painted.scan(where=where)]

        assert found("color=RED") == found("color=0") == [2, 3]
        assert found("color.ne=RED") == found("color.ne=0") == [1]
        assert found("color.in=RED,1") == [1, 2, 3]
        assert found("level=5") == found("level=HIGH") == [2]
        for where in ("color=red", "color.ne=green", "color=7", "level.in=LOW,2"):
            with pytest.raises(StoreError, match=r"is no value of `(color|level)`: it is `\w+` or `\w+`"):
                found(where)


@pytest.mark.parametrize("encoding", ["msgpack", "json"])
def test_conditions_on_enums_that_are_text(tmp_path: Path, encoding: str) -> None:
    put(tmp_path, Painted, PAINTED, encoding)
    with lmdb.open(tmp_path) as env:
        painted = env.collection("all", Painted)
        assert [record.id for record in painted.scan(where="color=red")] == [2, 3]
        with pytest.raises(StoreError, match="`green` is no value of `color`: it is `red` or `blue`"):
            next(iter(painted.scan(where="color=green")))


@pytest.mark.parametrize("encoding", ENCODINGS)
def test_a_key_that_is_not_that_of_the_record(tmp_path: Path, encoding: str) -> None:
    put(tmp_path, Painted, PAINTED, encoding)
    with lmdb.open(tmp_path) as env:
        painted = env.collection("all", Painted)
        with pytest.raises(StoreError, match="the key is 8, and that of the record's fields is 9"):
            painted.put(Painted(9), key=8)
        assert painted.count() == 3
        assert painted.put(Painted(9), key=9) == 9
        assert painted.update(9, color=Color.RED)
        assert painted.get(9).color is Color.RED  # type: ignore[union-attr]


@dataclass
class Keyed:
    a: str | None
    b: int | None


@pytest.mark.parametrize("encoding", ENCODINGS)
def test_names_of_keys_with_none(tmp_path: Path, encoding: str) -> None:
    records = [Keyed(a, b) for a in (None, "", "null", "\\null", "a,b", "\\") for b in (None, 0, 7)]
    put(tmp_path, Keyed, records, encoding, key=("a", "b"))
    with lmdb.open(tmp_path) as env:
        place = store.of(env.collection("all", Keyed))
        names = place.children()
        assert len(set(names)) == len(records)
        assert "\\null,\\null" in names
        found = [place.get(_at(name)) for name in names]
        assert sorted(repr((row["a"], row["b"])) for row in found) == sorted(repr((own.a, own.b)) for own in records)
        for name in names:
            place.delete(_at(name))
        assert place.children() == []


@dataclass
class One:
    id: str | None
    n: int = 0


@pytest.mark.parametrize("encoding", ENCODINGS)
def test_names_of_one_key_that_may_be_none(tmp_path: Path, encoding: str) -> None:
    put(tmp_path, One, [One(None), One("null"), One("\\null"), One("a,b")], encoding)
    with lmdb.open(tmp_path) as env:
        place = store.of(env.collection("all", One))
        names = place.children()
        assert set(names) == {"\\null", "null", "\\\\null", "a,b"}
        assert [place.get(_at(name))["id"] for name in names] == [None, "\\null", "a,b", "null"]
