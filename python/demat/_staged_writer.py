"""`StagedWriter`: keeps what a program writes until it is closed, and passes it on as a whole."""

from __future__ import annotations

from os import PathLike
from tempfile import TemporaryFile
from typing import TYPE_CHECKING, Any

from . import _stored
from ._closing import Closing
from ._format_of import open_writer
from ._objects import has_fields
from ._whole_place import check, lasting

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from ._native import Writer

# Formats that are written as a whole: columns, and tables of a database. Collections are, too, whatever their format.
WHOLE = ("arrow", "parquet", "sqlite")


class StagedWriter(Closing):
    """Writes values to a place that takes them as a whole, as `demat.writer` returns it: a value of a store, a file of
    columns, a table or a collection of a database by its name.

    The options, the place and the type are checked when it is opened. Each value is checked and encoded as it is
    written. Those for a store are kept in memory, those for columns and tables in a temporary file. The place changes
    when the writer is closed; after an error that leaves a `with`, it is as it was. A value that is refused is not
    written, and the writer goes on.

    - `count`: the number of values written
    - `closed`: whether it takes no more

    >>> import demat
    >>> from demat import store
    >>> notes = store.memory()
    >>> with demat.writer(notes) as writer:
    ...     writer.write({"id": 1})
    ...     writer.write_all([{"id": 2}])
    1
    >>> notes.get()
    [{'id': 1}, {'id': 2}]
    """

    __slots__ = ("_failed", "_finish", "_note", "_stage")

    def __init__(self, stage: Writer, finish: Callable[[], object], note: Callable[[Any], None] | None = None) -> None:
        self._stage = stage
        # What is called with each value.
        self._note = note
        # What passes the whole on; None once the writer is closed.
        self._finish: Callable[[], object] | None = finish
        self._failed = False

    @property
    def count(self) -> int:
        """The number of values written."""
        return self._stage.count

    @property
    def closed(self) -> bool:
        """Whether it takes no more."""
        return self._stage.closed

    def write(self, value: object, /) -> None:
        """Writes one value. Raises what `encode` raises; `RuntimeError` if the writer is closed."""
        self._stage.write(value)
        if self._note is not None:
            self._note(value)

    def write_all(self, values: Iterable[Any], /) -> int:
        """Writes the values of an iterable, and returns their number. Those before one that is refused are written.

        Raises what `encode` raises, and what the iterable raises; `RuntimeError` if the writer is closed.
        """
        return self._stage.write_all(values if self._note is None else _noted(values, self._note))

    def flush(self) -> None:
        """Does nothing: the values are there when the writer is closed. Raises `RuntimeError` if it is."""
        self._stage.flush()

    def close(self) -> int:
        """Passes the values on, and returns their number. Again it does nothing.

        Raises what the place raises; then it is as it was.
        """
        if self._failed:
            raise RuntimeError("the place was given up after an error: nothing was written there")
        count = self._stage.close()
        finish, self._finish = self._finish, None
        if finish is not None:
            self._failed = True
            finish()
            self._failed = False
        return count

    def abort(self) -> None:
        """Gives the values up. Again it does nothing."""
        self._stage.abort()
        self._finish, self._failed = None, False


def _noted(values: Iterable[Any], note: Callable[[Any], None]) -> Iterable[Any]:
    for value in values:
        note(value)
        yield value


StagedWriter.__module__ = "demat"


def to_store(
    stored: _stored.Stored, place: Any, type: Any, format: str | None, options: dict[str, Any]
) -> StagedWriter:
    """Returns a writer to a value of a store, which is `place`."""
    if format in WHOLE[:2]:
        # What is wrong with the place is said before anything is written.
        stored.put(format, options.get("compression", "auto"))
        return whole(format, place, type, options)
    target = stored.put(format, options.pop("compression", "auto"), options)
    return StagedWriter(open_writer(target, type, target.format, options), target.finish)


class _Stage:
    """Values in a temporary file, to be copied to a place."""

    __slots__ = ("_copy", "_file", "_kinds", "name")
    # `copy` asks this: nothing of them may be lost.
    _is_of_objects = True

    def __init__(self, name: str, copy: Callable[..., object]) -> None:
        self._file: Any = TemporaryFile()  # noqa: SIM115 - this object closes it
        self._copy = copy
        self._kinds: set[Any] = set()
        # Errors name the place.
        self.name = name

    def note(self, value: Any) -> None:
        """Notes the class of a value."""
        if len(self._kinds) < 2:
            self._kinds.add(value.__class__)

    def write(self, data: bytes) -> int:
        """Takes bytes."""
        written: int = self._file.write(data)
        return written

    def read(self, size: int = -1) -> bytes:
        """Gives them again."""
        data: bytes = self._file.read(size)
        return data

    def __del__(self) -> None:
        # The writer was aborted, or forgotten.
        if hasattr(self, "_file"):
            self._file.close()

    def finish(self) -> None:
        """Copies the values, by their class if it says more than they do."""
        with self._file:
            self._file.seek(0)
            kind = self._kinds.pop() if len(self._kinds) == 1 else None
            self._copy(self, kind if kind is not None and has_fields(kind) else None)


def whole(name: str, place: Any, type: Any, options: dict[str, Any]) -> StagedWriter:
    """Returns a writer to a place of a format that is written as a whole. Without a type the copy takes the class that
    all values have, or infers the shape."""
    from ._copy import copy

    packing = options.pop("compression", "auto")
    known = ("naive", "decimals", "narrow", "dictionary") if name in ("arrow", "parquet") else ()
    for option in options:
        if option not in known:
            has = (*known, "compression") if known else ("none",)
            raise TypeError(f'{name}.write has no option "{option}"; it has {", ".join(has)}')
    if packing not in ("auto", "gzip", "zstd", None):
        raise ValueError(f'compression must be "auto", "gzip", "zstd" or None, not {packing!r}')
    write = {key: value for key, value in options.items() if value} or None
    how: dict[str, Any] = {"from_": _stored.KEPT, "to": name, "read": {"sequence": True}, "write": write}
    check(place, name, type, packing, how)
    # The program may go to another folder meanwhile.
    target = lasting(place)

    def pass_on(file: Any, kind: Any) -> object:
        return copy(file, target, kind if type is None else type, compression=packing, **how)

    stage = _Stage(_name_of(place), pass_on)
    # Values one behind the other, in the format that keeps most kinds of them.
    writer = open_writer(stage, type, _stored.KEPT, {"sequence": True})
    return StagedWriter(writer, stage.finish, stage.note if type is None else None)


def _name_of(place: Any) -> str:
    name = place if isinstance(place, (str, PathLike)) else getattr(place, "name", None)
    return str(name) if isinstance(name, (str, PathLike)) else place.__class__.__name__
