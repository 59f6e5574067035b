"""`demat.writer` to places that take the whole: stores, columns, tables by their names."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Annotated, Any

import demat
import pytest
from demat import Field, store
from own_stores import Plain, Tree


@dataclass
class Item:
    id: int
    name: Annotated[str, Field(max_length=5)] = "a"


ITEMS = [Item(1), Item(2, "é"), Item(3, "c")]
ROWS = [{"id": item.id, "name": item.name} for item in ITEMS]
WHOLE = ("a.parquet", "a.arrow", "a.arrows", "a.db#items")


def test_a_value_of_a_store_is_replaced_when_the_writer_is_closed() -> None:
    own = Tree({"items": "old"})
    demat.scheme("items", own)
    try:
        with demat.writer("items:/items", Item) as writer:
            assert isinstance(writer, demat.StagedWriter)
            writer.write(ITEMS[0])
            with pytest.raises(demat.EncodeError, match=r"\$\[1\]\.id"):
                writer.write(Item("x"))  # type: ignore[arg-type]
            assert writer.write_all(iter(ITEMS[1:])) == 2
            writer.flush()
            assert (writer.count, writer.closed, own.root) == (3, False, {"items": "old"})
        assert (writer.closed, writer.close(), own.root) == (True, 3, {"items": ROWS})
    finally:
        demat.scheme("items", None)
    memory = store.memory()
    with demat.writer(memory, format="csv") as writer:
        writer.write_all(ROWS)
    assert memory.get() == [{"id": str(row["id"]), "name": row["name"]} for row in ROWS]


@pytest.mark.parametrize("name", WHOLE)
def test_columns_and_tables_appear_when_the_writer_is_closed(tmp_path: Path, name: str) -> None:
    place = str(tmp_path / name)
    for kind in (Item, None):
        with demat.writer(place, kind) as writer:
            for item in ITEMS:
                writer.write(item)
            if kind is not None:
                with pytest.raises(demat.EncodeError, match=r"\$\[3\]\.id"):
                    writer.write(Item("x"))  # type: ignore[arg-type]
                assert list(tmp_path.iterdir()) == []
        assert writer.count == 3
        demat.copy(place, tmp_path / "a.json", Item)
        assert demat.json.decode((tmp_path / "a.json").read_bytes(), list[Item]) == ITEMS
        for path in tmp_path.iterdir():
            path.unlink()


@pytest.mark.parametrize("name", WHOLE)
def test_an_error_leaves_the_place_as_it_was(tmp_path: Path, name: str) -> None:
    place = str(tmp_path / name)
    with pytest.raises(KeyError), demat.writer(place, Item) as writer:
        writer.write_all(ITEMS)
        raise KeyError
    assert list(tmp_path.iterdir()) == []
    assert (writer.closed, writer.count) == (True, 3)
    writer.abort()
    for call in (lambda: writer.write(ITEMS[0]), writer.flush, lambda: writer.write_all([])):
        with pytest.raises(RuntimeError, match="closed"):
            call()


def test_options_are_those_of_the_format(tmp_path: Path) -> None:
    @dataclass
    class Moment:
        at: datetime

    place = tmp_path / "a.parquet"
    with demat.writer(place, Moment, naive=True, compression="gzip") as writer:
        writer.write(Moment(datetime(2026, 5, 1, 12)))
    assert place.read_bytes()[:2] == b"\x1f\x8b"
    assert demat.parquet.columns(place).records() == [{"at": datetime(2026, 5, 1, 12)}]
    for options, error, why in (
        ({"indent": 2}, TypeError, 'no option "indent"; it has naive, decimals, compression'),
        ({"compression": "zip"}, ValueError, "compression"),
    ):
        with pytest.raises(error, match=why):
            demat.writer(tmp_path / "b.parquet", **options)  # type: ignore[call-overload]
    with pytest.raises(TypeError, match='sqlite.write has no option "naive"'):
        demat.writer(str(tmp_path / "b.db#t"), naive=True)
    for place, why in (("xx:/a?b=1", "a query says"), ("xx:/a", "not compressed")):
        demat.scheme("xx", Plain())
        try:
            with pytest.raises(ValueError, match=why):
                demat.writer(place, compression="auto" if "?" in place else "gzip")
        finally:
            demat.scheme("xx", None)


def test_a_place_that_refuses_the_whole_says_so_once() -> None:
    class Refusing(Plain):
        def put(self, path: Any, value: Any) -> None:
            raise PermissionError("not now")

    writer = demat.writer(Refusing(), Item)
    writer.write(ITEMS[0])
    with pytest.raises(demat.StoreError, match="not now"):
        writer.close()
    assert writer.closed
    with pytest.raises(RuntimeError, match="given up"):
        writer.close()
    writer.abort()
    assert writer.close() == 1
