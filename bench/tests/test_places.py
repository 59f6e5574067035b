"""The jobs of places, over few records."""

import importlib.util
import sys
import tempfile
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent / "places"))

from jobs import Against, Inputs, Job, jobs

# Another bench has a `run` as well.
SPEC = importlib.util.spec_from_file_location("places_run", Path(__file__).parent.parent / "places" / "run.py")
assert SPEC is not None
assert SPEC.loader is not None
run = importlib.util.module_from_spec(SPEC)
SPEC.loader.exec_module(run)


class Jobs(unittest.TestCase):
    """All engines answer alike, and the bars are judged."""

    def test_all_engines_answer_alike(self) -> None:
        with tempfile.TemporaryDirectory() as folder:
            for job in jobs(Inputs(300, Path(folder))):
                with self.subTest(job=job.name):
                    self.assertEqual(run.disagreements(job), [])

    def test_another_answer_is_told(self) -> None:
        job = Job("one", lambda: 1, {"same": Against(lambda: 1), "part": Against(bool), "other": Against(lambda: 2)})
        job.others["part"] = Against(lambda: None)
        self.assertEqual(run.disagreements(job), ["other"])

    def test_bars_are_met_or_missed(self) -> None:
        job = Job("one", int, {"peer": Against(int, least=2.0), "whole": Against(int, most=0.5)})
        self.assertEqual(run.verdicts(job, {"demat": 1.0, "peer": 2.5, "whole": 2.5})[1], True)
        self.assertEqual(run.verdicts(job, {"demat": 1.0, "peer": 1.5, "whole": 2.5})[1], False)
        self.assertEqual(run.verdicts(job, {"demat": 1.0, "peer": 2.5, "whole": 1.5})[1], False)


if __name__ == "__main__":
    unittest.main()
