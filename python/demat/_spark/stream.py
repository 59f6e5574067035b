"""Reads files as they come to be in a folder."""

# pyright: reportMissingImports=false

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any

from pyspark.sql.datasource import DataSourceStreamReader
from pyspark.sql.streaming.datasource import ReadAllAvailable, ReadMaxFiles

from .read import Reading

if TYPE_CHECKING:
    from collections.abc import Iterator

    from .options import Options


class StreamReader(DataSourceStreamReader):
    """Reads the files of a folder in the order of their names, each once.

    The offset is the last name, and how many files there were up to it: so what has been read is known after a restart,
    without a list of all files.
    """

    def __init__(self, options: Options, schema: Any) -> None:
        self._reading = Reading(options, schema)
        paths = options.need_paths()
        if len(paths) != 1 or not os.path.isdir(paths[0]):
            raise ValueError(f"a stream reads one folder, not {', '.join(paths)}")
        self._folder = paths[0]

    def initialOffset(self) -> dict[str, Any]:  # noqa: N802 - Spark's name
        """Before the first file."""
        return {"last": "", "count": 0}

    def getDefaultReadLimit(self) -> Any:  # noqa: N802 - Spark's name
        """How many files a batch has at most."""
        files = self._reading.options.files
        return ReadAllAvailable() if files is None else ReadMaxFiles(files)

    def latestOffset(self, start: dict[str, Any], limit: Any) -> dict[str, Any]:  # noqa: N802 - Spark's name
        """Behind the files that are there now. Raises ValueError if one has come to be before those that were read."""
        names = self._names()
        before = [name for name in names if name <= start["last"]]
        if len(before) != start["count"]:
            raise ValueError(
                f"{self._folder} has {len(before)} files up to {start['last']!r}, and had {start['count']} when they "
                "were read: the names of new files must come behind the old ones, and old ones stay"
            )
        new = names[len(before) :]
        if isinstance(limit, ReadMaxFiles):
            new = new[: limit.max_files]
        return {"last": new[-1], "count": len(before) + len(new)} if new else start

    def _names(self) -> list[str]:
        with os.scandir(self._folder) as entries:
            return sorted(entry.name for entry in entries if entry.is_file() and entry.name[0] not in "._")

    def partitions(self, start: dict[str, Any], end: dict[str, Any]) -> list[Any]:
        """The files between two offsets, divided."""
        names = [name for name in self._names() if start["last"] < name <= end["last"]]
        return self._reading.partitions_of(os.path.join(self._folder, name) for name in names)

    def read(self, partition: Any) -> Iterator[Any]:
        """Reads a part of them."""
        return self._reading.batches(partition)
