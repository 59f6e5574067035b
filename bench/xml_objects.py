"""The memory of a long stream of XML. Its speed beside lxml is part of the zoo.

python bench/xml_objects.py memory [GiB]    writes that much XML to a temporary file, then reads it in a process of
                                            its own and prints the peak of its memory
"""

from __future__ import annotations

import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import date
from pathlib import Path
from typing import Annotated

from demat import Field, xml


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
        case ["memory", *size]:
            memory(float(size[0]) if size else 1.0)
        case ["read", path]:
            read(path)
        case _:
            sys.exit(__doc__)
