"""Records of very many fields, and lists that say no fields."""

import demat
import pytest
from demat import csv, json, ndjson, parquet


def row(count, value=1):
    return {f"c{number}": value for number in range(count)}


@pytest.mark.parametrize("count", [1001, 10_000])
def test_rows_of_many_fields_have_columns(tmp_path, count):
    rows = [row(count), row(count, 2)]
    for module in (json, ndjson):
        columns = module.columns(module.encode(rows))
        assert columns.names[-1] == f"c{count - 1}"
        assert len(columns) == 2
        assert len(module.columns(module.encode(rows[:1])).names) == count
    json.write(tmp_path / "a.json", rows)
    demat.copy(tmp_path / "a.json", tmp_path / "a.parquet")
    assert next(iter(parquet.read(tmp_path / "a.parquet"))) == rows[0]
    if count < 2000:
        demat.copy(tmp_path / "a.json", f"{tmp_path}/a.db#t")
        assert next(iter(demat.read(f"{tmp_path}/a.db#t"))) == rows[0]
    demat.copy(tmp_path / "a.json", tmp_path / "a.csv")
    assert len(csv.columns(tmp_path / "a.csv").names) == count


def test_the_limit_is_named(tmp_path):
    (tmp_path / "a.json").write_bytes(json.encode([row(10_001)]))
    for refused in (
        lambda: json.columns(tmp_path / "a.json"),
        lambda: demat.copy(tmp_path / "a.json", tmp_path / "a.parquet"),
        lambda: demat.copy(tmp_path / "a.json", f"{tmp_path}/a.db#t"),
    ):
        with pytest.raises(demat.EncodeError, match="more than 10000 different keys are taken for maps"):
            refused()


def test_maps_by_key_stay_maps():
    """Where the keys are data, the shape says what all values are."""
    by_id = {f"u{number}": {"name": "x", "age": number, "tags": ["a"]} for number in range(5000)}
    with pytest.raises(demat.EncodeError, match="these are maps"):
        json.columns(json.encode([by_id]))
    with pytest.raises(demat.EncodeError, match="these are maps"):
        json.columns(json.encode(row(1001)))
    growing = [{f"k{batch}_{number}": 1 for number in range(600)} for batch in range(4)]
    with pytest.raises(demat.EncodeError, match="these are maps"):
        json.columns(json.encode(growing))


@pytest.mark.parametrize("to", ["a.parquet", "a.arrow", "a.db#t"])
def test_an_empty_list_says_no_fields(tmp_path, to):
    (tmp_path / "a.json").write_text("[]")
    with pytest.raises(demat.EncodeError, match="empty or mixed: nothing says its fields, so give the type"):
        demat.copy(tmp_path / "a.json", f"{tmp_path}/{to}")
    (tmp_path / "a.json").write_text("[1, 2]")
    with pytest.raises(demat.EncodeError, match="the items of this list are of the shape `int`"):
        demat.copy(tmp_path / "a.json", f"{tmp_path}/{to}")
    (tmp_path / "a.json").write_text("[]")
    demat.copy(tmp_path / "a.json", f"{tmp_path}/{to}", "[{a: int}]")
    assert list(demat.read(f"{tmp_path}/{to}")) == []
