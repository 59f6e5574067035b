"""Parking citations to Parquet: columns named for people, money, empty cells, and times without a zone.

    python examples/citations.py FOLDER

Reads `citations.csv` in the folder, or makes it first if it is missing. Writes `citations.parquet`. There the day and
the minute of an issue are one timestamp without a zone, as the city's clocks show it, and fines are decimals.
"""

import random
import sys
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import date, datetime, time, timedelta
from decimal import Decimal, InvalidOperation
from pathlib import Path
from typing import Annotated

import demat
from demat import Field, Hook, csv, parquet


def read_dollars(text: str) -> Decimal:
    """Returns the amount of `$1,068.00`."""
    if not text.startswith("$"):
        raise ValueError(f"expected an amount in dollars, found {text!r}")
    try:
        return Decimal(text[1:].replace(",", ""))
    except InvalidOperation:
        raise ValueError(f"expected an amount in dollars, found {text!r}") from None


def read_clock(text: str) -> time:
    """Returns the time of `930` or `1745`."""
    return time(int(text[:-2] or "0"), int(text[-2:]))


Dollars = Annotated[Decimal, Hook(wire=str, decode=read_dollars, encode=lambda amount: f"${amount:,.2f}")]
Clock = Annotated[time, Hook(wire=str, decode=read_clock, encode=lambda clock: f"{clock.hour * 100 + clock.minute}")]


@demat.configure(rename=lambda name: name.replace("_", " ").capitalize())
@dataclass(slots=True)
class Row:
    """A row of the input, in the city's words: `ticket_number` is the column `Ticket number`."""

    ticket_number: int
    issue_date: date
    issue_time: Clock | None
    meter_id: str | None
    plate_state: Annotated[str, Field(name="RP State Plate", min_length=2, max_length=2)]
    plate_expires: Annotated[str | None, Field(name="Plate Expiry Date", pattern=r"^\d{6}$")]
    make: str | None
    fine_amount: Dollars | None


@dataclass(slots=True)
class Citation:
    """A row of the table."""

    ticket: int
    issued: Annotated[datetime | None, Field(tz=False)]
    day: date
    meter: str | None
    state: str
    expires: date | None
    make: str | None
    fine: Decimal | None


def make(path: Path, count: int = 1000, seed: int = 3) -> None:
    """Writes citations with the gaps that such a file has."""
    chosen = random.Random(seed)

    def row(number: int) -> Row:
        return Row(
            ticket_number=4_270_000_000 + number,
            issue_date=date(2025, 1, 1) + timedelta(days=chosen.randrange(365)),
            issue_time=None if chosen.random() < 0.05 else time(chosen.randrange(24), chosen.randrange(60)),
            meter_id=f"WF{chosen.randrange(100)}" if chosen.random() < 0.3 else None,
            plate_state=chosen.choice(["CA", "CA", "CA", "NV", "AZ"]),
            plate_expires=f"{chosen.randint(2024, 2027)}{chosen.randint(1, 12):02}" if chosen.random() < 0.9 else None,
            make=chosen.choice(["TOYT", "HOND", "FORD", None]),
            fine_amount=Decimal(chosen.choice(["25.00", "63.00", "68.00", "1068.50"]))
            if chosen.random() < 0.95
            else None,
        )

    csv.write(path, map(row, range(count)), Row)


def citations(rows: Iterable[Row]) -> Iterator[Citation]:
    """Yields what the table has of each row."""
    for row in rows:
        yield Citation(
            ticket=row.ticket_number,
            issued=None if row.issue_time is None else datetime.combine(row.issue_date, row.issue_time),
            day=row.issue_date,
            meter=row.meter_id,
            state=row.plate_state,
            expires=None
            if row.plate_expires is None
            else date(int(row.plate_expires[:4]), int(row.plate_expires[4:]), 1),
            make=row.make,
            fine=row.fine_amount,
        )


def main(folder: Path) -> None:
    """Writes the table of a folder's citations."""
    folder.mkdir(parents=True, exist_ok=True)
    source, table = folder / "citations.csv", folder / "citations.parquet"
    if not source.exists():
        make(source)
    count = parquet.write(table, citations(csv.read(source, Row)), Citation, decimals=(10, 2))
    fines = (citation.fine or 0 for citation in parquet.read(table, Citation))
    print(f"{count} citations, {sum(fines):,} dollars of fines")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
