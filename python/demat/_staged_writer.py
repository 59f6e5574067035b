"""`StagedWriter`: keeps what a program writes until it is closed, and passes it on as a whole."""

from __future__ import annotations

from tempfile import TemporaryFile
from typing import TYPE_CHECKING, Any

from . import _native, _stored

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from types import TracebackType
    from typing import Self

    from ._native import Writer

# Formats that are written as a whole: columns, and tables of a database.
WHOLE = ("arrow", "parquet", "sqlite")


class StagedWriter:
    """Writes values to a place that takes them as a whole, as `demat.writer` returns it: a value of a store, a file of
    columns, a table of a database by its name.

    Each value is checked and encoded as it is written. Those for a store are kept in memory, those for columns and
    tables in a temporary file. The place changes when the writer is closed; after an error that leaves a `with`, it is
    as it was. A value that is refused is not written, and the writer goes on.

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

    __slots__ = ("_failed", "_finish", "_stage")

    def __init__(self, stage: Writer, finish: Callable[[], object]) -> None:
        self._stage = stage
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

    def write_all(self, values: Iterable[Any], /) -> int:
        """Writes the values of an iterable, and returns their number. Those before one that is refused are written.

        Raises what `encode` raises, and what the iterable raises; `RuntimeError` if the writer is closed.
        """
        return self._stage.write_all(values)

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

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, raised: BaseException | None, traceback: TracebackType | None, /
    ) -> None:
        if kind is None:
            self.close()
        else:
            self.abort()


StagedWriter.__module__ = "demat"


def to_store(stored: _stored.Stored, type: Any, format: str | None, options: dict[str, Any]) -> StagedWriter:
    """Returns a writer to a value of a store."""
    target = stored.put(format, options.pop("compression", "auto"))
    return StagedWriter(_native.open_writer(target, type, target.format, options), target.finish)


class _Lines:
    """Lines in a temporary file, to be copied to a place."""

    __slots__ = ("_copy", "_file", "_type")

    def __init__(self, type: Any, copy: Callable[..., object]) -> None:
        self._file: Any = TemporaryFile()  # noqa: SIM115 - this object closes it
        self._type = type
        self._copy = copy

    def write(self, data: bytes) -> int:
        """Takes bytes."""
        written: int = self._file.write(data)
        return written

    def __del__(self) -> None:
        # The writer was aborted, or forgotten.
        if hasattr(self, "_file"):
            self._file.close()

    def finish(self) -> None:
        """Copies the lines."""
        with self._file:
            self._file.seek(0)
            self._copy(self._file, self._type)


def whole(name: str, place: Any, type: Any, options: dict[str, Any]) -> StagedWriter:
    """Returns a writer to a place of a format that is written as a whole. The copy infers the shape without a type."""
    from ._copy import copy

    packing = options.pop("compression", "auto")
    known = () if name == "sqlite" else ("naive", "decimals")
    for option in options:
        if option not in known:
            raise TypeError(f'{name}.write has no option "{option}"; it has {", ".join((*known, "compression"))}')
    if packing not in ("auto", "gzip", "zstd", None):
        raise ValueError(f'compression must be "auto", "gzip", "zstd" or None, not {packing!r}')
    write = {key: value for key, value in options.items() if value} or None

    def pass_on(file: Any, type: Any) -> object:
        return copy(file, place, type, from_=_native.LINES, to=name, write=write, compression=packing)  # type: ignore[arg-type]

    lines = _Lines(type, pass_on)
    return StagedWriter(_native.open_writer(lines, type, _native.LINES, {}), lines.finish)
