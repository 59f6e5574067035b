"""A copy of some rows skips the groups of a Parquet file that have none of them, and nothing else changes."""

from __future__ import annotations

import random
from datetime import UTC, date, datetime, timedelta
from decimal import Decimal
from typing import TYPE_CHECKING, Any

import demat
import pytest

if TYPE_CHECKING:
    from pathlib import Path

pa = pytest.importorskip("pyarrow")
pq = pytest.importorskip("pyarrow.parquet")

BEGIN = datetime(2026, 1, 1, tzinfo=UTC)
TYPES = {
    "n": pa.int64(),
    "u": pa.uint64(),
    "small": pa.int8(),
    "x": pa.float64(),
    "single": pa.float32(),
    "t": pa.string(),
    "large": pa.large_string(),
    "coded": pa.dictionary(pa.int32(), pa.string()),
    "done": pa.bool_(),
    "day": pa.date32(),
    "at": pa.timestamp("us", tz="UTC"),
    "when": pa.timestamp("ns"),
    "price": pa.decimal128(9, 2),
}


def value(name: str, n: int) -> Any:
    """Returns a value of a column: the order of the numbers is that of the values."""
    text = "abcdefgh"[n % 8] * (n % 8 + 1)
    return {
        "n": n - 10,
        "u": n + (2**63 if n > 10 else 0),
        "small": n - 10,
        "x": [float("nan"), -0.0, float("inf")][n] if n < 3 else (n - 10) / 4,
        "single": float("nan") if n == 0 else (n - 10) / 4,
        # Statistics have the beginning of long texts.
        "t": text * (40 if n % 5 == 0 else 1),
        "large": "é" * (n % 3) + text,
        "coded": text,
        "done": n % 2 == 0,
        "day": date(1969, 12, 25) + timedelta(days=n),
        "at": BEGIN + timedelta(seconds=n, microseconds=n % 2),
        "when": BEGIN.replace(tzinfo=None) + timedelta(seconds=n),
        "price": Decimal(n - 10) / 4,
    }[name]


def literal(name: str, n: int) -> str:
    own = value(name, n)
    if name in ("n", "u", "small", "price"):
        return str(own)
    if name in ("x", "single"):
        return repr(own) if own == own and abs(own) < 1e9 else "0"
    if name == "done":
        return str(own).lower()
    return f"'{own.isoformat() if hasattr(own, 'isoformat') else own}'".replace("+00:00", "Z")


def condition(choose: random.Random, depth: int = 0) -> str:
    if depth < 2 and choose.random() < 0.5:
        parts = [condition(choose, depth + 1) for _ in range(choose.randint(1, 3))]
        joined = choose.choice([" and ", " or "]).join(f"({part})" for part in parts)
        return f"not ({joined})" if choose.random() < 0.3 else joined
    name = choose.choice(list(TYPES))
    given = [literal(name, choose.randrange(24)) for _ in range(2)]
    if name == "done":
        return choose.choice(["done", f"done = {given[0]}", "done is null"])
    return f"{name} " + choose.choice(
        [
            f"{choose.choice(['=', '<>', '<', '<=', '>', '>='])} {given[0]}",
            f"between {given[0]} and {given[1]}",
            f"in ({given[0]}, {given[1]})",
            "is null",
            "is not null",
        ]
    )


def table(choose: random.Random, rows: int) -> Any:
    """Returns rows that ascend, descend or do neither, with nulls in some columns."""
    columns = {}
    for name in TYPES:
        numbers = [choose.randrange(24) for _ in range(rows)]
        if choose.random() < 0.7:
            numbers.sort(reverse=choose.random() < 0.3)
        nulls = choose.choice([0, 0, 0.2, 0.9, 1])
        columns[name] = [None if choose.random() < nulls else value(name, n) for n in numbers]
    return pa.table(columns, pa.schema(list(TYPES.items())))


def copied(path: Path, where: str, **options: Any) -> Any:
    target = path.with_suffix(".ndjson")
    try:
        done = demat.copy(path, target, where=where, **options)
    except demat.Error as error:
        return type(error), str(error).replace(path.name, ""), getattr(error, "record", None)
    return done.records, done.rejected, target.read_bytes()


