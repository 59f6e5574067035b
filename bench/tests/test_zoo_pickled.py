"""Raw and Protocol Buffers beside pickle."""

import unittest

import demat.proto
import demat.raw

from zoo import pickled
from zoo.kinds import KINDS


class Cells(unittest.TestCase):
    """A cell is measured, and its answer is compared."""

    def test_a_cell_has_the_bytes_and_times_of_equal_answers(self) -> None:
        for name in ("records", "bools", "message-300b"):
            kind = KINDS[name]
            values = kind.values(20)
            objects = values[0] if kind.single else values
            for module in (demat.raw, demat.proto):
                with self.subTest(kind=name, module=module.__name__):
                    cell = pickled.by(module, pickled.root(kind), objects)
                    assert cell is not None
                    self.assertGreater(min(cell), 0)

    def test_a_wrong_answer_fails(self) -> None:
        with self.assertRaises(AssertionError):
            pickled.measured(lambda value: b"1", lambda data: 2, 1)

    def test_what_a_format_can_not_hold_is_no_cell(self) -> None:
        self.assertIsNone(pickled.by(demat.proto, list[list[int]], [[1]]))
        self.assertEqual(pickled.shown(None, pickled.Cell(1, 1.0, 1.0)).split(), ["-"] * 4)


if __name__ == "__main__":
    unittest.main()
