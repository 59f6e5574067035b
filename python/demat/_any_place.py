"""`read`, `columns` and `write`: the records of any place, whose name says what it is."""

from __future__ import annotations

from collections.abc import AsyncIterable, Coroutine, Iterator
from importlib import import_module
from os import PathLike
from typing import TYPE_CHECKING, Any, TypeVar, cast, overload

from . import _stored
from ._columns import columns_of
from ._format_of import format_of, name_in, tabbed
from ._objects import is_columns
from ._own_places import arrow_bytes, is_sink, records_of, source_of
from ._part import Part, part_of
from ._placed import finished
from ._store import Store

if TYPE_CHECKING:
    import builtins

    from typing_extensions import TypeForm

    from ._formats import CopiedName
    from ._native import Columns
    from ._places import Objects, Place, Target
    from ._schema.arrow import Arrow

_T = TypeVar("_T")

# The options of `columns` that databases have, too.
_OF_COLUMNS = frozenset({"decimals", "naive", "narrow", "dictionary"})


@overload
def read(
    place: Place | Objects | Arrow, /, type: builtins.type[_T], *, format: CopiedName | None = None, **options: Any
) -> Iterator[_T]: ...
@overload
def read(
    place: Place | Objects | Arrow, /, type: TypeForm[_T], *, format: CopiedName | None = None, **options: Any
) -> Iterator[_T]: ...
@overload
def read(
    place: Place | Objects | Arrow, /, type: None = None, *, format: CopiedName | None = None, **options: Any
) -> Iterator[Any]: ...
def read(place: Any, /, type: Any = None, *, format: str | None = None, **options: Any) -> Iterator[Any]:
    """Returns an iterator over the records of a place.

    - `place`: a path; a table or a statement of a database (`app.db#tasks`, `app.db?select …`,
      `postgresql://host/app#tasks`), a collection (`lmdb:folder#tasks`); a place of a `demat.scheme`; or anything else
      that the `read` of the format takes, such as bytes or an open file; or what has objects: a table, its rows, a
      collection, a store, columns of Arrow, an iterable of records, a `demat.Source`, or a function that returns
      records
    - `type`: the class of each record, into which objects are converted. Without it records are dicts, and those of a
      collection are of the class that it was made with
    - `format`: the format, where the name of the place does not say it
    - `options`: those of the format's `read`. A database has none here: `demat.sqlite`, `demat.postgres` and
      `demat.lmdb` select and sort

    Raises ValueError if the format can't be told, TypeError for unknown options, `demat.StoreError` if the place can't
    be opened (which is the OSError, too), and for a record what the `read` of the format raises.

    >>> import tempfile
    >>> from dataclasses import dataclass
    >>> from pathlib import Path
    >>> from demat import read, write
    >>> @dataclass
    ... class Point:
    ...     x: int
    ...     y: int
    >>> folder = tempfile.TemporaryDirectory()
    >>> for name in ("points.csv", "points.json.gz", "points.parquet", "points.db#points"):
    ...     place = str(Path(folder.name) / name)
    ...     write(place, [Point(1, 2), Point(3, 4)]), list(read(place, Point))
    (2, [Point(x=1, y=2), Point(x=3, y=4)])
    (2, [Point(x=1, y=2), Point(x=3, y=4)])
    (2, [Point(x=1, y=2), Point(x=3, y=4)])
    (2, [Point(x=1, y=2), Point(x=3, y=4)])
    >>> folder.cleanup()
    """
    part = _part(place, format)
    if part is not None:
        part.refuse(options)
        return iter(part.collection(type).scan(objects=True) if part.kind == "lmdb" else part.rows(type))
    if format is None and _may_have_objects(place):
        records, place = records_of(place, type)
        if records is not None:
            _refuse(options, "read")
            return records
    stored = _of_tabs(place, format)
    if stored is not None:
        place, options = stored.packed(format, options)
    verb, options = _module(place, format, "read", options)
    found: Iterator[Any] = verb(place, *_typed(type), **options)
    return found


def columns(
    place: Place | Objects | Arrow,
    /,
    type: TypeForm[Any] | None = None,
    *,
    format: CopiedName | None = None,
    **options: Any,
) -> Columns:
    """Returns the records of a place as columns for NumPy and Arrow, without making objects.

    `place`, `type` and `format` are those of `read`; `options` are those of the format's `columns`; a database
    has `decimals`, `naive`, `narrow` and `dictionary` of these. Raises what `read` raises.

    >>> from demat import columns
    >>> columns(b"x,y\\n1,2\\n3,4\\n", format="csv").numpy("y").tolist()
    [2, 4]
    """
    part = _part(place, format)
    found: Columns
    if part is not None:
        part.refuse({name: value for name, value in options.items() if name not in _OF_COLUMNS})
        rows = part.collection(type) if part.kind == "lmdb" else part.rows(type)
        found = rows.columns(**options)
        return found
    if format is None and _may_have_objects(place):
        made, place = _columns_of(place, type, options)
        if made is not None:
            return made
    stored = _of_tabs(place, format)
    if stored is not None:
        place = stored.read(format, options)[0]
    verb, options = _module(place, format, "columns", options)
    found = verb(place, *_typed(type), **options)
    return found


