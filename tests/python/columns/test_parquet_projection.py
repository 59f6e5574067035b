"""A copy from Parquet reads the columns that it needs, and no others: their bytes may be damaged."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated

import demat
import pytest
from demat import Field

if TYPE_CHECKING:
    from pathlib import Path

pa = pytest.importorskip("pyarrow")
pq = pytest.importorskip("pyarrow.parquet")

ROWS = 1000


@dataclass
class Some:
    id: int
    text: str


@dataclass
class Kept:
    id: int
    rest: Annotated[dict[str, object], Field(rest=True)]


def damaged(path: Path, *columns: str) -> None:
    """Overwrites the pages of columns in a file with groups of rows."""
    names = ["id", "text", "n"]
    table = pa.table(
        {"id": list(range(ROWS)), "text": [f"text {i}" for i in range(ROWS)], "n": [i * 0.5 for i in range(ROWS)]}
    )
    pq.write_table(table, path, row_group_size=300, compression="none", use_dictionary=False)
    about = pq.read_metadata(path)
    data = bytearray(path.read_bytes())
    for group in range(about.num_row_groups):
        for name in columns:
            column = about.row_group(group).column(names.index(name))
            start, size = column.data_page_offset, column.total_compressed_size
            data[start : start + size] = b"\xff" * size
    path.write_bytes(data)


def lines(path: Path) -> list[str]:
    return path.read_text().splitlines()


def test_chosen_fields_are_read_alone(tmp_path: Path) -> None:
    source, target = tmp_path / "a.parquet", tmp_path / "a.ndjson"
    damaged(source, "n")
    demat.copy(source, target, fields=["text", "id"])
    assert lines(target)[999] == '{"id":999,"text":"text 999"}'
    demat.copy(source, target, fields=["id"], where="text = 'text 7'", rename={"id": "number"})
    assert lines(target) == ['{"number":7}']
    demat.copy(source, target, "id: int, text: text, other: int?")
    assert len(lines(target)) == ROWS
    demat.copy(source, target, Some)
    assert lines(target)[0] == '{"id":0,"text":"text 0"}'


def test_what_a_condition_compares_is_read(tmp_path: Path) -> None:
    source = tmp_path / "a.parquet"
    damaged(source, "n")
    for fields, where in ((["id"], "n > 3"), (["n"], None), (None, None)):
        with pytest.raises(demat.DecodeError):
            demat.copy(source, tmp_path / "a.ndjson", fields=fields, where=where)


def test_a_shape_that_sees_all_fields_reads_all(tmp_path: Path) -> None:
    source, target = tmp_path / "a.parquet", tmp_path / "a.ndjson"
    damaged(source)
    with pytest.raises(demat.ValidationError, match="text"):
        demat.copy(source, target, "id: int, !")
    demat.copy(source, target, Kept)
    assert lines(target)[2] == '{"id":2,"text":"text 2","n":1.0}'


def test_other_places_give_the_same(tmp_path: Path) -> None:
    source = tmp_path / "a.parquet"
    damaged(source)
    for place in (source.read_bytes(), source):
        target = tmp_path / "a.csv"
        demat.copy(place, target, from_="parquet", fields=["n", "id"])
        assert sorted(lines(target)[0].split(",")) == ["id", "n"]
    demat.copy(source, tmp_path / "b.parquet", fields=["id"])
    assert pq.read_table(tmp_path / "b.parquet").column_names == ["id"]


@dataclass
class Renamed:
    id: int
    title: Annotated[str, Field(read=["headline", "text"])]


def test_a_column_of_an_earlier_name_is_read(tmp_path: Path) -> None:
    path = tmp_path / "x.parquet"
    damaged(path, "n")
    assert demat.copy(path, tmp_path / "y.ndjson", Renamed).records == ROWS
    assert list(demat.read(tmp_path / "y.ndjson", Renamed))[5] == Renamed(5, "text 5")


def test_objects_of_a_class_need_its_columns_alone(tmp_path: Path) -> None:
    path = tmp_path / "x.parquet"
    damaged(path, "n")
    expected = [Some(i, f"text {i}") for i in range(ROWS)]
    assert list(demat.parquet.read(path, Some)) == expected
    assert list(demat.read(path, Some)) == expected
    assert [one for many in demat.parquet.read(path.read_bytes(), Some, batch=300) for one in many] == expected
    assert list(demat.parquet.read(path, Renamed))[5] == Renamed(5, "text 5")
    columns = demat.parquet.columns(path, Some)
    assert (columns.names, len(columns)) == (("id", "text"), ROWS)
    assert sum(len(batch) for batch in demat.parquet.columns(path, Some, batch_size=300)) == ROWS
    # The others are needed by dicts, and by a class that keeps them.
    for read in (
        lambda: list(demat.parquet.read(path)),
        lambda: list(demat.parquet.read(path, Kept)),
        lambda: demat.parquet.columns(path),
    ):
        with pytest.raises(demat.DecodeError):
            read()


def test_a_class_without_a_column_of_the_file_reads_its_rows(tmp_path: Path) -> None:
    @dataclass
    class Other:
        other: int = 7

    path = tmp_path / "x.parquet"
    damaged(path)
    assert list(demat.parquet.read(path, Other)) == [Other()] * ROWS
