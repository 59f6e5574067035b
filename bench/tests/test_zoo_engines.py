"""Every engine of the zoo gives the right answer on every kind, and the worker says so where one does not."""

import json
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path
from typing import Any

from tests import BENCH
from zoo import answers
from zoo.definition import plans
from zoo.engines import MODULES, load
from zoo.inputs import Inputs, Work
from zoo.kinds import KINDS

ROWS = 30


def worker(**asked: Any) -> dict[str, Any]:
    """A kind's process."""
    given = {"count": ROWS, "formats": ["json"], "rounds": 2, "calls": 1, "enough": 0.001, "loop": 0.0005} | asked
    command = [sys.executable, "-m", "zoo.worker", json.dumps(given)]
    done = subprocess.run(command, cwd=BENCH, capture_output=True, text=True, check=False)
    if done.returncode:
        raise AssertionError(done.stderr)
    return json.loads(done.stdout)


class Engines(unittest.TestCase):
    """All cells in this process, without a clock."""

    @classmethod
    def setUpClass(cls) -> None:
        cls.engines, cls.missing = {}, {}
        for name in MODULES:
            try:
                cls.engines[name] = load(name)
            except ImportError as error:
                cls.missing[name] = str(error)

    def test_all_are_here(self) -> None:
        self.assertLessEqual(self.missing.keys(), {"demat", "demat-fresh"}, self.missing)

    def test_every_engine_answers_right(self) -> None:
        for plan in plans("quick"):
            with tempfile.TemporaryDirectory() as folder:
                inputs = Inputs(KINDS[plan.kind], 1 if KINDS[plan.kind].single else ROWS, plan.formats, Path(folder))
                for job, engines in plan.jobs.items():
                    for engine in engines if not job.startswith("rust/") else ():
                        if engine in self.engines:
                            with self.subTest(f"{job} of {plan.kind}: {engine}"):
                                work = self.engines[engine][job](inputs)
                                answers.check(job, work.call(work.given), inputs, work, full=True)


class Worker(unittest.TestCase):
    """A kind's process, and those that it forks."""

    def test_cells_are_measured(self) -> None:
        jobs = {"json/decode": ["msgspec-struct", "floor"], "json/read": ["msgspec-struct"], "json/untyped": ["json"]}
        cells = worker(kind="nested", jobs=jobs)["cells"]
        self.assertEqual({job: [*engines] for job, engines in cells.items()}, jobs)
        for engines in cells.values():
            for one in engines.values():
                self.assertNotIn("failed", one)
                self.assertEqual(len(one["rounds"]), 2)
                self.assertTrue(all(seconds > 0 for done in one["rounds"] for seconds in done["seconds"]))

    def test_memory_is_measured(self) -> None:
        if not Path("/proc/self/smaps_rollup").exists():
            self.skipTest("the system says nothing of memory")
        cells = worker(kind="records", count=20_000, jobs={"json/untyped": ["json"], "json/read": ["msgspec-struct"]})
        one = cells["cells"]["json/untyped"]["json"]["rounds"][0]
        # A dict of three values takes 232 bytes and more.
        self.assertGreater(one["held_kib"], 4_000)
        self.assertGreaterEqual(one["peak_kib"], one["held_kib"])

    def test_a_kind_without_json(self) -> None:
        one = worker(kind="quoted", formats=["csv"], jobs={"csv/decode": ["csv", "floor"]})["cells"]["csv/decode"]
        self.assertFalse([name for name, engine in one.items() if "failed" in engine])

    def test_small_messages(self) -> None:
        one = worker(kind="message-40b", count=1, jobs={"small/decode": ["msgspec-struct"]})["cells"]["small/decode"]
        self.assertLess(one["msgspec-struct"]["rounds"][0]["seconds"][0], 0.0005)

    def test_what_fails_stops_no_other(self) -> None:
        cells = worker(kind="huge-ints", jobs={"json/untyped": ["orjson", "json"], "csv/decode": ["orjson"]})["cells"]
        self.assertIn("record 0: found", cells["json/untyped"]["orjson"]["failed"])
        self.assertEqual(len(cells["json/untyped"]["json"]["rounds"]), 2)
        self.assertEqual(cells["csv/decode"]["orjson"]["failed"], "orjson has no csv/decode")


class Answers(unittest.TestCase):
    """Wrong answers are told."""

    def wrong(self, job: str, result: Any, kind: str = "ints") -> str:
        """What is said of an answer."""
        with tempfile.TemporaryDirectory() as folder, self.assertRaises(answers.AnswerError) as raised:
            inputs = Inputs(KINDS[kind], 5, ["json", "csv"], Path(folder))
            answers.check(job, result(inputs), inputs, Work(None, None), full=True)
        return str(raised.exception)

    def test_each_check(self) -> None:
        self.assertIn("4 records", self.wrong("json/decode", lambda inputs: inputs.values[:4]))
        self.assertIn("4 records", self.wrong("json/read", lambda inputs: iter(inputs.values[:4])))
        self.assertIn(
            "record 1", self.wrong("json/encode", lambda inputs: inputs.texts["json"].replace(b'"a":1', b'"a":7'))
        )
        self.assertIn(
            "other types",
            self.wrong(
                "json/untyped",
                lambda inputs: [one | {"a": bool(one["a"])} if one["a"] < 2 else one for one in inputs.plain],
            ),
        )
        self.assertIn(
            "record 1", self.wrong("csv/encode", lambda inputs: inputs.texts["csv"].replace(b"\n1,", b"\n7,"))
        )
