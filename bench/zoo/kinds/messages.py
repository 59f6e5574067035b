"""Single messages, of the sizes that requests have: each is decoded and encoded in a loop."""

from dataclasses import dataclass

from zoo.kind import kind
from zoo.seeded import Seeded


@dataclass(slots=True)
class Ping:
    """40 bytes."""

    id: int
    name: str
    ok: bool


@kind("message-40b", Ping, single=True)
def message_40b(seed: Seeded, number: int) -> Ping:
    """Three fields."""
    return Ping(seed.between(10_000, 99_999), seed.text(10), True)


@dataclass(slots=True)
class Item:
    """A line of an order."""

    sku: str
    title: str
    count: int
    price: float


@dataclass(slots=True)
class Basket:
    """A customer's order: 300 bytes to 10 KB, by its items."""

    id: int
    customer: str
    email: str
    paid: bool
    note: str | None
    items: list[Item]


def basket(seed: Seeded, items: int) -> Basket:
    """An order of so many lines."""
    lines = [
        Item(f"{seed.word() & 0xFFFFFFFF:08x}", seed.text(24), seed.between(1, 9), seed.between(1, 9999) / 100)
        for _ in range(items)
    ]
    return Basket(
        seed.between(10_000, 99_999), seed.text(16), f"{seed.text(9).replace(' ', '.')}@example.org", False, None, lines
    )


@kind("message-300b", Basket, single=True)
def message_300b(seed: Seeded, number: int) -> Basket:
    """Two items."""
    return basket(seed, 2)


@kind("message-1kb", Basket, single=True)
def message_1kb(seed: Seeded, number: int) -> Basket:
    """Eleven items."""
    return basket(seed, 11)


@kind("message-10kb", Basket, single=True)
def message_10kb(seed: Seeded, number: int) -> Basket:
    """124 items."""
    return basket(seed, 124)
