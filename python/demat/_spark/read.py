"""Reads files in Spark: partitions of them, and the batches of a partition."""

# pyright: reportMissingImports=false

from __future__ import annotations

import os
import threading
from collections import deque
from typing import TYPE_CHECKING, Any

import pyarrow as pa
from pyspark.sql.datasource import DataSourceReader, InputPartition

from .. import _native
from .._copy import _DEFAULTS
from .._errors import Error, LimitError
from .._parallel.parts import Dividing, files_of
from .._parallel.spans import Span, SpanReader, aligned, is_plain
from .filters import plain_fields, pushed
from .types import STREAM, declared, fitted, spark_schema

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from .options import Options

# The file that says that a job has written all of a folder.
DONE = "_SUCCESS"
# How many refused records become rows at a time.
_MANY = 1024


# The most bytes of refused records that wait for the next batch of good ones.
_LARGEST = 1 << 28


class Kept:
    """Refused records that wait to become rows. More of them than memory should hold end the copy."""

    def __init__(self) -> None:
        self._records: deque[bytes] = deque()
        # Each is counted by one thread only.
        self._taken = 0
        self._given = 0

    def take(self, _: Error, data: bytes) -> None:
        """Takes a record, in the thread of the copy. Raises LimitError if too many wait."""
        self._taken += len(data)
        if self._taken - self._given > _LARGEST:
            raise LimitError(f"more than {_LARGEST >> 20} MiB of records were refused one after the other")
        self._records.append(data)

    def given(self) -> list[str]:
        """Returns some as text, and forgets them."""
        some: list[str] = []
        while self._records and len(some) < _MANY:
            data = self._records.popleft()
            self._given += len(data)
            some.append(data.decode("utf-8", "backslashreplace"))
        return some


class Partition(InputPartition):
    """A file, or a range of one that begins and ends anywhere in lines."""

    def __init__(self, span: Span, format: str, whole: bool) -> None:
        self.span = span
        self.format = format
        self.whole = whole


class Reading:
    """What reading and streams have in common: the options, and the schema that Spark wants."""

    def __init__(self, options: Options, schema: Any) -> None:
        self.options = options
        self.schema = schema
        self.conditions = [] if options.where is None else [f"({options.where})"]
        own = spark_schema(self.options)
        self._check(own)
        # Of all fields objects are made where the class has rules for them.
        names = [name for name in schema.fieldNames() if name != self._corrupt]
        every = options.fields is None and set(names) == set(own.fieldNames()) - {self._corrupt}
        # A copy has at least one field.
        self._fields = None if every else names or own.fieldNames()[:1]

    def _check(self, own: Any) -> None:
        for field in self.schema.fields:
            if field.name not in own.fieldNames():
                raise ValueError(f"the type has no field {field.name!r}; it has {', '.join(own.fieldNames())}")
            if own[field.name].dataType != field.dataType:
                kind = own[field.name].dataType.simpleString()
                raise ValueError(f"the field {field.name!r} is {kind}, and no {field.dataType.simpleString()}")

    def partitions_of(self, files: Iterable[str]) -> list[InputPartition]:
        """Divides files: those of lines that are not packed, and of rows if `multiLine` is false."""
        made: list[InputPartition] = []
        for path in files:
            format = self.options.format_of(path)
            size = os.stat(path).st_size
            dividing = Dividing(format, self.options.of_format(format, "read"))
            divided = dividing.by == "lines" or (dividing.by == "rows" and not self.options.multiline)
            alone = not divided or self.options.at is not None or self.options.encoding is not None
            if not alone and size > self.options.partition:
                alone = not is_plain(path) or (dividing.by == "rows" and not self._divides(dividing, path))
            if alone or size <= self.options.partition:
                made.append(Partition(Span(path, 0, size), format, True))
                continue
            for start in range(0, size, self.options.partition):
                end = min(start + self.options.partition, size)
                made.append(Partition(Span(path, start, end), format, False))
        return made

    def _divides(self, dividing: Dividing, path: str) -> bool:
        """Whether a table's header is found, which is read in front of each range, and stands in the first of them."""
        head = dividing.head(path)
        return head is not None and len(head.bytes) <= self.options.partition

    def batches(self, partition: Any) -> Iterator[Any]:
        """Yields the batches of a partition."""
        options, kept = self.options, Kept()
        to = declared(self.schema)
        read = options.of_format(partition.format, "read")
        dialect = Dividing(partition.format, read).dialect
        settings = {
            **_DEFAULTS,
            "type": options.records(partition.format),
            "from_": partition.format,
            "to": STREAM,
            # Without names in the file columns go by position, so none is left out in reading.
            "fields": self._fields if dialect is None or dialect.header else None,
            "where": " and ".join(self.conditions) or None,
            "at": options.at,
            "lax": options.lax,
            "encoding": options.encoding,
            "read": read or None,
            "write": {"naive": options.naive, "decimals": options.decimals},
        }
        if options.mode != "FAILFAST":
            settings["on_error"] = "skip"
        if self._corrupt is not None:
            settings["rejects"] = kept.take
        for batch in _copied(partition, settings):
            yield fitted(batch, to)
            yield from self._refused(kept, to)
        yield from self._refused(kept, to)

    @property
    def _corrupt(self) -> str | None:
        return self.options.corrupt if self.options.mode == "PERMISSIVE" else None

    def _refused(self, kept: Kept, to: pa.Schema) -> Iterator[Any]:
        """Rows of the records that were refused meanwhile: their text, if there is a column for it, and nulls."""
        while some := kept.given():
            columns = [
                pa.array(some, field.type) if field.name == self._corrupt else pa.nulls(len(some), field.type)
                for field in to
            ]
            yield pa.RecordBatch.from_arrays(columns, schema=to)


