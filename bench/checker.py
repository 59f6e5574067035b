"""Fingerprints a converted file, whoever wrote it and however it is spelled: python checker.py PATH

A program of its own, since it holds the file in memory and the process that measures must stay small. Column order,
quoting, line ends, spaces and numbers written as text don't count; values and the order of rows do.
"""

import csv
import json
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from answers import rows


def spelled(path: Path) -> Iterable[dict[str, Any]]:
    """The rows as they stand, by the path's last ending."""
    with path.open(encoding="utf-8", newline="") as file:
        if path.suffix == ".csv":
            yield from csv.DictReader(file, strict=True)
        elif path.suffix == ".ndjson":
            yield from map(json.loads, file)
        else:
            yield from json.load(file)


def normal(row: dict[str, Any]) -> tuple[int, int, str]:
    """The typed record; a missing or surplus column is an error."""
    if len(row) != 3:
        raise SystemExit(f"wrong columns: {row}")
    return int(row["hi"]), int(row["there"]), row["comment"]


if __name__ == "__main__":
    print(rows(map(normal, spelled(Path(sys.argv[1])))))
