"""`examples/archive.py` beside the same answers, from the standard library."""

from __future__ import annotations

import csv
import io
import zipfile
from datetime import date
from pathlib import Path

import pyarrow.parquet
from programs import ended, said


def table(archive: Path, name: str) -> list[dict[str, str]]:
    with zipfile.ZipFile(archive) as opened:
        return list(csv.DictReader(io.StringIO(opened.read(name).decode())))


def test_the_tables_of_an_archive_are_served_and_copied(tmp_path: Path) -> None:
    spoken = said("archive.py", tmp_path)
    archive = tmp_path / "weather.zip"
    wet = [row for row in table(archive, "2025/Oslo.csv") if float(row["rain"]) > 15]
    assert len(wet) > 3
    wettest = max(wet, key=lambda row: float(row["rain"]))["day"]
    rows = table(archive, "2024/Oslo.csv")
    assert spoken == f"Lisbon, Oslo: {len(wet)} wet days in Oslo, the wettest {wettest}\n{len(rows)} days copied\n"
    copied = pyarrow.parquet.read_table(tmp_path / "oslo.parquet").to_pylist()
    assert copied == [
        {"day": date.fromisoformat(row["day"])} | {name: float(row[name]) for name in ("low", "high", "rain")}
        for row in rows
    ]


def test_an_archive_of_ones_own_is_opened(tmp_path: Path) -> None:
    with zipfile.ZipFile(tmp_path / "weather.zip", "w") as archive:
        for year in (2024, 2025):
            archive.writestr(f"{year}/Oslo.csv", "day,low,high,rain\n2025-01-02,0,1,16\n2025-01-03,0,1,17\n")
    assert said("archive.py", tmp_path) == "Oslo: 2 wet days in Oslo, the wettest 2025-01-03\n2 days copied\n"


def test_a_table_that_is_not_there_is_not_found(tmp_path: Path) -> None:
    with zipfile.ZipFile(tmp_path / "weather.zip", "w") as archive:
        archive.writestr("2025/Oslo.csv", "day,low,high,rain\n2025-01-02,0,1,16\n")
    run = ended("archive.py", tmp_path)
    assert run.returncode == 1
    assert "`/2024/Oslo`: not found" in run.stderr.decode()
    assert not (tmp_path / "oslo.parquet").exists()
