"""Your own class, at native speed: what `make demo` shows of the Python package.

    demo.py FOLDER

Every line of code that it shows is the one that it runs.
"""

import os
import sys
import time
from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal
from inspect import getsource
from pathlib import Path
from typing import Annotated, Any
from urllib.request import urlopen

import demat
from demat import Field


@dataclass(slots=True)
class Trip:
    """A row of the demo's file."""

    id: Annotated[int, Field(key=True)]
    at: Annotated[datetime, Field(tz=True)]
    line: str
    fare: Decimal
    delay: float | None
    note: str | None


OBJECTS = (
    'trips = list(demat.csv.read("trips.csv", Trip))',
    "text = demat.json.encode(trips)",
    "again = demat.json.decode(text, list[Trip])",
    "columns = demat.columns_of(trips)",
    'tables = demat.sqlite.build("again.db", {"trips": (Trip, trips)})',
)

WRONG = """demat.csv.decode("id,at,line,fare,delay,note\\n1,2026-01-01T00:00:00Z,U1,free,,\\n", list[Trip])"""

REQUESTS = ("/trips/1000", "/trips?line=U4&delay.gt=9&fields=id,delay&limit=2", "/trips?count", "/trips?format=csv")

COLOURED = sys.stdout.isatty() and not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"


def bold(text: str) -> str:
    """The text as it stands out on a terminal."""
    return f"\x1b[1m{text}\x1b[0m" if COLOURED else text


def step(code: str, names: dict[str, Any], rows: int) -> None:
    """Runs a line that moves all rows, and says how fast."""
    begun = time.perf_counter()
    exec(code, names)
    seconds = time.perf_counter() - begun
    print(f"  {bold(f'{code:<66}')} {seconds * 1e3:>6,.0f} ms  {rows / seconds / 1e6:>5.1f} M rows/s")


def request(url: str, path: str) -> bytes:
    """Asks for a path, says how fast the answer came and what it is, and gives it."""
    begun = time.perf_counter()
    with urlopen(url + path) as answer:
        body: bytes = answer.read()
    seconds = time.perf_counter() - begun
    print(f"  {bold(f'GET {path:<62}')} {seconds * 1e3:>6,.1f} ms", end="")
    print(f"  {len(body) / seconds / 1e6:>5.0f} MB/s" if len(body) > 1000 else f"\n    {body.decode()}")
    return body


def main(folder: Path) -> None:
    """Shows it with the rows of a folder."""
    os.chdir(folder)
    print("\nAnd in Python, where rows are objects of your own class:\n")
    definition = "".join(line for line in getsource(Trip).splitlines(keepends=True) if '"""' not in line)
    print("".join(f"  {bold(line)}\n" for line in definition.splitlines() if line))
    names: dict[str, Any] = {"demat": demat, "Trip": Trip}
    with Path("trips.csv").open("rb") as file:
        rows = sum(1 for _ in file) - 1
    for code in OBJECTS:
        step(code, names, rows)
    assert names["again"] == names["trips"]
    print(f"\n  trips[-1] is {names['trips'][-1]!r}")

    print("\nWhat is not of the class is told with its place:\n")
    print(f"  {bold(WRONG)}")
    try:
        exec(WRONG, names)
    except demat.ValidationError as error:
        print(f"  demat.ValidationError: {error}")

    print("\nThe database over HTTP, from its pages to the socket:\n")
    with demat.sqlite.open("trips.db") as database:
        table = database.table("trips", Trip)
        with demat.serve({"/trips": table}, port=0, background=True) as server:
            print(f"  serving at {server.url}")
            *_, everything = [request(server.url, path) for path in REQUESTS]
    print("  stopped")
    assert everything == Path("trips.csv").read_bytes()
    print("  What the last request gave is trips.csv to the byte.")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
