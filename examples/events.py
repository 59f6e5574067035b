"""Nested events to a flat table: NDJSON in; a row for each item that was sold, as Parquet; totals, as CSV.

    python examples/events.py FOLDER

Reads `events.ndjson` in the folder, or makes it first if it is missing. Writes `sales.parquet` and `totals.csv` beside
it. The program holds one event at a time, so memory does not grow with the file.
"""

import random
import sys
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from decimal import Decimal
from pathlib import Path
from typing import Annotated

import demat
from demat import Field, csv, ndjson, parquet

Instant = Annotated[datetime, Field(tz=True)]


@dataclass(slots=True)
class User:
    """The user of an event."""

    id: int
    country: str


@dataclass(slots=True)
class Item:
    """A line of a purchase."""

    sku: str
    quantity: Annotated[int, Field(ge=1)]
    price: Decimal


@demat.configure(tag="kind", tag_value="view")
@dataclass(slots=True)
class View:
    """The user viewed a page."""

    path: str


@demat.configure(tag="kind", tag_value="purchase")
@dataclass(slots=True)
class Purchase:
    """The user bought items."""

    items: list[Item]


@dataclass(slots=True)
class Event:
    """A line of the input."""

    id: int
    at: Instant
    user: User
    action: View | Purchase


@dataclass(slots=True)
class Sale:
    """A row of the table: an item of a purchase, with what is known of the event around it."""

    event: int
    at: Instant
    country: str
    sku: str
    quantity: int
    amount: Decimal


@dataclass(slots=True)
class Total:
    """The sales to a country."""

    country: str
    quantity: int = 0
    amount: Decimal = Decimal(0)


def make(path: Path, count: int = 2000, seed: int = 1) -> None:
    """Writes events as a shop might log them: two of three are views."""
    chosen = random.Random(seed)
    start = datetime(2026, 3, 1, tzinfo=UTC)

    def action() -> View | Purchase:
        if chosen.random() < 2 / 3:
            return View(f"/products/{chosen.randrange(50)}")
        skus = (f"P{chosen.randrange(50):03}" for _ in range(chosen.randint(1, 4)))
        return Purchase([Item(sku, chosen.randint(1, 5), Decimal(chosen.randint(99, 9999)) / 100) for sku in skus])

    def event(id: int) -> Event:
        user = User(chosen.randrange(200), chosen.choice(["DE", "FR", "PT"]))
        return Event(id, start + timedelta(seconds=37 * id), user, action())

    ndjson.write(path, map(event, range(1, count + 1)))


def sales(events: Iterable[Event]) -> Iterator[Sale]:
    """Yields a row for each item of each purchase."""
    for event in events:
        if isinstance(event.action, Purchase):
            for item in event.action.items:
                amount = item.quantity * item.price
                yield Sale(event.id, event.at, event.user.country, item.sku, item.quantity, amount)


def main(folder: Path) -> None:
    """Writes the sales and totals of a folder's events."""
    folder.mkdir(parents=True, exist_ok=True)
    source, table = folder / "events.ndjson", folder / "sales.parquet"
    if not source.exists():
        make(source)

    rows = parquet.write(table, sales(ndjson.read(source, Event)), Sale, decimals=(12, 2))

    totals: dict[str, Total] = {}
    for sale in parquet.read(table, Sale):
        total = totals.setdefault(sale.country, Total(sale.country))
        total.quantity += sale.quantity
        total.amount += sale.amount
    csv.write(folder / "totals.csv", sorted(totals.values(), key=lambda total: total.country), Total)
    print(f"{rows} items sold to {len(totals)} countries")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
