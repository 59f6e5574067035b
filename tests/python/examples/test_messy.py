"""`examples/messy.py` beside the same table, read by the standard library."""

from __future__ import annotations

import csv
import json
from decimal import Decimal
from pathlib import Path
from typing import Any

from programs import said

COLUMNS = ["Nr", "Bezeichnung", "Notiz", "Preis (€)", "Gezählt am"]


def cells(path: Path) -> list[list[str]]:
    with path.open(encoding="cp1252", newline="") as file:
        return list(csv.reader(file, delimiter=";"))[1:]


def lines(path: Path) -> list[Any]:
    return [json.loads(line, parse_float=Decimal) for line in path.read_text("utf-8").splitlines()]


def reasons(row: list[str]) -> list[str]:
    """What a row of the program's own table is refused for."""
    if len(row) < 5:
        return ["expected 5 cells, found 3 cells"]
    found = []
    if row[0].startswith("x"):
        found.append(f"expected `int`, found `{row[0]}`")
    if row[0] == "0":
        found += ["expected a value >= 1, found `0`", "expected a length of at least 1, found a length of 0"]
    if row[3] == "teuer":
        found.append("expected an amount such as 1.234,50, found 'teuer'")
    if row[4] == "31.02.2026":
        found.append("day is out of range for month")
    return found


def test_good_rows_are_kept_and_bad_ones_told(tmp_path: Path) -> None:
    spoken = said("messy.py", tmp_path)
    table = cells(tmp_path / "stock.csv")
    assert len(table) == 200
    good = [row for row in table if not reasons(row)]
    # To the csv module an empty cell is an empty text, quoted or not.
    assert [
        (row["number"], row["label"], row["note"] or "", row["price"], row["counted"])
        for row in lines(tmp_path / "stock.ndjson")
    ] == [
        (
            int(row[0]),
            row[1],
            row[2].replace("\r\n", "\n"),
            Decimal(row[3].replace(".", "").replace(",", ".")),
            "-".join(reversed(row[4].split("."))) or None,
        )
        for row in good
    ]
    rejects = lines(tmp_path / "rejects.ndjson")
    assert [(reject["record"], reject["reasons"]) for reject in rejects] == [
        (number, reasons(row)) for number, row in enumerate(table, 1) if reasons(row)
    ]
    assert spoken == f"{len(good)} rows kept, {len(rejects)} refused\n"
    assert (len(good), len(rejects)) == (180, 20)


def test_rejects_have_their_text_and_their_line(tmp_path: Path) -> None:
    said("messy.py", tmp_path)
    text = (tmp_path / "stock.csv").read_bytes().decode("cp1252")
    rejects = lines(tmp_path / "rejects.ndjson")
    for reject in rejects:
        assert f"\n{reject['text']}\r\n" in text
        begins = text.index(f"\n{reject['text']}\r\n") + 1
        # That of the cell at fault, which may stand behind a note of two lines.
        first = text.count("\n", 0, begins) + 1
        assert first <= reject["line"] <= first + reject["text"].count("\n")


def test_an_empty_cell_is_unknown_and_a_quoted_one_is_empty(tmp_path: Path) -> None:
    header = ";".join(COLUMNS)
    rows = ["1;Öl;;1,00;", '2;Öl;"";1,00;', '3;Öl;"é ""ü""";1.000.000,05;01.01.2026']
    (tmp_path / "stock.csv").write_bytes("\r\n".join([header, *rows, ""]).encode("cp1252"))
    assert said("messy.py", tmp_path) == "3 rows kept, 0 refused\n"
    assert lines(tmp_path / "stock.ndjson") == [
        {"number": 1, "label": "Öl", "note": None, "price": Decimal("1.00"), "counted": None},
        {"number": 2, "label": "Öl", "note": "", "price": Decimal("1.00"), "counted": None},
        {"number": 3, "label": "Öl", "note": 'é "ü"', "price": Decimal("1000000.05"), "counted": "2026-01-01"},
    ]
    assert (tmp_path / "rejects.ndjson").read_bytes() == b""
