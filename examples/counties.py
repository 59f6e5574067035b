"""Typed rows by group: a CSV of counties becomes a CSV for each state, and one of the states.

    python examples/counties.py FOLDER

Reads `counties.csv` in the folder, or makes it first if it is missing. Writes `states/XX.csv` for each state, the most
populous county first, and `states.csv`.
"""

import random
import sys
from collections import defaultdict
from dataclasses import dataclass
from datetime import date
from pathlib import Path
from typing import Annotated

import demat
from demat import Field, csv


@demat.configure(unknown="forbid")
@dataclass(slots=True)
class County:
    """A row of the input. A code begins with zeros, so it is text and no number."""

    fips: Annotated[str, Field(pattern=r"^\d{5}$")]
    state: Annotated[str, Field(pattern="^[A-Z]{2}$")]
    name: Annotated[str, Field(name="county")]
    population: Annotated[int, Field(ge=0)]
    area: Annotated[float, Field(name="area_km2", gt=0)]
    founded: date | None


@dataclass(slots=True)
class State:
    """A row of the summary."""

    state: str
    counties: int
    population: int
    density: float
    oldest: str | None


def make(path: Path, seed: int = 2) -> None:
    """Writes counties of four states, in no order; one in five has no known date."""
    chosen = random.Random(seed)
    counties = [
        County(
            fips=f"{code:02}{number:03}",
            state=state,
            name=f"{chosen.choice(['Oak', 'Elm', 'Ash', 'Fir'])} {chosen.choice(['Hill', 'River', 'Lake'])}, {number}",
            population=chosen.randint(500, 2_000_000),
            area=round(chosen.uniform(100, 20_000), 1),
            founded=None if chosen.random() < 0.2 else date(chosen.randint(1700, 1920), chosen.randint(1, 12), 1),
        )
        for code, state, count in [(1, "AL", 67), (2, "AK", 19), (4, "AZ", 15), (10, "DE", 3)]
        for number in range(1, 2 * count, 2)
    ]
    chosen.shuffle(counties)
    csv.write(path, counties, County)


def summary(state: str, counties: list[County]) -> State:
    """Returns a state's row."""
    population = sum(county.population for county in counties)
    dated = [(county.founded, county.name) for county in counties if county.founded]
    density = round(population / sum(county.area for county in counties), 2)
    return State(state, len(counties), population, density, min(dated)[1] if dated else None)


def main(folder: Path) -> None:
    """Groups the counties of a folder."""
    folder.mkdir(parents=True, exist_ok=True)
    source, target = folder / "counties.csv", folder / "states"
    if not source.exists():
        make(source)

    states: defaultdict[str, list[County]] = defaultdict(list)
    for county in csv.read(source, County):
        states[county.state].append(county)

    target.mkdir(exist_ok=True)
    for state, counties in states.items():
        counties.sort(key=lambda county: -county.population)
        csv.write(target / f"{state}.csv", counties, County)
    csv.write(folder / "states.csv", (summary(state, states[state]) for state in sorted(states)), State)
    print(f"{sum(map(len, states.values()))} counties in {len(states)} states")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
