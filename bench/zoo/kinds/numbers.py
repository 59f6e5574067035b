"""Kinds of numbers."""

from dataclasses import dataclass
from decimal import Decimal

from zoo.kind import kind
from zoo.seeded import Seeded


@dataclass(slots=True)
class Ints:
    """Five ints."""

    a: int
    b: int
    c: int
    d: int
    e: int


@kind("ints", Ints)
def ints(seed: Seeded, number: int) -> Ints:
    """One to 18 digits, of either sign."""
    return Ints(number, seed.below(256), seed.below(1_000_000), seed.integer(), seed.integer())


@kind("huge-ints", Ints)
def huge_ints(seed: Seeded, number: int) -> Ints:
    """Three of five have 20 to 60 digits."""

    def huge(words: int) -> int:
        value = 1 << 66
        for _ in range(words):
            value = value << 64 | seed.word()
        return value

    return Ints(number, seed.integer(), huge(0) + seed.word(), -huge(1), huge(2))


@dataclass(slots=True)
class Floats:
    """Four floats."""

    a: float
    b: float
    c: float
    d: float


@kind("floats", Floats)
def floats(seed: Seeded, number: int) -> Floats:
    """17 digits, as measurements and coordinates have that were computed."""
    return Floats(seed.real(), seed.real(), seed.real(), seed.real() * 1e-9)


@dataclass(slots=True)
class Price:
    """A few decimals, as floats."""

    id: int
    price: float
    tax: float
    discount: float


@kind("prices", Price)
def prices(seed: Seeded, number: int) -> Price:
    """Two digits after the point."""
    return Price(number, seed.below(100_000) / 100 + 0.01, seed.below(2_000) / 100, seed.below(100) / 100)


@dataclass(slots=True)
class Amount:
    """The same as exact decimals."""

    id: int
    price: Decimal
    rate: Decimal


@kind("decimals", Amount)
def decimals(seed: Seeded, number: int) -> Amount:
    """Two and six digits after the point, spelled as numbers."""
    return Amount(
        number,
        Decimal(f"{seed.below(1_000_000)}.{seed.below(100):02}"),
        Decimal(f"{seed.below(100)}.{seed.below(1_000_000):06}"),
    )
