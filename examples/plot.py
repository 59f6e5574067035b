"""From CSV to polars, and from polars to a plot: columns with no object for any row, and an SVG of dataclasses.

    python examples/plot.py FOLDER

Reads `weather.csv` in the folder, or makes it first if it is missing. Writes `weather.svg`, with a bar for each month's
range of temperatures and a line of the means. Needs polars.
"""

import math
import random
import sys
from dataclasses import dataclass
from datetime import datetime, timedelta
from pathlib import Path
from typing import Annotated

import polars
from demat import Field, csv, xml

Attribute = Field(xml="attribute")
HEIGHT, BOTTOM, STEP = 300, 280, 40


@dataclass(slots=True)
class Reading:
    """A row of the input: the time is that of the station's clock."""

    at: Annotated[datetime, Field(tz=False)]
    celsius: float | None


@dataclass(slots=True)
class Rect:
    """A bar."""

    x: Annotated[float, Attribute]
    y: Annotated[float, Attribute]
    height: Annotated[float, Attribute]
    width: Annotated[float, Attribute] = 20
    fill: Annotated[str, Attribute] = "lightsteelblue"


@dataclass(slots=True)
class Text:
    """A label, at its middle."""

    x: Annotated[float, Attribute]
    y: Annotated[float, Attribute]
    content: Annotated[str, Field(xml="text")]
    anchor: Annotated[str, Attribute, Field(name="text-anchor")] = "middle"


@dataclass(slots=True)
class Polyline:
    """A line through points, each `x,y`."""

    points: Annotated[list[str], Attribute]
    fill: Annotated[str, Attribute] = "none"
    stroke: Annotated[str, Attribute] = "firebrick"


@dataclass(slots=True)
class Svg:
    """The picture."""

    view_box: Annotated[list[int], Field(name="viewBox", xml="attribute")]
    bars: Annotated[list[Rect], Field(name="rect")]
    line: Annotated[Polyline, Field(name="polyline")]
    labels: Annotated[list[Text], Field(name="text")]


def make(path: Path, seed: int = 7) -> None:
    """Writes a year of hourly temperatures, of which one in fifty is missing."""
    chosen = random.Random(seed)

    def celsius(hour: int) -> float | None:
        yearly = -12 * math.cos(2 * math.pi * hour / 8760)
        daily = -4 * math.cos(2 * math.pi * (hour % 24) / 24)
        return None if chosen.random() < 0.02 else round(10 + yearly + daily + chosen.gauss(0, 2), 1)

    start = datetime(2025, 1, 1)
    csv.write(path, (Reading(start + timedelta(hours=hour), celsius(hour)) for hour in range(8760)), Reading)


def by_month(path: Path) -> polars.DataFrame:
    """Returns the lowest, the mean and the highest temperature of each month."""
    celsius = polars.col("celsius")
    return (
        polars.DataFrame(csv.columns(path, Reading))
        .group_by(polars.col("at").dt.month().alias("month"))
        .agg(celsius.min().alias("low"), celsius.mean().alias("mean"), celsius.max().alias("high"))
        .sort("month")
    )


def drawn(months: polars.DataFrame) -> Svg:
    """Returns the picture of a table of months."""
    rows = months.rows(named=True)
    bottom: float = min(row["low"] for row in rows)
    top: float = max(row["high"] for row in rows)

    def y(celsius: float) -> float:
        return round(BOTTOM - (celsius - bottom) / (top - bottom) * (BOTTOM - 20), 1)

    return Svg(
        view_box=[0, 0, STEP * (len(rows) + 1), HEIGHT],
        bars=[Rect(STEP * row["month"] - 10, y(row["high"]), round(y(row["low"]) - y(row["high"]), 1)) for row in rows],
        line=Polyline([f"{STEP * row['month']},{y(row['mean'])}" for row in rows]),
        labels=[Text(STEP * row["month"], HEIGHT - 4, str(row["month"])) for row in rows],
    )


def main(folder: Path) -> None:
    """Plots the weather of a folder, and prints its months."""
    folder.mkdir(parents=True, exist_ok=True)
    source = folder / "weather.csv"
    if not source.exists():
        make(source)
    months = by_month(source)
    (folder / "weather.svg").write_bytes(
        xml.encode(drawn(months), root="svg", namespace="http://www.w3.org/2000/svg", indent=2)
    )
    print(csv.encode(months).decode(), end="")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
