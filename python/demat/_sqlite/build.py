"""`build`: a database file, made of its rows at once."""

from collections.abc import Iterable, Mapping
from os import PathLike, fspath
from typing import Any

from demat import _native


def build(
    path: str | PathLike[str],
    tables: Mapping[str, tuple[Any, Iterable[Any]]],
    *,
    page_size: int = 4096,
    durable: bool = True,
    replace: bool = False,
) -> int:
    """Builds a database file of tables and their rows, page by page; gives how many rows there are.

    - `tables`: for each table's name the class of its rows, as `Database.table` takes it, and the rows: any iterable
    - `page_size`: in bytes, a power of two from 512 to 65536
    - `durable`: the file is made to last on the disk before it appears
    - `replace`: a file that has the name already is replaced

    The file appears whole or not at all. Raises what `Table.insert` raises, and `demat.StoreError` where there is a
    file already.

    >>> import tempfile
    >>> from dataclasses import dataclass
    >>> from pathlib import Path
    >>> from demat import sqlite
    >>> @dataclass
    ... class Point:
    ...     x: float
    ...     y: float
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = Path(folder, "points.db")
    ...     sqlite.build(path, {"points": (Point, (Point(x, x) for x in range(1000)))})
    ...     with sqlite.open(path) as database:
    ...         len(database.table("points", Point))
    1000
    1000
    """
    from .._describe import describe
    from .made import Made, raised

    wanted = [
        (name, *describe(type, {"place": "sql"}), type, Made.of(values, type, None))
        for name, (type, values) in tables.items()
    ]
    try:
        return _native.build_database(fspath(path), wanted, page_size, durable, replace)
    except Exception:
        for *_, values in wanted:
            raised(values)
        raise
