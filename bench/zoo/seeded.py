"""Generator of numbers and texts from a seed: the same on every machine and in every release of Python."""

import zlib

WORD = 0xFFFFFFFFFFFFFFFF
SYLLABLES = [first + vowel + last for first in "bdfgklmnprst" for vowel in "aeiou" for last in ("", "n", "r", "s", "l")]


class Seeded:
    """SplitMix64, written out: `random` may change its sequence from release to release."""

    def __init__(self, name: str) -> None:
        """The seed is the CRC of a name, so each kind has a sequence of its own."""
        self.state = zlib.crc32(name.encode()) * 0x9E3779B97F4A7C15 & WORD

    def word(self) -> int:
        """64 random bits."""
        self.state = self.state + 0x9E3779B97F4A7C15 & WORD
        value = (self.state ^ self.state >> 30) * 0xBF58476D1CE4E5B9 & WORD
        value = (value ^ value >> 27) * 0x94D049BB133111EB & WORD
        return value ^ value >> 31

    def below(self, end: int) -> int:
        """An int from 0 to `end`, exclusive."""
        return (self.word() >> 11) % end

    def between(self, low: int, high: int) -> int:
        """An int from `low` to `high`, inclusive."""
        return low + self.below(high - low + 1)

    def integer(self) -> int:
        """A signed int whose count of digits varies up to 18."""
        return (self.word() >> self.between(4, 60)) * (1 if self.word() & 1 else -1)

    def real(self) -> float:
        """A float whose shortest spelling has 16 or 17 digits as a rule."""
        return ((self.word() >> 11) / (1 << 53) - 0.5) * 10 ** self.between(0, 6)

    def pick(self, items: str | list | tuple) -> object:
        """One of the items."""
        return items[self.below(len(items))]

    def text(self, size: int) -> str:
        """Words of lower-case letters, about `size` characters, never empty."""
        pieces, length = [], 0
        while length < size:
            bits = self.word()
            for _ in range(5):
                syllable = SYLLABLES[(bits & 0xFFF) % len(SYLLABLES)]
                pieces.append(syllable + " " if bits & 0x3000 == 0 else syllable)
                length += len(pieces[-1])
                bits >>= 12
        return "".join(pieces)[:size].strip() or "x"

    def shuffled(self, items: list) -> list:
        """The items in another order (Fisher and Yates)."""
        for last in range(len(items) - 1, 0, -1):
            other = self.below(last + 1)
            items[last], items[other] = items[other], items[last]
        return items
