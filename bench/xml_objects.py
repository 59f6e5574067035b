"""XML beside lxml: objects per second, and the memory of a long stream.

    python bench/xml_objects.py speed           decodes a catalogue into dataclasses, beside lxml and code by hand
    python bench/xml_objects.py memory [GiB]    writes that much XML to a temporary file, then reads it in a process of
                                                its own and prints the peak of its memory

It is not part of the zoo, as no engine is compiled for XML.
"""

from __future__ import annotations

import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from datetime import date
from pathlib import Path
from typing import Annotated, Any

from demat import Field, xml

ROWS = 20_000
ROUNDS = 5


@dataclass
class Book:
    """A book of the catalogue."""

    id: Annotated[int, Field(xml="attribute")]
    title: str
    published: date
    price: float
    in_print: bool
    language: Annotated[str | None, Field(xml="attribute")] = None
    authors: Annotated[list[str], Field(name="author")] = field(default_factory=list)
    note: str | None = None


def books(rows: int) -> Iterator[Book]:
    """Yields books, of which every third has a note and every second two authors."""
    for k in range(rows):
        authors = [f"Author {k * 7 % 1000}", f"Writer {k % 77} & Co."][: 1 + k % 2]
        note = None if k % 3 else f"A note on book {k}, as long as notes are, with <signs> now and then."
        language = None if k % 5 else "en"
        yield Book(
            k,
            f"The title of book {k}",
            date(1900 + k % 120, 1 + k % 12, 1 + k % 28),
            k / 8,
            k % 2 == 0,
            language,
            authors,
            note,
        )


def by_hand(data: bytes) -> list[Book]:
    """Returns the books by lxml's tree, with one pass over the children of each element."""
    from lxml import etree

    found = []
    for element in etree.fromstring(data):
        values: dict[str, Any] = {"note": None}
        authors = []
        for child in element:
            tag, text = child.tag, child.text or ""
            if tag == "author":
                authors.append(text)
            elif tag == "published":
                values[tag] = date.fromisoformat(text)
            elif tag == "price":
                values[tag] = float(text)
            elif tag == "in_print":
                values[tag] = text == "true"
            else:
                values[tag] = text
        get = element.get
        found.append(
            Book(
                int(get("id")),
                values["title"],
                values["published"],
                values["price"],
                values["in_print"],
                get("language"),
                authors,
                values["note"],
            )
        )
    return found


def best(call: Callable[[], object]) -> float:
    """Returns the processor time of the fastest round, in seconds."""
    call()
    times = []
    for _ in range(ROUNDS):
        begin = time.process_time()
        call()
        times.append(time.process_time() - begin)
    return min(times)


def speed() -> None:
    """Prints the times of all engines, whose answers must be equal."""
    data = xml.encode(list(books(ROWS)))
    engines: dict[str, Callable[[], list[Book]]] = {
        "demat": lambda: xml.decode(data, list[Book]),
        "lxml": lambda: by_hand(data),
    }
    answers = [engine() for engine in engines.values()]
    if answers[0] != answers[1]:
        sys.exit("the engines have different answers")
    seconds = {name: best(engine) for name, engine in engines.items()}
    for name, took in seconds.items():
        print(f"{name:6} {took * 1e3:8.1f} ms  {len(data) / took / 1e6:7.1f} MB/s")
    print(f"ratio  {seconds['lxml'] / seconds['demat']:.2f}")


def memory(size: float) -> None:
    """Writes `size` GiB of books, and has another process read them."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "books.xml"
        sample = len(xml.encode(list(books(1000)))) / 1000
        xml.write(path, books(int(size * 2**30 / sample)), Book)
        subprocess.run([sys.executable, __file__, "read", path], check=True)


def read(path: str) -> None:
    """Reads a file of books, and prints the peak of the memory of this process."""
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    begin = time.monotonic()
    count = sum(1 for _ in xml.read(path, Book, at="root/Book"))
    took = time.monotonic() - begin
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    size = Path(path).stat().st_size
    print(f"{size / 2**30:.2f} GiB, {count} records, {took:.0f} s, {size / took / 1e6:.0f} MB/s")
    print(f"peak {peak / 1024:.0f} MiB, of which {before / 1024:.0f} MiB before reading")


if __name__ == "__main__":
    match sys.argv[1:]:
        case ["speed"]:
            speed()
        case ["memory", *size]:
            memory(float(size[0]) if size else 1.0)
        case ["read", path]:
            read(path)
        case _:
            sys.exit(__doc__)
