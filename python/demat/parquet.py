"""Parquet: columns, each packed by itself.

Most of what reads tables reads Parquet. Its metadata stands at the end, so a place that is no file is read whole.

>>> import tempfile
>>> from dataclasses import dataclass
>>> from pathlib import Path
>>> from demat import parquet
>>> @dataclass
... class Task:
...     id: int
...     title: str
...     done: bool = False
>>> folder = tempfile.TemporaryDirectory()
>>> place = Path(folder.name) / "tasks.parquet"
>>> parquet.write(place, [Task(1, "Clean room"), Task(2, "Rest", done=True)])
2
>>> list(parquet.read(place, Task))
[Task(id=1, title='Clean room', done=False), Task(id=2, title='Rest', done=True)]
>>> parquet.columns(place, fields="id").numpy("id").tolist()
[1, 2]
>>> folder.cleanup()
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeVar, overload

from . import _columnar

if TYPE_CHECKING:
    from collections.abc import AsyncIterable, Coroutine, Iterable, Iterator
    from os import PathLike
    from typing import Literal

    from _typeshed import SupportsWrite
    from typing_extensions import TypeForm

    from ._native import Columns, ColumnStream
    from ._places import Place
    from ._schema.arrow import Arrow
    from ._store import Store

__all__ = ["columns", "read", "write"]

_T = TypeVar("_T")


@overload
def columns(
    place: Place,
    type: TypeForm[Any] | None = None,
    *,
    fields: Iterable[str] | str | None = None,
    batch_size: None = None,
    naive: bool = False,
    decimals: tuple[int, int] | None = None,
    narrow: bool = False,
    dictionary: bool | Iterable[str] = False,
) -> Columns: ...
@overload
def columns(
    place: Place,
    type: TypeForm[Any] | None = None,
    *,
    fields: Iterable[str] | str | None = None,
    batch_size: int,
    naive: bool = False,
    decimals: tuple[int, int] | None = None,
    narrow: bool = False,
    dictionary: bool | Iterable[str] = False,
) -> ColumnStream: ...
def columns(
    place: Place,
    type: TypeForm[Any] | None = None,
    *,
    fields: Iterable[str] | str | None = None,
    batch_size: int | None = None,
    naive: bool = False,
    decimals: tuple[int, int] | None = None,
    narrow: bool = False,
    dictionary: bool | Iterable[str] = False,
) -> Columns | ColumnStream:
    """Returns the columns of a Parquet file, with the types that the file has.

    `place` is a path, the bytes, an open file, or any other place that `read` takes. It is read from its
    end, so what is no plain file is copied to one first.

    - `type`: the class of each row. Its rules hold, and the columns become those that `demat.columns_of` makes of its
      objects; None: the columns of the place
    - `fields`: the names of the columns to read, in this order; None: those that the type has, or all.
      The others are not even unpacked
    - `batch_size`: a stream of columns of at most so many rows each, in bounded memory; None: all rows at once
    - `naive`, `decimals`: as in `write`
    - `narrow`: True: columns of ints are as narrow as the bounds of their type allow, `uint8` for `ge=0, le=255`;
      False: `int64`
    - `dictionary`: the columns whose texts are stored once each, with a number for each row; True: all

    Raises `demat.DecodeError` for damaged data, for a column that is not there and for a row that does not fit the
    type; `demat.StoreError` if the place can't be opened.
    """
    options = {"naive": naive, "decimals": decimals, "narrow": narrow, "dictionary": dictionary}
    return _columnar.columns("parquet", place, type, fields, batch_size, options)


@overload
def read(
    place: Place, type: None = None, *, fields: Iterable[str] | str | None = None, batch: None = None
) -> Iterator[dict[str, Any]]: ...
@overload
def read(
    place: Place, type: None = None, *, fields: Iterable[str] | str | None = None, batch: int
) -> Iterator[list[dict[str, Any]]]: ...
@overload
def read(
    place: Place, type: TypeForm[_T], *, fields: Iterable[str] | str | None = None, batch: None = None
) -> Iterator[_T]: ...
@overload
def read(
    place: Place, type: TypeForm[_T], *, fields: Iterable[str] | str | None = None, batch: int
) -> Iterator[list[_T]]: ...
def read(
    place: Place,
    type: TypeForm[Any] | None = None,
    *,
    fields: Iterable[str] | str | None = None,
    batch: int | None = None,
) -> Iterator[Any]:
    """Returns an iterator over the records of a Parquet file. A batch of rows bounds the memory.

    - `type`: the class of each record; None: dicts
    - `fields`: the names of the columns to read; the fields of the others have their defaults; None: those that the
      type has, or all. The others are not even unpacked
    - `batch`: yield lists of at most so many records; None: one record at a time

    Raises `demat.StoreError` if the place can't be opened; later `demat.DecodeError` for damaged data, and
    `demat.ValidationError` with the path for a record that does not fit the type.
    """
    return _columnar.read("parquet", place, type, fields, batch)


@overload
def write(
    place: str | PathLike[str] | SupportsWrite[bytes] | Store,
    records: Iterable[Any] | Arrow,
    type: TypeForm[Any] | None = None,
    *,
    naive: bool = False,
    decimals: tuple[int, int] | None = None,
    narrow: bool = False,
    dictionary: bool | Iterable[str] = False,
    compression: Literal["auto", "gzip", "zstd"] | None = "auto",
) -> int: ...
@overload
def write(
    place: str | PathLike[str] | SupportsWrite[bytes] | Store,
    records: AsyncIterable[Any],
    type: TypeForm[Any] | None = None,
    *,
    naive: bool = False,
    decimals: tuple[int, int] | None = None,
    narrow: bool = False,
    dictionary: bool | Iterable[str] = False,
    compression: Literal["auto", "gzip", "zstd"] | None = "auto",
) -> Coroutine[Any, Any, int]: ...
def write(
    place: str | PathLike[str] | SupportsWrite[bytes] | Store,
    records: Iterable[Any] | AsyncIterable[Any] | Arrow,
    type: TypeForm[Any] | None = None,
    *,
    naive: bool = False,
    decimals: tuple[int, int] | None = None,
    narrow: bool = False,
    dictionary: bool | Iterable[str] = False,
    compression: Literal["auto", "gzip", "zstd"] | None = "auto",
) -> int | Coroutine[Any, Any, int]:
    """Writes records to a Parquet file; returns their number. A file is replaced when all is written.

    `records` is any iterable of objects, or columns of any library that speaks Arrow's PyCapsule interface; of an
    asynchronous iterable this makes a coroutine, which returns the number. The
    columns are compressed by Snappy.

    - `type`: the type of each record; None: the class of the first one
    - `naive`: write each datetime without a time zone
    - `decimals`: how many digits decimals have, and how many of them behind the point; None: they are text
    - `narrow`: True: columns of ints are as narrow as the bounds of their type allow, `uint8` for `ge=0, le=255`;
      False: `int64`
    - `dictionary`: the columns whose texts are stored once each, with a number for each row; True: all
    - `compression`: how the whole file is packed; `auto`: as its suffix says

    Raises `demat.EncodeError` for a record that can't be a row, `demat.ValidationError` for a value that does not fit
    its column, `demat.StoreError` if the place can't be written.
    """
    options = {"naive": naive, "decimals": decimals, "narrow": narrow, "dictionary": dictionary}
    return _columnar.write("parquet", place, records, type, options, compression)
