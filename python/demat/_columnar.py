"""Places that hold columns: what `demat.arrow` and `demat.parquet` have in common."""

from __future__ import annotations

from io import BytesIO
from typing import TYPE_CHECKING, Any

from . import _native, _stored
from ._copy import copy
from ._objects import is_live, refuse_place

if TYPE_CHECKING:
    from collections.abc import AsyncIterable, Coroutine, Iterable, Iterator
    from os import PathLike
    from typing import Literal

    from _typeshed import SupportsWrite

    from ._native import Columns, ColumnStream
    from ._places import Place
    from ._schema.arrow import Arrow
    from ._store import Store

# How many records are objects at the same time while a place is read: enough that a call for each costs nothing.
_MANY = 8192


def columns(
    name: str,
    place: Place,
    type: Any,
    fields: Iterable[str] | str | None,
    batch_size: int | None,
    options: dict[str, Any],
) -> Columns | ColumnStream:
    """Returns the columns of a place, or a stream of batches of them."""
    if batch_size is not None and (isinstance(batch_size, bool) or batch_size < 1):
        raise ValueError(f"batch_size is an int from 1, or None, not {batch_size!r}")
    return _native.stored_columns(name, _opened(name, place, type), type, _names(fields), batch_size, options)


def read(name: str, place: Place, type: Any, fields: Iterable[str] | str | None, batch: int | None) -> Iterator[Any]:
    """Returns an iterator over the records of a place, or over lists of them."""
    if batch is not None and (isinstance(batch, bool) or batch < 1):
        raise ValueError(f"batch is an int from 1, or None, not {batch!r}")
    type = Any if type is None else type
    _native.check_record(type)
    # The place is opened here, and not when the first record is taken.
    # Only the columns are read that the type has fields for.
    later = None if type is Any else type
    stream = _native.stored_columns(name, _opened(name, place, type), None, _names(fields), batch or _MANY, {}, later)
    return _lists(stream, type) if batch is not None else _each(stream, type)


def _opened(name: str, place: Any, type: Any) -> Any:
    """The place to read: the columns of a value, if the place is a value of a store, which has none itself."""
    if _stored.Stored.of(place) is None:
        return place
    file = BytesIO()
    copy(place, file, None if type is Any else type, to=name, sample=None)  # type: ignore[arg-type]
    return file.getvalue()


def _lists(stream: ColumnStream, type: Any) -> Iterator[list[Any]]:
    first = 0
    with stream:
        for columns in stream:
            records: list[Any] = _native.records_behind(columns, first, type)
            first += len(records)
            yield records


def _each(stream: ColumnStream, type: Any) -> Iterator[Any]:
    for records in _lists(stream, type):
        yield from records


def write(
    name: Literal["arrow", "parquet"],
    place: str | PathLike[str] | SupportsWrite[bytes] | Store,
    records: Iterable[Any] | AsyncIterable[Any] | Arrow,
    type: Any,
    options: dict[str, Any],
    compression: Literal["auto", "gzip", "zstd"] | None,
) -> int | Coroutine[Any, Any, int]:
    """Writes records to a place; returns their number, or a coroutine that does."""
    given = {key: value for key, value in options.items() if value}
    return told(place, records, type, name, given, compression)


def told(
    place: Any,
    records: Any,
    type: Any,
    name: Literal["arrow", "parquet"] | None,
    options: dict[str, Any],
    compression: Literal["auto", "gzip", "zstd"] | None = "auto",
) -> int | Coroutine[Any, Any, int]:
    """Writes records to a place that takes the whole; returns their number, or a coroutine for an async iterable."""
    if hasattr(records, "__aiter__") and not is_live(records):
        from ._writer import writer
        from ._written import written

        return written(writer(place, type, format=name, compression=compression, **options), records)
    refuse_place(records)
    return copy(records, place, type, to=name, write=options or None, compression=compression).records


def _names(fields: Iterable[str] | str | None) -> list[str] | None:
    if fields is None:
        return None
    names = [fields] if isinstance(fields, str) else list(fields)
    if not names:
        raise ValueError("fields= names no column; None means all")
    return names
