"""Floors for Protocol Buffers: floor.c goes by tags and lengths to the field, and checks next to nothing."""

import mmap
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

import floor


def last(times: Iterable[None], data: bytes) -> str:
    """A call, and one text."""
    find = floor.last
    for _ in times:
        found = find(data, 6)
    return found


def mapped(call: Callable[[Any, int], Any], number: int) -> Callable[[str], Any]:
    """A function over a file."""

    def of_path(path: str) -> Any:
        with Path(path).open("rb") as file, mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as data:
            return call(data, number)

    return of_path


ENGINES = {
    "floor": {
        "proto-last": lambda job: (last, None),
        "proto-scan": lambda job: (mapped(floor.scan, 3), None),
        "proto-columns": lambda job: (mapped(floor.texts, 6), None),
        "proto-columns-one": lambda job: (mapped(floor.texts, 6), None),
    }
}
