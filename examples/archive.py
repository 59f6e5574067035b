"""Opens the tables in a ZIP archive as a store of its own, under a cache: served over HTTP, and copied from.

    python examples/archive.py FOLDER

FOLDER/weather.zip has a CSV per year and city. The store is the class `Archive`; all else is the library's. The program
asks the server for the wet days of a year, and copies another year to FOLDER/oslo.parquet.
"""

import random
import sys
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date, timedelta
from pathlib import Path
from urllib.request import urlopen
from zipfile import ZipFile

import demat
from demat import csv, json, store


@dataclass(slots=True)
class Day:
    """A row of a table."""

    day: date
    low: float
    high: float
    rain: float


class Archive(demat.Store):
    """The tables of an archive, by folder and name. There is no table where `zipfile` raises KeyError."""

    def __init__(self, path: Path) -> None:
        self.zip = ZipFile(path)

    def get(self, path: tuple[str, ...]) -> list[Day]:
        """Returns the rows of a table."""
        return list(csv.read(self.zip.read("/".join(path) + ".csv"), Day))

    def children(self, path: tuple[str, ...]) -> Iterable[str]:
        """Returns the years, or the cities of a year."""
        names = [name.removesuffix(".csv").split("/") for name in self.zip.namelist()]
        return sorted({name[len(path)] for name in names if name[: len(path)] == [*path] and len(name) > len(path)})

    def version(self, path: tuple[str, ...]) -> int:
        """Returns the checksum of a table."""
        return self.zip.getinfo("/".join(path) + ".csv").CRC


def make(path: Path) -> None:
    """Writes an archive with random weather."""
    chance = random.Random(7)
    with ZipFile(path, "w") as archive:
        for year in (2024, 2025):
            for city in ("Lisbon", "Oslo"):
                days: list[Day] = []
                for number in range(365):
                    low = round(chance.gauss(8, 6), 1)
                    rain = round(max(0.0, chance.gauss(-4, 9)), 1)
                    days.append(Day(date(year, 1, 1) + timedelta(number), low, round(low + 6, 1), rain))
                archive.writestr(f"{year}/{city}.csv", csv.encode(days))


def main(folder: Path) -> None:
    """Serves the archive, asks the server, and copies."""
    path = folder / "weather.zip"
    if not path.exists():
        make(path)
    archive = store.cache(Archive(path))
    demat.scheme("weather", archive)
    with demat.serve({"/weather": archive}, port=0, background=True) as server:
        cities = ", ".join(archive.children("/2025"))
        with urlopen(f"{server.url}/weather/2025/Oslo?rain.gt=15&order=-rain&fields=day,rain") as answer:
            wet = json.decode(answer.read())
    print(f"{cities}: {len(wet)} wet days in Oslo, the wettest {wet[0]['day']}")
    copied = demat.copy("weather:/2024/Oslo", folder / "oslo.parquet", Day)
    print(f"{copied.records} days copied")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
