"""Ratios, means, the worst cell, floors and heat maps."""

import json
import tempfile
import unittest
import xml.etree.ElementTree
from pathlib import Path
from typing import Any

import bars
import floor
import table
from zoo import __main__ as zoo
from zoo import heatmap, report, score
from zoo.kinds.shapes import Link


def cell(kind: str, job: str, demat: float, *peers: float, floor: float | None = None) -> dict[str, Any]:
    """A cell's rounds as a worker gives them."""
    times = {"demat": demat} | {f"peer{at}": peer for at, peer in enumerate(peers)}
    times |= {} if floor is None else {"floor": floor}
    rounds = {
        name: {"rounds": [{"seconds": [t, 2 * t, t], "cpu": [t] * 3, "held_kib": 100, "peak_kib": 200}]}
        for name, t in times.items()
    }
    return {"kind": kind, "job": job, "engines": rounds}


def document(*cells: dict[str, Any]) -> dict[str, Any]:
    """A run."""
    made: dict[str, Any] = {"cells": [], "missing": {}, "failed": [], "uncovered": [], "cannot": [], "size": "quick"}
    made["machine"] = {"cpu": "cpu", "cores": 2, "load": 0.0, "versions": {"x": "1"}}
    for one in cells:
        zoo.gather(one["kind"], {one["job"]: one["engines"]}, made)
    made["summary"] = score.summary(made["cells"])
    made["cpu_summary"] = score.summary(made["cells"], "cpu_ratio")
    made["beside"] = score.beside(made["cells"])
    return made


class Score(unittest.TestCase):
    """Figures from seconds."""

    def test_the_geometric_mean(self) -> None:
        self.assertAlmostEqual(score.geometric_mean([2.0, 0.5]), 1.0)
        self.assertAlmostEqual(score.geometric_mean([1.0, 10.0, 100.0]), 10.0)
        self.assertIsNone(score.geometric_mean([]))

    def test_the_summary(self) -> None:
        made = document(
            cell("ints", "json/decode", 1.0, 2.0, 9.0),
            cell("texts", "json/decode", 1.0, 8.0),
            cell("ints", "json/encode", 2.0, 1.0),
            cell("texts", "json/encode", 1.0),
        )
        overall, jobs = made["summary"]["overall"], made["summary"]["jobs"]
        self.assertEqual(overall["worst"], {"job": "json/encode", "kind": "ints", "fastest": "peer0", "ratio": 0.5})
        self.assertAlmostEqual(overall["geometric_mean"], 2.0)
        self.assertEqual((overall["cells"], overall["slower"]), (3, 1))
        self.assertAlmostEqual(jobs["json/decode"]["geometric_mean"], 4.0)
        beside = made["beside"]["json/decode"]["peer0"]
        self.assertAlmostEqual(beside["geometric_mean"], 4.0)
        self.assertEqual((beside["cells"], beside["worst"]), (2, {"ratio": 2.0, "kind": "ints"}))
        text = report.markdown(made)
        self.assertIn("| json/decode | peer0 | 2.00 | ints | 4.00 | 2 |", text)
        row = "**0.50** | json/encode of ints, peer0 | **2.00** | 1 of 3 | 0.50 | json/encode of ints | 2.00 |"
        self.assertIn(f"| **all** | {row}", text)
        self.assertIn("| ints | 2.00 | 0.50 |", text)
        self.assertLess(text.index("worst cell"), text.index("| kind |"))
        json.dumps(made)

    def test_floors_are_no_peers(self) -> None:
        made = document(cell("ints", "json/decode", 1.0, 2.0, floor=0.5))
        self.assertEqual((made["cells"][0]["ratio"], made["failed"]), (2.0, []))

    def test_a_slow_floor_fails(self) -> None:
        made = document(cell("ints", "json/decode", 1.0, 2.0, floor=2.5))
        self.assertEqual(made["failed"], ["json/decode of ints: the floor takes 1.25× the time of peer0"])
        self.assertEqual(document(cell("ints", "json/decode", 1.0, 2.0, floor=2.1))["failed"], [])

    def test_a_slow_floor_fails_the_other_jobs_too(self) -> None:
        times = {"demat": 0.1, "quick": 0.15, "floor": 0.2}
        engines = {name: {"seconds": [t]} for name, t in times.items()}
        result = {"name": "job", "bytes": 1, "missing": [], "engines": engines}
        table.summarise(result)
        self.assertEqual(result["failed"], "the floor takes 1.33× the time of quick")
        self.assertIsNone(bars.slow_floor({"quick": {"min": 1.0}}))

    def test_demat_below_a_floor_is_said(self) -> None:
        made = document(cell("ints", "json/decode", 1.0, 4.0, floor=2.0))
        self.assertEqual((made["failed"], made["cells"][0]["below_floor"]), ([], 2.0))
        self.assertIn("below the floor: json/decode of ints: Demat is 2.00× as fast", report.markdown(made))

    def test_what_is_missing_or_failed_is_said(self) -> None:
        made = document(cell("ints", "json/decode", 1.0, 2.0))
        broken = {"gone": {"rounds": [], "failed": "not here: no module"}, "bad": {"rounds": [], "failed": "wrong"}}
        zoo.gather("ints", {"json/encode": broken}, made)
        self.assertEqual(
            (made["missing"], made["failed"]), ({"gone": "not here: no module"}, ["json/encode of ints: bad: wrong"])
        )

    def test_memory(self) -> None:
        engines = {"demat": {"held_kib": 10, "peak_kib": 40}, "peer": {"held_kib": 20, "peak_kib": 20}}
        self.assertEqual(score.memory_ratio("json/decode", engines), 2.0)
        self.assertEqual(score.memory_ratio("json/read", engines), 0.5)
        self.assertIsNone(score.memory_ratio("json/encode", engines))


class HeatMap(unittest.TestCase):
    """The picture."""

    def test_it_is_drawn(self) -> None:
        made = document(cell("ints", "json/decode", 1.0, 2.0), cell("texts", "json/encode", 9.0, 1.0))
        with tempfile.TemporaryDirectory() as name:
            svg, png = heatmap.draw(made, Path(name))
            self.assertEqual(xml.etree.ElementTree.parse(svg).getroot().tag, "{http://www.w3.org/2000/svg}svg")
            self.assertEqual(png.read_bytes()[:4], b"\x89PNG")
            first = svg.read_bytes()
            heatmap.draw(made, Path(name))
            self.assertEqual(svg.read_bytes(), first)
            self.assertEqual(heatmap.draw(document(cell("ints", "json/decode", 1.0)), Path(name)), [])


class Floor(unittest.TestCase):
    """floor.c's copies of instances."""

    def test_instances(self) -> None:
        floor.register(Link, ("value", "next"))
        floor.register(Link, ("value", "next"))
        value = [Link(1, Link(1 << 70, None)), Link(2)]
        made = floor.copy(value)
        self.assertEqual(made, value)
        self.assertIsNot(made[0].next, value[0].next)

        class Other:
            __slots__ = ("field",)

        with self.assertRaises(TypeError):
            floor.register(Other, ("__init__",))
        with self.assertRaises(AttributeError):
            floor.register(Other, ("nothing",))
