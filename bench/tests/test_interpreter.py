"""What is not here is said to be missing, what fails is said to have failed, and neither stops the others."""

import os
import unittest
from typing import Any

import interpreter
import table

JOB = {"model": "small-encode", "data": "task.json", "answer": "bytes=58 crc=afcffcfc"}


class Interpreter(unittest.TestCase):
    """Jobs as run.py runs them, on the smallest of the data sets."""

    def run_job(self, here: dict[str, list[str]], **job: Any) -> dict[str, Any]:
        """One round."""
        versions = dict.fromkeys(here, "1")
        done = interpreter.run("job", JOB | job, {"engines": here, "versions": versions}, 1, dict(os.environ))
        table.summarise(done)
        table.progress(done)
        return done

    def test_missing_engines(self) -> None:
        here = {"orjson": ["small-encode"], "demat": ["decode-slots"]}
        done = self.run_job(here, engines=["demat", "orjson", "gone"], bars={"gone": 1.0, "orjson": 1.0})
        self.assertEqual(done["missing"], ["demat", "gone"])
        self.assertEqual(list(done["engines"]), ["orjson"])
        self.assertFalse({"failed", "missed"} & done.keys())

    def test_nobody_is_here(self) -> None:
        self.assertEqual(self.run_job({}, engines=["demat"])["missing"], ["demat"])

    def test_a_wrong_answer_is_a_failure_of_its_engine(self) -> None:
        here = {"orjson": ["small-encode"], "floor": ["small-encode"]}
        done = self.run_job(here, engines=["floor", "orjson"], answer="bytes=59 crc=00000000")
        self.assertEqual(done["engines"], {})
        self.assertIn("orjson: orjson: wrong answer: bytes=58", done["failed"])

    def test_an_engine_that_breaks_stops_no_other(self) -> None:
        here = {"orjson": ["small-encode"], "broken": ["small-encode"]}
        done = self.run_job(here, engines=["broken", "orjson"])
        self.assertEqual(list(done["engines"]), ["orjson"])
        self.assertIn("broken", done["failed"])

    def test_starts(self) -> None:
        job = {"model": "import", "engines": ["demat", "json"], "most_ms": 15}
        done = interpreter.run("job", job, {"engines": {}, "versions": {"demat": "0"}}, 1, {})
        table.summarise(done)
        self.assertEqual(done["missing"], ["demat"])
        self.assertGreater(done["engines"]["json"]["median"], 0)

    def test_leaks_of_what_is_not_here(self) -> None:
        done = interpreter.run("job", {"model": "leaks", "count": 1}, {"engines": {}}, 1, {})
        self.assertEqual(done["missing"], ["demat"])

    def test_processes_are_gathered(self) -> None:
        processes = [
            {"seconds": [9.0, 1.0, 2.0], "cpu": [5.0, 1.0, 2.0], "after": [0.1, 0.3, 0.2], "kept": [0.5, 0.7]},
            {"seconds": [8.0, 3.0, 4.0], "cpu": [1.0, 1.0, 1.0], "after": [0.0, 0.0, 0.0], "kept": [0.9]},
        ]
        for done in processes:
            done["kept_cpu"] = done["kept"]
        one = interpreter.gathered(processes)
        self.assertEqual((one["best"], one["seconds"], one["first"]), (1.0, [2.0, 4.0], [9.0, 8.0]))
        self.assertEqual((one["cpu"], one["after"], one["calls"]), ([2.0, 1.0], [0.2, 0.0], 9))
        self.assertEqual((one["kept"], one["kept_best"], one["kept_cpu"]), ([0.6, 0.9], 0.5, [0.6, 0.9]))
