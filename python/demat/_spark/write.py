"""Writes files from Spark: each task one under a hidden name, which appear together."""

# pyright: reportMissingImports=false

from __future__ import annotations

import contextlib
import os
import shutil
from typing import TYPE_CHECKING, Any
from uuid import uuid4

import pyarrow as pa
from pyspark import TaskContext
from pyspark.sql.datasource import DataSourceArrowWriter, WriterCommitMessage

from .. import _native
from .._copy import copy
from .read import DONE

if TYPE_CHECKING:
    from collections.abc import Iterator

    from .options import Options

_PACKED = {"gzip": ".gz", "zstd": ".zst", "none": ""}


# Where the files that are replaced are, until the new ones are there.
_OLD = "old"


def _touch(path: str) -> None:
    with open(path, "wb"):
        pass


class Written(WriterCommitMessage):
    """The file of a task, and how many records are in it; no name if there was no record."""

    def __init__(self, name: str | None, records: int) -> None:
        self.name = name
        self.records = records


class Writer(DataSourceArrowWriter):
    """Writes a file for each partition."""

    def __init__(self, options: Options, overwrite: bool) -> None:
        self._options = options
        self._overwrite = overwrite
        folders = options.need_paths()
        if len(folders) != 1:
            raise ValueError("a data frame is saved to one folder")
        if options.format is None:
            raise ValueError("say option format: the name of a folder does not tell the format of its files")
        options.of_format(options.format, "write")
        about = next(one for one in _native.describe_formats() if one["name"] == options.format)
        self._folder = folders[0]
        if os.path.exists(self._folder) and not os.path.isdir(self._folder):
            raise ValueError(f"{self._folder} is a file, and a data frame is saved to a folder")
        self._suffix = about["suffixes"][0] + _PACKED[options.compression]
        # Hidden from all who read the folder.
        self._aside = os.path.join(self._folder, f"_demat-{uuid4().hex}")

    def write(self, iterator: Iterator[Any]) -> Written:
        """Writes the batches of a partition, in a task."""
        context = TaskContext.get()
        task = 0 if context is None else context.partitionId()
        first = next(iterator, None)
        if first is None:
            return Written(None, 0)
        os.makedirs(self._aside, exist_ok=True)
        # Another attempt of the same task has another name, and only one of them is committed.
        name = f"part-{task:05}-{uuid4().hex}{self._suffix}"
        options = self._options
        format = options.format or ""

        def batches() -> Iterator[Any]:
            yield first
            yield from iterator

        source: Any = pa.RecordBatchReader.from_batches(first.schema, batches())
        to: Any = format
        done = copy(
            source,
            os.path.join(self._aside, name),
            options.records(format),
            to=to,
            write=options.of_format(format, "write") or None,
        )
        return Written(name, done.records)

    def commit(self, messages: list[Any]) -> None:
        """Lets the files of all tasks appear; with overwrite, those that were there go when the new ones are.

        If that fails, the folder has what it had before, and no more.
        """
        names = [message.name for message in messages if message is not None and message.name is not None]
        for name in names:
            # A file that the driver does not see was written to a disk that is not shared.
            os.stat(os.path.join(self._aside, name))
        old = self._present() if self._overwrite else []
        os.makedirs(os.path.join(self._aside, _OLD), exist_ok=True)
        done = os.path.join(self._folder, DONE)
        was_done = os.path.exists(done)
        moves = [(name, self._folder, os.path.join(self._aside, _OLD)) for name in old]
        moves += [(name, self._aside, self._folder) for name in names]
        moved: list[tuple[str, str, str]] = []
        try:
            with contextlib.suppress(FileNotFoundError):
                os.unlink(done)
            for name, source, target in moves:
                os.rename(os.path.join(source, name), os.path.join(target, name))
                moved.append((name, source, target))
            _touch(done)
        except BaseException:
            for name, source, target in reversed(moved):
                os.rename(os.path.join(target, name), os.path.join(source, name))
            if was_done:
                _touch(done)
            raise
        shutil.rmtree(self._aside, ignore_errors=True)

    def _present(self) -> list[str]:
        if not os.path.isdir(self._folder):
            return []
        with os.scandir(self._folder) as entries:
            return [entry.name for entry in entries if entry.is_file() and entry.name[0] not in "._"]

    def abort(self, messages: list[Any]) -> None:
        """Removes what tasks have written, but no file of before that could not be put back."""
        with contextlib.suppress(OSError):
            os.rmdir(os.path.join(self._aside, _OLD))
        if not os.path.exists(os.path.join(self._aside, _OLD)):
            shutil.rmtree(self._aside, ignore_errors=True)
