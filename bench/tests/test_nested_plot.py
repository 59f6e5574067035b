"""The plot of the nested record: its bars, its title, and a run that has no peers."""

import tempfile
import unittest
from pathlib import Path
from typing import Any

from nested import plot


def row(engine: str, median: float) -> dict[str, Any]:
    """The figures of an engine."""
    time = {"min": median / 2, "median": median}
    return {"format": "JSON", "engine": engine, "bytes": 9, "read": time, "write": time, "is_shared": True}


class NestedPlot(unittest.TestCase):
    """What `demat-bench-nested` writes is drawn."""

    def draw(self, document: dict[str, Any]) -> str:
        """The drawing's texts, as SVG."""
        with tempfile.TemporaryDirectory() as folder, plot.mpl.rc_context({"svg.fonttype": "none"}):
            paths = plot.draw(document, Path(folder))
            self.assertTrue(all(path.stat().st_size > 1000 for path in paths))
            return paths[0].read_text(encoding="utf-8")

    def test_bars_and_title(self) -> None:
        cell = {"format": "JSON", "job": "read", "ratio": 2.5, "peer": "other"}
        summary = {"worst": cell, "geometric_mean": 2.5}
        rows = [row("demat", 400), row("other", 1000)]
        document = {"record": "nested", "rows": rows, "cells": [cell], "summary": summary}
        text = self.draw(document)
        for part in (
            "The nested record, Demat beside the fastest peer: worst 2.50 (read JSON, other), geometric mean 2.50",
            "2.50 (400 ns)",
            "other, 9 B",
            "1.00 (1,000 ns)",
        ):
            self.assertIn(part, text)

    def test_no_peers(self) -> None:
        self.assertIn(
            "demat, 9 B", self.draw({"record": "control", "rows": [row("demat", 400)], "cells": [], "summary": None})
        )
