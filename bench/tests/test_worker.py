"""A worker measures, and a wrong answer ends it."""

import itertools
import json
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

import answers
import data
import engines
from models import MODELS
from tests import BENCH

WORKER = BENCH / "python" / "worker.py"
ROWS = 1200
# Who makes the data of each model of messages.
MESSAGES = {
    "proto-last": "short_record",
    "proto-decode-record": "short_record",
    "proto-decode-three": "three",
    "proto-encode-record": "short_record",
    "proto-encode-three": "three",
    "proto-numbers": "numbers",
    "proto-numbers-asarray": "numbers",
    "proto-nested": "nested",
    "proto-scan": "long_records",
    "proto-columns": "short_records",
    "proto-columns-one": "short_records",
    "proto-json": "short_records",
}


def worker(*arguments: object) -> subprocess.CompletedProcess[str]:
    """A process of its own, as in a run."""
    command = [sys.executable, WORKER, *map(str, arguments)]
    return subprocess.run(command, capture_output=True, text=True, check=False)


class Worker(unittest.TestCase):
    """Every engine on a small input."""

    @classmethod
    def setUpClass(cls) -> None:
        folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(folder.cleanup)
        cls.files = {name: Path(folder.name) / f"records.{name}" for name in ("json", "ndjson", "csv")}
        for name, path in cls.files.items():
            path.write_text("".join(data.MAKERS[f"records_{name}"](ROWS)), encoding="utf-8")
        cls.files["stops"] = Path(folder.name) / "stop_times.csv"
        cls.files["stops"].write_text("".join(data.stop_times(30)), encoding="utf-8")
        for model, name in MESSAGES.items():
            cls.files[model] = Path(folder.name) / name
            cls.files[model].write_bytes(b"".join(data.MAKERS[name](ROWS)))
        cls.files["task"] = Path(folder.name) / "task.json"
        cls.files["task"].write_text("".join(data.task_json(1)), encoding="utf-8")

    def file(self, model: str) -> Path:
        """The input of a model."""
        if model in MESSAGES:
            return self.files[model]
        kind = model.split("-")[0]
        return self.files[kind if kind in ("ndjson", "csv", "stops") else "task" if kind == "small" else "json"]

    def test_every_engine_answers_right(self) -> None:
        for engine, models in engines.load()[0].items():
            # Each process takes a second and more: one by one for what differs, the others are measured in every run.
            for model in itertools.islice(models, 0, None, 6):
                with self.subTest(f"{engine}: {model}"):
                    path = self.file(model)
                    done = worker("job", model, engine, path, ROWS, answers.MODELS[model](path))
                    self.assertEqual(done.returncode, 0, done.stderr)
                    measured = json.loads(done.stdout)
                    self.assertTrue(all(seconds > 0 for seconds in measured["seconds"]))
                    self.assertEqual(not measured["kept"], MODELS[model].small)

    def test_a_wrong_answer_is_told(self) -> None:
        for model, engine in (("decode-slots", "json-construct"), ("small-encode", "json-construct")):
            done = worker("job", model, engine, self.file(model), ROWS, "rows=1199 crc=00000000")
            self.assertEqual(done.returncode, 1)
            self.assertIn("wrong answer", done.stderr)

    def test_the_class_is_part_of_the_answer(self) -> None:
        from shapes import DictRecord, Record

        with self.assertRaises(TypeError):
            MODELS["decode-slots"].answer([Record(1, 2, ""), DictRecord(1, 2, "")], Record)

    def test_what_is_here(self) -> None:
        here = json.loads(worker("engines").stdout)
        self.assertIn("decode-untyped", here["engines"]["json"])
        self.assertIn("CPython", here["versions"])


class Answers(unittest.TestCase):
    """Fingerprints tell apart what must be told apart."""

    def test_values(self) -> None:
        values = [
            1,
            1.0,
            True,
            "1",
            None,
            [],
            {},
            [1],
            {"a": 1},
            {"a": 1.0},
            0.0,
            -0.0,
            1 << 70,
            {"a": 1, "b": 2},
            {"b": 2, "a": 1},
        ]
        self.assertEqual(len({answers.value(value) for value in values}), len(values))

    def test_identity_is_no_value(self) -> None:
        text = "a text"
        self.assertEqual(answers.value([text, text]), answers.value(["a text", "".join(["a ", "text"])]))

    def test_subclasses_are_refused(self) -> None:
        class Text(str):
            __slots__ = ()

        with self.assertRaises(ValueError):
            answers.value([Text("x")])