@overload
def write(
    place: Target,
    values: Objects | Arrow | Store,
    /,
    type: TypeForm[Any] | None = None,
    *,
    format: CopiedName | None = None,
    **options: Any,
) -> int: ...
@overload
def write(
    place: Target,
    values: AsyncIterable[Any],
    /,
    type: TypeForm[Any] | None = None,
    *,
    format: CopiedName | None = None,
    **options: Any,
) -> Coroutine[Any, Any, int]: ...
def write(
    place: Any, values: Any, /, type: Any = None, *, format: str | None = None, **options: Any
) -> int | Coroutine[Any, Any, int]:
    """Writes records to a place; returns their number.

    A file is replaced when all is written, and an error leaves it as it was. A table is made for the class if it is not
    there, and gets the rows in one transaction.

    - `place`: a path, a table, a collection or a place of a scheme, as of `read`; a `demat.Sink`; or anything else that
      the `write` of the format takes
    - `values`: an iterable of objects, dicts or rows; columns of any library that speaks Arrow's PyCapsule interface; a
      table, a collection, a store, a `demat.Source`, or a function that returns records; or an asynchronous iterable,
      of which this makes a coroutine that returns the number. No place of bytes: `demat.copy` moves what one has
    - `type`: the class of each record; without it each is written as its own
    - `format`: the format, where the name of the place does not say it
    - `options`: those of the format's `write`. A database has none here

    Raises ValueError if the format can't be told, TypeError for unknown options and for what is no iterable of records,
    `demat.EncodeError` if the place can't hold a value, and `demat.StoreError` if it can't be written to.

    >>> import io
    >>> from demat import write
    >>> text = io.StringIO()
    >>> write(text, [{"x": 1}, {"x": 2}], format="ndjson")
    2
    >>> text.getvalue()
    '{"x":1}\\n{"x":2}\\n'
    """
    values = read(values, type) if isinstance(values, Store) else source_of(values)
    if is_sink(place):
        if format is not None:
            raise ValueError("a sink gets records, which have no format")
        _refuse(options, "write")
        from ._copy import copy

        return copy(values, place, type).records
    part = _part(place, format)
    if part is not None:
        part.refuse(options)
        from ._columnar import told

        return told(place, values, type, None, {})
    stored = _of_tabs(place, format)
    if stored is not None:
        place = stored.put("tsv", options.pop("compression", "auto"), options)
    verb, options = _module(place, format, "write", options)
    written: Any = verb(place, values, *_typed(type), **options)
    done: int | Coroutine[Any, Any, int] = written if stored is None else finished(written, place)
    return done


def _may_have_objects(place: Any) -> bool:
    """Whether a place is none of those whose name, or whose bytes, say the format."""
    if isinstance(place, (str, PathLike, bytes, bytearray, memoryview, Store)):
        return False
    return not hasattr(place, "read") and not hasattr(place, "recv")


def _columns_of(place: Any, type: Any, options: dict[str, Any]) -> tuple[Columns | None, Any]:
    """The columns of what has objects; and the place, of which nothing is lost."""
    place = source_of(place)
    if is_columns(place):
        from . import arrow

        return arrow.columns(arrow_bytes(place), type, **options), place
    # Rows and collections have columns without objects.
    own: Any = getattr(place.select() if hasattr(place, "select") else place, "columns", None)
    is_native = callable(own) and type is None
    records, place = (None, place) if is_native else records_of(place, type)
    if records is None and not is_native:
        return None, place
    _refuse({name: value for name, value in options.items() if name not in _OF_COLUMNS}, "columns")
    if is_native:
        made = cast("Columns", own(**options))
    elif type is None:
        from . import arrow

        # Objects have the columns of their class, and dicts those that they come to.
        made = arrow.columns(arrow_bytes(records, options))
    else:
        made = columns_of(list(records or ()), type, **options)
    return made, place


def _refuse(options: dict[str, Any], verb: str) -> None:
    """Raises TypeError for options of what has objects."""
    for name in options:
        raise TypeError(f"`{verb}` has no option {name!r} for what has objects")


def _part(place: Any, format: str | None) -> Part | None:
    """The part of a database that a place names, if it is one. Raises ValueError for other places of databases."""
    if format is None:
        part = part_of(place)
        if part is not None or _stored.Stored.of(place) is not None:
            return part
    elif format_of(None, format) != "sqlite":
        return None
    elif (part := part_of(place)) is not None and part.kind == "sqlite":
        return part
    if format is not None or _is_database(place):
        raise ValueError("a table is named by the path of its database: app.db#tasks")
    return None


def _is_database(place: Any) -> bool:
    """Whether an open file is called as a database is. What is in it are no records."""
    named = name_in(place)
    return named is not None and named is not place and part_of(named) is not None


def _module(place: Any, format: str | None, verb: str, options: dict[str, Any]) -> tuple[Any, dict[str, Any]]:
    """The verb of the place's format, and the options with those that the format's name stands for."""
    if format is None and _stored.Stored.of(place) is not None:
        # A value of a store has no format: this one holds most kinds of values as they are.
        format = _stored.KEPT
    name = format_of(place, format)
    own, options = tabbed(name, options)
    found = getattr(import_module(f"demat.{own}"), verb, None)
    if found is None:
        raise ValueError(f"{name} has no `{verb}`")
    return found, options


def _of_tabs(place: Any, format: str | None) -> _stored.Stored | None:
    """The value of a store, if cells between tabs are to be read from it or written to it.

    The store has them as they are by default, while the module takes the delimiter for an option.
    """
    if format is None or format_of(None, format) != "tsv":
        return None
    return _stored.Stored.of(place)


def _typed(type: Any) -> tuple[Any, ...]:
    """The argument `type`, where it is given."""
    return () if type is None else (type,)
