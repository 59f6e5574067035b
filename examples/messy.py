"""A table as a spreadsheet exported it: Windows-1252, semicolons, decimal commas, and rows that are wrong.

    python examples/messy.py FOLDER

Reads `stock.csv` in the folder, or makes it first if it is missing. Writes the good rows to `stock.ndjson` and the
others to `rejects.ndjson`, each with its line, its errors and its text. An empty cell is `null`; an empty cell in
quotes is an empty text.
"""

import random
import sys
from dataclasses import dataclass
from datetime import date, datetime
from decimal import Decimal, InvalidOperation
from pathlib import Path
from typing import Annotated

import demat
from demat import Field, Hook, csv, ndjson


def read_amount(text: str) -> Decimal:
    """Returns the number of `1.234,50`."""
    try:
        return Decimal(text.replace(".", "").replace(",", "."))
    except InvalidOperation:
        raise ValueError(f"expected an amount such as 1.234,50, found {text!r}") from None


def read_day(text: str) -> date:
    """Returns the day of `31.12.2026`."""
    return datetime.strptime(text, "%d.%m.%Y").date()


Amount = Annotated[Decimal, Hook(wire=str, decode=read_amount)]
Day = Annotated[date, Hook(wire=str, decode=read_day)]


@dataclass(slots=True)
class Article:
    """A row; the names of the columns are the exporter's."""

    number: Annotated[int, Field(name="Nr", write="number", ge=1)]
    label: Annotated[str, Field(name="Bezeichnung", write="label", min_length=1)]
    note: Annotated[str | None, Field(name="Notiz", write="note")]
    price: Annotated[Amount, Field(name="Preis (€)", write="price")]
    counted: Annotated[Day | None, Field(name="Gezählt am", write="counted")]


@dataclass(slots=True)
class Reject:
    """A refused row."""

    record: int | None
    line: int | None
    reasons: list[str]
    text: str


def make(path: Path, count: int = 200, seed: int = 4) -> None:
    """Writes a table of which every tenth row is wrong in one of five ways."""
    chosen = random.Random(seed)
    lines = ["Nr;Bezeichnung;Notiz;Preis (€);Gezählt am"]
    for number in range(1, count + 1):
        label = chosen.choice(["Müller-Brot", "Crème fraîche", '"Tee; grün"', '"5"" Rohr"'])
        note = chosen.choice(["", '""', "mürbe", '"zwei\nZeilen"'])
        price = chosen.choice(["0,99", "12,50", "1.234,00"])
        counted = chosen.choice(["", "01.03.2026", "31.12.2025"])
        wrong = number // 10 % 5 if number % 10 == 0 else -1
        lines.append(
            {
                0: f"{number};{label};{note}",
                1: f"x{number};{label};{note};{price};{counted}",
                2: f"{number};{label};{note};teuer;{counted}",
                3: f"{number};{label};{note};{price};31.02.2026",
                4: f'0;"";{note};{price};{counted}',
            }.get(wrong, f"{number};{label};{note};{price};{counted}")
        )
    path.write_text("\r\n".join(lines) + "\r\n", encoding="cp1252", newline="")


def main(folder: Path) -> None:
    """Separates the good rows of a folder's table from the others."""
    folder.mkdir(parents=True, exist_ok=True)
    source = folder / "stock.csv"
    if not source.exists():
        make(source)

    rejects: list[Reject] = []

    def refuse(error: demat.Error, row: bytes) -> None:
        rejects.append(Reject(error.record, error.line, [one.reason for one in error.errors], row.decode()))

    with source.open(encoding="cp1252", newline="") as file:
        articles = csv.read(file, Article, delimiter=";", errors="all", on_error="collect", rejects=refuse)
        kept = ndjson.write(folder / "stock.ndjson", articles)
    ndjson.write(folder / "rejects.ndjson", rejects)
    print(f"{kept} rows kept, {len(rejects)} refused")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