def _copied(partition: Any, settings: dict[str, Any]) -> Iterator[Any]:
    """Yields the batches of a copy, which another thread makes as they are taken."""
    span, header = partition.span, b""
    if not partition.whole:
        head = Dividing(partition.format, settings["read"]).head(span.path)
        span = aligned(span)
        if span.start == span.end:
            return
        if head is not None and span.start:
            header = head.bytes
            settings = {**settings, "behind": (None if header else head.cells, False)}
    failed: list[BaseException] = []
    near, far = os.pipe()

    def copy() -> None:
        try:
            with open(far, "wb", buffering=0) as pipe:
                if partition.whole:
                    _native.copy(span.path, pipe, settings)
                    return
                with SpanReader(span, header) as source:
                    _native.copy(source, pipe, settings)
        except BaseException as error:
            failed.append(error)

    thread = threading.Thread(target=copy, name="demat-spark", daemon=True)
    thread.start()
    try:
        with open(near, "rb") as pipe:
            try:
                with pa.ipc.open_stream(pipe) as batches:
                    yield from batches
            except (pa.ArrowInvalid, OSError):
                # It ends early where the copy has failed.
                thread.join()
                if not failed:
                    raise
    finally:
        # The pipe is closed, which ends a copy that nobody takes the batches of.
        thread.join()
    if failed:
        raise _placed(failed[0], span, len(header))


def _placed(error: BaseException, span: Span, header: int) -> BaseException:
    """The error with its offset in the file. Lines and records are counted from where the range begins."""
    if isinstance(error, Error) and span.start:
        if error.offset is not None:
            error.offset += span.start - header
        counted = f"; line and record are counted from byte {span.start}, and the byte is {error.offset}"
        error.args = (f"{error.args[0]}{counted}", *error.args[1:])
    return error


def is_done(path: str) -> bool:
    """Whether a folder is what a job has written that had no rows: it has the mark of a whole job, and no files."""
    if not os.path.isfile(os.path.join(path, DONE)):
        return False
    with os.scandir(path) as entries:
        return not any(entry.is_file() and entry.name[0] not in "._" for entry in entries)


class Reader(DataSourceReader):
    """Reads files."""

    def __init__(self, options: Options, schema: Any) -> None:
        self._reading = Reading(options, schema)

    def pushFilters(self, filters: list[Any]) -> Iterable[Any]:  # noqa: N802 - Spark's name
        """Takes the filters that a copy can apply as it reads, and hands the others back."""
        if self._reading.options.mode == "PERMISSIVE":
            # A filter on the column of refused records, or one that they pass, is Spark's to decide.
            return filters
        own = self._reading.conditions
        conditions, left = pushed(filters, self._reading.schema, plain_fields(self._reading.options.type()))
        if conditions and not self._is_accepted([*own, *conditions]):
            return filters
        own += conditions
        return left

    def _is_accepted(self, conditions: list[str]) -> bool:
        """Whether a copy takes all of these conditions together."""
        settings = {**_DEFAULTS, "type": self._reading.options.type(), "where": " and ".join(conditions)}
        try:
            _native.copy(b"", lambda _: None, {**settings, "from_": _native.LINES, "to": _native.LINES})
        except ValueError:
            return False
        return True

    def partitions(self) -> list[InputPartition]:
        """Divides the files."""
        reading = self._reading
        files = [file for path in reading.options.need_paths() if not is_done(path) for file in files_of(path)]
        return reading.partitions_of(files)

    def read(self, partition: Any) -> Iterator[Any]:
        """Reads a part of them."""
        return self._reading.batches(partition)
