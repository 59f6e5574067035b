"""The jobs of definitions/python.toml and proto.toml name what there is."""

import unittest

import answers
import engines
import starts
from definition import DATA_SETS, load
from models import MODELS

JOBS = load("python") | load("proto")


class Definitions(unittest.TestCase):
    """Names agree between the definitions and the programs."""

    def test_data_models_and_answers(self) -> None:
        for name, job in JOBS.items():
            with self.subTest(name):
                if "data" in job:
                    self.assertIn(job["data"], DATA_SETS)
                    self.assertIn(job["model"], MODELS)
                    self.assertIn(job["model"], answers.MODELS)
                    self.assertTrue(job["answer"])
                elif job["model"] != "leaks":
                    self.assertLessEqual({*job["engines"]}, {*starts.SCRIPTS[job["model"]]})

    def test_every_engine_can_do_what_it_is_asked(self) -> None:
        found, missing = engines.load()
        self.assertLessEqual(
            missing.keys(), {"engine_demat", "engine_demat_proto"}, "a peer or the floors are not here"
        )
        asked = {name for job in JOBS.values() if "data" in job for name in job["engines"]}
        self.assertEqual(asked - {"demat"}, found.keys() - {"demat"})
        for name, job in JOBS.items():
            for engine in job["engines"] if "data" in job else ():
                if engine in found:
                    with self.subTest(f"{name}: {engine}"):
                        self.assertIn(job["model"], found[engine])

    def test_bars_speak_of_engines_in_the_job(self) -> None:
        for name, job in JOBS.items():
            with self.subTest(name):
                self.assertLessEqual({*job.get("bars", ())}, {*job["engines"]})
                self.assertTrue("over_floor" not in job or "floor" in job["engines"])