@pytest.mark.parametrize("seed", range(40))
def test_statistics_change_nothing(tmp_path: Path, seed: int) -> None:
    choose = random.Random(seed)
    own = table(choose, choose.randrange(1, 60))
    group = choose.randrange(1, 12)
    # The second file says nothing of its values; the third has statistics of some columns.
    files = [tmp_path / name for name in ("a.parquet", "b.parquet", "c.parquet")]
    for path, statistics in zip(files, [True, False, ["n", "t"]], strict=True):
        pq.write_table(own, path, row_group_size=group, write_statistics=statistics)
    narrow = (
        "n: int, x: float, t: text?, day: date?, at: instant?, done: bool?, price: decimal?, small: int8?, u: uint64?"
    )
    rest = ", single: float32?, large: text?, coded: text?, when: datetime?"
    for _ in range(12):
        where = condition(choose)
        for options in (
            {},
            {"fields": ["n", "t"]},
            {"type": narrow + rest},
            # Refused records keep their numbers.
            {"type": narrow.replace("t: text?", "t: int?"), "on_error": "skip"} if " t " not in f" {where}" else {},
        ):
            try:
                results = [copied(path, where, **options) for path in files]
            except (TypeError, ValueError) as error:
                pytest.fail(f"{where}: {error}")
            assert results[0] == results[1] == results[2], where


def damaged(path: Path, kept: int, **options: Any) -> None:
    """Writes ten groups of a hundred rows, and overwrites the pages of all but one."""
    rows = {"id": list(range(1000)), "text": [f"text {i:03}" for i in range(1000)]}
    pq.write_table(pa.table(rows), path, row_group_size=100, compression="none", use_dictionary=False, **options)
    about = pq.read_metadata(path)
    data = bytearray(path.read_bytes())
    for group in range(about.num_row_groups):
        for column in range(about.num_columns) if group != kept else ():
            chunk = about.row_group(group).column(column)
            start, size = chunk.data_page_offset, chunk.total_compressed_size
            data[start : start + size] = b"\xff" * size
    path.write_bytes(data)


def test_excluded_groups_are_not_unpacked(tmp_path: Path) -> None:
    path = tmp_path / "a.parquet"
    damaged(path, 4)
    for where, records in [
        ("id = 450", 1),
        ("id >= 400 and id < 500", 100),
        ("text = 'text 450'", 1),
        ("not (id < 490 or id > 499)", 10),
        ("id in (410, 420, 5000)", 2),
        ("id > 1000 or id is null", 0),
    ]:
        assert demat.copy(path, tmp_path / "a.csv", where=where).records == records, where
    for where in ("id >= 399", "id = 450 or text like '%7'"):
        with pytest.raises(demat.DecodeError, match="damaged"):
            demat.copy(path, tmp_path / "a.csv", where=where)
    damaged(path, 4, write_statistics=False)
    with pytest.raises(demat.DecodeError, match="damaged"):
        demat.copy(path, tmp_path / "a.csv", where="id = 450")


def test_several_files_skip_their_own_groups(tmp_path: Path) -> None:
    files = [tmp_path / "a.parquet", tmp_path / "b.parquet"]
    for path in files:
        damaged(path, 4)
    for workers in (1, 2):
        copied = demat.copy(files, tmp_path / "c.ndjson", "id: int, text: text", where="id = 450", workers=workers)
        assert copied.records == 2


def test_errors_have_the_numbers_of_the_file(tmp_path: Path) -> None:
    path = tmp_path / "a.parquet"
    damaged(path, 4)
    with pytest.raises(demat.ValidationError) as raised:
        demat.copy(path, tmp_path / "a.ndjson", "id: int, text: int", where="id >= 450 and id < 460")
    assert (raised.value.path, raised.value.record) == ("$[450].text", 451)
    refused: list[Any] = []
    copied = demat.copy(
        path, tmp_path / "a.ndjson", "id: int, text: int", where="id in (450, 452)", on_error="skip",
        rejects=lambda error, _: refused.append((error.path, error.record)),
    )  # fmt: skip
    assert (copied.records, copied.rejected) == (0, 2)
    assert refused == [("$[450].text", 451), ("$[452].text", 453)]
