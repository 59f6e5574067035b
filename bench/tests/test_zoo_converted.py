"""`convert` and `to_builtins` beside msgspec and pydantic."""

import tempfile
import unittest
from pathlib import Path
from typing import Any

from zoo import converted
from zoo.inputs import Inputs
from zoo.kinds import KINDS


class Cells(unittest.TestCase):
    """Engines answer what they must, and the ratios are those of the faster way of each peer."""

    def test_all_engines_answer_alike(self) -> None:
        for name in ("records", "dates", "decimals", "nested", "message-300b"):
            with tempfile.TemporaryDirectory() as folder, self.subTest(kind=name):
                inputs = Inputs(KINDS[name], 20, ["json"], Path(folder))
                for prepare in (converted.into, converted.back):
                    calls = prepare(inputs)
                    self.assertIn("demat", calls)
                    self.assertIn("msgspec dataclass", calls)
                    self.assertIn("pydantic model", calls)

    def test_a_wrong_answer_of_demat_fails_and_one_of_a_peer_is_left_out(self) -> None:
        def wrong(_: Any) -> bool:
            return False

        self.assertEqual(converted.right({"msgspec struct": (repr, 1)}, wrong), {})
        with self.assertRaises(AssertionError):
            converted.right({"demat": (repr, 1)}, wrong)

    def test_the_faster_way_counts(self) -> None:
        times = {"demat": 2.0, "msgspec struct": 3.0, "msgspec dataclass": 5.0}
        self.assertEqual(converted.ratios(times), {"msgspec": 1.5})
        self.assertEqual(converted.shown({"msgspec": 1.5}).split(), ["1.50", "-"])


if __name__ == "__main__":
    unittest.main()
