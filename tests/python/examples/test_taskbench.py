"""`examples/taskbench.py` with a tenth of what it loads at least."""

from __future__ import annotations

import re
import sqlite3
from contextlib import closing
from pathlib import Path

from programs import said


def test_all_tasks_are_there(tmp_path: Path) -> None:
    assert re.fullmatch(r"1,000,000 tasks: [\d,]+ a minute\n", said("taskbench.py", 1, folder=tmp_path))
    with closing(sqlite3.connect(tmp_path / "tasks.db")) as database:
        rows = database.execute("select title, done, count(*), min(id), max(id) from tasks group by title, done")
        assert rows.fetchall() == [("Check Twitter", 1, 500_000, 2, 1_000_000), ("Clean Room", 0, 500_000, 1, 999_999)]
        assert database.execute("pragma integrity_check").fetchall() == [("ok",)]
