"""A bar says what it says, also where a peer is missing."""

import unittest
from typing import Any

import bars
import table


def job(**more: Any) -> dict[str, Any]:
    """A job in which Demat takes 100 ms, a peer 150, another 400 and the floor 90."""
    times = {"demat": 0.1, "quick": 0.15, "slow": 0.4, "floor": 0.09}
    engines = {name: {"seconds": [t, t * 1.1, t * 3], "kept": [t / 2] * 3, "cpu": [t] * 3} for name, t in times.items()}
    return {"name": "job", "kind": "python", "bytes": 1_000_000, "missing": [], "engines": engines} | more


class Bars(unittest.TestCase):
    """Each kind of bar, reached and missed."""

    def missed(self, **more: Any) -> list[str]:
        """What a job with these bars misses."""
        result = job(**more)
        table.summarise(result)
        return result.get("missed", [])

    def test_medians_count(self) -> None:
        result = job()
        table.summarise(result)
        self.assertAlmostEqual(result["engines"]["demat"]["median"], 0.11)
        self.assertAlmostEqual(result["ratio"], 1.5)
        self.assertEqual(result["fastest"], "quick")

    def test_the_fastest_peer(self) -> None:
        self.assertEqual(self.missed(bar=1.45), [])
        self.assertEqual(self.missed(bar=1.6), ["1.50×, wanted ≥ 1.6× the speed of quick"])

    def test_named_peers(self) -> None:
        self.assertEqual(self.missed(bars={"quick": 1.45, "slow": 3.9}), [])
        self.assertEqual(len(self.missed(bars={"quick": 1.6, "slow": 4.1})), 2)

    def test_a_missing_peer_is_no_bar(self) -> None:
        self.assertEqual(self.missed(bars={"gone": 100.0}), [])

    def test_the_floor(self) -> None:
        self.assertEqual(self.missed(over_floor=1.15), [])
        self.assertEqual(self.missed(over_floor=1.1), ["1.11×, wanted ≤ 1.1× the time of floor"])

    def test_a_floor_is_no_peer(self) -> None:
        result = job()
        result["engines"]["floor-shared"] = result["engines"]["floor"]
        self.assertEqual(list(bars.peers(result)), ["quick", "slow"])

    def test_milliseconds(self) -> None:
        self.assertEqual(self.missed(most_ms=111), [])
        self.assertEqual(self.missed(most_ms=109), ["110.0 ms, wanted ≤ 109 ms"])

    def test_without_demat_nothing_is_missed(self) -> None:
        result = job(bar=1.6)
        del result["engines"]["demat"]
        table.summarise(result)
        self.assertNotIn("missed", result)

    def test_both_tables_are_printed(self) -> None:
        inside = job(bar=1.6)
        outside = job(name="outside", speed=5) | {"kind": "rust"}
        for result in (inside, outside):
            table.summarise(result)
        machine = {"cpu": "cpu", "cores": 2, "load": 0.0, "rustc": "r", "portable": False, "keep_memory": False}
        text = table.markdown({"machine": machine | {"versions": {"x": "1"}}, "jobs": [inside, outside]})
        times = "– | 150.0 ms | 165.0 ms | 150.0 ms | 75.0 ms | – | – | 1.50 | 1.50 | 1.50 | –"
        self.assertIn(f"| job | quick (fastest peer) | {times} |", text)
        self.assertIn("| outside | quick (fastest peer) | 150.0 | 165.0 | 6 | 1.50 | – | as expected |", text)
        self.assertIn("| job | ≥ 1.6× the speed of quick | 1.50× | 1.50× | 1.50× | – | **missed** |", text)
        self.assertIn("| outside | ≥ 5 MB/s | 9.1 MB/s | – | – | – | reached |", text)
