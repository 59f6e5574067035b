"""`examples/citations.py` beside the same rows, read by the standard library."""

from __future__ import annotations

import csv
from datetime import date, datetime
from decimal import Decimal
from pathlib import Path
from typing import Any

import polars
import pyarrow
import pyarrow.parquet
from programs import ended, said


def expected(row: dict[str, str]) -> dict[str, Any]:
    day, clock, expires, fine = (
        row[name] or None for name in ("Issue date", "Issue time", "Plate Expiry Date", "Fine amount")
    )
    return {
        "ticket": int(row["Ticket number"]),
        "issued": clock and datetime.strptime(f"{day} {int(clock):04}", "%Y-%m-%d %H%M"),
        "day": date.fromisoformat(str(day)),
        "meter": row["Meter id"] or None,
        "state": row["RP State Plate"],
        "expires": expires and datetime.strptime(expires, "%Y%m").date(),
        "make": row["Make"] or None,
        "fine": fine and Decimal(fine.removeprefix("$").replace(",", "")),
    }


def test_the_table_has_what_the_city_wrote(tmp_path: Path) -> None:
    spoken = said("citations.py", tmp_path)
    with (tmp_path / "citations.csv").open(newline="") as file:
        rows = [expected(row) for row in csv.DictReader(file)]
    assert len(rows) == 1000
    table = pyarrow.parquet.read_table(tmp_path / "citations.parquet")
    assert table.to_pylist() == rows
    assert table.schema.field("issued").type == pyarrow.timestamp("us")
    assert table.schema.field("fine").type == pyarrow.decimal128(10, 2)
    assert table.schema.field("expires").type == pyarrow.date32()
    for column in ("issued", "meter", "expires", "make", "fine"):
        assert 0 < table.column(column).null_count < 1000
    fines = sum(row["fine"] or 0 for row in rows)
    assert spoken == f"1000 citations, {fines:,} dollars of fines\n"
    assert "$1,068.50" in (tmp_path / "citations.csv").read_text()
    assert polars.read_parquet(tmp_path / "citations.parquet")["fine"].sum() == fines


def test_money_that_is_none_is_told_with_its_column(tmp_path: Path) -> None:
    header = "Ticket number,Issue date,Issue time,Meter id,RP State Plate,Plate Expiry Date,Make,Fine amount\n"
    (tmp_path / "citations.csv").write_text(f"{header}1,2025-01-01,0,,CA,,,$1.00\n2,2025-01-01,59,,CA,,,68\n")
    run = ended("citations.py", tmp_path)
    assert run.returncode == 1
    assert "expected an amount in dollars, found '68' at `$[1][\"Fine amount\"]`" in run.stderr.decode()
    assert not (tmp_path / "citations.parquet").exists()
