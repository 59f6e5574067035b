"""Reads files as they come to be in a folder."""

# pyright: reportMissingImports=false

from __future__ import annotations

import os
from hashlib import sha256
from typing import TYPE_CHECKING, Any

from pyspark.sql.datasource import DataSourceStreamReader
from pyspark.sql.streaming.datasource import ReadAllAvailable, ReadMaxFiles

from .read import Reading

if TYPE_CHECKING:
    from collections.abc import Iterator

    from .options import Options


class StreamReader(DataSourceStreamReader):
    """Reads the files of a folder in the order of their names, each once.

    The offset is the last name, how many files there were up to it, and a digest of their names: so it is known after a
    restart what has been read, without a list of all files.
    """

    def __init__(self, options: Options, schema: Any) -> None:
        self._reading = Reading(options, schema)
        paths = options.need_paths()
        if len(paths) != 1 or not os.path.isdir(paths[0]):
            raise ValueError(f"a stream reads one folder, not {', '.join(paths)}")
        self._folder = paths[0]

    def initialOffset(self) -> dict[str, Any]:  # noqa: N802 - Spark's name
        """Before the first file."""
        return _offset([])

    def getDefaultReadLimit(self) -> Any:  # noqa: N802 - Spark's name
        """How many files a batch has at most."""
        files = self._reading.options.files
        return ReadAllAvailable() if files is None else ReadMaxFiles(files)

    def latestOffset(self, start: dict[str, Any], limit: Any) -> dict[str, Any]:  # noqa: N802 - Spark's name
        """Behind the files that are there now. Raises ValueError if those that were read are not the same any more."""
        names = self._names()
        before = self._up_to(names, start)
        new = names[len(before) :]
        if isinstance(limit, ReadMaxFiles):
            new = new[: limit.max_files]
        return _offset([*before, *new]) if new else start

    def _up_to(self, names: list[str], offset: dict[str, Any]) -> list[str]:
        """Returns the names up to an offset. Raises ValueError if they are not those that it was made of."""
        some = [name for name in names if name <= offset["last"]]
        if _offset(some)["names"] != offset["names"]:
            raise ValueError(
                f"{self._folder} has {len(some)} files up to {offset['last']!r}, and had {offset['count']}, or others, "
                "when they were read: the names of new files must come behind the old ones, and old ones stay"
            )
        return some

    def _names(self) -> list[str]:
        with os.scandir(self._folder) as entries:
            return sorted(entry.name for entry in entries if entry.is_file() and entry.name[0] not in "._")

    def partitions(self, start: dict[str, Any], end: dict[str, Any]) -> list[Any]:
        """The files between two offsets, divided."""
        names = [name for name in self._up_to(self._names(), end) if name > start["last"]]
        return self._reading.partitions_of(os.path.join(self._folder, name) for name in names)

    def read(self, partition: Any) -> Iterator[Any]:
        """Reads a part of them."""
        return self._reading.batches(partition)


def _offset(names: list[str]) -> dict[str, Any]:
    """The offset behind these files."""
    digest = sha256("/".join(names).encode("utf-8", "surrogateescape")).hexdigest()
    return {"last": names[-1] if names else "", "count": len(names), "names": digest}
