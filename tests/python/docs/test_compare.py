"""The page that compares: each `yes` of Demat names a test, and the test is there."""

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[3]
ROWS = [
    [cell.strip() for cell in line.strip().strip("|").split("|")]
    for line in (ROOT / "docs" / "compare.md").read_text().splitlines()
    if line.startswith("| ") and not line.startswith("| |")
]


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row[0])
def test_a_yes_has_a_test(row: list[str]) -> None:
    said, named = row[1], re.fullmatch(r"`([\w/.-]+)::(\*|\w+)`", row[-1])
    assert named or said != "yes", "it names no test"
    if named:
        path, name = named.groups()
        text = (ROOT / path).read_text()
        word = r"(test_|fn )\w+" if name == "*" else rf"\b(def|fn) {name}\b"
        assert re.search(word, text), f"{path} has no test {name}"
        skips = re.findall(rf"@pytest.mark.(?:skip|xfail)\([^\n]*\)\n(?:@[^\n]*\n)*(?:async )?def {name}\b", text)
        assert not skips, f"{path}::{name} does not run"


def test_each_table_has_rows() -> None:
    assert sum(row[1] == "yes" for row in ROWS) > 60
