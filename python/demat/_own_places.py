"""`Source` and `Sink`: places that a program writes; and the records of whatever has objects."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Protocol

from . import _stored
from ._objects import is_columns, objects_of
from ._store import Store

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator


class Source(Protocol):
    """A place of your own that records come from: any object with this method. It derives from nothing.

    `demat.copy`, `read`, `write`, `columns` and the `insert` of tables take it, as they take a function without
    arguments that returns records.

    >>> import demat, io
    >>> class Squares:
    ...     def records(self):
    ...         return ({"n": n, "square": n * n} for n in range(3))
    >>> file = io.BytesIO()
    >>> demat.copy(Squares(), file, to="csv", where="square > 0").records
    2
    >>> print(file.getvalue().decode(), end="")
    n,square
    1,1
    2,4
    """

    def records(self) -> Iterable[Any]:
        """Returns the records, which are read once: objects, or dicts."""
        ...


class Sink(Protocol):
    """A place of your own that records go to: any object with these methods. It derives from nothing.

    `demat.copy` and `demat.write` take it, `copy` also among several targets. The records are of the copy's `type`, if
    it is a class and all fields are copied under their names; else they are dicts.

    An exception of any method ends the copy, and is raised.

    >>> import demat
    >>> class Sums:
    ...     total = staged = 0
    ...     def take(self, record):
    ...         self.staged += record["n"]
    ...     def commit(self):
    ...         self.total += self.staged
    ...     def abort(self):
    ...         self.staged = 0
    >>> sums = Sums()
    >>> demat.copy(b"n,x\\n1,a\\n2,b\\n", sums, "n: int, x: text", from_="csv", fields=["n"]).records
    2
    >>> sums.total
    3
    """

    def take(self, record: Any, /) -> object:
        """Takes a record, as it comes."""
        ...

    def commit(self) -> object:
        """Makes all of them visible. It is called once, behind the last record, when all other targets are complete."""
        ...

    def abort(self) -> object:
        """Forgets all of them. It is called once, after an error; not after one of `commit`."""
        ...


for _own in (Source, Sink):
    _own.__module__ = "demat"


class SinkTarget:
    """A target that gets the bytes of records, and gives the records to a sink."""

    __slots__ = ("_ended", "_has_bytes", "_parser", "_sink", "format")

    def __init__(self, sink: Sink, type: Any) -> None:
        from . import cbor

        # It keeps the kinds of most values.
        self.format = _stored.KEPT
        self._sink = sink
        self._ended = self._has_bytes = False
        self._parser: Any = cbor.parser(*(() if type is None else (type,)), target=sink.take)

    def write(self, data: bytes) -> int:
        """Takes bytes."""
        self._has_bytes = True
        self._parser.feed(data)
        return len(data)

    def give(self, objects: Iterable[Any], type: Any) -> int:
        """Gives objects as they are, or of the type; returns their number. `finish` follows."""
        count = 0
        for value in objects if type is None else _typed(objects, type):
            self._sink.take(value)
            count += 1
        return count

    def finish(self) -> None:
        """Gives the last records, and commits."""
        if self._has_bytes:
            self._parser.close()
        self._ended = True
        self._sink.commit()

    def abort(self) -> None:
        """Aborts, if it has not ended."""
        if not self._ended:
            self._ended = True
            self._sink.abort()


def is_sink(target: object) -> bool:
    """Whether a target is a sink. What also takes bytes is a file."""
    has = all(callable(getattr(target, name, None)) for name in ("take", "commit", "abort"))
    return has and not isinstance(target, type) and not hasattr(target, "write")


def source_of(src: Any) -> Any:
    """The records of a source that the program has written, or of a function; anything else as it is."""
    if isinstance(src, (str, bytes, type)) or is_columns(src):
        return src
    if callable(getattr(src, "records", None)):
        return src.records()
    if callable(src) and not hasattr(src, "__iter__") and not hasattr(src, "read"):
        return src()
    return src


def records_of(src: Any, type: Any) -> tuple[Iterator[Any] | None, Any]:
    """The records of a type, if the source has objects; and the source, of which nothing is lost."""
    src = source_of(src)
    if is_columns(src):
        return _of_columns(src, type), src
    objects, src = objects_of(src)
    if objects is None:
        return None, src
    return (iter(objects) if type is None else _typed(objects, type)), src


def given_records(values: Any, type: Any) -> Any:
    """The records to insert into a table: also those of a store, of columns and of a source."""
    values = source_of(values)
    if isinstance(values, Store):
        from ._any_place import read

        return read(values, type)
    return _of_columns(values, type) if is_columns(values) else values


def _typed(objects: Iterable[Any], type: Any) -> Iterator[Any]:
    from ._convert import convert

    kind = type if hasattr(type, "__mro__") else ()
    for value in objects:
        yield value if isinstance(value, kind) else convert(value, type)


def _of_columns(src: Any, type: Any) -> Iterator[Any]:
    from . import arrow

    return arrow.read(arrow_bytes(src), *(() if type is None else (type,)))


def arrow_bytes(src: Any, options: dict[str, Any] | None = None) -> bytes:
    """Columns of any library, or objects, as a file of Arrow's."""
    from io import BytesIO

    from ._copy import copy

    file = BytesIO()
    copy(src, file, to="arrow", write=options or None)
    return file.getvalue()
