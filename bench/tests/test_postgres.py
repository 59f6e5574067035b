"""The jobs of PostgreSQL: what their rows add up to, and how the figures are shown and judged."""

import contextlib
import io
import sys
import tempfile
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent / "postgres"))

import run as postgres
from server import programs, running, url_of
from tasks import expected, sums, tasks, write_csv


class Rows(unittest.TestCase):
    """The rows."""

    def test_arithmetic_agrees_with_objects(self) -> None:
        for rows in (1, 7, 1000):
            self.assertEqual(expected(rows), sums(tasks(rows)))

    def test_the_file_has_the_same_rows(self) -> None:
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "tasks.csv"
            write_csv(path, 3)
            lines = path.read_text(encoding="ascii").splitlines()
        self.assertEqual(lines[0], "id,title,done,score,due")
        self.assertEqual(lines[2], "1,Clean the room 0000001,false,0.25,2026-01-01T00:00:37Z")


class Figures(unittest.TestCase):
    """The table and the bars."""

    BEST = {  # noqa: RUF012 - a fixture
        ("select", "demat"): {"seconds": 1.0, "cpu": 1.0},
        ("select", "psycopg"): {"seconds": 3.0, "cpu": 5.0},
        ("csv", "demat"): {"seconds": 2.0, "cpu": 1.0},
        ("csv", "psql"): {"seconds": 2.0, "cpu": 0.5},
    }

    def test_the_worst_comes_first(self) -> None:
        lines = postgres.table(self.BEST).splitlines()
        self.assertTrue(lines[2].startswith("| a CSV file"), lines[2])
        self.assertIn("|  | psql | 2.00 | 1.00 | 0.50 | 0.50 |", lines)
        self.assertIn("|  | floor | not here |  |  |  |", lines)

    def test_a_missed_bar_fails(self) -> None:
        with contextlib.redirect_stdout(io.StringIO()) as printed:
            self.assertFalse(postgres.judged(self.BEST))
        self.assertIn("select: missed, 3.00 times psycopg in seconds, of 4.00", printed.getvalue())
        with contextlib.redirect_stdout(io.StringIO()):
            self.assertTrue(postgres.judged({key: one for key, one in self.BEST.items() if key[0] == "csv"}))


class Server(unittest.TestCase):
    """The server, and each engine once."""

    def test_all_engines_answer(self) -> None:
        own = programs()
        if own is None:
            self.skipTest("there is no PostgreSQL server")
        with running(own) as where, tempfile.TemporaryDirectory() as folder:
            call = (url_of(where), Path(folder), 1000)
            self.assertEqual(postgres.run(sys.executable, "prepare", "", *call), {})
            for job, engines in postgres.JOBS.items():
                for engine in engines:
                    with self.subTest(job=job, engine=engine):
                        self.assertEqual(postgres.run(sys.executable, job, engine, *call).get("answer"), expected(1000))
        self.assertFalse(where.exists())


if __name__ == "__main__":
    unittest.main()
