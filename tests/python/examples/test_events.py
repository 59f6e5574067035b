"""`examples/events.py` beside the same sums, done by the standard library."""

from __future__ import annotations

import csv
import json
from collections import defaultdict
from datetime import datetime
from decimal import Decimal
from pathlib import Path
from typing import Any

import pyarrow
import pyarrow.parquet
from programs import ended, said


def rows_of(events: Path) -> list[dict[str, Any]]:
    found = []
    for line in events.read_text().splitlines():
        event = json.loads(line, parse_float=Decimal)
        found += [
            {
                "event": event["id"],
                "at": datetime.fromisoformat(event["at"]),
                "country": event["user"]["country"],
                "sku": item["sku"],
                "quantity": item["quantity"],
                "amount": item["quantity"] * Decimal(item["price"]),
            }
            for item in event["action"].get("items", [])
        ]
    return found


def test_each_item_is_a_row_and_totals_are_right(tmp_path: Path) -> None:
    spoken = said("events.py", tmp_path)
    expected = rows_of(tmp_path / "events.ndjson")
    assert len(expected) > 1000

    table = pyarrow.parquet.read_table(tmp_path / "sales.parquet")
    assert table.to_pylist() == expected
    assert table.schema.field("amount").type == pyarrow.decimal128(12, 2)
    assert table.schema.field("at").type == pyarrow.timestamp("us", "UTC")

    totals: dict[str, list[Any]] = defaultdict(lambda: [0, Decimal(0)])
    for row in expected:
        totals[row["country"]][0] += row["quantity"]
        totals[row["country"]][1] += row["amount"]
    with (tmp_path / "totals.csv").open(newline="") as file:
        written = {row["country"]: [int(row["quantity"]), Decimal(row["amount"])] for row in csv.DictReader(file)}
    assert written == totals
    assert list(written) == sorted(written)
    assert spoken == f"{len(expected)} items sold to 3 countries\n"


def test_an_event_that_is_wrong_is_told_with_its_place_and_leaves_no_table(tmp_path: Path) -> None:
    user = '"user": {"id": 1, "country": "DE"}'
    good = f'{{"id": 1, "at": "2026-03-01T00:00:00Z", {user}, "action": {{"kind": "view", "path": "/"}}}}'
    bad = good.replace('"view", "path": "/"', '"purchase", "items": [{"sku": "P1", "quantity": 0, "price": 1}]')
    (tmp_path / "events.ndjson").write_text(f"{good}\n{bad}\n")
    run = ended("events.py", tmp_path)
    assert run.returncode == 1
    assert "expected a value >= 1, found `0` at `$[1].action.items[0].quantity` (" in run.stderr.decode()
    assert "record 2, line 2, " in run.stderr.decode()
    assert sorted(path.name for path in tmp_path.iterdir()) == ["events.ndjson"]
